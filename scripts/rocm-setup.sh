#!/usr/bin/env bash
# rocm-setup.sh [--force] [PREFIX]
#
# Lays what scripts/hipcheck compiles with into PREFIX (default: $TRANSHIP_ROCM, else
# ~/.cache/tranship/rocm): ROCm 6.4 headers, AMD device bitcode and clang, all from Debian packages, and beside
# them the HIP 7.1 runtime headers that the triton wheel carries. No GPU, no ROCm installation.
#
# For Debian 12. ROCm packages come from a newer suite of the mirror that this machine's apt already uses; they
# are unpacked into PREFIX and never installed. Installed, from the machine's own suite and only where
# missing (this needs root): the run-time libraries of clang, a C++ standard library, python3 with pip.
# A complete PREFIX is left alone unless --force is given.
set -euo pipefail

force=0 prefix=${TRANSHIP_ROCM:-$HOME/.cache/tranship/rocm}
for arg in "$@"; do
  case $arg in
    --force) force=1 ;;
    -h | --help) sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//p}' "$0"; exit 0 ;;
    -*) echo "rocm-setup: unknown option $arg" >&2; exit 2 ;;
    *) prefix=$arg ;;
  esac
done
prefix=$(realpath -m "$prefix")
stamp=tranship-rocm-1 # raise it when the layout changes

note() { printf 'rocm-setup: %3ds  %s\n' "$SECONDS" "$*"; }
fail() { echo "rocm-setup: $*" >&2; exit 1; }

if [ $force = 0 ] && grep -qsx "$stamp" "$prefix/CONTENTS"; then
  note "$prefix is complete"
  exit 0
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
export DEBIAN_FRONTEND=noninteractive
new=$work/prefix
mkdir -p "$new"/{include,lib,share,llvm} "$work"/{deb,clang,rocm,wheel}

# ---- what the machine itself must have -----------------------------------------------------------------
missing=()
for pkg in libedit2 libffi8 libxml2 libz3-4 libzstd1 zlib1g binutils libc6-dev libstdc++-12-dev debian-archive-keyring; do
  dpkg-query -W -f '${Status}' "$pkg" 2>/dev/null | grep -q 'ok installed' || missing+=("$pkg")
