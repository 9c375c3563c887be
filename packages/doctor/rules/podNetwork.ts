import { textAt } from "capz-windows-kit/untyped";
import type { World } from "../cluster/snapshot";
import { isNotReady, olderThan, warned } from "./finders";
import { systemOf } from "../cluster/scope";
import type { Detectors, Match } from "./rule";

/** Why the CNI plug-in cannot set up the network of a Pod although Calico runs on its node. */

/** Minutes after a node has joined in which such errors are normal, because Calico and kube-proxy are starting. */
const settledMinutes = 10;

const cniFails = (text: RegExp) =>
  warned({
    kinds: ["Pod"],
    side: "workload",
    where: (pod, world) => isNotReady(pod) && olderThan(pod, settledMinutes, world),
    text,
  });

const isOnWindows = ({ object }: Match, world: World): boolean =>
  systemOf(world.find("Node", textAt(object?.spec, "nodeName"))) === "windows";

export const podNetwork: Detectors = {
  "ipam-blocks-windows": (world) =>
    cniFails(/per host block limit/i)(world).filter((match) => isOnWindows(match, world)),
};
