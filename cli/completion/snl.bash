# Completion of snl in bash: source <(snl completion bash)
#
# The script asks the program what can stand at the cursor (see cli/completion/suggestions.hpp). The
# shell finds files.

# Sets `plain` to a word as the program gets it, `quote` to the quote that is still open at its end,
# and `expands` to the character that would make the shell expand it. Nothing in the word is run,
# and only ~/ is expanded.
_snl_plain() {
  local text=$1 char
  plain= quote= expands=
  if [[ $text == '~'* ]]; then expands='~'; fi
  if [[ $text == '~/'* ]]; then plain=$HOME text=${text:1}; fi
  while [[ -n $text ]]; do
    char=${text:0:1} text=${text:1}
    if [[ -n $quote && $char == "$quote" ]]; then
      quote=
    elif [[ -z $quote && $char == [\"\'] ]]; then
      quote=$char
    elif [[ $char == \\ && $quote != \' ]] && [[ -z $quote || $text == [\"\\\$\`]* ]]; then
      plain+=${text:0:1} text=${text:1}
    else
      if [[ $char == [\$\`] && $quote != \' && $expands != '`' ]]; then expands=$char; fi
      plain+=$char
    fi
  done
}

# Sets `quoted` to a text as it must be written where $quote is open, so that the shell takes it as
# it is. (Bash quotes only the names of files, and not every character of those.)
_snl_quote() {
  local text=$1 char
  quoted=$text
  if [[ $text != *[^[:alnum:]/.,:=@%+_-]* ]]; then return; fi
  quoted=
  while [[ -n $text ]]; do
    char=${text:0:1} text=${text:1}
    if [[ $quote == \' ]]; then
      if [[ $char == \' ]]; then char="'\\''"; fi
    elif [[ $quote == \" && $char == ! ]]; then
      char='"\!"'
    elif [[ -n $quote && $char == [\"\\\$\`] ]] || [[ -z $quote && $char != [[:alnum:]/.,:=@%+_-] ]]; then
      char=\\$char
    fi
    quoted+=$char
  done
  # Bash would take a quote at either end for the one that is open, or for its end.
  if [[ -n $quote && $quoted == "$quote"* ]]; then quoted=$quote$quoted; fi
  if [[ -n $quote && $quoted == *"$quote" ]]; then quoted+=$quote; fi
}

# Sets `words` to the words up to the cursor. Bash splits them at = : @ too; this splits at spaces.
_snl_split() {
  local line=${COMP_LINE:0:${COMP_POINT:-${#COMP_LINE}}} i word gap
  words=()
  for ((i = 0; i <= COMP_CWORD; ++i)); do
    word=${COMP_WORDS[i]} gap=${line%%[![:space:]]*}
    line=${line#"$gap"}
    if ((i == COMP_CWORD)) && [[ $word == "$line"* ]]; then word=$line; fi
    if ((i > 0)) && [[ -z $gap && -n $word ]]; then words[-1]+=$word; else words+=("$word"); fi
    line=${line#"$word"}
  done
}

# $2 is the part that bash replaces: the word from the last = : @ or open quote on.
_snl() {
  local IFS=$' \t\n' plain quote expands quoted word typed before prefix= replaced=$2
  local -a words asked=() answer=() files=()
  COMPREPLY=()
  _snl_split
  for word in "${words[@]}"; do
    _snl_plain "$word"
    # Within backticks no quote would do.
    if [[ $expands == '`' ]]; then return 0; fi
    asked+=("$plain")
  done
  mapfile -t answer < <("${asked[0]}" __complete "${asked[@]:1}" 2>/dev/null </dev/null)
  if ((${#answer[@]} == 0)); then return 0; fi
  if [[ ${answer[-1]} == :files ]]; then
    # A word to expand, $HOME/ say, is left to bash's own completion.
    if [[ -n $expands ]]; then compopt -o default 2>/dev/null; fi
    if [[ $plain == --*=* ]]; then prefix=${plain%%=*}=; fi
    mapfile -t files < <(compgen -f -- "${plain#"$prefix"}")
  fi
  unset 'answer[-1]'
  before=${words[-1]%"$replaced"}
  if [[ -n $expands || $before$replaced != "${words[-1]}" ]]; then return 0; fi
  answer=("${answer[@]%%$'\t'*}")
  for word in "${files[@]}"; do
    if [[ -d $word ]]; then word+=/; fi
    answer+=("$prefix$word")
  done
  typed=$plain
  _snl_plain "$before"
  for word in "${answer[@]}"; do
    if [[ $word != "$typed"* ]]; then continue; fi
    _snl_quote "${word#"$plain"}"
    COMPREPLY+=("$quoted")
  done
  if [[ ${#COMPREPLY[@]} == 1 && $quoted == */ ]]; then compopt -o nospace 2>/dev/null; fi
  compopt -o nosort 2>/dev/null
  return 0
}

complete -F _snl snl
