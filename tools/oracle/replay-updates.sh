#!/usr/bin/env bash
# Starts the API server of one minor version with etcd on the loopback interface, sends it the recorded updates over
# HTTP, and prints the answers that differ from the linked code:
#   tools/oracle/replay-updates.sh [minor]
# Requires what record-live.sh does, and PyYAML.
set -euo pipefail
cd "$(dirname "$0")"
minor=${1:-1.36}
# No controller creates service accounts here, so their admission plugin would reject every Pod.
disabled=ServiceAccount
ranges=10.0.0.0/16,fd00::/108
. ./with-server.sh

python3 ./replay.py "$server" "$token" ../../fixtures/conformance "$minor"
