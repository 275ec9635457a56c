#!/usr/bin/env bash
# Creates the objects of fixtures/conformance/admission or fixtures/conformance/policies on a running API server of one minor,
# case by case, and writes down what its admission plugins or the policies of the case answer:
#   tools/oracle/record-cases.sh admission|policies [minor]
# Needs what record-live.sh needs.
set -euo pipefail
cd "$(dirname "$0")"
cases=${1:?admission or policies}
minor=${2:-1.36}
corpus=../../fixtures/conformance
. ./with-server.sh

"$oracle" -server $server -token "$token" -root "$corpus" "-$cases" "$cases/*.yaml" >"$work/verdicts"
./recording.py put "$corpus/recorded/$cases.jsonl" "$minor" <"$work/verdicts"
echo "$corpus/recorded/$cases.jsonl: $(wc -l <"$work/verdicts") cases for $minor"
