#!/usr/bin/env bash
# The check of `action.yml`. Its inputs are in the environment.
set -uo pipefail

# Words are separated by spaces or lines. They are not expanded: `sandboxc` reads globs itself.
set -f
read -r -d '' -a paths <<<"${PATHS:-}"
read -r -d '' -a arguments <<<"${ARGUMENTS:-}"

# Printed as the result, or left in a file, as the inputs say. A report in the summary is appended to what is there.
reports=()
summary=$(mktemp)
trap 'rm -f "$summary"' EXIT
[ "${SUMMARY:-true}" = true ] && reports+=(--report "github-summary=$summary")
[ -n "${SARIF_FILE:-}" ] && reports+=(--report "sarif=$SARIF_FILE")
[ "${ANNOTATIONS:-true}" = true ] && reports+=(--report github=-)

# "${array[@]+...}": in bash 3.2 of macOS, an empty array is an unset variable.
sandboxc check --fail-on "${FAIL_ON:-error}" \
    ${reports[@]+"${reports[@]}"} ${arguments[@]+"${arguments[@]}"} -- ${paths[@]+"${paths[@]}"}
status=$?

if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
    cat "$summary" >>"$GITHUB_STEP_SUMMARY"
    if [ "${GRAPH:-false}" = true ] && [ "$status" -ne 2 ] &&
        graph=$(sandboxc graph --quiet ${paths[@]+"${paths[@]}"} 2>/dev/null || [ $? -eq 1 ]); then
        printf '\n```mermaid\n%s\n```\n' "$graph" >>"$GITHUB_STEP_SUMMARY"
    fi
fi
exit "$status"
