#!/bin/sh
# Drives the language server with the protocol library of VS Code's client under Node:
# tools/editors/node.sh target/release/sandboxc
#
# The library is a package of npm, which is installed into a temporary directory.
set -eu

program=$(realpath "${1:?the program}")
here=$(dirname "$(realpath "$0")")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cp "$here/client.mjs" "$folder"
cd "$folder"
npm install --silent --no-audit --no-fund vscode-languageserver-protocol@3.17.5 >/dev/null
timeout 600 node client.mjs "$program"
