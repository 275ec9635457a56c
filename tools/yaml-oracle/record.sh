#!/bin/sh
# Records fixtures/yaml-verdicts.txt: what Kubernetes' reader makes of the generated texts.
# With a folder, compares all YAML files in it instead, and records nothing.
set -eu
cd "$(dirname "$0")/../.."
cases=$(mktemp)
trap 'rm -f "$cases" "$cases.verdicts"' EXIT
if [ $# -gt 0 ]; then
    YAML_FILES=$(cd "$1" && pwd)
    export YAML_FILES
fi
YAML_CASES=$cases cargo test --lib recorded_texts
(cd tools/yaml-oracle && go run . <"$cases" >"$cases.verdicts")
if [ $# -gt 0 ]; then
    YAML_VERDICTS=$cases.verdicts cargo test --lib recorded_texts
else
    cp "$cases.verdicts" fixtures/yaml-verdicts.txt
fi
