import type { Plan } from "../../plan/model/plan";
import { clusterSections } from "../../plan/reports/clusterRows";
import { redact } from "pulumi-plan-engine";
import type { RegisteredResource } from "pulumi-plan-engine";
import type { KubernetesObject } from "capz-types";
import { memoize } from "capz-windows-kit/memoize";
import { frozen, planFileInline, updateFileInline } from "./inlinePlans";
import { isThorough } from "capz-windows-test-kit/sample";
import { readExample } from "./stacks";

/** The stacks in test/stacks/ that have a workload cluster, of each kind one. */
export const allExamples = [
  "dev",
  "existing",
  "prod",
  "pools",
  "mirrored",
  "private",
  "locked-down",
  "spoke",
  "hub-spoke",
  "volumes",
  "autoscaled",
  "everything",
  "dockershim",
  "team-a",
] as const;

/** Those on which tests of each example run: outside of CI a part, which saves half the time of `npm test`. */
export const exampleStacks = isThorough
  ? allExamples
  : (["dev", "hub-spoke", "locked-down", "everything", "dockershim"] as const);

/** Those that make only a management cluster, and those that differ in a few keys from another one: team-a, private. */
export const furtherStacks = ["management", "team-b", "private-management", "private-link"] as const;

/** Those with keys of controlPlane.encryption. */
export const encryptedStacks: readonly string[] = [
  ...[
    "dev",
    "prod",
    "everything",
    "locked-down",
    "private",
    "private-link",
    "spoke",
    "hub-spoke",
    "team-a",
    "team-b",
  ],
];

/** The plan of an example stack with its first preview, made once for all suites of a worker, in the test's own process. */
export const planWithPreview = memoize((stack: string): Promise<Plan> =>
  planFileInline(readExample(stack)).then(frozen),
);

/**
 * The same; outside of CI without the preview.
 * test/plan/cli/cli.part.ts checks that the command makes the same plan, and test/program/languageHost.test.ts that the
 * language host does.
 */
export const planOf = memoize((stack: string): Promise<Plan> =>
  isThorough ? planWithPreview(stack) : updateFileInline(readExample(stack)).then(frozen),
);

/** The last part of a URN: the logical name. */
export const nameOf = (urn: string): string => urn.split("::").at(-1)!;

export function resource({ update }: Plan, name: string): RegisteredResource {
  const found = update.resources.find((candidate) => candidate.name === name);
  if (!found) {
    throw new Error(
      `no resource ${name}; there are ${update.resources.map((candidate) => candidate.name).join(", ")}`,
    );
  }
  return found;
}

/** The inputs of a resource; secrets and unknowns are placeholders. */
export const inputsOf = (plan: Plan, name: string): Readonly<Record<string, unknown>> =>
  redact(resource(plan, name).inputs) as Readonly<Record<string, unknown>>;

/** The address of a public IP, as a CIDR. */
export const addressOf = (plan: Plan, name: string): string =>
  `${redact(resource(plan, name).outputs.ipAddress!) as string}/32`;

export const objectsOf = (plan: Plan, kind: string): KubernetesObject[] =>
  plan.objects.management.map(({ object }) => object).filter((object) => object.kind === kind);

/** The lines of a report's rows with a label. */
export const rowsOf = ({ cluster }: Plan, label: string) =>
  clusterSections(cluster)
    .flatMap(({ rows }) => rows)
    .filter((one) => one.label === label)
    .flatMap(({ lines }) => lines);

/** Expects that a resource depends on others, directly or not. */
export function expectAfter(plan: Plan, name: string, others: readonly string[]): void {
  expect([...requires(plan, name)]).toEqual(expect.arrayContaining([...others]));
}

/** The rows of a report's section. @throws TypeError when the report has no such section */
export const sectionOf = ({ cluster }: Pick<Plan, "cluster">, title: string) =>
  clusterSections(cluster).find((one) => one.title === title)!.rows;

/** From where the rules of the stack let in to the API server. */
export const apiServerSources = (plan: Plan): readonly string[] | undefined =>
  (
    inputsOf(plan, "network-control-plane-nsg").securityRules as {
      readonly name: string;
      readonly sourceAddressPrefixes: readonly string[];
    }[]
  ).find(({ name }) => name === "allow_apiserver")?.sourceAddressPrefixes;

/** URNs of all resources that a resource depends on, directly or not. */
export function requires(plan: Plan, name: string): Set<string> {
  const byUrn = new Map(plan.update.resources.map((candidate) => [candidate.urn, candidate]));
  const found = new Set<string>();
  const visit = (urn: string): void => {
    for (const next of byUrn.get(urn)?.dependencies ?? []) {
      if (!found.has(next)) {
        found.add(next);
        visit(next);
      }
    }
  };
  visit(resource(plan, name).urn);
  return new Set([...found].map(nameOf));
}
