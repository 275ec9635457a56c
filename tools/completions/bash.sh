#!/usr/bin/env bash
# Prints what bash completes at the end of a line: bash.sh PROGRAM LINE
# The words are split as bash does for COMP_WORDS, also at `=` and `:`.
set -uo pipefail

eval "sandboxc() { $(printf %q "$1") \"\$@\"; }"
source <(sandboxc completions bash)
compopt() { :; }

COMP_LINE=$2
COMP_POINT=${#COMP_LINE}
COMP_WORDS=()
rest=$COMP_LINE
while [[ $rest =~ ^[[:space:]]*([=:]|[^=:[:space:]]+) ]]; do
    COMP_WORDS+=("${BASH_REMATCH[1]}")
    rest=${rest:${#BASH_REMATCH[0]}}
done
if [[ -n $rest ]]; then
    COMP_WORDS+=("")
fi
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_sandboxc
printf '%s ' "${COMPREPLY[@]}"
