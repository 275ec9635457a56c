#!/usr/bin/env bash
# Creates the objects of fixtures/conformance/admission on a running API server of one minor, case by case, and writes
# down the verdicts of its admission plugins:
#   tools/oracle/record-admission.sh [minor]
# Needs what record-live.sh needs.
set -euo pipefail
cd "$(dirname "$0")"
minor=${1:-1.36}
corpus=../../fixtures/conformance
. ./with-server.sh

"$oracle" -server $server -token "$token" -root "$corpus" -admission 'admission/*.yaml' >"$work/verdicts"
mv "$work/verdicts" "$corpus/admission/$minor.jsonl"
echo "$corpus/admission/$minor.jsonl: $(wc -l <"$corpus/admission/$minor.jsonl") cases"
