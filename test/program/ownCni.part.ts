import { at, list, textAt } from "capz-windows-kit/untyped";
import type { Plan } from "../../plan/model/plan";
import { updateInline } from "../support/inlinePlans";
import { inputsOf, objectsOf, requires } from "../support/plans";
import { minimal } from "../support/stacks";

/** Plans of a cluster with a CNI of its user's, and of the same stack with Calico. */
const stack = {
  ...minimal(),
  namespace: "own",
  linuxPools: { linux1: { replicas: 3 } },
  windowsPools: { win1: {}, single: { kind: "MachineDeployment" } },
  extraManifests: { cni: { file: "docs/workloads/network-policy.yaml" } },
  wait: "nodes",
};

let calico: Plan;
let own: Plan;

beforeAll(async () => {
  calico = await updateInline(stack);
  own = await updateInline({ ...stack, addons: { cni: "none" } });
});

const names = (plan: Plan, kind: string): string[] =>
  objectsOf(plan, kind)
    .map(({ metadata }) => metadata.name)
    .sort();

it("delivers neither Calico nor kube-proxy for Windows, and everything else as before", () => {
  const gone = ["test-calico", "test-kube-proxy-windows"];
  expect(names(own, "ClusterResourceSet")).toEqual(
    names(calico, "ClusterResourceSet").filter((name) => !gone.includes(name)),
  );
  expect(names(calico, "ClusterResourceSet")).toEqual(expect.arrayContaining(gone));
});

it("mentions Calico only in the labels of the Cluster, which cannot change, and in policies for Windows", () => {
  const [cluster] = objectsOf(own, "Cluster");
  expect(cluster?.metadata.labels).toEqual(objectsOf(calico, "Cluster")[0]?.metadata.labels);
  const texts = own.objects.management
    .filter(({ object: { metadata } }) => !/-(windows-workloads|extra-cni)$/.test(metadata.name))
    .map(({ object }) => JSON.stringify(object).replace(/"cni(-windows)?": ?"test-calico"/g, ""));
  expect(texts.filter((text) => /calico|tigera/i.test(text))).toEqual([]);
  expect(texts.length).toBeGreaterThan(20);
});

it("delivers kube-proxy for Windows independently of Calico", async () => {
  const both = await updateInline({ ...stack, addons: { cni: "none", kubeProxyWindows: true } });
  expect(names(both, "ClusterResourceSet")).toContain("test-kube-proxy-windows");
  expect(names(both, "ClusterResourceSet")).not.toContain("test-calico");
  const without = await updateInline({ ...stack, addons: { kubeProxyWindows: false } });
  expect(names(without, "ClusterResourceSet")).not.toContain("test-kube-proxy-windows");
  expect(names(without, "ClusterResourceSet")).toContain("test-calico");
  // Windows nodes still have all else that they need: kube-proxy's account and ConfigMap are kubeadm's.
  expect(JSON.stringify(objectsOf(without, "ConfigMap"))).toContain("cloud-node-manager-windows");
});

it("gives each node a range of the pod network, because a CNI may wait for it, and does not change the network itself", () => {
  const ranges = (plan: Plan): unknown =>
    list(
      at(
        objectsOf(plan, "KubeadmControlPlane")[0],
        ...["spec", "kubeadmConfigSpec", "clusterConfiguration", "controllerManager", "extraArgs"],
      ),
    ).find((arg) => textAt(arg, "name") === "allocate-node-cidrs");
  expect(ranges(own)).toEqual({ name: "allocate-node-cidrs", value: "true" });
  expect(ranges(calico)).toEqual({ name: "allocate-node-cidrs", value: "false" });
  expect(at(objectsOf(own, "Cluster")[0]?.spec, "clusterNetwork")).toEqual(
    at(objectsOf(calico, "Cluster")[0]?.spec, "clusterNetwork"),
  );
});

it("sets the MTU of eth0 on Linux nodes, from which a CNI derives the MTU of pods", () => {
  const commands = (plan: Plan): string[] =>
    [...objectsOf(plan, "KubeadmConfig"), ...objectsOf(plan, "KubeadmControlPlane")]
      .filter((object) => JSON.stringify(object).includes("set-mtu.sh 1400 || exit 1"))
      .map(({ kind }) => kind)
      .sort();
  expect(commands(own)).toEqual(["KubeadmConfig", "KubeadmControlPlane"]);
  expect(commands(calico)).toEqual([]);
});

it("rolls Linux nodes with another network.mtu, and with Calico none; Windows nodes get it without a roll", async () => {
  const changed = async (before: Plan, more: object): Promise<string[]> => {
    const after = await updateInline({ ...stack, ...more, network: { mtu: 1380 } });
    return ["KubeadmConfig", "KubeadmConfigTemplate"]
      .flatMap((kind) => names(after, kind).filter((name) => !names(before, kind).includes(name)))
      .map((name) => name.split("-")[0]!);
  };
  expect(await changed(own, { addons: { cni: "none" } })).toEqual(["linux1"]);
  expect(await changed(calico, {})).toEqual([]);
});

it("gives nodes a day to get their network before a health check replaces them", () => {
  const timeouts = (plan: Plan): unknown[] =>
    objectsOf(plan, "MachineHealthCheck").map(({ metadata, spec }) => [
      metadata.name,
      ...list(at(spec, "checks", "unhealthyNodeConditions")).map((one) => at(one, "timeoutSeconds")),
    ]);
  expect(timeouts(own)).toEqual([
    ["test-control-plane", 300, 86_400],
    ["single", 300, 86_400],
  ]);
  expect(timeouts(calico)).toEqual([
    ["test-control-plane", 300, 1200],
    ["single", 300, 1200],
  ]);
});

it("waits for nodes only after the manifests that may install the CNI, which wait for no node", () => {
  const waits = ["pools-linux1-running", "pools-win1-running", "pools-single-running"];
  for (const wait of waits) {
    expect([...requires(own, wait)]).toContain("extra-cni-set");
    expect([...requires(calico, wait)]).not.toContain("extra-cni-set");
  }
  const before = [...requires(own, "extra-cni-set")];
  expect(before).toContain("cluster-initialized");
  expect(before.filter((name) => waits.includes(name))).toEqual([]);
});

it("sets the input ownCni of components only if it is true", () => {
  expect(inputsOf(own, "control-plane").ownCni).toBe(true);
  expect(inputsOf(own, "pool-win1").ownCni).toBe(true);
  expect(inputsOf(calico, "pool-win1")).not.toHaveProperty("ownCni");
});

it("says in the next steps that nodes wait for the CNI, and which MTU it needs", async () => {
  const steps = (plan: Plan): string[] => plan.cluster.nextSteps.filter((step) => step.includes("NotReady"));
  expect(steps(calico)).toEqual([]);
  expect(steps(own)).toEqual([
    "KUBECONFIG=workload.kubeconfig kubectl get pods -A -o wide  # nodes are NotReady until your CNI of extraManifests runs; with VXLAN or Geneve, pods have an MTU of 1350",
  ]);
  const byHand = await updateInline({ ...minimal(), addons: { cni: "none" } });
  expect(steps(byHand)).toEqual([
    "KUBECONFIG=workload.kubeconfig kubectl apply -f YOUR-CNI.yaml  # nodes are NotReady until it runs; with VXLAN or Geneve, pods have an MTU of 1350",
  ]);
});
