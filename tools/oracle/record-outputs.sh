#!/usr/bin/env bash
# Applies what sandboxc prints to a running API server of one minor, object by object, and writes down the verdicts:
#   tools/oracle/record-outputs.sh [minor]
# Needs what record-live.sh needs, and cargo.
set -euo pipefail
cd "$(dirname "$0")"
minor=${1:-1.36}
outputs=$PWD/../../fixtures/conformance/outputs
. ./with-server.sh

WRITE_OUTPUTS="$work/outputs.jsonl" cargo test --quiet --manifest-path ../../Cargo.toml --test suite -- outputs:: >"$work/log" 2>&1 || true
[ -s "$work/outputs.jsonl" ] || { cat "$work/log"; exit 1; }
mkdir -p "$outputs"
"$oracle" -server $server -token "$token" -outputs "$work/outputs.jsonl" >"$work/verdicts"
mv "$work/verdicts" "$outputs/$minor.jsonl"
echo "fixtures/conformance/outputs/$minor.jsonl: $(wc -l <"$outputs/$minor.jsonl") inputs"
