import type { World } from "../../cluster/snapshot";
import { unread } from "./finders";
import type { Detectors, Match } from "./rule";
import { pausedObjects } from "./pausedObjects";
import { workloadAccessRules } from "./workloadAccess";

/** Access to both clusters: without it, nothing else can be diagnosed. */

/** Cluster API is installed, but the named Cluster does not exist. */
const missingCluster = (world: World): Match[] => {
  const { cluster, management } = world.snapshot;
  const cannotSay = management.problems.some(({ asked }) => asked === "Cluster" || asked === "cluster");
  if (world.cluster !== undefined || cannotSay) {
    return [];
  }
  const others = management.objects
    .filter(({ kind }) => kind === "Cluster")
    .map(({ metadata }) => `${metadata.namespace ?? ""}/${metadata.name}`);
  return [
    {
      proof: {
        where: `management cluster, Cluster ${cluster.namespace}/${cluster.name}`,
        text: others.length === 0 ? "no Cluster there" : `not there; there are ${others.join(", ")}`,
      },
    },
  ];
};

export const access: Detectors = {
  "no-crds": (world) =>
    unread("management", ["absent"])(world).filter(({ vars }) => vars?.asked === "Cluster"),
  "no-cluster": missingCluster,
  ...pausedObjects,
  ...workloadAccessRules,
};
