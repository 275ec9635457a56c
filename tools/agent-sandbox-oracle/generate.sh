#!/usr/bin/env bash
# generate.sh: writes what the repository takes from the modules without running them: the digests of the custom resource
# definitions of both release lines, and the order of the fields that Go writes.
set -euo pipefail
cd "$(dirname "$0")"
definitions=../../fixtures/crd/definitions.tsv
: >"$definitions"
for line in 0.5 1.0; do
  modules=(-modfile="modules/$line/go.mod")
  folder="$(go list "${modules[@]}" -m -f '{{.Dir}}' sigs.k8s.io/agent-sandbox)/k8s/crds"
  nice go run "${modules[@]}" ./definitions digests "$line" "$folder"/*.yaml >>"$definitions"
done
# The newest line has the fields of the others, in the same order.
nice go run "${modules[@]}" ./fields >../../src/dialect/agent_sandbox/effective/fields.txt
