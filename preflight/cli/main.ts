import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { loadSettings } from "../../config/load";
import { projectConfig, readStackFile, stackOfFile } from "../../config/stackFile";
import { ConfigError } from "../../domain/problem";
import { Arm, type ArmOptions } from "../arm";
import type { Fetch } from "../checks/outside";
import { azureToken } from "../credential";
import { needsOf } from "../needs";
import { exitCode, formatRows, LoginError, preflight } from "../preflight";

export const usage = `Asks Azure whether \`pulumi up\` can work, before it does anything. Reads only.

  npm run preflight -- --stack NAME [--json]

  --stack NAME     the stack of Pulumi.NAME.yaml
  --config-file FILE
                   this stack file instead of the one beside Pulumi.yaml
  --json           print JSON instead of the table

It logs in as @azure/identity does: environment variables, workload or managed identity, \`az login\`.
Exit codes: 0 nothing stands in the way; 2 warnings, or questions without an answer; 3 \`pulumi up\` would fail; 1 the stack
file is wrong or nobody is logged in; 64 wrong arguments.
`;

/** What tests replace. */
export interface CommandOptions {
  readonly projectDir: string;
  readonly arm: Partial<ArmOptions>;
  readonly fetch: Fetch;
}

interface Arguments {
  readonly stack?: string | undefined;
  readonly configFile?: string | undefined;
  readonly json: boolean;
  readonly help: boolean;
}

/** @returns the arguments, or what is wrong with them */
export function readArguments(argv: readonly string[], env: NodeJS.ProcessEnv = {}): Arguments | string {
  const taken = ["stack", "config-file", "json"].filter(
    (name) => env[`npm_config_${name.replace("-", "_")}`] !== undefined,
  );
  if (taken.length > 0) {
    return `npm takes options for itself unless \`--\` stands before them: npm run preflight -- ${taken.map((name) => `--${name}`).join(" ")} ${argv.join(" ")}`.trim();
  }
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        stack: { type: "string" },
        "config-file": { type: "string" },
        json: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    const configFile = values["config-file"];
    const stack = values.stack ?? (configFile === undefined ? undefined : stackOfFile(configFile));
    return stack === undefined && !values.help
      ? "Write --stack NAME."
      : { stack, configFile, json: values.json, help: values.help };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

export async function run(argv: readonly string[], options: Partial<CommandOptions> = {}): Promise<number> {
  const args = readArguments(argv, process.env);
  if (typeof args === "string" || args.help || args.stack === undefined) {
    process.stderr.write(typeof args === "string" ? `${args}\n\n${usage}` : usage);
    return typeof args === "string" ? 64 : 0;
  }
  const { stack, configFile, json } = args;
  try {
    const file = readStackFile(
      options.projectDir ?? resolve(__dirname, "../.."),
      stack,
      configFile && resolve(configFile),
    );
    const { settings } = loadSettings(projectConfig(file.project, file.config), file.file);
    const needs = needsOf(settings);
    const arm = new Arm({ token: azureToken(needs.tenantId), ...options.arm });
    const rows = await preflight(arm, needs, options.fetch ?? fetch);
    process.stdout.write(
      json ? `${JSON.stringify({ version: 1, stack, rows }, null, 2)}\n` : formatRows(rows, stack),
    );
    return exitCode(rows);
  } catch (error) {
    const known = error instanceof ConfigError || error instanceof LoginError;
    process.stderr.write(`${known ? error.message : String(error instanceof Error ? error.stack : error)}\n`);
    return 1;
  }
}

/** Exit codes: see usage. */
export function main(argv: readonly string[]): void {
  void run(argv).then((code) => {
    process.exitCode = code;
    process.stdout.write("", () => process.exit());
  });
}
