import "../../stack/register";
import { defineCommand, parseCommand, stackArgument } from "capz-windows-kit/commandLine/command";
import { answer, endWith } from "capz-windows-kit/commandLine/main";
import { projectDir as ownDir } from "capz-windows-kit/commandLine/projectDir";
import { chosenStack } from "capz-windows-kit/commandLine/stack";
import { factsOfAnyStack } from "../../stack/settings";
import { ConfigError } from "capz-windows-kit/problem";
import { proxyFetch } from "capz-windows-kit/io/proxyFetch";
import { planStack } from "../../../plan/cli/planStack";
import { PlanError } from "../../../plan/model/planError";
import { Arm, type ArmOptions } from "../../azure/arm";
import type { Fetch } from "../checks/outside";
import { azureToken, LoginError } from "../../azure/credential";
import { needsOf } from "../needs";
import { preflightJson } from "../json";
import { exitCode, formatRows, preflight } from "../preflight";

const definition = defineCommand({
  call: "npm run preflight --",
  about: "Plans a stack and asks Azure whether `pulumi up` can work, before it does anything. Reads only.",
  args: stackArgument,
  options: ["stack", "configFile", "json"],
  notes:
    "It logs in as @azure/identity does: environment variables, workload or managed identity, `az login`.",
  examples: { "npm run preflight -- prod": "What would make a deployment of Pulumi.prod.yaml fail" },
  exitCodes: {
    0: "nothing that was asked stands in the way",
    1: "the stack file is wrong, or there is no login",
    2: "warnings, or questions without an answer",
    3: "`pulumi up` would fail",
  },
});

/** What tests replace. */
export interface PreflightOptions {
  readonly projectDir: string;
  readonly arm: Partial<ArmOptions>;
  readonly fetch: Fetch;
}

/** @throws UsageError */
export function readArguments(argv: readonly string[], env: NodeJS.ProcessEnv = {}, dir = ownDir) {
  const { values, args } = parseCommand(definition, argv, env);
  return { ...values, stack: chosenStack(values, args, dir) };
}

export const run = (argv: readonly string[], given: Partial<PreflightOptions> = {}): Promise<number> =>
  answer(definition, argv, [ConfigError, LoginError, PlanError], async () => {
    const projectDir = given.projectDir ?? ownDir;
    const { stack, configFile, json } = readArguments(argv, process.env, projectDir);
    const needs = needsOf(factsOfAnyStack(projectDir, stack, configFile));
    const arm = new Arm({ token: azureToken(needs.tenantId), ...given.arm });
    const plan = () => planStack({ projectDir, stack, configFile });
    const rows = await preflight(arm, needs, plan, given.fetch ?? proxyFetch);
    process.stdout.write(json ? preflightJson(stack, rows) : formatRows(rows, stack));
    return exitCode(rows);
  });

/** Exit codes: see its definition. */
export const main = (argv: readonly string[]): void => {
  endWith(run(argv));
};
