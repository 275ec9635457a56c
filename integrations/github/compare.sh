#!/usr/bin/env bash
# What a pull request changes in the objects, as a comment in Markdown: the output `comment` is the name of its file.
# Its inputs are in the environment. This step reads the repository, and so it has no token.
# shellcheck source-path=SCRIPTDIR source=environment.sh
. "$(dirname "$0")/environment.sh"
read -r -d '' -a arguments <<<"${DIFF_ARGUMENTS:-}"

files=$(mktemp -d) || exit 2
# A comment is found by its first line. It has no words of the inputs, which could end it.
place=${GITHUB_WORKSPACE:+${PWD#"$workspace"}}
marker="<!-- sandboxc diff $(printf '%s\n' "${PATHS:-}" "${DIFF_ARGUMENTS:-}" "$place" | cksum | tr ' ' -) -->"

status=0
# "${array[@]+...}": in bash 3.2 of macOS, an empty array is an unset variable.
"$program" diff --git "$BASE" --format markdown --color never ${arguments[@]+"${arguments[@]}"} \
    -- ${paths[@]+"${paths[@]}"} >"$files/differences" 2>"$files/findings" || status=$?
quoted cat "$files/findings"
{
    echo "$marker"
    case $status in
    0) cat "$files/differences" ;;
    1)
        # A comment has at most 65,536 characters, and the two fences can be as long as the text.
        head -c 20000 "$files/findings" >"$files/shown"
        fence=$(fence "$files/shown")
        printf '### The objects cannot be compared\n\n%stext\n' "$fence"
        cat "$files/shown"
        printf '\n%s\n' "$fence"
        ;;
    *) exit "$status" ;;
    esac
} >"$files/comment" || exit
echo "comment=$files/comment" >>"$GITHUB_OUTPUT"
