#!/usr/bin/env bash
# Sourced by the scripts of `action.yml`. The repository that they run in is hostile, the inputs and the environment are
# not: here is what keeps the repository from choosing programs, from leaving the workspace, and from giving commands
# to the runner.
set -uo pipefail
# Words of the inputs are not expanded: `sandboxc` reads globs itself.
set -f

# Programs are in absolute directories: an empty or a relative one would be in the repository.
programs=
while IFS= read -r -d : directory; do
    case $directory in
    /*) programs=${programs:+$programs:}$directory ;;
    esac
done <<<"$PATH:"
export PATH=$programs
unset CDPATH OLDPWD

# Nothing selects another repository, configuration or program for git, and what git reads does not fetch.
for name in $(compgen -e); do
    case $name in
    GIT_*) unset "$name" ;;
    esac
done
export GIT_ALLOW_PROTOCOL=none GIT_NO_LAZY_FETCH=1 GIT_TERMINAL_PROMPT=0 GIT_OPTIONAL_LOCKS=0

# report_error TEXT: an annotation of the step.
report_error() {
    local text=${1//'%'/%25}
    text=${text//$'\r'/%0D}
    echo "::error title=sandboxc::${text//$'\n'/%0A}"
}

# A runner obeys lines such as `::add-mask::` in what a step prints, also after spaces and in the middle of a line
# (`##[...]`). Between these two commands it does not, and nobody can guess the word that ends it.
token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
if [ "${#token}" -ne 32 ]; then
    report_error 'cannot read /dev/urandom'
    exit 2
fi

# quoted COMMAND...: runs a program whose output quotes the repository. Both outputs are one, since a runner does not
# keep the order of two.
quoted() {
    local status=0
    echo "::stop-commands::$token"
    "$@" 2>&1 || status=$?
    printf '\n::%s::\n' "$token"
    return "$status"
}

# The folder of the repository, without links.
workspace=$(cd -P -- "${GITHUB_WORKSPACE:-.}" 2>/dev/null && pwd -P) || exit 2

# stays_inside PATH: neither the path nor a link in it leaves the workspace. An absolute path of another directory is
# the choice of the workflow. What does not exist yet is judged by its directory.
stays_inside() {
    local path=$1 directory links=0
    case $path/ in
    "${GITHUB_WORKSPACE:-$workspace}"/* | "$workspace"/*) ;;
    /*) return 0 ;;
    *) path=./$path ;;
    esac
    while [ -L "$path" ]; do
        links=$((links + 1))
        [ "$links" -le 40 ] || return 1
        directory=$(dirname -- "$path")
        path=$(readlink -- "$path")
        case $path in
        /*) ;;
        *) path=$directory/$path ;;
        esac
    done
    [ -d "$path" ] || path=$(dirname -- "$path")
    [ -d "$path" ] || return 0
    directory=$(cd -P -- "$path" 2>/dev/null && pwd -P) || return 1
    case $directory/ in
    "$workspace"/*) ;;
    *) return 1 ;;
    esac
}

# require_inside PATH...: ends the step if a path leaves the workspace.
require_inside() {
    local path
    for path in "$@"; do
        if ! stays_inside "$path"; then
            report_error "\`$path\` is a link out of the repository, and is not followed"
            exit 2
        fi
    done
}

# fence FILE: a line that starts and ends a block of Markdown, and that the file cannot contain.
fence() {
    local longest
    longest=$(LC_ALL=C grep -ao '`\{3,\}' -- "$1" | awk '{ if (length($0) > n) n = length($0) } END { print n + 0 }')
    printf '%*s' "$((longest < 3 ? 3 : longest + 1))" '' | tr ' ' '`'
}

require_inside "${WORKING_DIRECTORY:-.}"
# What bash prints would not be quoted.
if ! cd -P -- "${WORKING_DIRECTORY:-.}" 2>/dev/null; then
    report_error "there is no directory \`$WORKING_DIRECTORY\`"
    exit 2
fi
# Words are separated by spaces or lines.
read -r -d '' -a paths <<<"${PATHS:-}"
require_inside ${paths[@]+"${paths[@]}"}
# shellcheck disable=SC2034
program=${SANDBOXC:-sandboxc}
