#!/bin/sh
# Drives the extension in a VS Code with a page for a window: tools/editors/code-server.sh target/release/sandboxc [PICTURES]
#
# code-server and Chromium must be installed; the rest is installed into a temporary directory. Pictures of each
# step are written into the directory PICTURES.
set -eu

program=$(realpath "${1:?the program}")
pictures=${2:+$(realpath "$2")}
here=$(dirname "$(realpath "$0")")
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$folder"' EXIT

mkdir -p "$folder/project" "$folder/data/User" "$folder/extension"
(cd "$here/../../editors/vscode" && cp -r package.json tsconfig.json README.md .vscodeignore src "$folder/extension")
(cd "$folder/extension" && npm ci --ignore-scripts --silent --no-audit --no-fund && npm run --silent package) >/dev/null
cat >"$folder/data/User/settings.json" <<END
{"sandboxc.path": "$program", "security.workspace.trust.enabled": false, "workbench.startupEditor": "none"}
END
cd "$folder"
npm install --silent --no-audit --no-fund playwright-core@1.64.1 >/dev/null
port=$(node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')
options="--user-data-dir $folder/data --extensions-dir $folder/extensions"
# shellcheck disable=SC2086
code-server $options --install-extension "$folder"/extension/*.vsix >/dev/null
# shellcheck disable=SC2086
code-server $options --auth none --bind-addr "127.0.0.1:$port" --disable-telemetry --disable-update-check >log 2>&1 &
server=$!
timeout 60 sh -c "until curl -sfo /dev/null http://127.0.0.1:$port/healthz; do sleep 1; done"
timeout 600 node "$here/code-server.mjs" "http://127.0.0.1:$port" "$folder/project" "$pictures"
