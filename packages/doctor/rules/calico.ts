import { hasCondition, anyOf } from "./finders";
import { crashLoops, podWith } from "./podFinders";
import { isWindowsPool, poolsOf } from "../cluster/scope";
import type { Detectors } from "./rule";
import type { World } from "../cluster/snapshot";

/** The pod network: Calico, HNS and kube-proxy. */

/** Components of Calico for which the operator has reported an error for so many minutes. */
export const degraded = (text: RegExp, minutes: number) =>
  hasCondition({
    kinds: ["TigeraStatus"],
    side: "workload",
    type: "Degraded",
    status: ["True"],
    message: text,
    minutes,
  });

/** Bad for longer than a rollout to a new node takes. */
const notAvailable = (type: string, status: string) =>
  hasCondition({
    kinds: ["TigeraStatus"],
    side: "workload",
    type,
    status: [status],
    message: /^(?<why>[^]+)/,
    minutes: 20,
  });

/** Pools on whose nodes Typha can run. */
export const linuxPoolNames = (world: World): string[] =>
  poolsOf(world)
    .map(({ metadata }) => metadata.name)
    .filter((name) => !isWindowsPool(world, name));

export const calico: Detectors = {
  "calico-windows-endpoint": anyOf(
    degraded(/kubernetes-services-endpoint|[Ss]ervices? endpoint/, 0),
    podWith({
      side: "workload",
      where: ({ metadata }) => metadata.name.startsWith("calico-node-windows"),
      container: ({ ready, ended, endMessage }) => (ready || ended === "" ? undefined : endMessage),
      text: /KUBERNETES_SERVICE_HOST|services? endpoint/i,
    }),
  ),
  "calico-not-available": anyOf(notAvailable("Available", "False"), notAvailable("Progressing", "True")),
  "calico-crashes": crashLoops({
    side: "workload",
    where: ({ metadata }) => /^(?:calico|tigera-operator)-/.test(metadata.name),
    minutes: 5,
  }),
  "kube-proxy-crashes": crashLoops({
    side: "workload",
    where: ({ metadata: { name, namespace } }) =>
      namespace === "kube-system" && name.startsWith("kube-proxy-"),
  }),
};
