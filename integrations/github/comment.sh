#!/usr/bin/env bash
# The comment of `action.yml`: what a pull request changes in the objects. There is one comment for the same inputs,
# which later runs update. The inputs are in the environment, and `gh` writes the comment.
set -euo pipefail

# Words are separated by spaces or lines. They are not expanded: `sandboxc` reads globs itself.
set -f
read -r -d '' -a paths <<<"${PATHS:-}" || true
read -r -d '' -a arguments <<<"${DIFF_ARGUMENTS:-}" || true

files=$(mktemp -d)
trap 'rm -rf "$files"' EXIT

# GitHub checks out the merge of the pull request, whose first parent is the branch that it merges into. The event has
# an older commit of that branch, if others have been merged since.
base=$BASE_SHA
commit=$(git cat-file commit HEAD)
if [ "$(git rev-parse HEAD)" = "$GITHUB_SHA" ] && [ "$(grep -c '^parent ' <<<"${commit%%$'\n\n'*}")" -eq 2 ]; then
    base=$(sed -n 's/^parent //p' <<<"$commit" | sed -n 1p)
fi
# `actions/checkout` fetches one commit by default.
if ! git cat-file -e "$base^{commit}" 2>/dev/null && ! git fetch --quiet --no-tags --depth=1 origin "$base"; then
    echo "::error title=sandboxc::cannot fetch the commit $base: set fetch-depth: 0 of actions/checkout"
    exit 2
fi

# A comment is found by its first line. It has no words of the inputs, which could end it.
marker="<!-- sandboxc diff $(printf '%s\n' "${PATHS:-}" "${DIFF_ARGUMENTS:-}" "${GITHUB_WORKSPACE:+${PWD#"$GITHUB_WORKSPACE"}}" | cksum | tr ' ' -) -->"
status=0
# "${array[@]+...}": in bash 3.2 of macOS, an empty array is an unset variable.
sandboxc diff --git "$base" --format markdown --color never ${arguments[@]+"${arguments[@]}"} \
    -- ${paths[@]+"${paths[@]}"} >"$files/differences" 2>"$files/findings" || status=$?
cat "$files/findings" >&2
echo "$marker" >"$files/comment"
case $status in
0) cat "$files/differences" >>"$files/comment" ;;
1)
    # A comment has at most 65,536 characters.
    printf '### The objects cannot be compared\n\n~~~text\n%s\n~~~\n' \
        "$(head -c 60000 "$files/findings")" >>"$files/comment"
    ;;
*) exit "$status" ;;
esac

# `gh` asks github.com by default, also on an enterprise server.
server=${GITHUB_SERVER_URL:-https://github.com}
export GH_HOST=${server#*://} GH_ENTERPRISE_TOKEN=${GH_TOKEN:-}
comments="repos/$GITHUB_REPOSITORY/issues/$PULL_REQUEST/comments"
gh api --paginate "$comments?per_page=100" --jq ".[] | select(.user.login == \"github-actions[bot]\"
    and (.body | startswith(\"$marker\"))) | .id" >"$files/ids"
id=$(sed -n 1p "$files/ids")
if [ -n "$id" ]; then
    gh api --silent --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$id" --field "body=@$files/comment"
elif ! grep -q '^### No differences' "$files/comment"; then
    gh api --silent --method POST "$comments" --field "body=@$files/comment"
fi
