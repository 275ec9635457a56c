#!/usr/bin/env bash
# The commit with which the comment of `action.yml` compares: its output is `base`. It is fetched if `actions/checkout`
# has fetched one commit only, which is the default. This step has the token, and runs nothing but git.
# shellcheck source-path=SCRIPTDIR source=environment.sh
. "$(dirname "$0")/environment.sh"
login=${GH_TOKEN:-}
unset GH_TOKEN GITHUB_TOKEN

# The repository is the topmost one. Git itself would also accept a folder in it with the files of a bare repository.
repository=$workspace
while [ ! -e "$repository/.git" ] && [ "$repository" != "$PWD" ]; do
    below=${PWD#"$repository/"}
    repository=$repository/${below%%/*}
done
if [ ! -d "$repository/.git" ]; then
    report_error 'there is no repository in the workspace: run actions/checkout first'
    exit 2
fi
if ! [[ ${BASE_SHA:-} =~ ^[0-9a-f]{40}([0-9a-f]{24})?$ ]]; then
    report_error 'the base of the pull request is not a commit'
    exit 2
fi

# A configuration of its own: that of the repository can name programs. Objects are those of the repository.
own=$(mktemp -d) || exit 2
trap 'rm -rf "$own"' EXIT
run_git() {
    GIT_OBJECT_DIRECTORY=$repository/.git/objects git --git-dir="$own" --no-pager --no-replace-objects \
        -c core.fsmonitor=false -c core.hooksPath=/dev/null -c core.attributesFile=/dev/null -c gc.auto=0 \
        -c maintenance.auto=false -c http.followRedirects=false "$@"
}
format=sha1
[ "${#BASE_SHA}" -eq 40 ] || format=sha256
git init --quiet --bare --template= --object-format="$format" "$own" || exit 2

# GitHub checks out the merge of the pull request, whose first parent is the branch that it merges into. The event has
# an older commit of that branch, if others have been merged since.
base=$BASE_SHA
head=$(GIT_DIR=$repository/.git git --no-pager -c core.fsmonitor=false -c core.hooksPath=/dev/null \
    rev-parse --verify HEAD 2>/dev/null)
if [ -n "$head" ] && [ "$head" = "${GITHUB_SHA:-}" ]; then
    commit=$(run_git cat-file commit "$head" 2>/dev/null)
    parents=$(sed -n 's/^parent \([0-9a-f]*\)$/\1/p' <<<"${commit%%$'\n\n'*}")
    if [ "$(grep -c . <<<"$parents")" -eq 2 ]; then
        base=${parents%%$'\n'*}
    fi
fi

# fetch_base: the token is in the environment of this call alone, and goes to the server alone.
fetch_base() {
    local server=${GITHUB_SERVER_URL:-https://github.com} header=
    if [ -n "$login" ]; then
        header="AUTHORIZATION: basic $(printf 'x-access-token:%s' "$login" | base64 | tr -d '\n')"
    fi
    GIT_ALLOW_PROTOCOL=${server%%://*} GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0="http.$server/.extraheader" \
        GIT_CONFIG_VALUE_0=$header run_git fetch --quiet --no-tags --no-recurse-submodules --depth=1 --end-of-options \
        "$server/$GITHUB_REPOSITORY" "$base"
}
if ! run_git cat-file -e "$base^{commit}" 2>/dev/null && ! quoted fetch_base; then
    report_error "cannot fetch the commit $base: set fetch-depth: 0 of actions/checkout"
    exit 2
fi
echo "base=$base" >>"$GITHUB_OUTPUT"
