import { type Options, parseCommand, refuse } from "../../commandLine/arguments";
import { answerTo, endWith } from "../../commandLine/main";
import { projectDir as ownDir } from "../../commandLine/projectDir";
import { settingsOfAnyStack, stackNamed } from "../../commandLine/stack";
import { ConfigError } from "../../../tools/problem";
import { proxyFetch } from "../../../io/proxyFetch";
import { planStack } from "../../plan/cli/planStack";
import { PlanError } from "../../plan/model/planError";
import { Arm, type ArmOptions } from "../../azure/arm";
import type { Fetch } from "../checks/outside";
import { azureToken, LoginError } from "../../azure/credential";
import { needsOf } from "../needs";
import { exitCode, formatRows, preflight } from "../preflight";

const usage = `Plans a stack and asks Azure whether \`pulumi up\` can work, before it does anything. Reads only.

  npm run preflight -- --stack NAME [--json]

  -s, --stack NAME the stack of Pulumi.NAME.yaml
  --config-file FILE
                   this stack file instead of the one beside Pulumi.yaml
  --json           print JSON instead of the table

It logs in as @azure/identity does: environment variables, workload or managed identity, \`az login\`.
Exit codes: 0 nothing stands in the way; 2 warnings, or questions without an answer; 3 \`pulumi up\` would fail; 1 the stack
file is wrong or there is no login; 64 wrong arguments.
`;

/** What tests replace. */
export interface PreflightOptions {
  readonly projectDir: string;
  readonly arm: Partial<ArmOptions>;
  readonly fetch: Fetch;
}

export const options = {
  stack: { type: "string", short: "s" },
  "config-file": { type: "string" },
  json: { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false },
} satisfies Options;

/** @throws UsageError */
export function readArguments(argv: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { values } = parseCommand("preflight", { options }, argv, env);
  const { json, help, "config-file": configFile } = values;
  const stack = stackNamed(values.stack, configFile);
  refuse([[!help && stack === undefined, "Write --stack NAME."]]);
  return { stack: stack ?? "", configFile, json, help };
}

export const run = (argv: readonly string[], given: Partial<PreflightOptions> = {}): Promise<number> =>
  answerTo(usage, readArguments, argv, [ConfigError, LoginError, PlanError], async (args) => {
    const { stack, configFile, json } = args;
    const projectDir = given.projectDir ?? ownDir;
    const settings = settingsOfAnyStack(projectDir, stack, configFile);
    const needs = needsOf(settings);
    const arm = new Arm({ token: azureToken(needs.tenantId), ...given.arm });
    const plan = () => planStack({ projectDir, stack, configFile });
    const rows = await preflight(arm, needs, plan, given.fetch ?? proxyFetch);
    process.stdout.write(
      json ? `${JSON.stringify({ version: 1, stack, rows }, null, 2)}\n` : formatRows(rows, stack),
    );
    return exitCode(rows);
  });

/** Exit codes: see usage. */
export const main = (argv: readonly string[]): void => {
  endWith(run(argv));
};
