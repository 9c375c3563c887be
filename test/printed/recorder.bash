# Runs each text of standard input (NUL-terminated) in a real shell in which every program only writes down its words.
# For each text, file descriptor 3 gets records of NUL-terminated words, each begun by the word @run and the program;
# then @end with the exit code. What the shell has to say goes to standard error between lines "@text NUMBER".
# shellcheck disable=SC2123 # So that it finds no program.
PATH=/nowhere
record() {
  builtin printf '%s\0' @run "$@" >&3
  # The output of az is used as the ID of a resource.
  case "$1" in
    az) builtin printf '/subscriptions/11111111-2222-3333-4444-555555555555/resourceGroups/prod/providers/Microsoft.Compute/virtualMachines/vm\n' ;;
    date) builtin printf '2026-11-23T00:00:00Z\n' ;;
    *) builtin printf 'VALUE\n' ;;
  esac
}
command_not_found_handle() { record "$@"; }
for program in az kubectl clusterctl helm pulumi npx npm ssh scp openssl jq curl base64 cat grep mkdir rm cp mv sed cd source export; do
  eval "$program() { record $program \"\$@\"; }"
done
number=0
while IFS= builtin read -r -d '' text; do
  builtin printf '@text %s\n' "$number" >&2
  (builtin eval "$text") </dev/null >/dev/null
  builtin printf '%s\0' @end "$?" >&3
  number=$((number + 1))
done
