import { type Options, parseCommand, refuse } from "../../commandLine/arguments";
import { stackNamed } from "../../commandLine/stack";
import { gates } from "./exitCode";
import { formatOfFile, formats } from "../reports/formats";
import type { Host } from "../../../packages/plan-engine";

export const usage = `Plans a stack without the Pulumi CLI, Azure, a cluster or credentials.

  npm run plan -- --stack NAME [--out DIR] [REPORTS]
  npm run plan -- --config-file FILE [--stack NAME] [--out DIR] [REPORTS]
  npm run plan -- (--stack NAME | --config-file FILE | --all) --against REF [--fail-on GATE] [--out DIR] [REPORTS]

  -s, --stack NAME plan Pulumi.NAME.yaml (npm start: dev)
  --config-file FILE
                   plan this stack file instead of the one beside Pulumi.yaml, like the option of \`pulumi\`; without
                   --stack, the stack is the NAME of Pulumi.NAME.yaml
  --all            every stack that has a file, here or in the base
  --fix            first write the corrections into the stack file that are certain: misspelled keys, numbers as text and the
                   like. YAML is written anew, with its comments; what is not certain is reported
  --out DIR        where to write the files of the plan (default: rendered/NAME; with --all a folder of DIR for each)
  --against REF    compare with a git ref, with a plan.json, or with a folder of plans. The program of a git ref is run: read
                   a stranger's before
  --fail-on GATE   destructive: changes that destroy nothing give exit code 0; any (default): every change gives 2 or 3
  --allow-policy-errors
                   errors of policies are shown, and give no exit code of their own (docs/policies.md)
  --format FORMAT  what to print: text (default), markdown (for a comment in a pull request), json or html;
                   images: the images that the stack deploys, with versions and digests;
                   findings in the stack file only: sarif (for code scanning) or github (for the log of a workflow)
  --json           the same as --format json
  --report FILE    also write a file, in the format of its extension: .txt, .md, .json, .html or .sarif;
                   repeatable
  --prices         fetch the prices of the region from Azure's public price list into prices/REGION.json, without a login;
                   plans show the cost a month where that file exists
  --verbose        show everything: of a plan each resource, machine and command, of a comparison each property, the
                   user data, the outputs and the sources

Exit codes: 0 planned, or nothing changes; 2 changes; 3 changes that destroy or would be refused; 4 a policy has an error,
whatever changes; 1 the stack file or the program is wrong, in the base or in the head; 64 wrong arguments.
`;

const hosts: readonly Host[] = ["in-process", "language-host"];

const isOneOf = <T extends string>(all: readonly T[], text: string | undefined): text is T =>
  all.some((one) => one === text);

export const options = {
  stack: { type: "string", short: "s" },
  "config-file": { type: "string" },
  all: { type: "boolean", default: false },
  fix: { type: "boolean", default: false },
  out: { type: "string" },
  against: { type: "string" },
  "fail-on": { type: "string" },
  "allow-policy-errors": { type: "boolean", default: false },
  format: { type: "string" },
  json: { type: "boolean", default: false },
  report: { type: "string", multiple: true, default: [] },
  prices: { type: "boolean", default: false },
  verbose: { type: "boolean", default: false },
  // Not in the usage, because no user needs it, and the plan is the same.
  engine: { type: "string" },
  help: { type: "boolean", short: "h", default: false },
} satisfies Options;

/**
 * @param env - the environment, in which npm leaves the options that it took
 * @throws UsageError
 */
export function readArguments(argv: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { values } = parseCommand("plan", { options }, argv, env);
  const { all, fix, out, against, help, "fail-on": failOn, json, report: reports, engine } = values;
  const { "config-file": configFile } = values;
  const compares = against !== undefined;
  const stack = stackNamed(values.stack, configFile);
  const gate = failOn ?? "any";
  const format = values.format ?? (json ? "json" : "text");
  const checks: readonly (readonly [isWrong: boolean, message: string])[] = [
    [all && values.stack !== undefined, "--all and --stack exclude each other."],
    [all && configFile !== undefined, "--all and --config-file exclude each other."],
    [!all && stack === undefined && configFile === undefined, "Write --stack NAME."],
    [json && format !== "json", "--json and --format exclude each other."],
    [all && !compares, "--all needs --against."],
    [
      configFile !== undefined && stack === undefined,
      `--config-file ${configFile ?? ""}: add --stack NAME, because the name of the file is not Pulumi.NAME.yaml.`,
    ],
    [fix && compares, "--fix corrects one stack file: leave out --against."],
    [failOn !== undefined && !compares, "--fail-on needs --against: a plan alone changes nothing."],
    [!isOneOf(gates, gate), `--fail-on ${gate}: write one of ${gates.join(", ")}.`],
    [compares && format === "images", "--format images is of one plan: leave out --against."],
    [!isOneOf(formats, format), `--format ${format}: write one of ${formats.join(", ")}.`],
    [
      engine !== undefined && !isOneOf(hosts, engine),
      `--engine ${engine ?? ""}: write one of ${hosts.join(", ")}.`,
    ],
    ...reports.map(
      (file) =>
        [
          formatOfFile(file) === undefined,
          `--report ${file}: end it in .txt, .md, .json, .html or .sarif.`,
        ] as const,
    ),
  ];
  refuse(help ? [] : checks);
  return {
    help,
    stack,
    configFile,
    all,
    fix,
    out,
    against,
    gate: isOneOf(gates, gate) ? gate : "any",
    allowPolicyErrors: values["allow-policy-errors"],
    format: isOneOf(formats, format) ? format : "text",
    reports,
    verbose: values.verbose,
    prices: values.prices,
    ...(isOneOf(hosts, engine) ? { host: engine } : {}),
  };
}

export type PlanArguments = ReturnType<typeof readArguments>;
