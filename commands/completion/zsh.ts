import { type Completed, flagsOf, rows } from "./completed";

/**
 * The script for zsh, which completes what that for bash does.
 * https://zsh.sourceforge.io/Doc/Release/Completion-Widgets.html has \`words\` (from 1 on), \`CURRENT\` and \`compadd\`.
 */
export const zshCompletion = ({
  commands,
  values,
  words,
}: Completed): string => `# Completion of the commands of capz-windows for zsh.
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }

typeset -gA _capz_windows_before
() {
  local each
  for each in npm npx; do
    [[ $_comps[$each] == _capz_windows ]] || _capz_windows_before[$each]=$_comps[$each]
  done
}

_capz_windows() {
  local word=$words[CURRENT] option=$words[CURRENT-1] name=\${words[1]:t} command before
  local -i first=0
  local -a flags own stacks
  before=$_capz_windows_before[$name]
  case $name in
    npm) [[ $words[2] == run && $words[4] == -- ]] && command=$words[3] first=5 ;;
    npx) [[ $words[2] == capz-windows ]] && command=$words[3] first=4 ;;
    *) command=$words[2] first=3 ;;
  esac
  if [[ $name != npm ]] && (( first > 0 && CURRENT == first - 1 )); then
    compadd -- ${Object.keys(commands).join(" ")}
    return
  fi
  if (( first > 0 && CURRENT >= first )); then
    case $command in
${rows(commands, (name, options) => `      (${name}) flags=(${flagsOf(options).join(" ")}) ;;`)}
    esac
    case $command in
${rows(words, (name, all) => `      (${name}) own=(${all.join(" ")}) ;;`)}
    esac
  fi
  if (( ! $#flags )); then
    if [[ -n $before ]]; then
      eval $before
    else
      _default
    fi
    return
  fi
  case $option in
    (--stack|-s)
      stacks=(Pulumi.*.yaml(N))
      compadd -- \${\${stacks#Pulumi.}%.yaml} ;;
${rows(values, (name, all) => `    (--${name}) compadd -- ${all.join(" ")} ;;`)}
    (*)
      if [[ $word == -* ]]; then
        compadd -- $flags
      elif (( CURRENT == first && $#own )); then
        compadd -- $own
      else
        _files
      fi ;;
  esac
}

compdef _capz_windows npm npx capz-windows
`;
