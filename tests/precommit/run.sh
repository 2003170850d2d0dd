#!/usr/bin/env bash
# The hooks of .pre-commit-hooks.yaml under the real pre-commit, on a scratch repository.
#
# Installs pre-commit and maturin from PyPI into target/precommit/venv. The hooks are installed in two ways: from this
# repository, where pip builds the wheel (needs Rust), and from a wheel that is built here, without Rust. The wheel shares
# target/ with `cargo test`; the clone must not, since cargo would take its files for those of this folder.
set -euo pipefail
root=$(cd "$(dirname "$(realpath "$0")")/../.." && pwd)
work=$root/target/precommit
rm -rf "$work/scratch" "$work/wheels" "$work/home"
mkdir -p "$work/scratch"
export PRE_COMMIT_HOME=$work/home PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_QUIET=1 PRE_COMMIT_COLOR=never
export GIT_CONFIG_GLOBAL=$work/gitconfig GIT_CONFIG_SYSTEM=/dev/null
printf '[user]\n name = t\n email = t@example.com\n[init]\n defaultBranch = main\n[protocol "file"]\n allow = always\n' >"$work/gitconfig"

fail() { printf 'FAILED: %s\n' "$*" >&2; [ ! -e "$work/out" ] || sed 's/^/  | /' "$work/out" >&2; exit 1; }
# Runs a command that must end so: `expect 0 git commit`, or `expect 1` for any failure.
expect() {
  local want=$1 got=0
  shift
  "$@" >"$work/out" 2>&1 || got=1
  [ "$got" = "$want" ] || fail "$* ended with $got, not $want"
}
says() { grep -qF -- "$1" "$work/out" || fail "the output lacks: $1"; }
silent() { ! grep -qF -- "$1" "$work/out" || fail "the output has: $1"; }
equal() { [ "$1" = "$2" ] || fail "'$1' is not '$2'"; }

[ -x "$work/venv/bin/pre-commit" ] && [ -x "$work/venv/bin/maturin" ] || {
  python3 -m venv "$work/venv"
  "$work/venv/bin/pip" install pre-commit 'maturin>=1.8,<2'
}
export PATH=$work/venv/bin:$PATH

echo "- a wheel"
(cd "$root" && CARGO_TARGET_DIR=$root/target maturin build --locked --profile dev -o "$work/wheels") >"$work/out" 2>&1 || fail "maturin build"
wheel=$(echo "$work"/wheels/tranship-*.whl)
[ -e "$wheel" ] || fail "no wheel"

echo "- this repository, as it stands, for pre-commit to clone"
mkdir "$work/scratch/tranship"
if [ -e "$root/.git" ]; then
  (cd "$root" && git ls-files -z -co --exclude-standard | while IFS= read -r -d '' f; do [ ! -f "$f" ] || printf '%s\0' "$f"; done |
    tar -c --null -T -)
else
  tar -c -C "$root" --exclude ./target .
fi | tar -x -C "$work/scratch/tranship"
(cd "$work/scratch/tranship" && git init -q && git add -A && git commit -qm x)
rev=$(git -C "$work/scratch/tranship" rev-parse HEAD)

bad='#include <cuda_runtime.h>
__device__ unsigned lane() {
  unsigned id;
  asm("bar.sync 1, 64; mov.u32 %0, %%laneid;" : "=r"(id));
  return id;
}'
good='#include <cuda_runtime.h>
int f(void **p) { return cudaMalloc(p, 4); }'

new_repository() {
  rm -rf "$work/scratch/p"
  mkdir -p "$work/scratch/p/src"
  cd "$work/scratch/p"
  git init -q
  # The scratch folder lies in this repository: a command that missed its own would act on this one.
  equal "$(git rev-parse --show-toplevel)" "$work/scratch/p"
  cat >.pre-commit-config.yaml
  git add . && git commit -qm start
  pre-commit install >/dev/null
}

from_repository() {
  printf 'repos:\n- repo: %s\n  rev: %s\n  hooks:\n' "$work/scratch/tranship" "$rev"
  printf '  - id: %s\n' "$@"
}

