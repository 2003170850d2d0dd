#!/bin/sh
# run.sh [TEST]...: the shims' tests on the emulator, wavefronts of 32 and 64. Prints a line a test; exits 1 if one fails.
# With TRANSHIP=path-to-binary and WARP_TRUTH=folder of *.cu with *.out, also translates, builds and runs those.
set -u
here=$(cd "$(dirname "$0")" && pwd)
shims=$here/../../rules/shims
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
bad=0
[ $# -gt 0 ] || set -- "$here"/*_test.cpp
for t in "$@"; do
  case $t in */*) ;; *) t=$here/${t%_test.cpp}_test.cpp ;; esac
  for wave in 32 64; do
    sh "$here/emucc" $wave "$tmp/test" "$t" -I"$shims" && "$tmp/test" || bad=1
  done
done
if [ -n "${TRANSHIP:-}" ] && [ -n "${WARP_TRUTH:-}" ]; then
  passed=0 failed=0
  for cu in "$WARP_TRUTH"/*.cu; do
    name=$(basename "$cu" .cu)
    mkdir -p "$tmp/$name"
    "$TRANSHIP" translate "$cu" -o "$tmp/$name/main.hip" --launch ggl > "$tmp/$name/log" 2>&1
    for wave in 32 64; do
      if sh "$here/emucc" $wave "$tmp/run" "$tmp/$name/main.hip" -I"$tmp/$name" -I"$shims" > "$tmp/$name/log" 2>&1 &&
         timeout 120 "$tmp/run" > "$tmp/$name/out" 2>> "$tmp/$name/log" && cmp -s "$tmp/$name/out" "${cu%.cu}.out"; then
        passed=$((passed + 1))
      else
        failed=$((failed + 1)) bad=1
        echo "FAIL $name at $wave lanes: $(grep -m1 -E 'error|emulator' "$tmp/$name/log" || echo 'output differs')"
      fi
    done
  done
  echo "truth: $passed passed, $failed failed"
fi
exit $bad
