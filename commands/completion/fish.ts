import { type Completed, flagsOf, rows } from "./completed";

/**
 * The script for fish, which completes what that for bash does. It adds to what fish has for npm and npx.
 * All are arguments (-a): after a \`--\`, as in \`npm run plan --\`, fish offers no options.
 * https://fishshell.com/docs/current/cmds/complete.html
 */
export const fishCompletion = ({
  commands,
  values,
  words,
}: Completed): string => `# Completion of the commands of capz-windows for fish.
function __capz_windows_offer
    set -l all (commandline -opc)
    set -l word (commandline -ct)
    set -l name (string replace -r '.*/' '' -- $all[1])
    set -l command
    set -l first 0
    switch $name
        case npm
            test "$all[2]" = run -a "$all[4]" = --; and set command $all[3]; and set first 4
        case npx
            test "$all[2]" = capz-windows; and set command $all[3]; and set first 3
            test (count $all) -eq 2 -a $first -gt 0; and set command ''
        case '*'
            set command $all[2]
            set first 2
    end
    test $first -gt 0; or return
    if test $name != npm -a (count $all) -eq (math $first - 1)
        printf '%s\\n' ${Object.keys(commands).join(" ")}
        return
    end
    set -l flags
    set -l own
    switch $command
${rows(commands, (name, options) => `        case ${name}\n            set flags ${flagsOf(options).join(" ")}`)}
    end
    switch $command
${rows(words, (name, all) => `        case ${name}\n            set own ${all.join(" ")}`)}
    end
    test (count $flags) -gt 0; or return
    switch $all[-1]
        case --stack -s
            for file in Pulumi.*.yaml
                string replace -r '^Pulumi\\.(.*)\\.yaml$' '$1' -- $file
            end
${rows(values, (name, all) => `        case --${name}\n            printf '%s\\n' ${all.join(" ")}`)}
        case '*'
            if string match -q -- '-*' $word
                printf '%s\\n' $flags
            else if test (count $all) -eq $first
                test (count $own) -gt 0; and printf '%s\\n' $own
            end
    end
end

# Where nothing is offered, files are.
for each in npm npx capz-windows
    complete -c $each -n 'test -n "$(__capz_windows_offer)"' -f -a '(__capz_windows_offer)'
end
`;
