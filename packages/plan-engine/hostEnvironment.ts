import type { RunOptions } from "./options";

/** What Pulumi's Node.js language host puts into the environment of a program. */
export const hostEnvironment = ({ tsconfig, config, secretKeys }: RunOptions): Record<string, string> => ({
  PULUMI_NODEJS_TYPESCRIPT: "true",
  ...(tsconfig === undefined ? {} : { PULUMI_NODEJS_TSCONFIG_PATH: tsconfig }),
  PULUMI_CONFIG: JSON.stringify(config),
  PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(secretKeys),
});

/** What the program's end of the language host adds, so that all copies of the SDK find it. */
export const runEnvironment = ({
  organization,
  project,
  projectDir,
  stack,
  mode,
}: RunOptions): Record<string, string> => ({
  PULUMI_NODEJS_ORGANIZATION: organization,
  PULUMI_NODEJS_PROJECT: project,
  PULUMI_NODEJS_ROOT_DIRECTORY: projectDir,
  PULUMI_NODEJS_STACK: stack,
  PULUMI_NODEJS_DRY_RUN: String(mode === "preview"),
  PULUMI_NODEJS_PARALLEL: parallel,
});

/** How many operations of a program may run at a time; the CLI's own default depends on the machine. */
export const parallel = "16";
