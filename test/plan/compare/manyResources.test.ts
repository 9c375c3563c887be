import type { PlanDocument, PlanResource } from "capz-windows-contract";
import { compareStack } from "../../../plan/cli/compareStacks";

/** A base of others may have very many resources, pools, list items and lines: the time for a comparison is linear in each. */

const stackType = "pulumi:pulumi:Stack";
const urnOf = (type: string, name: string): string => `urn:pulumi:dev::p::${type}::${name}`;
const root = urnOf(stackType, "p-dev");

const resource = (
  type: string,
  name: string,
  inputs: object,
  more: Partial<PlanResource> = {},
): PlanResource => ({
  ...{ urn: urnOf(type, name), type: type.split("$").at(-1) ?? "", name, parent: root, custom: true },
  ...{ inputs: { metadata: { name }, ...inputs }, options: {}, dependencies: [], ...more },
});

const documentOf = (resources: readonly PlanResource[]): PlanDocument => ({
  ...{ version: 2, project: "p", stack: "dev", outputs: {}, warnings: [] },
  resources: [resource(stackType, "p-dev", {}, { custom: false }), ...resources],
});

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

function poolOf(index: number): PlanResource[] {
  const type = "capz-windows:index:WorkloadCluster$capz-windows:index:WindowsPool";
  const component = resource(type, `p${index}`, {}, { custom: false });
  const child = (kind: string, spec: object) =>
    resource(`${type}$kubernetes:x/v1:${kind}`, `p${index}`, { spec }, { parent: component.urn });
  return [
    component,
    child("MachinePool", { replicas: 3 }),
    child("AzureMachinePool", { template: { osDisk: { osType: "Windows" } } }),
  ];
}

const map = (name: string, inputs: object) => resource("kubernetes:core/v1:ConfigMap", name, inputs);
const lines = (count: number, word: string): string =>
  numbers(count)
    .map((index) => `${word} ${index}`)
    .join("\n");

const sides: Readonly<
  Record<string, (count: number) => readonly [base: PlanResource[], head: PlanResource[]]>
> = {
  resources: (count) => [numbers(count).map((index) => map(`m${index}`, {})), []],
  "role assignments": (count) => [
    numbers(count).map((index) =>
      resource("azure-native:authorization:RoleAssignment", `r${index}`, { scope: `/x/${index}` }),
    ),
    [],
  ],
  pools: (count) => [numbers(count / 4).flatMap(poolOf), []],
  items: (count) => {
    const items = (value: string) => [
      map("m", { items: numbers(count).map((index) => ({ name: `k${index}`, value })) }),
    ];
    return [items("a"), items("b")];
  },
  lines: (count) => [[map("m", { data: lines(count, "a") })], [map("m", { data: lines(count, "b") })]],
};

it.each(Object.keys(sides))("%s", (kind) => {
  const timeFor = (count: number): number => {
    const [base = [], head = []] = sides[kind]?.(count) ?? [];
    const [before, after] = [documentOf(base), documentOf(head)];
    const start = process.cpuUsage().user;
    const { changes } = compareStack("dev", "x", { document: before }, { document: after });
    expect(changes.length).toBeGreaterThan(0);
    return (process.cpuUsage().user - start) / 1000;
  };
  timeFor(300);
  // The square would be 64 times as much.
  expect(timeFor(2_400)).toBeLessThan(25 * Math.max(timeFor(300), 20));
});
