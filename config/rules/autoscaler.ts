import { present } from "capz-windows-kit/present";
import { minor, patch } from "semver";
import { autoscalerVersion, readsReferences } from "../../addons/clusterAutoscaler";
import type { Problem, Warning } from "capz-windows-kit/problem";
import { poolsOf } from "../pools";
import type { Settings } from "../settings";

/** Releases of the cluster autoscaler that do not find the scale sets of the pools. */
export function autoscalerRules({ addons: { clusterAutoscaler } }: Settings): Problem[] {
  const { enabled, version } = clusterAutoscaler;
  return present(
    enabled &&
      !readsReferences(minor(version), patch(version)) && {
        path: "addons.clusterAutoscaler.version",
        value: version,
        uses: ["addons.clusterAutoscaler", "kubernetesVersion"],
        problem:
          "this release does not find a pool's scale set: since v1beta2, Cluster API's references have an API group and no version",
        allowed: "v1.30.6, v1.31.4, v1.32.3, v1.33.1, and newer patches of each minor",
      },
  );
}

/** What `autoscale` does not do, and an autoscaler with another scheduler than the cluster's. */
export function autoscaleWarnings(settings: Settings): Warning[] {
  const { enabled, version } = settings.addons.clusterAutoscaler;
  const autoscaled = poolsOf(settings).filter(({ pool }) => pool.autoscale !== undefined);
  const [first] = autoscaled;
  const clusterMinor = minor(settings.kubernetesVersion);
  return present<Warning>(
    first !== undefined &&
      !enabled && {
        path: `${first.path}.autoscale`,
        message: `no cluster autoscaler is installed by this stack: \`autoscale\` only writes the range into the annotations that one with \`--cloud-provider=clusterapi\` reads, and without it ${autoscaled.length === 1 ? "the pool keeps" : `all ${autoscaled.length} autoscaled pools keep`} the number of nodes`,
      },
    enabled &&
      version !== autoscalerVersion(clusterMinor) &&
      minor(version) !== clusterMinor && {
        path: "addons.clusterAutoscaler.version",
        message: `it simulates the scheduler of Kubernetes 1.${minor(version)}, and the cluster has that of 1.${clusterMinor}: use ${autoscalerVersion(clusterMinor)}`,
      },
  );
}
