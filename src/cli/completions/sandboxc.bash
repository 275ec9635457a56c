# Completions of sandboxc for bash, from version 3.2.

_sandboxc() {
    local words=() word rest=${COMP_LINE:0:COMP_POINT} index last
    # Bash also splits words at `=` and `:`. What has no space between is one word.
    for ((index = 0; index <= COMP_CWORD; index++)); do
        word=${COMP_WORDS[index]}
        if ((index > 0)) && [[ -n $rest && $rest != [[:space:]]* ]]; then
            last=$((${#words[@]} - 1))
        else
            last=${#words[@]}
            words[last]=
        fi
        rest=${rest#"${rest%%[![:space:]]*}"}
        # The cursor can be inside the last word.
        if ((index == COMP_CWORD)); then
            word=$rest
        fi
        words[last]+=$word
        rest=${rest#"$word"}
    done
    for index in "${!words[@]}"; do
        words[index]=${words[index]//[\"\'\\]/}
    done

    local current=${words[last]} line directive=4
    # Of the current word, bash replaces what follows the last `=` or `:`.
    local kept=${current%"${current##*[=:]}"}
    COMPREPLY=()
    while IFS= read -r line; do
        if [[ $line == :* ]]; then
            directive=${line#:}
        else
            line=${line%%$'\t'*}
            printf -v line %q "${line#"$kept"}"
            COMPREPLY+=("$line")
        fi
    done < <("${words[0]}" completions bash -- "${words[@]:1}" 2>/dev/null)

    if ((directive & 2)); then
        compopt -o nospace 2>/dev/null
    fi
    if ((${#COMPREPLY[@]} > 0)); then
        return
    fi
    current=${current#"$kept"}
    if ((directive & 16)); then
        compopt -o filenames 2>/dev/null
        while IFS= read -r line; do COMPREPLY+=("${line/#-/./-}"); done < <(compgen -d -- "$current")
    elif ! ((directive & 4)); then
        compopt -o filenames 2>/dev/null
        # A name that begins with a dash would be an option.
        while IFS= read -r line; do COMPREPLY+=("${line/#-/./-}"); done < <(compgen -f -- "$current")
    fi
}

complete -F _sandboxc sandboxc
