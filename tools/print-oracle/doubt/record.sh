#!/usr/bin/env bash
# Asks every reader about the strings of candidates.py, and writes fixtures/print/doubt.txt anew.
# Requires Go, node and python3, each with the packages listed in README.md.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 doubt/candidates.py >"$folder/candidates"
go build -o "$folder/doubt" ./doubt
arguments=()
for reader in go-yaml-v2 go-yaml-v3 go-yaml-v4 sigs.k8s.io; do
    "$folder/doubt" "$reader" <"$folder/candidates" >"$folder/$reader"
    arguments+=("$reader" "$folder/$reader")
done
for reader in js-yaml-3 js-yaml-4 yaml-1.1 yaml-1.2; do
    node --max-old-space-size=6000 doubt/readers.js "$reader" <"$folder/candidates" >"$folder/$reader"
    arguments+=("$reader" "$folder/$reader")
done
for reader in pyyaml ruamel-1.1 ruamel-1.2; do
    python3 doubt/resolvers.py "$reader" <"$folder/candidates" >"$folder/$reader"
    arguments+=("$reader" "$folder/$reader")
done
python3 doubt/automata.py "${arguments[@]}" >../../fixtures/print/doubt.txt
