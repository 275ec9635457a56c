# Completions of sandboxc for fish.

function __sandboxc_complete
    set -l words (commandline --current-process --tokenize --cut-at-cursor)
    set -l current (commandline --current-token --cut-at-cursor | string unescape)
    test (count $current) -eq 0; and set current ''
    set -l answer ($words[1] completions fish -- $words[2..-1] $current 2>/dev/null)
    test (count $answer) -gt 0; or return
    set -l directive (string sub --start 2 -- $answer[-1])
    if test (count $answer) -gt 1
        printf '%s\n' $answer[1..-2]
        return
    end
    set -l kept (string match --regex -- '^-.*=' $current)
    set -l path (string replace --regex -- '^-.*=' '' $current)
    switch $directive
        case 0 2
            __fish_complete_path $path '' | string replace --regex -- '^' "$kept"
        case 16 18
            __fish_complete_directories $path '' | string replace --regex -- '^' "$kept"
    end
end

complete --command sandboxc --no-files --keep-order --arguments '(__sandboxc_complete)'
