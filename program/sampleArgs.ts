import type { ManagementCluster } from "../components/managementCluster/managementCluster";
import type { SampleWorkloadArgs } from "../components/sampleWorkload/sampleWorkload";
import type { WorkloadCluster } from "../components/workloadCluster/workloadCluster";
import { samplePool } from "../config/pools";
import type { Settings } from "../config/settings";
import { iisImage } from "capz-windows-platform/machines/windowsReleases";
import { pinnedImage } from "capz-windows-platform/workloads/imageDigests";

/** Nothing for the default without a digest: a component's inputs are its args, and those of other stacks stay as they are. */
function sampleImage({ imageDigests }: Settings, own: string | undefined, windowsServer: string) {
  const image = pinnedImage(own ?? iisImage(windowsServer), imageDigests);
  return image === iisImage(windowsServer) ? own : image;
}

/** The args if the stack has a sample workload, otherwise an empty list. */
export function sampleWorkloads(
  settings: Settings,
  management: ManagementCluster,
  { apiServerHost: host, kubeconfig }: WorkloadCluster,
): SampleWorkloadArgs[] {
  const { sampleWorkload, access } = settings;
  const found = samplePool(settings);
  if (sampleWorkload === undefined || found === undefined || kubeconfig === undefined) {
    return [];
  }
  return [
    {
      kubeconfig,
      // The host name is derived from the subscription, the resource group and the name of the cluster.
      clusterIdentifier: management.clusterIdentifier.apply((id) => `${id}/${host}`),
      windowsServer: found.pool.windowsServer,
      image: sampleImage(settings, sampleWorkload.image, found.pool.windowsServer),
      replicas: sampleWorkload.replicas,
      requests: sampleWorkload.requests,
      limits: sampleWorkload.limits,
      allowedCidrs: access.allowedCidrs,
      ...(sampleWorkload.serviceType === "LoadBalancer" ? {} : { serviceType: sampleWorkload.serviceType }),
      ...(sampleWorkload.internal ? { internal: true } : {}),
      ...(sampleWorkload.disk === undefined ? {} : { disk: sampleWorkload.disk }),
    },
  ];
}
