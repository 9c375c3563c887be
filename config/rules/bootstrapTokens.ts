import {
  installedTokenMinutes,
  isTokenShort,
  tokenLifeArgument,
  tokenMinutes,
} from "capz-windows-platform/machines/bootstrapTokens";
import { estimatedMinutes } from "capz-windows-platform/machines/rollMinutes";
import { present } from "capz-windows-kit/present";
import type { Problem, Warning } from "capz-windows-kit/problem";
import { windowsPoolsOf } from "../pools";
import type { Settings } from "../settings";

/** Bootstrap tokens: whether they live long enough for the first boot of Windows nodes in scale sets. */

export const tokenTrouble =
  "In a rollout, a Windows node whose first boot takes longer than half of the life of its token may never join, and the rollout then waits for ever";

/** Paths of the Windows pools whose nodes may come too late with tokens of this life. */
export const shortTokenPools = (settings: Settings, minutes: number): string[] =>
  isTokenShort(minutes, estimatedMinutes.boot.windows)
    ? windowsPoolsOf(settings)
        .filter(({ pool }) => pool.kind === "MachinePool")
        .map(({ path }) => path)
    : [];

/** For a management cluster on which others have installed Cluster API. */
export function tokenWarnings(settings: Settings): Warning[] {
  const { clusterApi, management } = settings;
  const minutes = installedTokenMinutes(clusterApi);
  return present(
    !clusterApi.install &&
      management.kind !== "stack" &&
      shortTokenPools(settings, minutes).length > 0 && {
        path: "clusterApi.bootstrapTtlMinutes",
        message: `Cluster API on this management cluster is installed by others, and its bootstrap tokens live ${minutes} minutes${clusterApi.bootstrapTtlMinutes === undefined ? " unless it is told otherwise" : ""}. ${tokenTrouble}. Have them live longer: kubectl get deployment capi-kubeadm-bootstrap-controller-manager -n capi-kubeadm-bootstrap-system -o json | sed 's/${tokenLifeArgument}=[0-9a-z]*/${tokenLifeArgument}=${tokenMinutes}m/' | kubectl replace -f -   # then write bootstrapTtlMinutes: ${tokenMinutes}`,
      },
  );
}

/** One bootstrap provider makes the tokens of all clusters. */
export const tokenProblems = ({ clusterApi, management }: Settings): Problem[] =>
  present(
    management.kind === "stack" &&
      clusterApi.bootstrapTtlMinutes !== undefined && {
        path: "clusterApi.bootstrapTtlMinutes",
        value: clusterApi.bootstrapTtlMinutes,
        uses: ["clusterApi.bootstrapTtlMinutes", "management"],
        problem: `the tokens of all clusters have one life, and the stack ${management.stack} installs what makes them`,
        allowed: `in clusterApi of the stack ${management.stack}`,
      },
  );
