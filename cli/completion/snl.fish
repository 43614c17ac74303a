# Completion of snl in fish: snl completion fish > ~/.config/fish/completions/snl.fish
#
# The script asks the program what can stand at the cursor (see cli/completion/suggestions.hpp). The
# shell finds files.

function __snl_complete
    set -l tokens (commandline -xpc 2>/dev/null; or commandline -opc)
    set -l asked (string replace -r '^~/' "$HOME/" -- $tokens)
    set -l current (commandline -ct)
    set -l plain (string unescape -- $current
        or string unescape -- $current"'"
        or string unescape -- $current'"')
    set -l answer ($asked[1] __complete $asked[2..-1] "$plain" 2>/dev/null </dev/null)
    test (count $answer) -gt 1; and printf '%s\n' $answer[1..-2]
    if test "$answer[-1]" = :files
        set -l prefix
        string match -q -- '--*=*' $plain; and set prefix (string replace -r '=.*' = -- $plain)
        set -l files (__fish_complete_path (string replace -- "$prefix" '' $plain))
        test (count $files) -gt 0; and printf '%s\n' "$prefix"$files
    end
end

complete -c snl -e
complete -c snl -k -f -a '(__snl_complete)'
