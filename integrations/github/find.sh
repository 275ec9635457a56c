#!/usr/bin/env bash
# The pull request of a `workflow_run` for a fork, by the branch and the commit of the event: its output is `number`.
# shellcheck source-path=SCRIPTDIR source=environment.sh
. "$(dirname "$0")/environment.sh"
set -e
files=$(mktemp -d)
trap 'rm -rf "$files"' EXIT
cd "$files"
if ! [[ $HEAD_SHA =~ ^[0-9a-f]{40,64}$ ]]; then
    report_error 'the event has no commit'
    exit 2
fi
server=${GITHUB_SERVER_URL:-https://github.com}
# The names of the fork are values of fields, which `gh` encodes.
numbers=$(GH_ENTERPRISE_TOKEN=$GH_TOKEN GH_HOST=${server#*://} gh api --method GET "repos/$GITHUB_REPOSITORY/pulls" \
    --raw-field state=open --raw-field "head=$HEAD_OWNER:$HEAD_BRANCH" \
    --jq ".[] | select(.head.sha == \"$HEAD_SHA\") | .number")
number=${numbers%%$'\n'*}
if ! [[ $number =~ ^[0-9]+$ ]]; then
    report_error 'there is no open pull request with this commit'
    exit 2
fi
echo "number=$number" >>"$GITHUB_OUTPUT"
