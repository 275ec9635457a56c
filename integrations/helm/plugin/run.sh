#!/bin/sh
# Checks the manifests, and hands them on unchanged. Helm 4 does not show what a failed plugin writes to standard
# error, so the findings are also in the file that SANDBOXC_REPORT names, or on the terminal if there is one.
set -eu
manifests=$(mktemp)
findings=$(mktemp)
trap 'rm -f "$manifests" "$findings"' EXIT
cat >"$manifests"
status=0
# SANDBOXC_ARGS has words without spaces: --policy=restricted
# shellcheck disable=SC2086
sandboxc check --quiet ${SANDBOXC_ARGS:-} "$@" - <"$manifests" >"$findings" 2>&1 || status=$?
if [ -n "${SANDBOXC_REPORT:-}" ]; then
    cat "$findings" >"$SANDBOXC_REPORT"
elif [ -s "$findings" ] && (: >/dev/tty) 2>/dev/null; then
    cat "$findings" >/dev/tty
fi
if [ "$status" -ne 0 ]; then
    cat "$findings" >&2
    exit "$status"
fi
cat "$manifests"
