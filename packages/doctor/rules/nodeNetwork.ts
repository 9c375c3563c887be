import { textAt } from "capz-windows-kit/untyped";
import { conditionNamed, type KubeObject, minutesBetween, stays } from "../cluster/objects";
import { hasCondition } from "./finders";
import type { Detectors, Match } from "./rule";
import type { World } from "../cluster/snapshot";

/** Nodes without a CNI: Calico, which is part of the stack, or one that the users install. */

/** Nodes on which no CNI runs after some minutes; none runs on a new node. */
const withoutNetwork = (minutes: number): ((world: World) => Match[]) =>
  hasCondition({
    kinds: ["Node"],
    side: "workload",
    type: "Ready",
    status: ["False"],
    message: /NetworkPluginNotReady|cni (?:plugin|config) (?:not initialized|uninitialized)/,
    minutes,
  });

/** Add-ons that the program delivers with any CNI. */
const otherAddon = /^(cloud-provider-azure|kube-proxy-windows|windows-workloads|(extra|once)-.+)$/;

const rolesOf = (world: World): string[] => {
  const prefix = `${world.snapshot.cluster.name}-`;
  return world
    .all("ClusterResourceSet")
    .flatMap(({ metadata: { name } }) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []));
};

/** Whether the users install the CNI: the stack delivers add-ons, and none of them is a CNI. */
export function hasOwnCni(world: World): boolean {
  const roles = rolesOf(world);
  return (
    roles.some((role) => otherAddon.test(role)) && !roles.some((role) => ["calico", "flannel"].includes(role))
  );
}

/** Pods that write the CNI configuration of their node, one on each. */
const cniPods = /^(?:calico-node|kube-flannel)-(?:linux-|windows-|ds-)?\w+$/;

/** For longer than containerd needs to find a configuration that is written while it runs. */
const runsFor = 10;

/** The Pod of the CNI on a node, if it has been Ready for a while: then the CNI runs, and something else is wrong. */
const cniPodOn = (node: string, world: World): KubeObject | undefined =>
  world
    .all("Pod", "workload")
    .filter((pod) => cniPods.test(pod.metadata.name) && textAt(pod.spec, "nodeName") === node && stays(pod))
    .find((pod) => {
      const ready = conditionNamed(pod, "Ready");
      return ready?.status === "True" && minutesBetween(ready.since, world.now) >= runsFor;
    });

/** Nodes without a network, by whether the Pod of the CNI runs on them. */
export const byCniPod =
  (runs: boolean, minutes: number) =>
  (world: World): Match[] =>
    withoutNetwork(minutes)(world).flatMap((match) => {
      const pod = cniPodOn(match.object?.metadata.name ?? "", world);
      const own = pod && { cniPod: pod.metadata.name, cniNamespace: pod.metadata.namespace ?? "" };
      return (pod !== undefined) === runs ? [{ ...match, vars: { ...match.vars, ...own } }] : [];
    });

export const isFlannel = (world: World): boolean => rolesOf(world).includes("flannel");

const calico = { cni: "Calico", cniNamespace: "calico-system", cniState: "get tigerastatus" };
const flannel = {
  cni: "Flannel",
  cniNamespace: "kube-flannel",
  cniState: "get daemonsets -n kube-flannel",
};

export const nodeNetworkRules: Detectors = {
  "node-network-config": byCniPod(true, 15),
  "node-network": (world) =>
    hasOwnCni(world)
      ? []
      : byCniPod(
          false,
          15,
        )(world).map((match) => ({
          ...match,
          vars: { ...match.vars, ...(isFlannel(world) ? flannel : calico) },
        })),
  "node-own-network": (world) => (hasOwnCni(world) ? byCniPod(false, 5)(world) : []),
};
