#!/bin/sh
# Drives the language server with pytest-lsp: tools/editors/pytest.sh target/release/sandboxc
#
# pytest-lsp is a package of PyPI, which is installed into a temporary directory.
set -eu

program=$(realpath "${1:?the program}")
here=$(dirname "$(realpath "$0")")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet pytest-lsp==1.0.1
cp "$here/test_server.py" "$folder"
cd "$folder"
SANDBOXC=$program timeout 600 "$folder/python/bin/pytest" -q -p no:cacheprovider \
  -o asyncio_default_fixture_loop_scope=function test_server.py