echo "- tranship-check from this repository"
new_repository < <(from_repository tranship-check)
printf '%s\n' "$good" >src/good.cu
git add .
# pip builds with cargo here, as fast as can be.
CARGO_TARGET_DIR=$work/cargo \
  MATURIN_PEP517_ARGS='--profile dev --config profile.dev.debug=0 --config '\''profile.dev.package."*".opt-level=0'\' \
  expect 0 git commit -m clean
says "tranship check"
printf '%s\n' "$bad" >src/bad.cu
git add .
expect 1 git commit -m finding
says "src/bad.cu:4:3"
says "inline-ptx"
silent "good.cu"
equal "$(git log --format=%s | head -1)" clean
sed -i 's|"=r"(id));|&  // tranship: ignore[inline-ptx] replaced on AMD|' src/bad.cu
git add .
expect 0 git commit -m ignored

echo "- partially staged: what is staged counts, what is not stays"
printf '%s\n' "$bad" >src/part.cu
git add src/part.cu
printf '%s\n' "$good" >src/part.cu
expect 1 git commit -m staged-bad
says "src/part.cu:4:3"
equal "$(cat src/part.cu)" "$good"
git add src/part.cu
printf '%s\n' "$bad" >src/part.cu
expect 0 git commit -m staged-good
equal "$(cat src/part.cu)" "$bad"
equal "$(git show HEAD:src/part.cu)" "$good"
git checkout -q src/part.cu

echo "- files without CUDA, and of other kinds"
printf 'int main() { return 0; }\n' >src/plain.cpp
printf 'cudaMalloc\n' >notes.md
git add .
expect 0 git commit -m plain

echo "- pass_filenames: false, and settings of the repository"
from_repository tranship-check | sed '$a\    pass_filenames: false\n    always_run: true\n    args: [src]' >.pre-commit-config.yaml
printf '[levels]\ninline-ptx = "warning"\n' >tranship.toml
printf '%s\n' "$bad" >src/old.cu
git add .
expect 0 git commit -m levels
printf 'fail-on = "warning"\n[levels]\ninline-ptx = "warning"\n' >tranship.toml
git add .
expect 1 git commit -m levels-again
says "src/old.cu:4:3"
tranship_bin=$(find "$work/home" -path '*/bin/tranship' | head -1)
"$tranship_bin" check src -q --write-baseline >/dev/null
printf 'baseline = "tranship-baseline.json"\n' | cat - tranship.toml >t && mv t tranship.toml
git add .
expect 0 git commit -m baseline

echo "- tranship-translate"
new_repository < <(from_repository tranship-translate)
printf '%s\n__device__ int s(int x) { return __shfl_down_sync(0xffffffffu, x, 1); }\n' "$good" >src/a.cu
git add .
expect 1 git commit -m cuda
says "files were modified by this hook"
says "tranship/warp.hpp"
grep -q 'hipMalloc(p, 4)' src/a.cu || fail "not translated"
git add .
expect 0 git commit -m hip
equal "$(git show HEAD:src/a.cu | grep -c cuda)" 0
git cat-file -e HEAD:tranship/warp.hpp || fail "the shim header is not committed"

echo "- from a wheel, without Rust"
tools=$work/scratch/tools
mkdir -p "$tools"
for tool in bash sh git sed grep env cat uname dirname basename ls mkdir rm; do
  ln -sf "$(command -v $tool)" "$tools/$tool"
done
ln -sf "$(command -v python3)" "$tools/python3"
new_repository <<YAML
repos:
- repo: local
  hooks:
  - id: tranship-check
    name: tranship check
    entry: tranship check --quiet
    language: python
    types_or: [c, c++, cuda]
    require_serial: true
    additional_dependencies: ["$wheel"]
YAML
printf '%s\n' "$bad" >src/bad.cu
git add .
export PATH=$work/venv/bin:$tools
! command -v cargo >/dev/null || fail "cargo is on the path"
expect 1 git commit -m finding
says "src/bad.cu:4:3"
printf '%s\n' "$good" >src/bad.cu
git add .
expect 0 git commit -m clean
echo "pre-commit: all passed"
