import { type Completed, flagsOf, rows } from "./completed";

/**
 * The script for bash: it completes what follows `npm run COMMAND --` and `npx capz-windows`, and leaves other words to the
 * completion that npm and npx had before. Files are bash's own completion, where nothing else is expected.
 */
export const bashCompletion = ({
  commands,
  values,
  words,
}: Completed): string => `# Completion of the commands of capz-windows for bash.
_capz_windows_of() {
  local found=$(complete -p "$1" 2>/dev/null | sed -n 's/.*-F \\([^ ]*\\).*/\\1/p')
  [ "$found" = _capz_windows ] && echo "$2" || echo "$found"
}
_capz_windows_npm=$(_capz_windows_of npm "$_capz_windows_npm")
_capz_windows_npx=$(_capz_windows_of npx "$_capz_windows_npx")

_capz_windows() {
  local word=\${COMP_WORDS[COMP_CWORD]} option=\${COMP_WORDS[COMP_CWORD-1]} command= options= words= found= file before= first=0
  case \${COMP_WORDS[0]##*/} in
    npm) before=$_capz_windows_npm; [ "\${COMP_WORDS[1]}" = run ] && [ "\${COMP_WORDS[3]}" = -- ] && command=\${COMP_WORDS[2]} first=4 ;;
    npx) before=$_capz_windows_npx; [ "\${COMP_WORDS[1]}" = capz-windows ] && command=\${COMP_WORDS[2]} first=3 ;;
    *) command=\${COMP_WORDS[1]} first=2 ;;
  esac
  COMPREPLY=()
  if [ "$first" -gt 0 ] && [ "$first" -lt 4 ] && [ "$COMP_CWORD" -eq "$((first - 1))" ]; then
    COMPREPLY=($(compgen -W "${Object.keys(commands).join(" ")}" -- "$word"))
    return
  fi
  if [ "$first" -gt 0 ] && [ "$COMP_CWORD" -ge "$first" ]; then
    case $command in
${rows(commands, (name, options) => `      ${name}) options="${flagsOf(options).join(" ")}" ;;`)}
    esac
    case $command in
${rows(words, (name, all) => `      ${name}) words="${all.join(" ")}" ;;`)}
    esac
  fi
  if [ -z "$options" ]; then
    [ -n "$before" ] && "$before" "$@"
    return
  fi
  case $option in
    --stack | -s)
      for file in Pulumi.*.yaml; do
        file=\${file#Pulumi.}
        found="$found \${file%.yaml}"
      done ;;
${rows(values, (name, all) => `    --${name}) found="${all.join(" ")}" ;;`)}
    *) case $word in -*) found=$options ;; *) [ "$COMP_CWORD" -eq "$first" ] && found=$words ;; esac ;;
  esac
  COMPREPLY=($(compgen -W "$found" -- "$word"))
}

complete -o default -F _capz_windows npm npx capz-windows
`;
