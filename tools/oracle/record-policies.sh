#!/usr/bin/env bash
# Creates the objects of fixtures/conformance/policies under their policies on a running API server of one minor, case by
# case, and writes down the responses:
#   tools/oracle/record-policies.sh [minor]
# Needs what record-live.sh needs.
set -euo pipefail
cd "$(dirname "$0")"
minor=${1:-1.36}
corpus=../../fixtures/conformance
. ./with-server.sh

"$oracle" -server $server -token "$token" -root "$corpus" -policies 'policies/*.yaml' >"$work/verdicts"
mv "$work/verdicts" "$corpus/policies/$minor.jsonl"
echo "$corpus/policies/$minor.jsonl: $(wc -l <"$corpus/policies/$minor.jsonl") cases"
