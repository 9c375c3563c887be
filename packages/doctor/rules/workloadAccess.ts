import { numberAt, textAt } from "capz-windows-kit/untyped";
import { minutesBetween, stays } from "../cluster/objects";
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

/** Whether the API server has a private address. */
const isPrivate = (world: World): boolean =>
  textAt(world.all("AzureCluster")[0]?.spec, "networkSpec", "apiServerLB", "type") === "Internal";

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

const probeFails = hasCondition({
  kinds: ["Cluster"],
  type: "RemoteConnectionProbe",
  message: /probe failed/,
  minutes: 1,
});

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
  "workload-unreachable-from-management": whenInitialized((world) =>
    isPrivate(world) ? [] : probeFails(world),
  ),
  "private-unreachable-from-management": (world) =>
    isPrivate(world) && (isInitialized(world) || bootstrapped(world).length > 0) ? probeFails(world) : [],
  "workload-unreachable-from-here": whenInitialized(unread("workload", ["unreachable", "timeout"])),
  "workload-kubeconfig-refused": unread("workload", ["refused"]),
  "workload-unauthorized": whenInitialized(unread("workload", ["unauthorized", "forbidden"])),
};
