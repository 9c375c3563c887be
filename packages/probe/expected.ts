import type { StackFacts } from "capz-windows-contract";
import type { NodeOs } from "capz-windows-platform/machines/naming";
import { type Taint, taintText } from "capz-windows-platform/machines/nodeLabels";
import { parseCidr } from "capz-windows-platform/network/addressing";
import { controlPlanePool, type ProbePlace } from "./model";

/** What the plan says about nodes and their network. */

/** How many pods a kubelet of the control plane takes (KubeletConfiguration, kubelet.config.k8s.io/v1beta1). */
const defaultMaxPods = 110;

export type ExpectedNode = NonNullable<ReturnType<typeof expectedNode>>;

const controlPlaneTaint: Taint = { key: "node-role.kubernetes.io/control-plane", effect: "NoSchedule" };

export function expectedNode(facts: StackFacts, pool: string) {
  if (pool === controlPlanePool) {
    return {
      labels: { "kubernetes.io/os": "linux" },
      taints: [taintText(controlPlaneTaint)],
      maxPods: defaultMaxPods,
      reservedMemory: "",
    };
  }
  const found = facts.pools.find(({ name }) => name === pool);
  if (found === undefined) {
    return undefined;
  }
  const { os, windowsBuild, maxPods, reservedMemory } = found;
  return {
    labels: {
      "kubernetes.io/os": os,
      ...(windowsBuild === undefined ? {} : { "node.kubernetes.io/windows-build": windowsBuild }),
      ...found.labels,
    } as Readonly<Record<string, string>>,
    /** As kubectl writes them. */
    taints: found.taints.map((taint) => taintText(taint)),
    maxPods,
    reservedMemory,
  };
}

export const expectedMtu = ({ network }: StackFacts, os: NodeOs, place: ProbePlace) =>
  network.mtus[os][place];

/** The first address of the services, which is that of the Service `kubernetes` in the namespace default. */
export function apiService({ network }: StackFacts): string {
  const first = (parseCidr(network.serviceCidr)?.first ?? 0) + 1;
  return [24, 16, 8, 0].map((shift) => Math.floor(first / 2 ** shift) % 256).join(".");
}

/** A name outside the cluster that every cluster must resolve: the registry from which it pulls. */
export const outsideName = ({ registryMirror }: StackFacts): string => {
  const url = registryMirror ?? "";
  return URL.canParse(url) ? new URL(url).hostname : "mcr.microsoft.com";
};
