# Sourced by the scripts that ask a running API server, after `minor` and perhaps `disabled` and `ranges` are set: builds
# the oracle and the API server, starts the server with etcd on the loopback interface, and sets `work`, `oracle`,
# `server` and `token`.
# ORACLE_BINARIES names a directory that keeps the two programs for the next run.
tags=$([ "${minor#1.}" -ge 35 ] && echo emulation || echo plain)
work=$(mktemp -d)
stop() {
    # Without its storage, the API server would wait forever for a graceful shutdown.
    kill -KILL $(jobs -p) 2>/dev/null || true
    wait 2>/dev/null || true
    rm -rf "$work"
}
trap stop EXIT

binaries=${ORACLE_BINARIES:-$work}
mkdir -p "$binaries"
modules=(-mod=mod -modfile="modules/$minor/go.mod")
nice go build -p 2 "${modules[@]}" -tags "$tags" -o "$binaries/oracle" .
[ -x "$binaries/kube-apiserver" ] ||
    nice go build -p 2 "${modules[@]}" -o "$binaries/kube-apiserver" k8s.io/kubernetes/cmd/kube-apiserver
oracle=$binaries/oracle

# Concurrent runs use different ports.
port=$((20000 + $$ % 10000))
client=http://127.0.0.1:$port peer=http://127.0.0.1:$((port + 10000)) server=https://127.0.0.1:$((port + 20000))
etcd --data-dir "$work/etcd" --listen-client-urls $client --advertise-client-urls $client \
    --listen-peer-urls $peer --initial-advertise-peer-urls $peer --initial-cluster default=$peer >"$work/etcd.log" 2>&1 &

openssl genrsa -out "$work/key" 2048 2>/dev/null
token=$(openssl rand -hex 16)
echo "$token,admin,1,system:masters" >"$work/tokens"
# `disabled` names the disabled admission plugins, and `ranges` the addresses of Services.
"$binaries/kube-apiserver" --etcd-servers=$client --bind-address=127.0.0.1 --secure-port=$((port + 20000)) \
    --cert-dir="$work/certs" --service-account-key-file="$work/key" --service-account-signing-key-file="$work/key" \
    --service-account-issuer=https://kubernetes.default.svc --token-auth-file="$work/tokens" --authorization-mode=RBAC \
    --allow-privileged=true --service-cluster-ip-range="${ranges:-10.0.0.0/16}" --disable-admission-plugins="${disabled:-}" \
    >"$work/kube-apiserver.log" 2>&1 &
for _ in $(seq 120); do
    [ "$(curl -sk -H "Authorization: Bearer $token" $server/readyz)" = ok ] && break
    sleep 1
done
