import type { LinuxControlPlane } from "../components/controlPlane/linuxControlPlane";
import type { LinuxPool } from "../components/machinePool/linuxPool";
import type { WindowsPool } from "../components/machinePool/windowsPool";
import type { RunningPoolsArgs } from "../components/workloadCluster/runningPools";
import type { UpgradeOrderArgs } from "../components/workloadCluster/upgradeOrder";
import type { Settings } from "../config/settings";
import { present } from "capz-windows-kit/present";

/** Kind and number of machines of a pool whose updates are waited for machine by machine; empty for scale sets. */
const rolled = ({ windowsPools }: Settings, { poolName, kind }: LinuxPool | WindowsPool) => {
  const pool = windowsPools[poolName];
  return kind === "MachineDeployment" && pool !== undefined
    ? { machines: pool.autoscale?.max ?? pool.replicas }
    : {};
};

/** The args if the stack waits for its nodes, otherwise an empty list. */
export const runningPools = (
  settings: Settings,
  pools: readonly (LinuxPool | WindowsPool)[],
): RunningPoolsArgs[] =>
  present(
    settings.wait === "nodes" && {
      namespace: settings.namespace,
      pools: pools.map((pool) => ({
        poolName: pool.poolName,
        poolId: pool.poolId,
        kind: pool.kind,
        contentHash: pool.contentHash,
        ordersUpgrades: pool.ordersUpgrades,
        ...rolled(settings, pool),
      })),
    },
  );

/** The args if the stack waits for its API server, otherwise an empty list. */
export const upgradeOrders = (
  settings: Settings,
  { controlPlaneId }: LinuxControlPlane,
  pools: readonly (LinuxPool | WindowsPool)[],
): UpgradeOrderArgs[] =>
  present(
    settings.wait !== "none" && {
      ...{ clusterName: settings.clusterName, namespace: settings.namespace, controlPlaneId },
      // With `wait: nodes`, the pools are left to the wait for the nodes, because an object can have only one such
      // annotation.
      pools:
        settings.wait === "nodes"
          ? []
          : pools
              .filter(({ ordersUpgrades }) => ordersUpgrades)
              .map((pool) => ({
                poolName: pool.poolName,
                poolId: pool.poolId,
                kind: pool.kind,
                ...rolled(settings, pool),
              })),
    },
  );
