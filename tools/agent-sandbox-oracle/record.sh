#!/usr/bin/env bash
# record.sh LINE [CASE...]: records the cases of fixtures/effective in recorded-LINE.jsonl there. LINE is a folder in modules/: 0.5, 1.0.
# Needs go, etcd, cargo. ORACLE_BINARIES names a folder that keeps the built programs for the next run.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
root="$(cd "$here/../.." && pwd)"
line=${1:?a release line: 0.5 or 1.0}
shift
folder=$(mktemp -d)
"$root/tools/cases.py" "$folder" effective
cases=()
for case in "$@"; do
  # A folder with another case, or the name of one of these.
  [ -d "$case" ] || case="$folder/effective/$case"
  cases+=("$case")
done
if [ "$#" = 0 ]; then
  cases=("$folder"/effective/*/)
fi
served=()
for case in "${cases[@]}"; do
  # A case can be for one line only.
  only=$(sed -n '1s/^# agent-sandbox: //p' "$case/input.yaml")
  if [ "${only:-$line}" = "$line" ]; then
    served+=("$(cd "$case" && pwd)")
  fi
done
cargo build --quiet --locked --manifest-path "$root/Cargo.toml"
sandboxc="${CARGO_TARGET_DIR:-$root/target}/debug/sandboxc"

minor=1.36
cd "$here/../oracle"
. ./with-server.sh
cd "$here"
modules=(-modfile="modules/$line/go.mod")
nice go build -p 2 "${modules[@]}" -o "$binaries/agent-sandbox-oracle-$line" .
nice go build -p 2 "${modules[@]}" -o "$binaries/agent-sandbox-controller-$line" sigs.k8s.io/agent-sandbox/cmd/agent-sandbox-controller
"$binaries/agent-sandbox-oracle-$line" -line "$line" -server "$server" -token "$token" \
  -controller "$binaries/agent-sandbox-controller-$line" -sandboxc "$sandboxc" -work "$work" \
  -crds "$(go list "${modules[@]}" -m -f '{{.Dir}}' sigs.k8s.io/agent-sandbox)/k8s/crds" "${served[@]}" ||
  { tail -n 20 "$work/controller.log"; exit 1; }
"$root/tools/cases.py" --collect "$folder" effective "recorded-$line"
rm -r "$folder"
