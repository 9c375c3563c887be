import { textAt } from "capz-windows-kit/untyped";
import { containersOf, type KubeObject } from "../cluster/objects";
import type { World } from "../cluster/snapshot";
import { olderThan } from "./finders";
import { cloudTaint, hasCloudTaint, nodesOf, systemOf, taintsOf } from "../cluster/scope";
import type { Detectors, Match } from "./rule";

/** Nodes that the cloud provider has not initialized: without provider ID, or with a taint that it should have removed. */

/** Nodes about which a function returns a field and a text; those for which it returns `undefined` do not match. */
const aboutNodes = (
  world: World,
  minutes: number,
  says: (node: KubeObject) => readonly [field: string, text: string] | undefined,
): Match[] =>
  nodesOf(world).flatMap((object) => {
    const [field, text] = (olderThan(object, minutes, world) ? says(object) : undefined) ?? [];
    return field === undefined || text === undefined
      ? []
      : [{ object, proof: { where: `Node ${object.metadata.name}, ${field}`, text } }];
  });

const uninitializedTaints = [cloudTaint, "node.cluster.x-k8s.io/uninitialized"];

export const hasProvider = ({ spec }: KubeObject): boolean => textAt(spec, "providerID") !== "";

const withoutProvider = (world: World, is: (node: KubeObject) => boolean = () => true): Match[] =>
  aboutNodes(world, 10, (node) =>
    hasProvider(node) || !is(node)
      ? undefined
      : ["spec.providerID", `empty; taints: ${taintsOf(node).join(", ") || "none"}`],
  );

const staleTaint = (world: World): Match[] =>
  aboutNodes(world, 15, (node) =>
    hasProvider(node) && taintsOf(node).some((taint) => uninitializedTaints.includes(taint))
      ? ["spec.taints", taintsOf(node).join(", ")]
      : undefined,
  );

/** Windows nodes without a running cloud-node-manager, which sets their provider ID. */
const windowsManagerMissing = (world: World): Match[] => {
  const pods = world
    .all("Pod", "workload")
    .filter(({ metadata }) => metadata.name.startsWith("cloud-node-manager-windows"));
  const runs = (node: string): boolean =>
    pods.some(
      (pod) => textAt(pod.spec, "nodeName") === node && containersOf(pod).every(({ ready }) => ready),
    );
  return world.all("Pod", "workload").length === 0
    ? []
    : withoutProvider(world)
        .filter(({ object }) => systemOf(object) === "windows")
        .filter(({ object }) => !runs(object?.metadata.name ?? ""))
        .map((match) => ({
          ...match,
          proof: { ...match.proof, text: `${match.proof.text}; no cloud-node-manager-windows runs on it` },
        }));
};

export const nodeProviderRules: Detectors = {
  "node-manager-windows": windowsManagerMissing,
  "node-provider-id": (world) => withoutProvider(world, (node) => !hasCloudTaint(node)),
  "node-uninitialized": (world) => withoutProvider(world, hasCloudTaint),
  "node-taint": staleTaint,
};
