#!/usr/bin/env bash
# Starts the API server of one minor with etcd on the loopback interface, asks it for a strict dry-run create of each
# document over HTTP, and writes down where it says something else than the linked code (verdicts/<minor>.jsonl):
#   tools/oracle/record-live.sh [minor]
# Needs etcd (Debian: etcd-server), openssl and curl. A first build takes some ten minutes on one core.
set -euo pipefail
cd "$(dirname "$0")"
minor=${1:-1.36}
corpus=../../fixtures/conformance
tags=$([ "${minor#1.}" -ge 35 ] && echo emulation || echo plain)
work=$(mktemp -d)
stop() {
    # Without its storage the API server would wait for ever to end in good order.
    kill -KILL $(jobs -p) 2>/dev/null || true
    wait 2>/dev/null || true
    rm -rf "$work"
}
trap stop EXIT

modules=(-mod=mod -modfile="modules/$minor/go.mod")
nice go build -p 2 "${modules[@]}" -tags "$tags" -o "$work/oracle" .
nice go build -p 2 "${modules[@]}" -o "$work/kube-apiserver" k8s.io/kubernetes/cmd/kube-apiserver

client=http://127.0.0.1:23790 peer=http://127.0.0.1:23800 server=https://127.0.0.1:16443
etcd --data-dir "$work/etcd" --listen-client-urls $client --advertise-client-urls $client \
    --listen-peer-urls $peer --initial-advertise-peer-urls $peer --initial-cluster default=$peer >"$work/etcd.log" 2>&1 &

openssl genrsa -out "$work/key" 2048 2>/dev/null
token=$(openssl rand -hex 16)
echo "$token,admin,1,system:masters" >"$work/tokens"
# No controller makes service accounts here, so their admission would refuse every Pod.
"$work/kube-apiserver" --etcd-servers=$client --bind-address=127.0.0.1 --secure-port=16443 --cert-dir="$work/certs" \
    --service-account-key-file="$work/key" --service-account-signing-key-file="$work/key" \
    --service-account-issuer=https://kubernetes.default.svc --token-auth-file="$work/tokens" --authorization-mode=RBAC \
    --allow-privileged=true --service-cluster-ip-range=10.0.0.0/16 --disable-admission-plugins=ServiceAccount \
    >"$work/kube-apiserver.log" 2>&1 &
for _ in $(seq 120); do
    [ "$(curl -sk -H "Authorization: Bearer $token" $server/readyz)" = ok ] && break
    sleep 1
done

mkdir -p "$corpus/live"
"$work/oracle" -server $server -token "$token" -root "$corpus" -against "$corpus/verdicts/$minor.jsonl" \
    'cases/*/*.yaml' 'mutated/*.yaml' >"$work/differences"
mv "$work/differences" "$corpus/live/$minor.jsonl"
echo "$corpus/live/$minor.jsonl: $(wc -l <"$corpus/live/$minor.jsonl") documents differ"
