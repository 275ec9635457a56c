#!/usr/bin/env bash
# Compares the speed of `sandboxc check` with that of kubeconform. See README.md.
# usage: run.sh [FOLDER [SANDBOXC]]
# FOLDER keeps kubeconform and the input; by default a directory in $TMPDIR. SANDBOXC is the program, such as one that
# tools/pgo/build.sh has built; by default it is built with the profile `dist`. Requires cargo, Go and Python 3.
set -euo pipefail
repository=$(cd "$(dirname "$0")/../.." && pwd -P)
mkdir -p "${1:-${TMPDIR:-/tmp}/sandboxc-speed}"
folder=$(cd "${1:-${TMPDIR:-/tmp}/sandboxc-speed}" && pwd -P)
[ -x "$folder/kubeconform" ] || GOBIN="$folder" go install github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0

program=target/dist/sandboxc
[ $# -lt 2 ] || program=$(realpath "$2")

cd "$repository"
[ $# -ge 2 ] || cargo build --quiet --profile dist --locked
python3 tools/compare-speed/prepare.py "$folder"
exec python3 tools/compare-speed/compare.py "$program" "$folder/kubeconform" "$folder"
