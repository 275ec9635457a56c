#!/usr/bin/env bash
# The check of `action.yml`. Its inputs are in the environment.
# shellcheck source-path=SCRIPTDIR source=environment.sh
. "$(dirname "$0")/environment.sh"
read -r -d '' -a arguments <<<"${ARGUMENTS:-}"

files=$(mktemp -d) || exit 2
trap 'rm -rf "$files"' EXIT
reports=(--report "github=$files/annotations" --report "github-summary=$files/summary")
if [ -n "${SARIF_FILE:-}" ]; then
    # It is written, and so it must not be a link, wherever that leads.
    if [ -L "$SARIF_FILE" ]; then
        report_error "\`$SARIF_FILE\` is a link, and is not written"
        exit 2
    fi
    require_inside "$SARIF_FILE"
    reports+=(--report "sarif=$SARIF_FILE")
fi

# "${array[@]+...}": in bash 3.2 of macOS, an empty array is an unset variable.
status=0
quoted "$program" check --fail-on="${FAIL_ON:-error}" "${reports[@]}" ${arguments[@]+"${arguments[@]}"} \
    -- ${paths[@]+"${paths[@]}"} || status=$?

if [ "${ANNOTATIONS:-true}" = true ] && [ -f "$files/annotations" ]; then
    # One line for each finding, and no other command. A carriage return would also end a line.
    tr -d '\r' <"$files/annotations" | LC_ALL=C grep -aE '^::(error|warning|notice) '
fi
if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
    if [ "${SUMMARY:-true}" = true ] && [ -f "$files/summary" ]; then
        cat "$files/summary" >>"$GITHUB_STEP_SUMMARY"
    fi
    if [ "${GRAPH:-false}" = true ] && [ "$status" -ne 2 ] &&
        { "$program" graph --quiet -- ${paths[@]+"${paths[@]}"} >"$files/graph" 2>/dev/null || [ $? -eq 1 ]; }; then
        fence=$(fence "$files/graph")
        { printf '\n%smermaid\n' "$fence" && cat "$files/graph" && printf '\n%s\n' "$fence"; } >>"$GITHUB_STEP_SUMMARY"
    fi
fi
exit "$status"
