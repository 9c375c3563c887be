import { at, list, numberAt, textAt } from "capz-windows-kit/untyped";
import { type KubeObject, minutesBetween, stays } from "../cluster/objects";
import type { World } from "../cluster/snapshot";
import { anyOf, hasCondition, isInitialized, says, unread } from "./finders";
import type { Detectors, Find, Match } from "./rule";
import { present } from "capz-windows-kit/present";

/** The API server of the workload cluster, from the management cluster and from here. */

/** A control plane machine gets new certificates only when it is replaced, so their expiry is reported in advance. */
const soonDays = 30;

const dayMinutes = 24 * 60;

/** The earliest expiry of all machines, so that they become one finding. */
const firstEnd = (world: World): string =>
  world
    .all("Machine")
    .filter(stays)
    .map(({ status }) => textAt(status, "certificatesExpiryDate"))
    .filter((date) => minutesBetween(world.now, date) > 0)
    .sort()[0] ?? "";

/**
 * Control plane machines whose certificates end within a number of days, or have ended. Cluster API replaces them by
 * itself when the KubeadmControlPlane says how long before.
 */
const certificatesEnd =
  (ended: boolean) =>
  (world: World): Match[] => {
    const first = firstEnd(world);
    const isReplaced = world
      .all("KubeadmControlPlane")
      .some(
        ({ spec }) =>
          numberAt(spec, "rollout", "before", "certificatesExpiryDays") !== undefined ||
          numberAt(spec, "rolloutBefore", "certificatesExpiryDays") !== undefined,
      );
    return world
      .all("Machine")
      .filter(stays)
      .filter(({ metadata }) => metadata.labels?.["cluster.x-k8s.io/control-plane"] !== undefined)
      .flatMap((object) => {
        const date = textAt(object.status, "certificatesExpiryDate");
        const days = minutesBetween(world.now, date) / dayMinutes;
        const matches = ended ? days <= 0 : days > 0 && days <= soonDays && !isReplaced;
        return present(
          date !== "" &&
            matches && {
              object,
              proof: {
                where: `Machine ${object.metadata.name}, status.certificatesExpiryDate`,
                text: date,
              },
              vars: {
                date: first.slice(0, 10),
                days: String(Math.floor(minutesBetween(world.now, first) / dayMinutes)),
              },
            },
        );
      });
  };

const whenInitialized =
  (find: Find): Find =>
  (world) =>
    isInitialized(world) ? find(world) : [];

const of =
  (kinds: readonly ("public" | "peered" | "linked")[], find: Find): Find =>
  (world) => {
    const [azure] = world.all("AzureCluster");
    return kinds.includes(reachOf(azure)) ? find(world) : [];
  };

/** How the management cluster reaches the API server. */
function reachOf(azureCluster: KubeObject | undefined): "public" | "peered" | "linked" {
  const balancer = at(azureCluster?.spec, "networkSpec", "apiServerLB");
  if (textAt(balancer, "type") !== "Internal") {
    return "public";
  }
  return list(at(balancer, "privateLinks")).length === 0 ? "peered" : "linked";
}

/**
 * A machine of the control plane has run kubeadm, also where Cluster API has never reached it: CAPZ's extension reads that
 * on the machine (CAPZ v1.27.0 azure/services/vmextensions).
 */
const bootstrapped = hasCondition({
  kinds: ["AzureMachine"],
  type: "BootstrapSucceeded",
  status: ["True"],
  minutes: 5,
  where: ({ metadata }) => metadata.labels?.["cluster.x-k8s.io/control-plane"] !== undefined,
});

const whenBootstrapped =
  (find: Find): Find =>
  (world) =>
    isInitialized(world) || bootstrapped(world).length > 0 ? find(world) : [];

const probeFails = hasCondition({
  kinds: ["Cluster"],
  type: "RemoteConnectionProbe",
  message: /probe failed/,
  minutes: 1,
});

const notHere = unread("workload", ["unreachable", "timeout"]);

/** The certificate of a webhook is cert-manager's, not kubeadm's. */
export const expired =
  /^(?![^]*(?:failed calling|conversion) webhook)[^]*(?:certificate has expired|CERT_HAS_EXPIRED)/i;

export const workloadAccessRules: Detectors = {
  "control-plane-certificates": whenInitialized(
    anyOf(
      unread("workload", ["certificate"], expired),
      says({ kinds: ["KubeadmControlPlane", "Cluster"], text: expired }),
      certificatesEnd(true),
    ),
  ),
  "control-plane-certificates-end": certificatesEnd(false),
  "workload-unreachable-from-management": of(["public"], whenInitialized(probeFails)),
  "workload-unreachable-from-here": of(["public"], whenInitialized(notHere)),
  "private-unreachable-from-management": of(["peered"], whenBootstrapped(probeFails)),
  "linked-unreachable-from-management": of(["linked"], whenBootstrapped(probeFails)),
  "private-unreachable-from-here": of(["peered", "linked"], whenInitialized(notHere)),
  "workload-kubeconfig-refused": unread("workload", ["refused"]),
  "workload-unauthorized": whenInitialized(unread("workload", ["unauthorized", "forbidden"])),
};
