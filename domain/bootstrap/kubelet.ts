import type { Arg } from "../capi/types";
import type { Platform } from "../cluster/platform";
import { featureGates } from "../cluster/platform";

export interface KubeletArgs {
  readonly os: "linux" | "windows";
  readonly platform: Platform;
  /** Version of the node, with a leading v. */
  readonly kubernetesVersion: string;
  /** Path of azure.json, which the in-tree cloud provider reads. */
  readonly azureJson: string;
}

/** Kubelet arguments for the cloud provider and the feature gates. */
export function kubeletArguments({ os, platform, kubernetesVersion, azureJson }: KubeletArgs): Arg[] {
  const gates = featureGates(`kubelet-${os}`, platform, kubernetesVersion);
  return [
    ...(platform.cloudProvider === "external"
      ? [{ name: "cloud-provider", value: "external" }]
      : [
          { name: "azure-container-registry-config", value: azureJson },
          { name: "cloud-config", value: azureJson },
          { name: "cloud-provider", value: "azure" },
        ]),
    ...(gates === "" ? [] : [{ name: "feature-gates", value: gates }]),
  ];
}
