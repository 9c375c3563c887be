import { PlanError } from "../model/planError";
import { z } from "zod";
import { levels, type Finding } from "capz-windows-kit/finding";
import { withoutUndefined } from "capz-windows-kit/without";
import { stackCost } from "../cost/cost";
import { stackComparison } from "../impact/impact";
import { headline } from "./headline";
import type { Box, Picture } from "./picture/boxes";
import { shownPicture } from "./picture/shown";
import type { StackReport } from "./stackReport";

export { PlanError };

const reportVersion = 2;

/**
 * The machine-readable report. `version` rises when a field is removed or changes its meaning; new fields may be added
 * at any time. Secrets are placeholders.
 */
export function reportJson(reports: readonly StackReport[]): unknown {
  return {
    version: reportVersion,
    stacks: reports.map(({ stack, plan, comparison, base, cost, findings, ...known }) => ({
      stack,
      headline: headline({ stack, ...withoutUndefined({ plan, comparison, base, findings }), ...known }),
      ...withoutUndefined({ cost, comparison }),
      // The comment of a pull request has them, and is written from this report without its plans.
      ...(comparison === undefined || findings === undefined ? {} : { findings }),
      ...withoutUndefined({
        newFindings: known.newFindings,
        picture:
          comparison &&
          shownPicture({ stack, comparison, ...withoutUndefined({ plan, base }), ...known }, false),
      }),
      ...(base === undefined ? {} : { base: { cluster: base } }),
      ...(plan !== undefined && {
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

const exception = z.strictObject({ until: text, reason: text });

const finding = z.strictObject({
  ...{
    id: text,
    title: text,
    summary: text.exactOptional(),
    level: z.enum(levels),
    path: text,
    message: text,
  },
  ...{ write: text.exactOptional(), source: text.exactOptional() },
  ...{ accepted: exception.exactOptional(), ended: exception.exactOptional() },
  ...{
    refused: exception.extend({ latest: text }).exactOptional(),
    file: text,
    line: z.number().int().min(0),
  },
}) satisfies z.ZodType<Finding>;

const ownBox = {
  tone: z.enum(["management", "group", "network", "subnet", "linux", "windows", "gateway"]),
  ...{ title: text, badge: text.exactOptional(), lines: z.array(text).max(100) },
  change: z.enum(["new", "changed", "removed"]).exactOptional(),
};
const outer = <Inner extends z.ZodType<Box>>(inner: Inner) =>
  z.strictObject({ ...ownBox, boxes: z.array(inner).max(1_000).exactOptional() });
/** A cluster, its VNET, a subnet, and a pool. A schema that names itself would follow any depth. */
const box = outer(outer(outer(z.strictObject(ownBox))));
const picture = z.strictObject({
  management: box,
  cluster: box.exactOptional(),
}) satisfies z.ZodType<Picture>;

const report = z.object({
  version: z.literal(reportVersion),
  stacks: z
    .array(
      z.object({
        ...{ stack: text, headline: text.exactOptional() },
        ...{ comparison: stackComparison.exactOptional(), cost: stackCost.exactOptional() },
        findings: z.array(finding).max(10_000).exactOptional(),
        newFindings: z.array(finding).max(10_000).exactOptional(),
        picture: picture.exactOptional(),
      }),
    )
    .max(1_000),
});

/** JSON schema of the report, for other programs; what it does not name may be there, too. */
export const reportSchema = (): object => ({
  ...z.toJSONSchema(report, { io: "input", unrepresentable: "any" }),
  title: "What `plan --format json` writes",
});

/**
 * The comparisons of a report, which may come from an untrusted source: anything but the shape above is refused, and
 * its plans are left out. The texts are not checked, so escape them before showing them.
 * @throws PlanError that names the first field that is wrong
 */
export function parseReport(json: string): StackReport[] {
  let data: unknown;
  try {
    data = JSON.parse(json);
  } catch {
    // Without the parser's words, which quote the text.
    throw new PlanError("The report is not JSON.");
  }
  const parsed = report.safeParse(data);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new PlanError(`The report is not one: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`);
  }
  return parsed.data.stacks;
}
