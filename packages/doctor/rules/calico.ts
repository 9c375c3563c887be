import { hasCondition, anyOf } from "./finders";
import { crashLoops, imageMissing, podWith } from "./podFinders";
import { kubeProxyRules } from "./kubeProxy";
import { isWindowsPool, poolsOf } from "../cluster/scope";
import type { Detectors } from "./rule";
import type { KubeObject } from "../cluster/objects";
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

const isOperator = ({ metadata }: KubeObject): boolean => metadata.name.startsWith("tigera-operator");
const isCalico = ({ metadata }: KubeObject): boolean => metadata.name.startsWith("calico-");

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
  "operator-dns": podWith({
    side: "workload",
    where: isOperator,
    container: ({ ready, endMessage, message }) => (ready ? undefined : `${message} ${endMessage}`.trim()),
    text: /lookup \S+(?: on \S+:53)?: |dial tcp: lookup/,
  }),
  "operator-crashes": crashLoops({
    side: "workload",
    where: isOperator,
  }),
  "calico-windows-endpoint": anyOf(
    degraded(/kubernetes-services-endpoint|[Ss]ervices? endpoint/, 0),
    podWith({
      side: "workload",
      where: ({ metadata }) => metadata.name.startsWith("calico-node-windows"),
      container: ({ ready, ended, endMessage }) => (ready || ended === "" ? undefined : endMessage),
      text: /KUBERNETES_SERVICE_HOST|services? endpoint/i,
    }),
  ),
  "calico-not-available": (world) => [
    ...notAvailable("Available", "False")(world),
    ...notAvailable("Progressing", "True")(world),
  ],
  "calico-image": imageMissing({
    side: "workload",
    where: (pod) => isCalico(pod) || isOperator(pod),
  }),
  "calico-crashes": crashLoops({
    side: "workload",
    where: isCalico,
    minutes: 5,
  }),
  ...kubeProxyRules,
};
