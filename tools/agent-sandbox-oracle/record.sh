#!/usr/bin/env bash
# record.sh [CASE...]: writes recorded.json into the cases of fixtures/effective.
# Needs go, etcd, cargo. ORACLE_BINARIES names a folder that keeps the built programs for the next run.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
root="$(cd "$here/../.." && pwd)"
cases=("$@")
if [ "${#cases[@]}" = 0 ]; then
  cases=("$root"/fixtures/effective/*/)
fi
for i in "${!cases[@]}"; do
  cases[i]="$(cd "${cases[i]}" && pwd)"
done
cargo build --quiet --locked --manifest-path "$root/Cargo.toml"
sandboxc="${CARGO_TARGET_DIR:-$root/target}/debug/sandboxc"

minor=1.36
cd "$here/../oracle"
. ./with-server.sh
cd "$here"
nice go build -p 2 -o "$binaries/agent-sandbox-oracle" .
nice go build -p 2 -o "$binaries/agent-sandbox-controller" sigs.k8s.io/agent-sandbox/cmd/agent-sandbox-controller
"$binaries/agent-sandbox-oracle" -server "$server" -token "$token" -controller "$binaries/agent-sandbox-controller" \
  -crds "$(go list -m -f '{{.Dir}}' sigs.k8s.io/agent-sandbox)/k8s/crds" -sandboxc "$sandboxc" -work "$work" "${cases[@]}" ||
  { tail -n 20 "$work/controller.log"; exit 1; }
