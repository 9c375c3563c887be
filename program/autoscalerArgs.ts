import type { ClusterAutoscalerArgs } from "../components/clusterAutoscaler/clusterAutoscaler";
import type { Settings } from "../config/settings";
import { pinnedImage } from "capz-windows-platform/workloads/imageDigests";
import { autoscalerImage } from "../addons/clusterAutoscaler";

/** The args if the stack has the cluster autoscaler, otherwise an empty list. */
export function autoscalers(settings: Settings): ClusterAutoscalerArgs[] {
  const {
    enabled,
    version,
    image: tagged = autoscalerImage(version),
    ...behavior
  } = settings.addons.clusterAutoscaler;
  const { clusterName, namespace, kubernetesVersion, wait, imageDigests } = settings;
  const image = pinnedImage(tagged, imageDigests);
  return enabled
    ? [{ clusterName, namespace, kubernetesVersion, version, image, behavior, wait: wait !== "none" }]
    : [];
}
