import { addonsOf } from "../../addons/catalogue";
import { operatedPods, type PrivilegedPod } from "../../addons/operatedPods";
import { nodesOf, podOf, privilegesOf } from "capz-windows-platform/cluster/podPrivileges";
import type { KubernetesObject } from "capz-types";
import { staticPodsOf } from "capz-windows-platform/manifests/staticPods";
import type { StackObjects } from "../model/stackObjects";
import { memoize } from "capz-windows-kit/memoize";
import { ownValue } from "capz-windows-kit/untyped";

/** What runs on the nodes with more than a container has, for whoever has to approve it. */

const reasons = memoize(
  () =>
    Object.assign({}, ...addonsOf({}).map(({ privileged }) => privileged ?? {})) as Record<string, string>,
);

const ofStack = "of the stack file: ask whoever wrote it";

function privilegedPod(object: KubernetesObject): PrivilegedPod[] {
  const pod = podOf(object);
  const may = privilegesOf(pod);
  const { name, namespace = "default" } = object.metadata;
  return pod === undefined || may.length === 0
    ? []
    : [
        {
          namespace,
          name,
          nodes: nodesOf(pod),
          may: may.join("; "),
          why: ownValue(reasons(), name) ?? ofStack,
        },
      ];
}

/** Static pods in files of the control plane; kubeadm's are not among them. */
const staticPods = (management: StackObjects["management"]): PrivilegedPod[] =>
  management
    .flatMap(({ object }) => staticPodsOf(object))
    .flatMap(privilegedPod)
    .map((pod) => ({
      ...{ ...pod, nodes: "control plane" },
      ...(pod.name.startsWith("encryption-")
        ? { why: "uses a key in Key Vault for the API server, as the identity of the machine" }
        : {}),
    }));

/** Pods of a stack that are more than containers, in the order of their names. */
export function privilegedPods({
  workload,
  sample,
  management,
}: Pick<StackObjects, "workload" | "sample" | "management">): PrivilegedPod[] {
  const objects = [...workload.flatMap((stream) => stream.objects), ...sample.map(({ object }) => object)];
  const kinds = new Set(objects.map(({ kind }) => kind));
  const operated = operatedPods.filter(({ by }) => by === "kubeadm" || kinds.has(by));
  const isOperated = (one: PrivilegedPod): boolean => operated.some(({ name }) => name === one.name);
  const others = [...objects.flatMap(privilegedPod), ...staticPods(management)];
  return [...others.filter((one) => !isOperated(one)), ...operated].sort((a, b) =>
    `${a.namespace} ${a.name}` < `${b.namespace} ${b.name}` ? -1 : 1,
  );
}
