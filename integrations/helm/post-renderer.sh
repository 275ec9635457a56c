#!/bin/sh
# A post-renderer of Helm 3: checks the manifests, and hands them on unchanged. Further arguments are those of
# `sandboxc check`: helm upgrade web chart --post-renderer ./post-renderer.sh --post-renderer-args --policy=restricted
#
# Helm shows standard error if the check fails, and applies nothing.
set -eu
manifests=$(mktemp)
trap 'rm -f "$manifests"' EXIT
cat >"$manifests"
sandboxc check --quiet "$@" -- - <"$manifests" >&2
cat "$manifests"
