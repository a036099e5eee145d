#!/usr/bin/env bash
# Builds the engine with profile-guided optimisation: once to count what runs, once with those counts.
# The binary is target/pgo/dist/halfpoint, the counts are target/pgo/counts.profdata. RUSTFLAGS chooses the processor as
# for any build (native if not set). With PGO_COUNTS=FILE the counts are those of an earlier run, for a processor that this
# machine is not.
# Needs llvm-profdata of the compiler's LLVM: rustup component add llvm-tools, or the system's package of that LLVM
set -euo pipefail
case "${1:-}" in
    "") ;;
    -h | --help)
        sed -n '2,/^[^#]/s/^#\( \|$\)//p' "$0"
        exit
        ;;
    *)
        echo "pgo.sh: takes no arguments, not '$1'" >&2
        exit 2
        ;;
esac
# A file of the caller's folder.
[ -z "${PGO_COUNTS:-}" ] || PGO_COUNTS="$(realpath "$PGO_COUNTS")"
cd "$(dirname "$0")/.."

host="$(rustc -vV | sed -n 's/^host: //p')"
# As .cargo/config.toml has them, but with SLP, which helps where the counts are known.
case "$host" in
    x86_64*) native="-C target-cpu=native -C target-feature=-avx512f" ;;
    *) native="-C target-cpu=native" ;;
esac
flags="${RUSTFLAGS:-$native}"
# build FOLDER FLAGS: for a target that is named, so that the flags are not those of macros and build scripts.
build() {
    RUSTFLAGS="$flags $2" cargo build --profile dist --locked --bin halfpoint --target "$host" --target-dir "$1"
}

# As the compiler reads it on Windows, too.
root="$(pwd -W 2>/dev/null || pwd)"
merged="$root/target/pgo/counts.profdata"
mkdir -p target/pgo
if [ -n "${PGO_COUNTS:-}" ]; then
    [ "$PGO_COUNTS" -ef "$merged" ] || cp "$PGO_COUNTS" "$merged"
else
    profdata="$(rustc --print sysroot)/lib/rustlib/$host/bin/llvm-profdata"
    if [ ! -x "$profdata" ]; then
        version="$(rustc -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')"
        profdata="$(command -v "llvm-profdata-$version" || command -v llvm-profdata)" || {
            echo "llvm-profdata not found: rustup component add llvm-tools" >&2
            exit 1
        }
    fi
    counts="$root/target/pgo-counting/counts"
    rm -rf "$counts"
    build target/pgo-counting "-C profile-generate=$counts"
    "target/pgo-counting/$host/dist/halfpoint" bench "${PGO_DEPTH:-11}" >/dev/null
    "$profdata" merge -o "$merged" "$counts"/*.profraw
fi
build target/pgo "-C profile-use=$merged"
mkdir -p target/pgo/dist
cp "target/pgo/$host/dist/halfpoint"* target/pgo/dist/
