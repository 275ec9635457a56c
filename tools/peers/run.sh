#!/usr/bin/env bash
# Validates the output of sandboxc with other programs that run without a network.
# usage: run.sh [FOLDER]
# FOLDER keeps the downloads and what is printed; by default a folder in $TMPDIR. Must be outside the
# repository. Needs cargo, Go, Python 3 with venv; kubectl is used where there is one.
set -euo pipefail
repository=$(cd "$(dirname "$0")/../.." && pwd -P)
mkdir -p "${1:-${TMPDIR:-/tmp}/sandboxc-peers}"
folder=$(cd "${1:-${TMPDIR:-/tmp}/sandboxc-peers}" && pwd -P)
case "$folder/" in
    "$repository"/*) echo "$folder is inside the repository" >&2; exit 2 ;;
esac

kubeconform=github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0
kubectl_validate=sigs.k8s.io/kubectl-validate@v0.0.4
kubernetes_validate=kubernetes-validate==1.37.0

export GOBIN="$folder/bin"
[ -x "$GOBIN/kubeconform" ] || go install "$kubeconform"
[ -x "$GOBIN/kubectl-validate" ] || go install "$kubectl_validate"
if [ ! -x "$folder/venv/bin/kubernetes-validate" ]; then
    python3 -m venv "$folder/venv"
    "$folder/venv/bin/pip" install --quiet "$kubernetes_validate"
fi

cd "$repository"
cargo build --quiet --locked
exec "$folder/venv/bin/python" tools/peers/validate.py target/debug/sandboxc "$folder"
