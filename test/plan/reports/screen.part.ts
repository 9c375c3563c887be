import { join } from "node:path";
import { compareStack } from "../../../plan/cli/compareStacks";
import { stackFindings } from "../../../plan/cli/findings";
import type { Plan } from "../../../plan/model/plan";
import { imagesInObjects } from "../../../plan/model/images";
import { clusterSections } from "../../../plan/reports/clusterRows";
import { othersLine } from "../../../plan/reports/planSummary";
import { formatPlan } from "../../../plan/reports/planText";
import { formatComparisons } from "../../../plan/reports/text";
import { renderPlan } from "../../../plan/render/render";
import { projectConfig, type StackFile } from "../../../config/stackFile";
import { updateInline } from "../../support/inlinePlans";
import { documentOf } from "../../support/planDocuments";
import { exampleStacks, furtherStacks, planOf } from "../../support/plans";
import { exampleFile, projectDir, readExample } from "../../support/stacks";
import { temporaryFolder } from "capz-windows-test-kit/temporaryFolder";

/** What a person reads first fits on one screen. */

const today = "2026-11-28";
/** The terminal that everybody has. */
const style = { color: false, width: 80, verbose: false };

function expectShort(text: string, mostLines: number, mostWords: number): void {
  expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(mostLines);
  expect(text.split(/\s+/).filter((word) => word !== "").length).toBeLessThanOrEqual(mostWords);
}

const folder = temporaryFolder();

/** Of `npm run plan`, with all that it finds. */
function textOf(stack: string, plan: Plan): string {
  const findings = stackFindings(projectDir, stack, exampleFile(stack), today, imagesInObjects(plan.objects));
  const files = renderPlan(plan, join(folder, stack));
  return formatPlan(plan, { out: `rendered/${stack}`, files, findings }, style);
}

it("npm start prints at most 45 lines and 300 words", async () => {
  // The stack file beside Pulumi.yaml is the example.
  const text = textOf("dev", await planOf("dev"));
  // npm prints the command before it, in four lines and 17 words.
  expectShort(text, 45 - 4, 300 - 17);
  expect(text).toMatch(/^ {2}\S+dev\.yaml:\d+ +The control plane has one machine$/m);
});

it.each([...exampleStacks, ...furtherStacks])(
  "the plan of %s has at most 70 lines and 500 words, each warning in one line",
  async (stack) => {
    const text = textOf(stack, await planOf(stack));
    expectShort(text, 70, 500);
    const [, warnings = ""] = /\nWarnings\n([^]*?)\n\n/.exec(text) ?? [];
    warnings.split("\n").forEach((line) => {
      expect(line).toMatch(/^ {2}(\S+\.yaml:\d+)? .{20,}$/);
      expect(line.length).toBeLessThanOrEqual(style.width);
    });
  },
);

it("says the command for machines once, and names what others must make", async () => {
  const rows = clusterSections((await planOf("locked-down")).cluster).at(-1)?.rows ?? [];
  expect(rows.map(({ label }) => label)).toEqual(["clusters", "machines"]);
  expect(rows[1]?.lines).toHaveLength(1);
  expect(othersLine((await planOf("spoke")).cluster)).toBe(
    "VNET, subnet snet-control-plane, subnet snet-nodes, subnet snet-Web, nsg-control-plane, nsg-nodes, rules, peering, routes, firewall, DNS, addresses, rights, roles, roles of people: network/others.txt of the folder below",
  );
});

/** The keys of a stack at the next minor of Kubernetes. */
function newer({ config }: StackFile): Record<string, unknown> {
  const addons = JSON.parse(projectConfig(config).addons ?? "{}") as object;
  return { kubernetesVersion: "v1.37.2", addons: { ...addons, cloudProviderAzureTag: "v1.36.0" } };
}

const upgraded = exampleStacks.filter((stack) => stack !== "dockershim");

it.each(upgraded)(
  "of %s, an upgrade of Kubernetes is reviewed in at most 70 lines and 500 words",
  async (stack) => {
    const file = readExample(stack);
    const [base, head] = [
      await planOf(stack),
      await updateInline({ ...projectConfig(file.config), ...newer(file) }, stack),
    ];
    const comparison = compareStack(
      stack,
      "main",
      { document: documentOf(base) },
      { document: documentOf(head) },
    );
    const report = { stack, comparison, base: base.cluster, plan: head };
    const text = formatComparisons([report], style);
    expect(text).toMatch(/^[\w-]+: rolls (?:all 3 machines|the only machine) of the control plane[ ,]/);
    expectShort(text, 70, 500);
    // Everything is there when it is asked for.
    const whole = formatComparisons([report], { ...style, verbose: true });
    const { impacts, changes, outputs } = comparison;
    [
      ...impacts.map(({ what }) => what),
      ...changes.map(({ name }) => name),
      ...outputs.map(({ path }) => path),
    ].forEach((part) => {
      expect(whole.replace(/\s+/g, "")).toContain(part.replace(/\s+/g, ""));
    });
  },
);
