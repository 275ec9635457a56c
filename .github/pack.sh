#!/usr/bin/env bash
# Packs the program that was built for $TARGET into `dist/sandboxc-$TAG-$TARGET.tar.gz`, or a zip file for Windows, with
# its licence, documentation, manual pages and completions.
set -euo pipefail

name="sandboxc-$TAG-$TARGET"
built="target/$TARGET/dist"
mkdir -p "dist" "$name/completions" "$name/man"
cp README.md LICENSE CHANGELOG.md "$name/"
case $TARGET in
*windows*) program=sandboxc.exe ;;
*) program=sandboxc ;;
esac
cp docs/man/*.1 "$name/man/"
cp "$built/$program" "$name/"
# The runner has the architecture of the target, so the program runs here.
for shell in bash zsh fish elvish powershell; do
    "$name/$program" completions "$shell" >"$name/completions/sandboxc.$shell"
done
"$name/$program" completions kubectl >"$name/completions/kubectl_complete-sandboxc"
chmod 0755 "$name/completions/kubectl_complete-sandboxc"
case $TARGET in
*windows*) 7z a "dist/$name.zip" "$name" ;;
*) tar -czf "dist/$name.tar.gz" "$name" ;;
esac
