#!/usr/bin/env bash
# Builds the engine with profile-guided optimisation: once to count what runs, once with those counts.
# The binary is target/pgo/release/halfpoint. RUSTFLAGS chooses the processor as for any build (native if not set).
# Needs llvm-profdata of the compiler's LLVM: rustup component add llvm-tools, or the system's package of that LLVM
set -euo pipefail
cd "$(dirname "$0")/.."

flags="${RUSTFLAGS:--C target-cpu=native}"
host="$(rustc -vV | sed -n 's/^host: //p')"
profdata="$(rustc --print sysroot)/lib/rustlib/$host/bin/llvm-profdata"
if [ ! -x "$profdata" ]; then
    version="$(rustc -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')"
    profdata="$(command -v "llvm-profdata-$version" || command -v llvm-profdata)" || {
        echo "llvm-profdata not found: rustup component add llvm-tools" >&2
        exit 1
    }
fi

counts="$(mktemp -d)"
trap 'rm -rf "$counts"' EXIT
RUSTFLAGS="$flags -C profile-generate=$counts" cargo build --release --locked --bin halfpoint --target-dir target/pgo-counting
target/pgo-counting/release/halfpoint bench "${PGO_DEPTH:-11}" > "$counts/bench.txt"
"$profdata" merge -o "$counts/merged.profdata" "$counts"/*.profraw
RUSTFLAGS="$flags -C profile-use=$counts/merged.profdata" cargo build --release --locked --bin halfpoint --target-dir target/pgo
target/pgo/release/halfpoint bench | tail -1
