# Completion of snl in bash: source <(snl completion bash)
#
# What can stand at the cursor is asked of the program itself (see cli/completion/suggestions.hpp);
# the shell finds files.

# Sets plain to a word as the program gets it. Nothing in it is run, and only ~/ is expanded.
_snl_plain() {
  local text=$1 quote= char
  plain=
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
      plain+=$char
    fi
  done
}

# Sets words to the words up to the cursor. Bash parts them at = : @ too; here a space does.
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

_snl() {
  local IFS=$' \t\n' plain word line head prefix= name='^[A-Za-z0-9@._=-]*$'
  local -a words asked=() answer=() files=()
  COMPREPLY=()
  _snl_split
  for word in "${words[@]}"; do
    _snl_plain "$word"
    asked+=("$plain")
  done
  mapfile -t answer < <("${asked[0]}" __complete "${asked[@]:1}" 2>/dev/null </dev/null)
  if ((${#answer[@]} == 0)); then return 0; fi
  if [[ ${answer[-1]} == :files ]]; then
    compopt -o filenames 2>/dev/null
    if [[ $plain == --*=* ]]; then prefix=${plain%%=*}=; fi
    mapfile -t files < <(compgen -f -- "${plain#"$prefix"}")
  fi
  unset 'answer[-1]'
  for line in "${answer[@]}"; do
    word=${line%%$'\t'*}
    if [[ $word != "$plain"* ]]; then continue; fi
    # As it does for files, bash then quotes what isn't plain.
    if [[ ! $word =~ $name ]]; then compopt -o filenames 2>/dev/null; fi
    COMPREPLY+=("$word")
  done
  for word in "${files[@]}"; do
    COMPREPLY+=("$prefix$word")
  done
  # Bash puts in only what follows the last = : @ of the word.
  head=${words[-1]}
  head=${head%"${head##*["$COMP_WORDBREAKS"]}"}
  COMPREPLY=("${COMPREPLY[@]#"$head"}")
  compopt -o nosort 2>/dev/null
  return 0
}

complete -F _snl snl
