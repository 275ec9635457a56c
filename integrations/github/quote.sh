#!/usr/bin/env bash
# A comment that quotes the file $FILE, which the workflow of a fork has made: its output `comment` is the name of the
# file of the comment. Nothing in the quote is Markdown.
# shellcheck source-path=SCRIPTDIR source=environment.sh
. "$(dirname "$0")/environment.sh"
set -e

if [ -L "$FILE" ] || ! [ -f "$FILE" ]; then
    report_error 'the artifact has no such file'
    exit 2
fi
files=$(mktemp -d)
# A comment has at most 65,536 characters, and the two fences can be as long as the text. Only printable ones, tabs
# and line feeds are kept.
head -c 20000 -- "$FILE" | LC_ALL=C tr -cd '\t\n\040-\176\200-\377' |
    LC_ALL=C sed '1{/^<!-- sandboxc diff [0-9-]* -->$/d;}' >"$files/shown"
fence=$(fence "$files/shown")
{
    # The line by which the comment is found again.
    printf '<!-- sandboxc diff %s -->\n' "${WORKFLOW//[^0-9]/}"
    printf '### sandboxc\n\nThe workflow of this pull request reports, as text:\n\n%stext\n' "$fence"
    cat "$files/shown"
    printf '\n%s\n' "$fence"
} >"$files/comment"
echo "comment=$files/comment" >>"$GITHUB_OUTPUT"
