import { present } from "capz-windows-kit/present";
import { leastStartupSeconds, unhealthyLimit } from "capz-windows-platform/machines/healthChecks";
import type { Problem } from "capz-windows-kit/problem";
import { windowsPoolsOf } from "../pools";
import type { Settings, WindowsPoolSettings } from "../settings";

type HealthCheck = NonNullable<Settings["controlPlane"]["healthCheck"]>;

/** Limits with which machines would be replaced before they are nodes, or never. */
function limitProblems(
  path: string,
  healthCheck: HealthCheck,
  machines: number,
  os: keyof typeof leastStartupSeconds,
): Problem[] {
  const { nodeStartupTimeoutSeconds: startup, unhealthyLessThanOrEqualTo: limit } = healthCheck;
  const least = leastStartupSeconds[os];
  return present(
    startup !== undefined &&
      startup !== 0 &&
      startup < least && {
        path: `${path}.healthCheck.nodeStartupTimeoutSeconds`,
        value: startup,
        uses: [`${path}.healthCheck`],
        problem:
          os === "windows"
            ? "the first boot of a Windows machine can take 25 minutes: each one would be replaced before it becomes a node, again and again"
            : "a machine of the control plane takes up to 10 minutes to become a node, and would be replaced before",
        allowed: `0, which is no limit, or at least ${least}`,
      },
    limit !== undefined &&
      machines !== 0 &&
      unhealthyLimit(limit, machines) <= 0 && {
        path: `${path}.healthCheck.unhealthyLessThanOrEqualTo`,
        value: limit,
        uses: [path],
        problem: `Cluster API rounds down: ${limit} of ${machines} ${machines === 1 ? "machine" : "machines"} is 0, and no machine would ever be replaced`,
        allowed: "a number of machines, or a percentage that is at least one of them",
        write: "unhealthyLessThanOrEqualTo: 1",
      },
  );
}

function controlPlaneProblems({ controlPlane: { healthCheck, replicas } }: Settings): Problem[] {
  if (healthCheck === undefined) {
    return [];
  }
  if (replicas !== 1 || !healthCheck.enabled) {
    return limitProblems("controlPlane", healthCheck, replicas, "linux");
  }
  return [
    {
      path: "controlPlane.healthCheck.enabled",
      value: true,
      uses: ["controlPlane"],
      problem:
        "a control plane of one machine cannot have a health check: without the machine there is no etcd to repair from",
      allowed: "false, or at least 3 replicas",
      write: "enabled: false",
    },
  ];
}

const poolProblems = (
  path: string,
  { healthCheck, kind, autoscale, replicas }: WindowsPoolSettings,
): Problem[] =>
  healthCheck !== undefined && kind === "MachineDeployment"
    ? limitProblems(path, healthCheck, autoscale?.min ?? replicas, "windows")
    : present(
        healthCheck && {
          path: `${path}.healthCheck`,
          value: healthCheck,
          uses: [path],
          problem: "Cluster API v1.14 replaces no machine of a scale set, whatever a health check says",
          allowed: "kind: MachineDeployment; in a scale set, delete the Machine of a node that is lost",
        },
      );

/** Limits of a drain that reach no machine, or contradict each other. */
const deletionProblems = (path: string, { deletion, kind }: WindowsPoolSettings): Problem[] =>
  (
    [
      ["nodeDrainTimeoutSeconds", "drain", "drain", "pods are not evicted at all"],
      ["nodeVolumeDetachTimeoutSeconds", "waitForVolumeDetach", "wait", "nothing waits for volumes"],
    ] as const
  ).flatMap(([key, without, what, why]) => {
    const value = deletion?.[key];
    const isScaleSet = kind !== "MachineDeployment";
    return present(
      value !== undefined &&
        (isScaleSet || deletion?.[without] === false) && {
          path: `${path}.deletion.${key}`,
          value,
          uses: [path],
          problem: isScaleSet
            ? `Cluster API v1.14 passes it to no machine of a scale set: the ${what} would still have no limit`
            : `with ${without}: false, ${why}, and there is nothing to limit`,
          allowed: isScaleSet
            ? `kind: MachineDeployment, or ${without}: false`
            : `${key}, or ${without}: false`,
        },
    );
  });

/** Health checks and deletions that Cluster API cannot do as they are set. */
export const healthRules = (settings: Settings): Problem[] => [
  ...controlPlaneProblems(settings),
  ...windowsPoolsOf(settings).flatMap(({ path, pool }) => poolProblems(path, pool)),
  ...windowsPoolsOf(settings).flatMap(({ path, pool }) => deletionProblems(path, pool)),
];
