#compdef snl
# Completion of snl in zsh: snl completion zsh > "${fpath[1]}/_snl"
#
# The script asks the program what can stand at the cursor (see cli/completion/suggestions.hpp). The
# shell finds files.

# Sets `plain` to a word as the program gets it. Nothing in it is run, and only ~/ is expanded.
_snl_plain() {
  if [[ $1 == '~/'* ]]; then plain=$HOME${(Q)1#'~'}; else plain=${(Q)1}; fi
}

_snl() {
  local plain word line prefix=
  local -a asked answer found shown
  for word in "${(@)words[1,CURRENT-1]}"; do
    _snl_plain "$word"
    asked+=("$plain")
  done
  answer=("${(@f)$("${asked[1]}" __complete "${(@)asked[2,-1]}" "${(Q)PREFIX}" 2>/dev/null </dev/null)}")
  if [[ $PREFIX == --*=* ]]; then
    prefix=${PREFIX%%=*}=
    compset -P 1 '*='
  fi
  for line in "${(@)answer[1,-2]}"; do
    word=${${line%%$'\t'*}#"$prefix"}
    found+=("$word")
    if [[ $line == *$'\t'?* ]]; then shown+=("$word  -- ${line#*$'\t'}"); else shown+=("$word"); fi
  done
  if (($#found > 0)); then compadd -l -V snl -d shown -a found; fi
  if [[ ${answer[-1]} == :files ]]; then _files; fi
}

if [[ ${funcstack[1]} == _snl ]]; then _snl "$@"; else compdef _snl snl; fi
