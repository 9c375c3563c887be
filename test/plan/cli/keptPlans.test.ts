import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { compareStacks } from "../../../plan/cli/compareStacks";
import type { PlanDocument } from "capz-windows-contract";
import { ConfigError } from "capz-windows-kit/problem";
import { planJson } from "../../../plan/model/planJson";
import { formatComparisons } from "../../../plan/reports/text";
import { planOf } from "../../support/plans";
import { projectDir } from "../../support/stacks";

/** A plan.json that was kept, and that somebody has changed: it is compared or refused in words, and is never a bug. */

const work = mkdtempSync(join(tmpdir(), "capz-windows-kept-"));
afterAll(() => {
  rmSync(work, { recursive: true, force: true });
});

const dev = async (): Promise<PlanDocument> =>
  JSON.parse(JSON.stringify(planJson(await planOf("dev")))) as PlanDocument;

async function compareWith(content: unknown): Promise<string> {
  const against = join(work, "kept.json");
  writeFileSync(against, JSON.stringify(content));
  try {
    const compared = await compareStacks({
      ...{ projectDir, against, stacks: ["dev"], all: false, planner: () => planOf("dev") },
      out: () => join(work, "out"),
    });
    return formatComparisons(compared, { color: false, width: 100, verbose: true });
  } catch (error) {
    const { name, message } = error as Error;
    return `${name}: ${message.replaceAll(work, "")}`;
  }
}

const levels = (count: number): unknown => JSON.parse(`${'{"a":'.repeat(count)}1${"}".repeat(count)}`);

it.each<readonly [what: string, changed: (plan: PlanDocument) => object, problem: string]>([
  [
    "a list as config",
    (plan) => ({ ...plan, config: [1] }),
    "config: Invalid input: expected record, received array",
  ],
  [
    "null as config",
    (plan) => ({ ...plan, config: null }),
    "config: Invalid input: expected record, received null",
  ],
  [
    "a number as config of a key",
    (plan) => ({ ...plan, config: { "p:a": 7 } }),
    "config.p:a: Invalid input: expected string, received number",
  ],
  [
    "null as nodes",
    (plan) => ({ ...plan, nodes: null }),
    "nodes: Invalid input: expected record, received null",
  ],
  [
    "a number as warning",
    (plan) => ({ ...plan, warnings: [7] }),
    "warnings.0: Invalid input: expected string, received number",
  ],
  [
    "a text as dependencies",
    (plan) => ({ ...plan, resources: [{ ...plan.resources[0], dependencies: "urn" }] }),
    "resources.0.dependencies: Invalid input: expected array, received string",
  ],
  [
    "levels without end",
    (plan) => ({ ...plan, resources: [{ ...plan.resources[0], inputs: levels(1000) }] }),
    "more than 200 mappings or lists are inside one another",
  ],
  [
    "a text without end",
    (plan) => ({ ...plan, config: { "p:a": "a".repeat(4_000_001) } }),
    "a text has more than 4,000,000 characters",
  ],
])("%s", async (_, changed, problem) => {
  expect(await compareWith(changed(await dev()))).toBe(
    `PlanError: /kept.json is damaged: ${problem}. Plan it again.`,
  );
});

it("inputs of any type", async () => {
  const plan = await dev();
  const wrong = fc.constantFrom<unknown>(null, 7, -1, 1e308, true, "", "x", [], [null], {}, { a: 1 });
  await fc.assert(
    fc.asyncProperty(wrong, fc.nat(6), fc.nat(6), async (value, remainder, depth) => {
      let count = 0;
      const change = (node: unknown, level: number): unknown => {
        count += 1;
        if (level >= depth && count % 7 === remainder) {
          return value;
        }
        if (Array.isArray(node)) {
          return node.map((one) => change(one, level + 1));
        }
        return typeof node === "object" && node !== null
          ? Object.fromEntries(Object.entries(node).map(([key, one]) => [key, change(one, level + 1)]))
          : node;
      };
      const resources = plan.resources.map(({ inputs, ...one }) => ({
        ...one,
        inputs: Object.fromEntries(Object.entries(inputs).map(([key, one]) => [key, change(one, 0)])),
      }));
      const said = await compareWith({ ...plan, resources });
      expect(said).toMatch(
        /^(?:dev: |PlanError: \/kept\.json cannot be compared: it has inputs that no plan has \()/,
      );
    }),
    { numRuns: 25 },
  );
});

it("a mistake in the stack file of this side has its line", async () => {
  const against = join(work, "kept.json");
  writeFileSync(against, JSON.stringify(await dev()));
  writeFileSync(join(work, "Pulumi.dev.yaml"), "config:\n  # The name\n\n  capz-windows:clusterName: dev\n");
  const problem = { path: "clusterName", problem: "x", allowed: "y", write: "z" };
  const [compared] = await compareStacks({
    ...{ projectDir: work, against, stacks: ["dev"], all: false },
    planner: () => Promise.reject(new ConfigError("Pulumi.dev.yaml", [problem])),
    out: () => join(work, "out"),
  });
  expect(compared?.comparison?.failure).toContain("\n  Pulumi.dev.yaml:4  clusterName\n");
});
