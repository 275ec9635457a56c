#!/usr/bin/env bash
# Writes the mutants, builds the oracle of each minor version and records its verdicts on the corpus:
#   tools/oracle/record.sh [minor...]      (all of modules/ if none is named)
# The first build takes about ten minutes per minor version on one core; later ones take seconds.
set -euo pipefail
cd "$(dirname "$0")"
corpus=../../fixtures/conformance
binaries=$(mktemp -d)
trap 'rm -rf "$binaries"' EXIT

recorded=$corpus/recorded
# The mutants do not depend on the minor version, so any module file can be used.
go run -mod=mod -modfile=modules/1.36/go.mod ./mutate "$corpus"
go run -mod=mod -modfile=modules/1.36/go.mod ./mutate -updates "$corpus"
for folder in $(if [ $# -gt 0 ]; then printf 'modules/%s ' "$@"; else echo modules/*; fi); do
    minor=$(basename "$folder")
    # Since 1.35, the Pod Security checks require the version to emulate.
    tags=$([ "${minor#1.}" -ge 35 ] && echo emulation || echo plain)
    nice go build -p 1 -mod=mod -modfile="$folder/go.mod" -tags "$tags" -o "$binaries/oracle" .
    "$binaries/oracle" -root "$corpus" 'cases/*/*.yaml' 'cases/*.yaml' 'mutated/*.yaml' > "$binaries/verdicts"
    ./recording.py put "$recorded/verdicts.jsonl" "$minor" < "$binaries/verdicts"
    echo "$recorded/verdicts.jsonl: $(wc -l < "$binaries/verdicts") documents for $minor"
    # The server's warnings hardly change between minor versions, so only those of the newest two are recorded.
    if [ "${minor#1.}" -ge 36 ]; then
        "$binaries/oracle" -root "$corpus" 'warnings/*.yaml' > "$binaries/verdicts"
        ./recording.py put "$recorded/warnings.jsonl" "$minor" < "$binaries/verdicts"
    fi
    "$binaries/oracle" -root "$corpus" -updates 'updates/*.jsonl' 'cases/*/*.yaml' 'cases/*.yaml' 'updates/*.yaml' > "$binaries/verdicts"
    ./recording.py put "$recorded/updates.jsonl" "$minor" < "$binaries/verdicts"
    # All minor versions prune and validate defaults alike.
    if [ "$minor" = 1.36 ]; then
        "$binaries/oracle" -pruning > "$corpus/pruning.txt"
        "$binaries/oracle" -defaults > "$corpus/defaults.txt"
    fi
done
