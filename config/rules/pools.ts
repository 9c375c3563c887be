import { present } from "capz-windows-kit/present";
import { leastCertificatesDays } from "capz-windows-platform/machines/defaults";
import { scaleSetName } from "capz-windows-platform/machines/naming";
import { surgeNodes, unavailableNodes } from "capz-windows-platform/machines/rollout";
import { controlPlaneName } from "capz-windows-platform/cluster/naming";
import type { Problem } from "capz-windows-kit/problem";
import { numberAt } from "capz-windows-kit/untyped";
import { isDeployment, type Pool, poolsOf } from "../pools";
import type { Settings } from "../settings";

const pluralNodes = (count: number): string => `${count} node${count === 1 ? "" : "s"}`;

/** Names that two pools would share, as objects of Cluster API or as scale sets in Azure. */
function nameProblems(settings: Settings): Problem[] {
  const all = poolsOf(settings).map(({ os, name, path, pool }) => ({
    ...{ name, path },
    // A MachineDeployment has no scale set.
    scaleSet: isDeployment(pool) ? path : scaleSetName(name, os),
  }));
  const later = [...all].reverse();
  const firstOfName = new Map(later.map(({ name, path }) => [name, path]));
  const firstOfSet = new Map(later.map(({ scaleSet, path }) => [scaleSet, path]));
  return all.flatMap(({ name, path, scaleSet }): Problem[] => {
    const [ofName = path, ofSet = path] = [firstOfName.get(name), firstOfSet.get(scaleSet)];
    const common = { path, value: name };
    const unique = "names that are still unique when shortened; names of up to 9 characters are kept";
    return present<Problem>(
      (name === "control-plane" || name === controlPlaneName(settings.clusterName)) && {
        ...common,
        problem: "this name is reserved for the control plane",
        allowed: "any other name",
      },
      ofName !== path && {
        ...common,
        uses: [path, ofName],
        problem: `${ofName} has the same name, and pool names must be unique`,
        allowed: unique,
      },
      ofName === path &&
        ofSet !== path && {
          ...common,
          uses: [path, ofSet],
          problem: `its scale set would be named ${scaleSet}, like that of ${ofSet}: CAPZ shortens Windows pool names of more than 9 characters to "win-" and their last 5`,
          allowed: unique,
        },
    );
  });
}

const sizeProblems = (path: string, pool: Pool): Problem[] =>
  present(
    pool.autoscale !== undefined &&
      pool.autoscale.min > pool.autoscale.max && {
        path: `${path}.autoscale`,
        value: pool.autoscale,
        problem: `min ${pool.autoscale.min} is greater than max ${pool.autoscale.max}`,
        allowed: "min less than or equal to max",
      },
    isDeployment(pool) &&
      pool.zones.length > 1 && {
        path: `${path}.zones`,
        value: pool.zones,
        uses: [path],
        problem: "a MachineDeployment creates all its machines in one zone; only a MachinePool spreads them",
        allowed: "at most one zone with kind MachineDeployment",
      },
    ...rolloutProblems(path, pool),
  );

/** A rollout that never replaces a node, because neither a further one nor a missing one is allowed. */
function rolloutProblems(path: string, pool: Pool): Problem[] {
  const { maxSurge, maxUnavailable } = pool.rollout;
  const isZero = (count: number | string): boolean => Number.parseInt(String(count)) === 0;
  const common = {
    path: `${path}.rollout`,
    value: { maxSurge, maxUnavailable },
  };
  if (isZero(maxSurge) && isZero(maxUnavailable)) {
    return [
      {
        ...common,
        uses: [`${path}.rollout`],
        problem: "with maxSurge and maxUnavailable both 0, a rollout cannot replace any node",
        allowed: "at least one of the two greater than 0",
      },
    ];
  }
  // An autoscaled pool that starts empty rolls when it has its first node.
  const nodes = pool.autoscale ? Math.max(1, pool.autoscale.min) : pool.replicas;
  // Cluster API rounds it up to one for a MachineDeployment, but CAPZ does not for a scale set.
  return present(
    !isDeployment(pool) &&
      nodes !== 0 &&
      surgeNodes(maxSurge, nodes) + unavailableNodes(maxUnavailable, nodes) <= 0 && {
        ...common,
        uses: [path],
        problem: `CAPZ rounds maxUnavailable down: ${maxUnavailable} of ${pluralNodes(nodes)} is 0, and with maxSurge 0 a rollout cannot replace any node`,
        allowed: "a maxSurge greater than 0, or a maxUnavailable of at least one node",
      },
  );
}

/** Days that an override gives certificates, which kubeadm otherwise makes for 365. */
const certificateDays = (overrides: unknown): number | undefined =>
  numberAt(
    overrides,
    ...["KubeadmControlPlane", "spec", "kubeadmConfigSpec", "clusterConfiguration"],
    "certificateValidityPeriodDays",
  );

function controlPlaneProblems({ controlPlane }: Settings): Problem[] {
  const { replicas, certificatesExpiryDays, overrides } = controlPlane;
  const days = certificateDays(overrides);
  return present(
    replicas % 2 !== 1 && {
      path: "controlPlane.replicas",
      value: replicas,
      problem: "an even number of etcd members tolerates no more failures than one member fewer",
      allowed: "1, 3, 5 or 7",
    },
    // CAPI v1.14.2 controlplane/kubeadm/webhooks/admission/kubeadmcontrolplane.go, validateRolloutAndCertValidityFields.
    days !== undefined &&
      certificatesExpiryDays >= days && {
        path: "controlPlane.certificatesExpiryDays",
        value: certificatesExpiryDays,
        uses: ["controlPlane"],
        problem: `the override of certificateValidityPeriodDays gives certificates ${days} days: Cluster API refuses to renew them ${certificatesExpiryDays} days before they expire`,
        allowed: `0, or at least ${leastCertificatesDays} and fewer than ${days} days`,
      },
  );
}

export const poolRules = (settings: Settings): Problem[] => [
  ...nameProblems(settings),
  ...poolsOf(settings).flatMap(({ path, pool }) => sizeProblems(path, pool)),
  ...controlPlaneProblems(settings),
];
