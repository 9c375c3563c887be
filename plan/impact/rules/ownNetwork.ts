import { lifecycle, type ImpactRule } from "../impactRule";
import type { Difference } from "../differences";
import { textAt } from "capz-windows-kit/untyped";
import { reconcile } from "./addons";

/** Whether the program or the users install the network of the pods. */

const set = "ClusterResourceSet";

/** The set of a CNI that is created or deleted. It is the set whose name is the value of the Cluster's label `cni`. */
const ofCni =
  (kind: "create" | "delete") =>
  (difference: Difference): boolean => {
    const inputs = (difference.head ?? difference.base)?.inputs;
    const name = textAt(inputs, "metadata", "name");
    const selected = textAt(inputs, "spec", "clusterSelector", "matchLabels", "cni");
    return lifecycle(kind, set)(difference) && name !== "" && name === selected;
  };

const titleOf = ({ head, base }: Difference): string =>
  textAt((head ?? base)?.inputs, "metadata", "name").endsWith("-flannel") ? "Flannel" : "Calico";

export const ownNetworkRules: readonly ImpactRule[] = [
  {
    id: "cni-left",
    source: `${reconcile}: it applies, and deletes nothing in the workload cluster`,
    match: ofCni("delete"),
    claims: () => true,
    what: ([difference]) =>
      `${titleOf(difference)} is no longer delivered; it stays in the workload cluster, also for new nodes, and nothing updates it any more`,
    why: "a ClusterResourceSet does not delete what it applied",
    instead:
      "try the move on a cluster that you can lose: two CNIs on a node take each other's pods, so the old one goes before yours comes, and every pod restarts (docs/own-cni.md)",
  },
  {
    id: "cni-installed",
    severity: "destroys",
    source: `${reconcile}; containerd v2.1 docs/cri/config.md (it takes the first configuration of conf_dir)`,
    match: ofCni("create"),
    claims: () => true,
    what: ([difference], { base }) =>
      base !== undefined &&
      `${titleOf(difference)} is installed in a cluster that has another CNI, or none: the network of every pod may fail`,
    why: "two CNIs on a node take each other's pods, and pods of both do not reach each other",
    instead: "take the other CNI off first, or keep addons.cni: none",
  },
];
