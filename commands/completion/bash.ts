import type { Options } from "../commandLine/arguments";

/** Options that a command has, but that no usage names. */
const hidden = ["engine", "pulumi"];

const flagsOf = (options: Options): string =>
  Object.keys(options)
    .filter((name) => !hidden.includes(name))
    .map((name) => `--${name}`)
    .sort()
    .join(" ");

/**
 * The script for bash: it completes what follows `npm run COMMAND --`, and leaves other words to the completion that npm
 * had before. Files are bash's own completion, where an option takes a value that is not in `values`.
 * @param values - of an option, for all commands
 */
export const bashCompletion = (
  commands: Readonly<Record<string, Options>>,
  values: Readonly<Record<string, readonly string[]>>,
): string => `# Completion of the commands of capz-windows for bash.
_capz_windows_before=$(complete -p npm 2>/dev/null | sed -n 's/.*-F \\([^ ]*\\).*/\\1/p')
[ "$_capz_windows_before" = _capz_windows ] && _capz_windows_before=

_capz_windows() {
  local word=\${COMP_WORDS[COMP_CWORD]} option=\${COMP_WORDS[COMP_CWORD-1]} options= found= file
  if [ "\${COMP_WORDS[1]}" = run ] && [ "\${COMP_WORDS[3]}" = -- ] && [ "$COMP_CWORD" -gt 3 ]; then
    case \${COMP_WORDS[2]} in
${Object.entries(commands)
  .map(([name, options]) => `      ${name}) options="${flagsOf(options)}" ;;`)
  .join("\n")}
    esac
  fi
  if [ -z "$options" ]; then
    [ -n "$_capz_windows_before" ] && "$_capz_windows_before" "$@"
    return
  fi
  case $option in
    --stack | -s)
      for file in Pulumi.*.yaml; do
        file=\${file#Pulumi.}
        found="$found \${file%.yaml}"
      done ;;
${Object.entries(values)
  .map(([name, all]) => `    --${name}) found="${all.join(" ")}" ;;`)
  .join("\n")}
    *) case $word in -*) found=$options ;; esac ;;
  esac
  COMPREPLY=($(compgen -W "$found" -- "$word"))
}

complete -o default -F _capz_windows npm
`;
