#!/bin/sh
# dynamic_shared.sh OUT.c OBJECT...: writes C that defines each `extern __shared__` array of the objects, all at one
# address, as on a GPU. They are the thread-local symbols that no object defines.
set -eu
out=$1
shift
{
  echo '__thread char emu_dynamic_shared[65536] __attribute__((aligned(1024)));'
  readelf -sW "$@" | awk '$4 == "TLS" && $7 == "UND" { print $8 }' | sort -u | while read -r name; do
    echo "extern __thread char emu_$name[65536] __asm__(\"$name\") __attribute__((alias(\"emu_dynamic_shared\")));"
  done
} > "$out"
