import type { ReadProblem, Side, World } from "../cluster/snapshot";
import { unread } from "./finders";
import type { Detectors, Match } from "./rule";
import { pausedObjects } from "./pausedObjects";
import { expired, workloadAccessRules } from "./workloadAccess";

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

/** Answers that are none: what no other rule of access knows. Without the kind Cluster, the CRDs are missing. */
const notAnswered =
  (side: Side, what: readonly ReadProblem["what"][]) =>
  (world: World): Match[] => {
    const { problems } = world.snapshot[side];
    const hasNoCrds = problems.some((problem) => problem.what === "absent" && problem.asked === "Cluster");
    return problems
      .filter((problem) => what.includes(problem.what) && problem.optional !== true)
      .filter((problem) => problem.what !== "absent" || !hasNoCrds)
      .filter((problem) => problem.what !== "certificate" || !expired.test(problem.message))
      .slice(0, 1)
      .map(({ asked, message }) => ({
        proof: { where: `${side} cluster, reading ${asked}`, text: message },
        vars: { asked: asked === "cluster" ? "its API groups" : asked },
      }));
  };

export const access: Detectors = {
  "management-not-answered": notAnswered("management", ["other", "absent"]),
  "workload-not-answered": notAnswered("workload", ["other", "absent", "certificate", "login"]),
  "no-crds": (world) =>
    unread("management", ["absent"])(world).filter(({ vars }) => vars?.asked === "Cluster"),
  "no-cluster": missingCluster,
  ...pausedObjects,
  ...workloadAccessRules,
};
