#!/usr/bin/env bash
# Compares the speed of `sandboxc check` with that of kubeconform. See README.md.
# usage: run.sh [FOLDER]
# FOLDER keeps kubeconform and the input; by default a directory in $TMPDIR. Requires cargo, Go and Python 3.
set -euo pipefail
repository=$(cd "$(dirname "$0")/../.." && pwd -P)
mkdir -p "${1:-${TMPDIR:-/tmp}/sandboxc-speed}"
folder=$(cd "${1:-${TMPDIR:-/tmp}/sandboxc-speed}" && pwd -P)
[ -x "$folder/kubeconform" ] || GOBIN="$folder" go install github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0

cd "$repository"
cargo build --quiet --profile dist --locked
python3 tools/compare-speed/prepare.py "$folder"
exec python3 tools/compare-speed/compare.py target/dist/sandboxc "$folder/kubeconform" "$folder"
