#!/usr/bin/env bash
# Starts the API server of one minor version with etcd on the loopback interface, sends it a strict dry-run create of each
# document over HTTP, and records the verdicts that differ from the linked code (recorded/verdicts.jsonl):
#   tools/oracle/record-live.sh [minor]
# Requires etcd (Debian: etcd-server), openssl and curl. The first build takes about ten minutes on one core.
set -euo pipefail
cd "$(dirname "$0")"
minor=${1:-1.36}
corpus=../../fixtures/conformance
# No controller creates service accounts here, so their admission plugin would reject every Pod.
disabled=ServiceAccount
. ./with-server.sh

./recording.py get "$corpus/recorded/verdicts.jsonl" "$minor" >"$work/linked"
"$oracle" -server $server -token "$token" -root "$corpus" -against "$work/linked" \
    'cases/*/*.yaml' 'cases/*.yaml' 'mutated/*.yaml' >"$work/differences"
./recording.py put "$corpus/recorded/live.jsonl" "$minor" <"$work/differences"
echo "$corpus/recorded/live.jsonl: $(wc -l <"$work/differences") documents differ in $minor"
