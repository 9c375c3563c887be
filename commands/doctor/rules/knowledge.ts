import { readFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "js-yaml";
import { z } from "zod";
import { readProblems } from "../../cluster/snapshot";
import { finderOf, type Pattern, type Place, placeNames } from "./places";
import type { Detectors, Family, Rule } from "./rule";
import { stages } from "./rule";

/**
 * Reads the files of knowledge/: what the doctor knows, by subject. An entry with `in` and `text` is a rule by itself; the
 * others have a detector in TypeScript with the same ID.
 */

const dir = join(__dirname, "../knowledge");

const words = z.string().min(4);

/** Names with commas between them. */
const names = z.string().transform((text) => text.split(", "));

/** /PATTERN/FLAGS */
const pattern = z.string().transform((text, context) => {
  const [, source, flags] = /^\/([^]+)\/([a-z]*)$/.exec(text) ?? [];
  try {
    return new RegExp(source ?? "(", flags);
  } catch {
    context.addIssue({ code: "custom", message: `must be a pattern, /.../ with flags: ${text}` });
    return z.NEVER;
  }
});

/** The type of a condition, or a pattern for several. */
const typeName = z.union([z.string().regex(/^\w+$/), pattern]);

const example = z.union([
  z.string(),
  z.strictObject({
    text: z.string(),
    ...{ kind: z.string().optional(), node: z.string().optional() },
    /** The type or the reason, where the pattern does not say it. */
    ...{ condition: z.string().optional(), event: z.string().optional() },
    ...{ status: z.string().optional(), reason: z.string().optional() },
  }),
]);

const entry = z
  .strictObject({
    id: z.string().regex(/^[a-z0-9-]+$/),
    stage: z.enum(stages).optional(),
    severity: z.literal("warning").optional(),
    ...{ symptom: words, cause: words, remedy: z.array(z.string()).min(1), source: words.optional() },
    ...{ follows: names.optional(), over: names.optional() },
    ...{ rest: z.literal(true).optional(), generic: z.literal(true).optional() },
    last: z.literal(true).optional(),
    in: z.enum(placeNames).optional(),
    ...{ text: pattern.optional(), reason: pattern.optional(), pods: pattern.optional() },
    ...{ kinds: names.optional(), status: names.optional(), type: typeName.optional() },
    ...{ minutes: z.int().optional(), times: z.int().optional(), nodeMinutes: z.int().optional() },
    stays: z.literal(true).optional(),
    what: names.pipe(z.array(z.enum(readProblems))).optional(),
    example: example.optional(),
  })
  .refine((one) => (one.in === undefined) === (one.example === undefined), {
    message: "an entry with `in` has an example, and no other has one",
  })
  .refine(
    ({ in: place, text }) => [undefined, "condition", "reading"].includes(place) || text !== undefined,
    {
      message: "an entry with `in` has a text",
    },
  );

const file = z.strictObject({
  ...{ title: words, intro: words, stage: z.enum(stages), source: words.optional() },
  rules: z.array(entry),
});

/** An entry with a text to look for. Its example is a text that a component writes, and that this rule alone reports. */
export interface Known extends Rule, Pattern {
  readonly in?: Place | undefined;
  readonly example?: z.infer<typeof example> | undefined;
}

/** The path of a fault, with the ID of the entry in place of its number. */
const place = (data: unknown, path: readonly PropertyKey[]): string => {
  const [first, index, ...rest] = path;
  const id =
    first === "rules" && typeof index === "number"
      ? (data as { rules: { id?: string }[] }).rules[index]?.id
      : undefined;
  return (id === undefined ? path : [id, ...rest]).join(".");
};

/**
 * One file of knowledge/, with the detectors of those entries that have no pattern.
 *
 * @throws Error that names every wrong entry
 */
export function familyFrom(
  name: string,
  yaml: string,
  detectors: Detectors,
): Family & { readonly rules: readonly Known[] } {
  const data = load(yaml);
  const { success, data: found, error } = file.safeParse(data);
  const wrong = success
    ? found.rules
        .filter((one) => (one.in === undefined) === (detectors[one.id] === undefined))
        .map(({ id }) => `${id}: needs either \`in\` or a detector`)
    : error.issues.map(({ path, message }) => `${place(data, path)}: ${message}`);
  if (!success || wrong.length > 0) {
    throw new Error(`knowledge/${name}.yaml:\n  ${wrong.join("\n  ")}`);
  }
  const { title, intro, stage, source = "", rules } = found;
  return {
    ...{ name, title, intro },
    rules: rules.map((one): Known => {
      const find = one.in === undefined ? detectors[one.id] : finderOf(one.in, one);
      return { ...one, stage: one.stage ?? stage, source: one.source ?? source, find: find ?? (() => []) };
    }),
  };
}

/** The files of knowledge/ with these names. */
export const readFamilies = (order: readonly string[], detectors: Detectors) =>
  order.map((name) => familyFrom(name, readFileSync(join(dir, `${name}.yaml`), "utf8"), detectors));
