import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { ConfigError } from "../config/problem";
import { planStack } from "./plan";
import { PlanError } from "./planError";
import { progressLine } from "./progress";
import { checkOutput, renderPlan } from "./render/render";
import { formatPlan } from "./report";

const usage = `Plans a stack without the Pulumi CLI, Azure, a cluster or credentials.

  npm run plan -- --stack NAME [--out DIR]

  --stack NAME   plan Pulumi.NAME.yaml (npm start: dev)
  --out DIR      where to write what would be made (default: rendered/NAME)
`;

/** @returns exit code: 0 planned, 1 the stack file or the program is wrong, 64 wrong arguments */
async function run(argv: readonly string[]): Promise<number> {
  let values: { stack?: string; out?: string; help?: boolean };
  try {
    ({ values } = parseArgs({
      args: [...argv],
      options: { stack: { type: "string" }, out: { type: "string" }, help: { type: "boolean", short: "h" } },
    }));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    return 64;
  }
  const { stack } = values;
  if (values.help === true || stack === undefined) {
    process.stderr.write(usage);
    return values.help === true ? 0 : 64;
  }
  const progress = progressLine(process.stderr);
  try {
    const projectDir = resolve(__dirname, "..");
    const out = resolve(values.out ?? `rendered/${stack}`);
    // Before the work, not after.
    checkOutput(out);
    const plan = await planStack({
      projectDir,
      stack,
      manifestCache: process.env.CAPZ_WINDOWS_MANIFEST_CACHE,
      onProgress: progress.show,
    });
    const files = renderPlan(plan, out);
    progress.end();
    process.stdout.write(formatPlan(plan, { out: values.out ?? `rendered/${stack}`, files }));
    return 0;
  } catch (error) {
    progress.end();
    // Both carry a whole report for people; anything else is a fault of ours and shows where.
    const known = error instanceof ConfigError || error instanceof PlanError;
    process.stderr.write(`${known ? error.message : String(error instanceof Error ? error.stack : error)}\n`);
    return 1;
  }
}

export function main(argv: readonly string[]): void {
  void run(argv).then((code) => {
    process.exitCode = code;
  });
}
