#!/usr/bin/env bash
# record.sh CHECKOUT [CASE...]: records the cases of fixtures/oracles/kelos in observed.jsonl there.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
checkout="$(cd "$1" && pwd)"
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$here/../cases.py" "$work" oracles/kelos
cases=("${@/#/$work/oracles/kelos/}")
if [ "$#" = 0 ]; then
  cases=("$work"/oracles/kelos/*/)
fi
mkdir -p "$checkout/cmd/sandboxc-oracle" "$checkout/internal/spawnercycle"
cp "$here"/driver/*.go "$checkout/cmd/sandboxc-oracle/"
# The program of the spawner becomes a package, so that its cycle can be called.
for file in main metrics reconciler; do
  sed 's/^package main$/package spawnercycle/' "$checkout/cmd/kelos-spawner/$file.go" >"$checkout/internal/spawnercycle/$file.go"
done
# Exports private names.
cp "$here/exports/spawnercycle.go.txt" "$checkout/internal/spawnercycle/oracle.go"
cp "$here/exports/spawnercredentials.go.txt" "$checkout/internal/spawnercredentials/oracle.go"
cd "$checkout"
go get k8s.io/apiextensions-apiserver@v0.35.1 k8s.io/apiserver@v0.35.1
go build -o "$checkout/sandboxc-oracle" ./cmd/sandboxc-oracle
"$checkout/sandboxc-oracle" "${cases[@]}"
"$here/../cases.py" --collect "$work" oracles/kelos observed
