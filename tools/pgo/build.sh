#!/usr/bin/env bash
# Builds the program with the profile `dist`, optimized for what train.sh runs. See README.md.
# usage: build.sh [TARGET]
# Requires rustup's component llvm-tools, and cargo-pgo.
set -euo pipefail
cd "$(dirname "$0")/../.."
target=${1:-$(rustc -vV | sed -n 's/^host: //p')}
built="target/$target/dist/sandboxc"
options=(--profile dist --locked --target "$target" --bin sandboxc)

cargo pgo build -- "${options[@]}"
tools/pgo/train.sh "$built"
cargo pgo optimize build -- "${options[@]}"
