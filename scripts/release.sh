#!/usr/bin/env bash
# Builds the engine for others: static, profile-guided, one binary for each level of processor, with checksums.
#
#     scripts/release.sh [BUILD...]      without names: the levels that pay on this machine's architecture
#
# A build is a level (x86-64-v2, x86-64-v3, apple-m1, or what `rustc --print target-cpus` lists) or a target to
# cross-compile, without counts: aarch64-unknown-linux-musl, or with a level x86_64-pc-windows-gnu:x86-64-v2.
# Counts are taken once, with the first level. Each binary must pass bench and perft; what this machine cannot run is said
# to be unchecked. Files go to target/binaries.
# Needs what scripts/pgo.sh needs; for a target `rustup target add TARGET` and a linker.
set -euo pipefail
case "${1:-}" in
    -h | --help)
        sed -n '2,/^[^#]/s/^#\( \|$\)//p' "$0"
        exit
        ;;
esac
cd "$(dirname "$0")/.."

host="$(rustc -vV | sed -n 's/^host: //p')"
version="$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)"
commit="$(git rev-parse --short=8 HEAD 2>/dev/null)" && version="$version-$commit"
[ -z "$commit" ] || git diff --quiet HEAD || version="$version-modified"
export HALFPOINT_VERSION="$version"

if [ $# -eq 0 ]; then
    case "$host" in
        x86_64-*) set -- x86-64-v2 x86-64-v3 ;;
        aarch64-apple-*) set -- apple-m1 ;;
        *) set -- generic ;;
    esac
fi

# is_target WORD: whether the compiler knows this target.
is_target() {
    rustc --print target-list | tr -d '\r' | grep -xFe "$1" >/dev/null
}

# is_level WORD TARGET: whether the compiler knows this processor of a target. Its list lacks some, such as apple-m1; of
# others it warns, and ignores them.
is_level() {
    case "$1" in "" | help) return 1 ;; esac
    ! rustc --print cfg --target "$2" -C "target-cpu=$1" 2>&1 | grep "not a recognized processor" >/dev/null
}

# has_level LEVEL: whether this processor has the features of a level of x86-64; other names are taken to be its own.
has_level() {
    local feature
    case "$1" in
        x86-64-v4) feature=avx512vl ;;
        x86-64-v3) feature=avx2 ;;
        *) return 0 ;;
    esac
    [ ! -r /proc/cpuinfo ] || grep -qw "$feature" /proc/cpuinfo
}

# Before anything is deleted or built.
counted=
for build in "$@"; do
    target="${build%%:*}"
    if is_target "$target"; then
        if [ "$target" = "$build" ] || is_level "${build#*:}" "$target"; then continue; fi
    elif is_level "$build" "$host"; then
        if [ -z "$counted" ] && ! has_level "$build"; then
            echo "release.sh: '$build' cannot be the first level: counts are taken with it, and this processor lacks its instructions" >&2
            exit 2
        fi
        counted=yes
        continue
    fi
    echo "release.sh: '$build' is neither a level (rustc --print target-cpus) nor a target (rustc --print target-list)" >&2
    exit 2
done

sum() {
    if command -v sha256sum >/dev/null; then sha256sum "$@"; else shasum -a 256 "$@"; fi
}

# check BINARY [RUNNER]: bench and perft, with the version it says.
check() {
    local found
    found="$(${2:-} "$1" bench | tail -n 1 | tr -d '\r')"
    echo "$found"
    [ "${found%% *}" = "$(cat tests/data/bench.txt)" ] || { echo "bench is not $(cat tests/data/bench.txt)" >&2; return 1; }
    found="$(${2:-} "$1" perft 5 | tail -n 1 | tr -d '\r')"
    [ "$found" = "Nodes searched: 4865609" ] || { echo "perft 5: $found" >&2; return 1; }
    found="$(${2:-} "$1" --version | tr -d '\r')"
    [ "$found" = "halfpoint $version (bench $(cat tests/data/bench.txt))" ] || { echo "--version: $found" >&2; return 1; }
}

# runner TARGET: what runs its binaries here, if anything does.
runner() {
    # Static programs of Linux need its processor alone.
    case "$1" in *-linux-musl) [ "${1%%-*}-unknown-linux-gnu" != "$host" ] || return 0 ;; esac
    case "$1" in
        "$host") ;;
        aarch64-*-linux-*) command -v qemu-aarch64 ;;
        *-windows-*) command -v wine ;;
        *) return 1 ;;
    esac
}

binaries=target/binaries
rm -rf "$binaries"
mkdir -p "$binaries"
counts=
for build in "$@"; do
    target="${build%%:*}"
    suffix=
    if is_target "$target"; then
        case "$target" in *windows*) suffix=.exe ;; esac
        file="$binaries/halfpoint-$version-$(echo "$build" | tr : -)$suffix"
        flags="-C target-feature=+crt-static"
        [ "$target" = "$build" ] || flags="$flags -C target-cpu=${build#*:}"
        # Rust brings all that it takes to link these.
        case "$target" in *-musl) flags="$flags -C linker=rust-lld -C link-self-contained=yes" ;; esac
        RUSTFLAGS="$flags" cargo build --profile dist --locked --bin halfpoint --target "$target" --target-dir target/cross
        cp "target/cross/$target/dist/halfpoint$suffix" "$file"
        run_with="$(runner "$target")" || { echo "$file: unchecked, as it does not run here"; continue; }
        level="${build#"$target"}"
        has_level "${level#:}" || { echo "$file: unchecked, as this processor lacks its instructions"; continue; }
    else
        case "$host" in *windows*) suffix=.exe ;; esac
        file="$binaries/halfpoint-$version-$host-$build$suffix"
        RUSTFLAGS="-C target-cpu=$build -C target-feature=+crt-static" PGO_COUNTS="$counts" scripts/pgo.sh
        counts=target/pgo/counts.profdata
        cp "target/pgo/dist/halfpoint$suffix" "$file"
        has_level "$build" || { echo "$file: unchecked, as this processor lacks its instructions"; continue; }
        run_with=
    fi
    echo "$file"
    check "$file" "$run_with"
done
cd "$binaries"
sum halfpoint-* >SHA256SUMS
cat SHA256SUMS
