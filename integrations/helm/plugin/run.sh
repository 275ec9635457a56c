#!/bin/sh
# Checks the manifests, and hands them on unchanged. Helm 4 does not show what a failed plugin writes to standard
# error. With errors, the output is therefore one document that Helm cannot read, because its name is not a
# string, and whose file name, which Helm shows, consists of the findings: Helm fails before it applies anything.
set -eu
manifests=$(mktemp)
findings=$(mktemp)
trap 'rm -f "$manifests" "$findings"' EXIT
cat >"$manifests"
status=0
# SANDBOXC_ARGS has words without spaces, which are not expanded: --policy=restricted
set -f
# shellcheck disable=SC2086
sandboxc check --quiet ${SANDBOXC_ARGS:-} "$@" -- - <"$manifests" >"$findings" 2>&1 || status=$?
if [ -n "${SANDBOXC_REPORT:-}" ]; then
    cat "$findings" >"$SANDBOXC_REPORT"
fi
if [ "$status" -eq 0 ]; then
    cat "$manifests"
    exit
fi
cat "$findings" >&2
cat <<'END'
apiVersion: functions.sandboxc.dev/v1alpha1
kind: Findings
metadata:
  name: {errors: true}
  annotations:
    postrenderer.helm.sh/postrender-filename: |2-
      sandboxc:
END
# Each line of the findings is a line of the block, also for a parser with more line breaks than the line feed.
LC_ALL=C tr '\r' ' ' <"$findings" |
    LC_ALL=C sed -e "s/$(printf '\302\205')/ /g; s/$(printf '\342\200')[$(printf '\250\251')]/ /g" -e 's/^/      /'
echo '      nothing is applied'
