import { parse } from "yaml";
import { z } from "zod";
import { readProblems } from "capz-windows-doctor/cluster/snapshot";
import { placeNames } from "capz-windows-doctor/rules/places";
import { type Detectors, stages } from "capz-windows-doctor/rules/rule";

/** What the files of packages/doctor/knowledge/ may have. */

const words = z.string().min(4);

/** Names with commas between them. */
const names = z.string();

/** /PATTERN/FLAGS */
const pattern = z.string().refine(
  (text) => {
    const [, source, flags] = /^\/([^]+)\/([a-z]*)$/.exec(text) ?? [];
    try {
      return new RegExp(source ?? "(", flags) instanceof RegExp;
    } catch {
      return false;
    }
  },
  { error: ({ input }) => `must be a pattern, /.../ with flags: ${String(input)}` },
);

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

const id = z.string().regex(/^[a-z0-9-]+$/);

const place = z.enum(placeNames);

/** One alone needs no list. */
const remedies = z.union([z.string(), z.array(z.string()).min(2)]);

const entry = z
  .strictObject({
    id,
    stage: z.enum(stages).optional(),
    severity: z.literal("warning").optional(),
    ...{ symptom: words, cause: words, remedy: remedies, source: words.optional() },
    ...{ follows: names.optional(), over: names.optional() },
    ...{ rest: z.literal(true).optional(), generic: z.literal(true).optional() },
    last: z.literal(true).optional(),
    in: place.optional(),
    ...{ text: pattern.optional(), reason: pattern.optional(), pods: pattern.optional() },
    ...{ kinds: names.optional(), status: names.optional(), type: typeName.optional() },
    ...{ minutes: z.int().optional(), times: z.int().optional(), nodeMinutes: z.int().optional() },
    stays: z.literal(true).optional(),
    what: names
      .transform((text) => text.split(", "))
      .pipe(z.array(z.enum(readProblems)))
      .optional(),
    example: example.optional(),
    says: z.array(words).min(1).optional(),
  })
  .refine((one) => (one.in === undefined) === (one.example === undefined), {
    error: "an entry with `in` has an example, and no other has one",
  })
  .refine(
    ({ in: place, text }) => [undefined, "condition", "reading"].includes(place) || text !== undefined,
    {
      error: "an entry with `in` has a text",
    },
  );

const file = z.strictObject({
  ...{ title: words, intro: words, family: id.optional(), stage: z.enum(stages), source: words.optional() },
  ...{ in: place.optional(), follows: names.optional() },
  rules: z.array(entry),
});

/** The path of a fault, with the ID of the entry in place of its number. */
const pathOf = (data: unknown, path: readonly PropertyKey[]): string => {
  const [first, index, ...rest] = path;
  const id =
    first === "rules" && typeof index === "number"
      ? (data as { rules: { id?: string }[] }).rules[index]?.id
      : undefined;
  return (id === undefined ? path : [id, ...rest]).join(".");
};

/** What is wrong in a file, by entry: it breaks the schema, or has neither a pattern nor a detector. */
export function problemsOf(yaml: string, detectors: Detectors): string[] {
  const written = parse(yaml) as { in?: string; rules: { example?: unknown }[] };
  const data = {
    ...written,
    rules: written.rules.map((one) =>
      one.example === undefined || written.in === undefined ? one : { in: written.in, ...one },
    ),
  };
  const { success, data: found, error } = file.safeParse(data);
  return success
    ? found.rules
        .filter((one) => (one.in === undefined) === (detectors[one.id] === undefined))
        .map(({ id }) => `${id}: needs either an example with \`in\`, or a detector`)
    : error.issues.map(({ path, message }) => `${pathOf(data, path)}: ${message}`);
}
