#!/usr/bin/env bash
# Runs what users run, for the counters of an instrumented program: valid and invalid input of this repository.
# usage: train.sh SANDBOXC
set -euo pipefail
sandboxc=$(realpath "$1")
cd "$(dirname "$0")/../.."
compiled=$(mktemp -d) cases=$(mktemp -d)
trap 'rm -rf "$compiled" "$cases"' EXIT
tools/cases.py "$cases"

# Most of the input has findings, so that a run fails on purpose; only its counters matter.
run() { "$sandboxc" "$@" >/dev/null 2>&1 || true; }

for example in examples/*/; do
    "$sandboxc" build "$example" >"$compiled/$(basename "$example").yaml" 2>/dev/null || true
    run graph "$example"
    run effective "$example"
done
for definition in "$cases"/compile/*/*.yaml fixtures/merge/*.yaml; do
    run build "$definition"
done
for manifests in "$compiled" fixtures/conformance "$cases"/*; do
    run check "$manifests"
    run check --kubernetes 1.31-1.36 --format json "$manifests"
done
run diff "$compiled" examples/quickstart
run fmt --check examples "$cases/print"
# Many valid objects: their work counts more than the start of the program and its findings.
for copy in $(seq 200); do
    mkdir "$compiled/$copy"
    cp "$compiled"/*.yaml "$compiled/$copy"
done
run check "$compiled"
