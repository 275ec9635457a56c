#compdef sandboxc
# Completions of sandboxc for zsh.

_sandboxc() {
    local -a before answer described space
    local line directive=4
    before=("${(@Q)words[2,CURRENT-1]}")
    answer=("${(@f)$("${(Q)words[1]}" completions zsh -- "${before[@]}" "${(Q)PREFIX}" 2>/dev/null)}")
    for line in "${answer[@]}"; do
        if [[ $line == :* ]]; then
            directive=${line#:}
        elif [[ $line == *$'\t'* ]]; then
            described+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
        elif [[ -n $line ]]; then
            described+=("${line//:/\\:}")
        fi
    done
    if ((directive & 2)); then
        space=(-S '')
    fi
    if ((${#described} > 0)); then
        _describe -V values described "${space[@]}"
        return
    fi
    if [[ $PREFIX == -*=* ]]; then
        compset -P '*='
    fi
    if ((directive & 16)); then
        _files -/
    elif ! ((directive & 4)); then
        _files
    fi
}

# As a file in `fpath` it is the function itself; if it is evaluated, it is registered.
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _sandboxc "$@"
else
    compdef _sandboxc sandboxc
fi
