import { minor } from "semver";
import { parse } from "yaml";
import type { Plan } from "../../plan/model/plan";
import {
  flagNames,
  gateFault,
  kubeletFields,
  type Program,
} from "capz-windows-platform/cluster/programSettings";
import { upcoming } from "capz-windows-platform/compatibility";
import { at } from "capz-windows-kit/untyped";
import { exampleStacks, furtherStacks } from "../support/plans";
import { isThorough } from "capz-windows-test-kit/sample";
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

/** What the patches of kubeadm say of kubelet's configuration. */
const kubeletPatches = (spec: unknown): Readonly<Record<string, unknown>>[] =>
  ((at(spec, "files") ?? []) as { path: string; content?: string }[])
    .filter(({ path }) => path.includes("/kubeletconfiguration"))
    .map(({ content = "" }) => parse(content) as Readonly<Record<string, unknown>>);

const knowsField = (name: string, release: number): boolean =>
  [...kubeletFields].some(
    ([key, { since }]) => since <= release && (key === name || key.startsWith(`${name}.`)),
  );

function faultsOf(spec: unknown, release: number): string[] {
  const passed = argumentsOf(spec);
  const patches = kubeletPatches(spec);
  const flags = passed
    .filter(([program, { name }]) => !flagNames(program, release).has(name))
    .map(([program, { name }]) => `${program} --${name}`);
  const gates = [
    ...passed.flatMap(([, argument]) => gatesOf(argument)),
    ...patches.flatMap(({ featureGates = {} }) => Object.entries(featureGates as Record<string, boolean>)),
  ];
  const fields = patches
    .flatMap((patch) => Object.keys(patch))
    .filter((name) => name !== "apiVersion" && name !== "kind" && !knowsField(name, release));
  return [...flags, ...gates.flatMap(([gate, isOn]) => gateFault(gate, isOn, {}, release) ?? []), ...fields];
}

/** Every example with machines; dockershim has none, because no release of Kubernetes 1.22 has settings here. */
const stacks = [...exampleStacks, ...(isThorough ? furtherStacks : [])].filter(
  (stack) => !["dockershim", "management", "private-management"].includes(stack),
);

/** The newest one has lost the most; in CI also the oldest of this winter, which lacks the most of what is new. */
const releases = isThorough ? [36, upcoming.minor] : [upcoming.minor];

describe.each(releases)("the programs of Kubernetes 1.%i", (release) => {
  it.each(stacks)("know what %s passes to them", async (stack) => {
    const plan = await planOfMinor(stack, release);
    expect(minor(plan?.cluster.controlPlane?.version ?? "0.0.0")).toBe(release);
    const specs = plan === undefined ? [] : specsOf(plan);
    // The control plane, and at least one pool.
    expect(specs.filter((spec) => argumentsOf(spec).length > 0).length).toBeGreaterThan(1);
    expect(specs.flatMap((spec) => faultsOf(spec, release))).toEqual([]);
  });

  it("do not know others", () => {
    const file = { path: "/etc/kubernetes/patches/kubeletconfiguration0+strategic.yaml" };
    const spec = {
      clusterConfiguration: { apiServer: { extraArgs: [{ name: "no-such-flag", value: "1" }] } },
      joinConfiguration: {
        nodeRegistration: { kubeletExtraArgs: [{ name: "feature-gates", value: "NoGate=true" }] },
      },
      files: [{ ...file, content: "noField: 1\nfeatureGates:\n  OtherGate: true\n" }],
    };
    expect(faultsOf(spec, release)).toEqual([
      "kube-apiserver --no-such-flag",
      `Kubernetes 1.${release} has no feature gate NoGate`,
      `Kubernetes 1.${release} has no feature gate OtherGate`,
      "noField",
    ]);
  });
});
