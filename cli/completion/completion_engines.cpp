#include "completion_engines.hpp"

#include <fmt/format.h>

namespace snl::cli {
namespace {

// Bash and zsh understand this alike.
constexpr std::string_view both_engine = R"sh(
# Sets wanted to what an option takes; fails if it is a flag, or none of this command.
_snl_find_value() {
  local entry
  for entry in "${values[@]}"; do
    if [[ $entry == "$1 "* ]]; then wanted=${entry#"$1 "}; return 0; fi
  done
  return 1
}

# Holds if a word names a part of the command.
_snl_is_subcommand() {
  local entry
  for entry in "${subcommands[@]}"; do
    if [[ $entry == "$1" || $entry == "$1"$'\t'* ]]; then return 0; fi
  done
  return 1
}

# Reads the words before the one at the cursor. Sets place to the command that they name, given to
# the words that are no options, db to the store, option to one that still waits for its value.
_snl_read() {
  local word
  _snl_about ''
  for word in "$@"; do
    _snl_plain "$word"
    if [[ -n $option ]]; then
      if [[ $option == --db ]]; then db=$plain; fi
      option=
    elif [[ -z $only_words && $plain == -- ]]; then
      only_words=1
    elif [[ -z $only_words && $plain == --db=* ]]; then
      db=${plain#*=}
    elif [[ -z $only_words && $plain == -?* ]]; then
      if _snl_find_value "$plain"; then option=$plain; fi
    elif ((${#given[@]} == 0)) && _snl_is_subcommand "$plain"; then
      place+=${place:+ }$plain
      _snl_about "$place"
    else
      given+=("$plain")
    fi
  done
  wanted=
}
)sh";

constexpr std::string_view bash_engine = R"sh(
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

# Sets wanted to what the next word is that is no option.
_snl_find_operand() {
  if [[ " ${operands[*]}" == *' ...' ]] && ((${#given[@]} >= ${#operands[@]} - 1)); then
    wanted=${operands[-2]}
  elif ((${#given[@]} < ${#operands[@]})); then
    wanted=${operands[${#given[@]}]}
  fi
}

# Adds the games of the store to found, newest first.
_snl_games() {
  local id rest
  found+=(@)
  while read -r id rest; do
    if [[ $id =~ ^[A-Za-z0-9][A-Za-z0-9._-]*$ ]]; then found+=("$id"); fi
  done < <("$program" ${db:+"--db=$db"} list --limit 50 2>/dev/null </dev/null)
}

_snl() {
  local IFS=$' \t\n' plain program word current prefix= head place= db= option= wanted= only_words=
  local -a words subcommands option_names values operands given=() found=() files=()
  COMPREPLY=()
  _snl_split
  current=${words[-1]}
  unset 'words[-1]'
  _snl_plain "${words[0]}"
  program=$plain
  _snl_read "${words[@]:1}"

  head=$current
  if [[ -n $option ]]; then
    _snl_find_value "$option"
  elif [[ -z $only_words && $current == --*=* ]]; then
    prefix=${current%%=*}=
    current=${current#*=}
    _snl_find_value "${prefix%=}"
  elif [[ -z $only_words && $current == -* ]]; then
    found=("${option_names[@]}")
  elif ((${#subcommands[@]} > 0)); then
    if ((${#given[@]} == 0)); then found=("${subcommands[@]}"); fi
  else
    _snl_find_operand
    if [[ -z $wanted && -z $current && -z $only_words ]]; then found=("${option_names[@]}"); fi
  fi

  _snl_plain "$current"
  if [[ -n $wanted ]]; then
    read -r -a found <<<"${wanted#"${wanted%% *}"}"
    case ${wanted%% *} in
      game) _snl_games ;;
      command)
        _snl_about "${given[*]}"
        found=("${subcommands[@]}")
        ;;
      file | board)
        compopt -o filenames 2>/dev/null
        mapfile -t files < <(compgen -f -- "$plain")
        ;;
    esac
  fi
  for word in "${found[@]}"; do
    if [[ $word == "$plain"* ]]; then COMPREPLY+=("$prefix$word"); fi
  done
  for word in "${files[@]}"; do
    COMPREPLY+=("$prefix$word")
  done
  # Bash puts in only what follows the last = : @ of the word.
  head=${head%"${head##*["$COMP_WORDBREAKS"]}"}
  COMPREPLY=("${COMPREPLY[@]#"$head"}")
  compopt -o nosort 2>/dev/null
  return 0
}

complete -F _snl snl
)sh";

constexpr std::string_view zsh_engine = R"sh(
# Sets plain to a word as the program gets it. Nothing in it is run, and only ~/ is expanded.
_snl_plain() {
  if [[ $1 == '~/'* ]]; then plain=$HOME${(Q)1#'~'}; else plain=${(Q)1}; fi
}

# Sets wanted to what the next word is that is no option.
_snl_find_operand() {
  if [[ ${operands[-1]-} == ... ]] && (($#given >= $#operands - 1)); then
    wanted=${operands[-2]}
  elif (($#given < $#operands)); then
    wanted=${operands[$#given + 1]}
  fi
}

# The games of the store, newest first, each with its line of the list.
_snl_games() {
  local line
  local -a ids=(@) lines=('@          the newest')
  for line in "${(@f)$("$program" ${db:+"--db=$db"} list --limit 50 2>/dev/null </dev/null)}"; do
    if [[ ${line%% *} =~ '^[A-Za-z0-9][A-Za-z0-9._-]*$' ]]; then
      ids+=("${line%% *}") lines+=("$line")
    fi
  done
  compadd -l -V snl-games -d lines -a ids
}

# Offers "NAME<tab>WHAT IT IS FOR" entries, all of one kind.
_snl_describe() {
  local what=$1
  local -a described=("${(@)argv[2,-1]/$'\t'/:}")
  _describe -V -t "${what}s" "$what" described
}

_snl() {
  local plain program current place= db= option= wanted= only_words=
  local -a subcommands option_names values operands given choices
  _snl_plain "$words[1]"
  program=$plain
  _snl_read "${(@)words[2,CURRENT-1]}"

  current=$PREFIX
  if [[ -n $option ]]; then
    _snl_find_value "$option"
  elif [[ -z $only_words && $current == --*=* ]]; then
    _snl_find_value "${current%%=*}"
    compset -P 1 '*='
  elif [[ -z $only_words && $current == -* ]]; then
    _snl_describe option "${(@)option_names}"
  elif (($#subcommands > 0)); then
    if (($#given == 0)); then _snl_describe command "${(@)subcommands}"; fi
  else
    _snl_find_operand
    if [[ -z $wanted && -z $current && -z $only_words ]]; then
      _snl_describe option "${(@)option_names}"
    fi
  fi

  choices=(${=wanted#"${wanted%% *}"})
  if (($#choices > 0)); then compadd -V snl-words -a choices; fi
  case ${wanted%% *} in
    (game) _snl_games ;;
    (command)
      _snl_about "${(j: :)given}"
      if (($#subcommands > 0)); then _snl_describe command "${(@)subcommands}"; fi
      ;;
    (file | board) _files ;;
  esac
}

if [[ ${funcstack[1]} == _snl ]]; then _snl "$@"; else compdef _snl snl; fi
)sh";

constexpr std::string_view fish_engine = R"sh(
# Prints what an option takes; fails if it is a flag, or none of this command.
function __snl_find_value --no-scope-shadowing
    string replace -f -- "$argv[1] " '' (string match -- "$argv[1] *" $values)
end

# Prints what the next word is that is no option.
function __snl_find_operand --no-scope-shadowing
    set -l number (math (count $given) + 1)
    set -l all (count $operands)
    if test $all -gt 1; and test "$operands[-1]" = ...; and test $number -ge $all
        echo $operands[-2]
    else if test $number -le $all
        echo $operands[$number]
    end
end

# The games of the store, newest first, each with its line of the list.
function __snl_games --no-scope-shadowing
    set -l store
    test -n "$db"; and set store "--db=$db"
    echo '@'\t'the newest'
    $program $store list --limit 50 2>/dev/null </dev/null |
        string replace -r -f '^([A-Za-z0-9][A-Za-z0-9._-]*) +(.*)$' '$1'\t'$2'
end

function __snl_complete
    set -l tokens (commandline -xpc 2>/dev/null; or commandline -opc)
    set -l current (commandline -ct)
    set -l program (string replace -r '^~/' "$HOME/" -- $tokens[1])
    set -l subcommands
    set -l option_names
    set -l values
    set -l operands
    set -l given
    set -l place
    set -l db
    set -l option
    set -l only_words
    set -l wanted
    set -l prefix
    __snl_about ''
    for word in $tokens[2..-1]
        if test -n "$option"
            test "$option" = --db; and set db (string replace -r '^~/' "$HOME/" -- $word)
            set option
        else if test -z "$only_words"; and test "$word" = --
            set only_words 1
        else if test -z "$only_words"; and string match -q -- '--db=*' $word
            set db (string replace -- --db= '' $word)
        else if test -z "$only_words"; and string match -q -- '-?*' $word
            __snl_find_value $word >/dev/null; and set option $word
        else if test (count $given) -eq 0; and contains -- $word (string replace -r '\t.*' '' -- $subcommands)
            set place $place $word
            __snl_about "$place"
        else
            set -a given $word
        end
    end

    if test -n "$option"
        set wanted (__snl_find_value $option)
    else if test -z "$only_words"; and string match -q -- '--*=*' $current
        set prefix (string replace -r '=.*' = -- $current)
        set current (string replace -r '^[^=]*=' '' -- $current)
        set wanted (__snl_find_value (string replace = '' -- $prefix))
    else if test -z "$only_words"; and string match -q -- '-*' $current
        printf '%s\n' $option_names
    else if test (count $subcommands) -gt 0
        test (count $given) -eq 0; and printf '%s\n' $subcommands
    else
        set wanted (__snl_find_operand)
        test -z "$wanted$current$only_words"; and printf '%s\n' $option_names
    end

    set -l words (string split -n ' ' -- $wanted)
    set -l found $words[2..-1]
    switch "$words[1]"
        case game
            set found (__snl_games)
        case command
            __snl_about "$given"
            set found $subcommands
        case file board
            set -l plain (string unescape -- $current
                or string unescape -- $current"'"
                or string unescape -- $current'"')
            set -a found (__fish_complete_path "$plain")
    end
    test (count $found) -gt 0; and printf '%s\n' "$prefix"$found
end

complete -c snl -e
complete -c snl -k -f -a '(__snl_complete)'
)sh";

}  // namespace

std::string completion_engine(std::string_view shell) {
  if (shell == "fish") return std::string(fish_engine);
  return fmt::format("{}{}", both_engine, shell == "zsh" ? zsh_engine : bash_engine);
}

}  // namespace snl::cli
