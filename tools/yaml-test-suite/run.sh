#!/usr/bin/env bash
# Reports this reader's verdicts on the yaml-test-suite.
# usage: run.sh FOLDER, a checkout of branch `data` of github.com/yaml/yaml-test-suite
set -euo pipefail
folder=$(realpath "${1:?usage: run.sh FOLDER}")
cd "$(dirname "$0")/../.."
exec cargo run --quiet --example yaml-test-suite -- "$folder"