done
python3 -m pip --version >/dev/null 2>&1 || missing+=(python3 python3-pip)
clang_of_suite() { for v in 23 22 21; do apt-cache show "clang-$v" >/dev/null 2>&1 && { echo $v; return; }; done; }
clang=$(clang_of_suite || true)
if [ -z "$clang" ] || [ ${#missing[@]} -gt 0 ]; then
  note "apt-get update"
  apt-get -qq update || true
  clang=$(clang_of_suite || true)
fi
[ -n "$clang" ] || fail "apt serves no clang of version 21 to 23, which the device bitcode needs (is the security suite on?)"
if [ ${#missing[@]} -gt 0 ]; then
  note "installing ${missing[*]}"
  apt-get -qq -y --no-install-recommends install "${missing[@]}" >/dev/null </dev/null
fi

# ---- HIP 7.1 runtime headers: fetched while apt works ---------------------------------------------------
python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: --python-version 3.11 \
  --implementation cp --abi cp311 --platform manylinux_2_28_x86_64 --platform manylinux_2_27_x86_64 \
  --dest "$work/wheel" triton==3.9.0 >"$work/pip.log" 2>&1 </dev/null &
pip_job=$!

# ---- packages -------------------------------------------------------------------------------------------
note "clang $clang"
fetch() { # fetch FOLDER APT-OPTION... -- PACKAGE...
  local dir=$1 options=()
  shift
  while [ "$1" != -- ]; do options+=("$1"); shift; done
  shift
  (cd "$dir" && apt-get -qq -oAPT::Sandbox::User=root "${options[@]}" download "$@" </dev/null)
}
fetch "$work/clang" -- clang-$clang clang-tools-$clang libclang-cpp$clang libllvm$clang libclang-common-$clang-dev lld-$clang

# The mirror of this machine's main suite, as apt itself names it.
codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' "Release: $codename" 'Component: main' | head -n 1)
[ -n "$mirror" ] || fail "apt has no mirror for $codename"
rocm_packages="libamdhip64-dev libhsa-runtime-dev libroctx-dev
  libhipblas-dev libhipblas-common-dev libhipblaslt-dev libhipfft-dev libhiprand-dev libhipsolver-dev libhipsparse-dev
  librocblas-dev librocfft-dev librocrand-dev librocsolver-dev librocsparse-dev
  librocprim-dev librocthrust-dev libhipcub-dev libmiopen-dev librccl-dev librocm-smi-dev libamd-smi-dev"
for suite in sid forky ''; do
  [ -n "$suite" ] || fail "no suite of this machine's mirror serves the ROCm headers"
  state=$work/$suite
  mkdir -p "$state/lists/partial" "$state/cache/archives/partial"
  echo "deb [arch=amd64 signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main" >"$state/sources.list"
  foreign=(-oDir::Etc::sourcelist="$state/sources.list" -oDir::Etc::sourceparts=/dev/null -oDir::State::lists="$state/lists"
    -oDir::State::status=/dev/null -oDir::Cache="$state/cache" -oAPT::Sandbox::User=root -oAcquire::Languages=none
    -oAcquire::IndexTargets::deb::DEP-11::DefaultEnabled=false -oAcquire::IndexTargets::deb::Contents-deb::DefaultEnabled=false)
  apt-get -qq "${foreign[@]}" update >"$state/log" 2>&1 </dev/null || continue
  apt-cache "${foreign[@]}" show libamdhip64-dev >/dev/null 2>&1 && break
done
bitcode=$(apt-cache "${foreign[@]}" pkgnames rocm-device-libs- | sed -n 's/^rocm-device-libs-\([0-9]*\)$/\1/p' |
  sort -n | awk -v max="$clang" '$1 <= max' | tail -n 1)
[ -n "$bitcode" ] || fail "$suite has no device bitcode that clang $clang reads"
note "ROCm headers of $suite, device bitcode for LLVM $bitcode"
# shellcheck disable=SC2086
fetch "$work/rocm" "${foreign[@]}" -- $rocm_packages rocm-device-libs-$bitcode

# ---- the 6.4 tree ---------------------------------------------------------------------------------------
note "unpacking"
for deb in "$work"/rocm/*.deb "$work"/clang/*.deb; do dpkg -x "$deb" "$work/deb"; done
usr=$work/deb/usr
# Multiarch headers move up one level, so that one -isystem folder serves.
for dir in "$usr/include" "$usr/include/x86_64-linux-gnu"; do
  for entry in "$dir"/*; do
    case $entry in */'*' | */x86_64-linux-gnu | */llvm*) ;; *) cp -a --link "$entry" "$new/include/" ;; esac
  done
done
cp -a "$usr/share/hip" "$new/share/"
mkdir "$new/amdgcn"
cp -a "$(dirname "$(find "$usr/lib" -name ockl.bc -print -quit)")" "$new/amdgcn/bitcode"
ln -s ../amdgcn "$new/lib/amdgcn"

llvm=$usr/lib/llvm-$clang
mkdir "$new/llvm/bin" "$new/llvm/lib"
for tool in clang clang++ clang-$clang lld ld.lld clang-offload-bundler; do cp -a "$llvm/bin/$tool" "$new/llvm/bin/"; done
cp -aL "$llvm/lib/clang" "$new/llvm/lib/"
for lib in LLVM clang-cpp; do cp -aL "$usr"/lib/x86_64-linux-gnu/lib$lib.so.$clang* "$new/llvm/lib/" 2>/dev/null || true; done

# Headers that rely on other headers bringing these in, which clang's newer standard library does not.
include_first() { [ ! -f "$new/include/$1" ] || sed -i "1i #include <$2>" "$new/include/$1"; }
include_first rocprim/device/device_transform.hpp chrono
include_first rocprim/iterator/texture_cache_iterator.hpp cstring
include_first rocrand/rocrand_mtgp32.h cstring
# The vector types of HIP 7 have no member `data`; indexing from `x` reads the same words in both.
sed -i 's/m_state\.result\.data\[m_state\.substate\]/(\&m_state.result.x)[m_state.substate]/' "$new"/include/rocrand/rocrand_*.h

# ---- the 7.1 tree: newer runtime headers, the same libraries --------------------------------------------
wait $pip_job || fail "pip could not fetch the triton wheel: $(tail -n 1 "$work/pip.log" | sed 's#[a-z]*://[^ ]*##g')"
python3 - "$work/wheel" "$work/h71" <<'EOF'
import glob, sys, zipfile
wheel = zipfile.ZipFile(glob.glob(sys.argv[1] + "/*.whl")[0])
wheel.extractall(sys.argv[2], [n for n in wheel.namelist() if n.startswith("triton/backends/amd/include/")])
EOF
h71=$work/h71/triton/backends/amd/include
[ -f "$h71/hip/hip_version.h" ] || fail "the triton wheel carries no HIP headers"
new71=$new/7.1
mkdir -p "$new71"/{include,lib,share/hip}
for entry in "$new"/include/*; do
  name=$(basename "$entry")
  # Folders that the wheel has as well are merged, the rest is shared with the 6.4 tree.
  if [ -d "$h71/$name" ]; then cp -a "$entry" "$new71/include/"; else ln -s "../../include/$name" "$new71/include/$name"; fi
done
cp -a --remove-destination "$h71/." "$new71/include/"
ln -s ../amdgcn "$new71/amdgcn"
ln -s ../../amdgcn "$new71/lib/amdgcn"
awk '$2 ~ /^HIP_VERSION_(MAJOR|MINOR|PATCH)$/ { print $2 "=" $3 }' "$h71/hip/hip_version.h" >"$new71/share/hip/version"

{
  "$new/llvm/bin/clang" --version | head -n 1
  for tree in "$new" "$new71"; do
    awk -F= '/^HIP_VERSION_(MAJOR|MINOR|PATCH)=/ { v = v s $2; s = "." } END { print "HIP " v }' "$tree/share/hip/version"
  done
  for deb in "$work"/rocm/*.deb; do basename "$deb" .deb; done
  echo "$stamp"
} >"$new/CONTENTS"

# ---- swap in, then compile one kernel for each tree ------------------------------------------------------
mkdir -p "$(dirname "$prefix")"
rm -rf "$prefix.old"
[ ! -e "$prefix" ] || mv "$prefix" "$prefix.old"
mv "$new" "$prefix"
rm -rf "$prefix.old"
cat >"$work/probe.hip" <<'EOF'
#include <hip/hip_runtime.h>
__global__ void probe(float *x) { x[threadIdx.x] = sinf(x[threadIdx.x]) + __shfl_down(x[0], 1); }
int main() {
  probe<<<1, 64>>>(nullptr);
  return hipDeviceSynchronize();
}
EOF
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
for hip in 6.4 7.1; do
  TRANSHIP_ROCM=$prefix "$here/hipcheck" --arch gfx942 --arch gfx1100 --hip $hip "$work/probe.hip" >"$work/probe.log" || {
    sed -i "/^$stamp$/d" "$prefix/CONTENTS"
    cat "$work/probe.log" >&2
    fail "the probe does not compile with HIP $hip"
  }
done
note "$prefix is ready: $(sed -n '1,3p' "$prefix/CONTENTS" | paste -sd ';')"
