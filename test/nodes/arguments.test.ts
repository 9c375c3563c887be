import { minor } from "semver";
import type { Plan } from "../../commands/plan/model/plan";
import { flagNames, gateFault, kubeletFields, type Program } from "../../platform/cluster/programSettings";
import { upcoming } from "../../platform/compatibility";
import { at } from "../../tools/untyped";
import { allExamples } from "../support/plans";
import { planOfMinor } from "./atMinor";

/** What the program passes to Kubernetes' programs, each release of this winter knows: its flags, gates and fields. */

interface Argument {
  readonly name: string;
  readonly value: string;
}

const placesOfCluster: readonly (readonly [Program, readonly string[]])[] = [
  ["kube-apiserver", ["apiServer", "extraArgs"]],
  ["kube-controller-manager", ["controllerManager", "extraArgs"]],
  ["kube-scheduler", ["scheduler", "extraArgs"]],
  ["etcd", ["etcd", "local", "extraArgs"]],
];

const kubeletPlaces = ["initConfiguration", "joinConfiguration"].map((key) => [
  key,
  "nodeRegistration",
  "kubeletExtraArgs",
]);

/** The specs of kubeadm in a plan. */
const specsOf = ({ resources }: Plan): unknown[] =>
  resources.flatMap(({ inputs }) => {
    const places = [["spec", "kubeadmConfigSpec"], ["spec", "template", "spec"], ["spec"]];
    const specs = places.map((place) => at(inputs, ...place));
    return specs.filter((spec) => at(spec, "joinConfiguration") !== undefined).slice(0, 1);
  });

const argumentsOf = (spec: unknown): (readonly [Program, Argument])[] => {
  const ofCluster = placesOfCluster.flatMap(([program, place]) =>
    ((at(spec, "clusterConfiguration", ...place) ?? []) as Argument[]).map((one) => [program, one] as const),
  );
  const ofKubelet = kubeletPlaces.flatMap((place) =>
    ((at(spec, ...place) ?? []) as Argument[]).map((one) => ["kubelet", one] as const),
  );
  return [...ofCluster, ...ofKubelet];
};

const gatesOf = ({ name, value }: Argument): (readonly [string, boolean])[] =>
  name === "feature-gates"
    ? value.split(",").map((gate) => [gate.split("=")[0] ?? "", gate.endsWith("=true")] as const)
    : [];

/** Fields of kubelet's configuration in the patches of kubeadm. */
const fieldsOf = (spec: unknown): string[] =>
  ((at(spec, "files") ?? []) as { path: string; content?: string }[])
    .filter(({ path }) => path.includes("/kubeletconfiguration"))
    .flatMap(({ content = "" }) => [...content.matchAll(/^([A-Za-z]+):/gm)].map(([, name = ""]) => name));

const faultsOf = (spec: unknown, release: number): string[] => [
  ...argumentsOf(spec).flatMap(([program, argument]) => [
    ...(flagNames(program, release).has(argument.name) ? [] : [`${program} --${argument.name}`]),
    ...gatesOf(argument).flatMap(([gate, isOn]) => gateFault(gate, isOn, {}, release) ?? []),
  ]),
  ...fieldsOf(spec).filter((name) => {
    const known = [...kubeletFields.keys()].some((key) => key === name || key.startsWith(`${name}.`));
    return !known && name !== "apiVersion" && name !== "kind";
  }),
];

// No release of Kubernetes 1.22, which it is for, has settings here.
const stacks = allExamples.filter((stack) => stack !== "dockershim");
/** The node's own programs judge the minors before, too (`.ci/minors`). */
const stacksOf = (release: number): readonly string[] =>
  release === upcoming.minor ? stacks : ["dev", "everything", "locked-down", "mirrored"];

describe.each([36, 37, upcoming.minor])("the programs of Kubernetes 1.%i", (release) => {
  it("know what each example passes to them", async () => {
    let specs = 0;
    const stacksRead: string[] = [];
    for (const stack of stacksOf(release)) {
      const plan = await planOfMinor(stack, release);
      const own = plan?.cluster.controlPlane?.version;
      if (plan === undefined || own === undefined || minor(own) !== release) {
        continue;
      }
      stacksRead.push(stack);
      for (const spec of specsOf(plan)) {
        specs += argumentsOf(spec).length > 0 ? 1 : 0;
        expect([stack, faultsOf(spec, release)]).toEqual([stack, []]);
      }
    }
    expect(stacksRead.length).toBeGreaterThan(stacksOf(release).length / 2);
    expect(specs).toBeGreaterThan(2 * stacksRead.length);
  });
});
