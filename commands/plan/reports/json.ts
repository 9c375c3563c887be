import { z } from "zod";
import { levels, type Finding } from "../../../tools/finding";
import { withoutUndefined } from "../../../tools/without";
import type { Authored } from "../compare/authored";
import type { PropertyChange, ResourceChange } from "../compare/stackDiff";
import type { Schedule } from "../impact/stages";
import type { Impact, StackComparison } from "../impact/impact";
import { severities } from "../impact/impact";
import type { StackCost } from "../cost/cost";
import type { StackReport } from "./stackReport";
import { kinds } from "./stackReport";

/** Versions of the report that this program reads; it writes the last one. In version 1 a plan had a `topology`. */
const reportVersions = [1, 2] as const;

/**
 * The machine-readable report. `version` rises when a field is removed or changes its meaning; new fields may be added
 * at any time. Secrets are placeholders.
 */
export function reportJson(reports: readonly StackReport[]): unknown {
  return {
    version: reportVersions.at(-1),
    stacks: reports.map(({ stack, plan, comparison, base, cost, findings }) => ({
      stack,
      ...withoutUndefined({ cost, comparison }),
      // The comment of a pull request has them, and is written from this report without its plans.
      ...(comparison === undefined || findings === undefined ? {} : { findings }),
      ...(base === undefined ? {} : { base: { cluster: base } }),
      ...(plan === undefined
        ? {}
        : {
            plan: {
              resources: plan.resources
                .map(({ urn, type, name, parent, custom }) => ({ urn, type, name, parent, custom }))
                .sort((a, b) => (a.urn < b.urn ? -1 : 1)),
              cluster: plan.cluster,
              outputs: plan.outputs,
              warnings: plan.warnings,
              ...withoutUndefined({ findings }),
            },
          }),
    })),
  };
}

const text = z.string();

const propertyChange = z
  .strictObject({
    path: text,
    before: z.unknown().optional(),
    after: z.unknown().optional(),
    text: z.array(text).optional(),
  })
  // A missing key says that a side is missing, so a key without a value must not remain.
  .transform((change) => withoutUndefined(change) as unknown as PropertyChange);

const resourceChange = z
  .strictObject({
    kind: z.enum(kinds),
    urn: text,
    type: text,
    name: text,
    formerUrn: text.optional(),
    properties: z.array(propertyChange),
    options: z.array(propertyChange),
  })
  .transform((change) => withoutUndefined(change) as unknown as ResourceChange);

const impact = z
  .strictObject({
    severity: z.enum(severities),
    later: z.literal(true).optional(),
    rule: text,
    what: text,
    why: text,
    nodes: z.number().int().min(0),
    nodesAtMost: z.number().int().min(0).optional(),
    instead: text.optional(),
    commands: z.array(text).optional(),
    source: text,
    urns: z.array(text),
  })
  .transform((found) => withoutUndefined(found) as unknown as Impact);

const authored = z
  .strictObject({
    config: z.array(propertyChange),
    program: z.strictObject({ before: text, after: text }).optional(),
  })
  .transform((found) => withoutUndefined(found) as unknown as Authored);

const minutes = z.number().min(0).max(1e9);
const count = z.number().int().min(0);

const schedule = z
  .strictObject({
    stages: z.array(
      z.strictObject({
        who: text,
        machines: count,
        work: z.enum(["replaced", "created", "deleted"]),
        least: z.strictObject({ machines: count, missing: count, lasts: minutes }).optional(),
        together: count,
        begins: minutes,
        ends: minutes,
        most: minutes.optional(),
        missing: count,
        drainedAtOnce: count.optional(),
        extra: z.strictObject({ quota: text, vcpus: count }).optional(),
      }),
    ),
    likely: minutes,
    least: minutes.optional(),
    fewer: z.strictObject({ least: count, most: count }).optional(),
    later: minutes.optional(),
    risks: z.array(text).default([]),
    most: minutes.optional(),
    peaks: z.array(z.strictObject({ quota: text, vcpus: count, at: minutes })),
    source: text,
  })
  .transform((found) => JSON.parse(JSON.stringify(found)) as Schedule);

const state = z.enum(["open", "shut", "unknown", "none"]);
const path = z.strictObject({ from: text, to: text, port: text, before: state, after: state, by: text });

const comparison = z
  .strictObject({
    project: text,
    stack: text,
    against: text,
    status: z.enum(["compared", "new", "removed", "failed"]),
    failure: text.optional(),
    changes: z.array(resourceChange),
    unchanged: z.number().int().min(0),
    outputs: z.array(propertyChange),
    nodes: z.array(propertyChange),
    authored: authored.optional(),
    paths: z.array(path).optional(),
    schedule: schedule.optional(),
    impacts: z.array(impact),
    warnings: z.array(text),
    fixedWarnings: z.array(text),
  })
  .transform((found) => withoutUndefined(found) as unknown as StackComparison);

const range = z.strictObject({ min: z.number(), max: z.number() });
const costSide = z.strictObject({ count: range, price: text, month: range.optional() });

const cost = z
  .union([
    z.strictObject({ missing: text }),
    z.strictObject({ unchanged: z.literal(true) }),
    z.strictObject({
      ...{ source: text, currency: text.regex(/^[A-Z]{3}$/), compared: z.boolean(), notes: z.array(text) },
      ...{ before: range.optional(), after: range.optional() },
      until: z.strictObject({ month: range, kept: z.array(text) }).optional(),
      lines: z.array(
        z.strictObject({
          ...{ owner: text, role: text },
          ...{ before: costSide.optional(), after: costSide.optional() },
        }),
      ),
    }),
  ])
  .transform((found) => withoutUndefined(found) as unknown as StackCost | { readonly missing: string });

const exception = z.strictObject({ until: text, reason: text });

const finding = z
  .strictObject({
    ...{ id: text, title: text, level: z.enum(levels), path: text, message: text },
    ...{ write: text.optional(), source: text.optional() },
    ...{ accepted: exception.optional(), ended: exception.optional() },
    ...{ refused: exception.extend({ latest: text }).optional(), file: text, line: z.number().int().min(0) },
  })
  .transform((found) => withoutUndefined(found) as unknown as Finding);

const report = z.object({
  version: z.literal(reportVersions),
  stacks: z
    .array(
      z.object({
        ...{ stack: text, comparison: comparison.optional(), cost: cost.optional() },
        findings: z.array(finding).max(10_000).optional(),
      }),
    )
    .max(1_000),
});

/**
 * The comparisons of a report, which may come from an untrusted source: anything but the shape above is refused, and
 * its plans are left out. The texts are not checked, so escape them before showing them.
 * @throws Error that names the first field that is wrong
 */
export function parseReport(json: string): StackReport[] {
  let data: unknown;
  try {
    data = JSON.parse(json);
  } catch {
    // Without the parser's words, which quote the text.
    throw new Error("The report is not JSON.");
  }
  const parsed = report.safeParse(data);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Error(`The report is not one: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`);
  }
  return parsed.data.stacks.map(({ stack, comparison: found, cost: money, findings }) => ({
    stack,
    ...withoutUndefined({ findings, cost: money, comparison: found }),
  }));
}
