#!/usr/bin/env bash
# Applies the output of sandboxc to a running API server of one minor version, object by object, and records the verdicts:
#   tools/oracle/record-outputs.sh [minor]
# Requires cargo and the programs that record-live.sh requires.
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
