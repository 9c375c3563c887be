import { refuse } from "capz-windows-kit/commandLine/arguments";
import { defineCommand, parseCommand, stackArgument } from "capz-windows-kit/commandLine/command";
import { projectDir } from "capz-windows-kit/commandLine/projectDir";
import { chosenStack } from "capz-windows-kit/commandLine/stack";

export const definition = defineCommand({
  call: "npm run plan --",
  about:
    "Plans a stack without the Pulumi CLI, Azure, a cluster or credentials, or compares it with another plan.",
  args: stackArgument,
  options: [
    "stack",
    "configFile",
    "all",
    "fix",
    "out",
    "against",
    "failOn",
    "allowPolicyErrors",
    "planFormat",
    "json",
    "planReports",
    "prices",
    "verbose",
    "engine",
  ],
  examples: {
    "npm run plan -- prod": "What a stack becomes",
    "npm run plan -- prod --fix": "Correct misspelled keys first",
    "npm run plan -- prod --against main": "What a change does to machines",
    "npm run plan -- --all --against main --report plan.md": "The comment of a pull request",
    "npm run plan -- --config-file examples/Pulumi.prod.yaml --report plan.html": "A page with a picture",
  },
  exitCodes: {
    0: "planned, or nothing changes",
    1: "the stack file or the program is wrong, in the base or in the head",
    2: "changes",
    3: "changes that destroy or would be refused",
    4: "a policy has an error, whatever changes",
  },
});

/**
 * @param env - the environment, in which npm leaves the options that it took
 * @throws UsageError
 */
export function readArguments(argv: readonly string[], env: NodeJS.ProcessEnv = {}, dir = projectDir) {
  const { values, args } = parseCommand(definition, argv, env);
  const { all, against, failOn, planFormat, planReports, engine, ...rest } = values;
  const format = values.json ? "json" : (planFormat ?? "text");
  refuse([
    [all && args.length > 0, `--all is every stack: leave out ${args.join(" ")}.`],
    [
      failOn !== undefined && against === undefined,
      "--fail-on needs --against: a plan alone changes nothing.",
    ],
    [against !== undefined && format === "images", "--format images is of one plan: leave out --against."],
  ]);
  return {
    ...{ ...rest, all, against, format, gate: failOn ?? "any", reports: planReports },
    ...(engine && { host: engine }),
    stack: all ? undefined : chosenStack(values, args, dir),
  };
}

export type PlanArguments = ReturnType<typeof readArguments>;
