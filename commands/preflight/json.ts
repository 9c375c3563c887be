import { z } from "zod";
import type { Row } from "./row";

/** Version of the JSON report, which is raised when a field is removed or changes its meaning. */
const jsonVersion = 1;

export const preflightJson = (stack: string, rows: readonly Row[]): string =>
  `${JSON.stringify({ version: jsonVersion, stack, rows }, null, 2)}\n`;

const text = z.string();

const row = z.object({
  state: z
    .enum(["error", "warning", "unknown", "ok"])
    .meta({ description: "unknown: it could not be checked; found says why" }),
  ...{ check: text, found: text },
  remedy: z.array(text).readonly().meta({ description: "Commands and lines of the stack file" }),
}) satisfies z.ZodType<Row>;

/** JSON schema of the report, for other programs; what it does not name may be there, too. */
export const preflightSchema = (): object => ({
  ...z.toJSONSchema(z.object({ version: z.literal(jsonVersion), stack: text, rows: z.array(row) }), {
    io: "input",
  }),
  title: "What `preflight --json` writes",
});
