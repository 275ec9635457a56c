#!/usr/bin/env bash
# Writes a comment of `action.yml` to the pull request, or updates the one with the same first line. The comment is in
# the file $COMMENT. This step has the token, and reads nothing of the repository.
# shellcheck source-path=SCRIPTDIR source=environment.sh
. "$(dirname "$0")/environment.sh"
set -e
login=${GH_TOKEN:-}
unset GH_TOKEN GITHUB_TOKEN

files=$(mktemp -d)
trap 'rm -rf "$files"' EXIT
# Not in the repository, whose configuration `gh` would read.
cd "$files"
marker=$(sed -n 1p "$COMMENT")
if ! [[ $marker =~ ^'<!-- sandboxc diff '[0-9-]+' -->'$ && $PULL_REQUEST =~ ^[0-9]+$ ]]; then
    report_error 'the comment has no marker, or the pull request no number'
    exit 2
fi

# `gh` asks github.com by default, also on an enterprise server.
server=${GITHUB_SERVER_URL:-https://github.com}
call_api() {
    GH_TOKEN=$login GH_ENTERPRISE_TOKEN=$login GH_HOST=${server#*://} gh api "$@"
}
comments="repos/$GITHUB_REPOSITORY/issues/$PULL_REQUEST/comments"
call_api --paginate "$comments?per_page=100" --jq ".[] | select(.user.login == \"github-actions[bot]\"
    and (.body | startswith(\"$marker\"))) | .id" >ids
id=$(sed -n '1{/^[0-9]*$/p;}' ids)
if [ -n "$id" ]; then
    quoted call_api --silent --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$id" --field "body=@$COMMENT"
elif [[ $(sed -n 2p "$COMMENT") != '### No differences'* ]]; then
    quoted call_api --silent --method POST "$comments" --field "body=@$COMMENT"
fi
