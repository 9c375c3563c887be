import type { Arg } from "../capi/types";
import type { Platform } from "../cluster/platform";
import { featureGates } from "../cluster/platform";

export interface KubeletArgs {
  readonly os: "linux" | "windows";
  readonly platform: Platform;
  /** Of the node, with leading v. */
  readonly kubernetesVersion: string;
  /** Where azure.json lies; the in-tree cloud provider reads it. */
  readonly azureJson: string;
}

/** Cloud provider and feature gates of a kubelet. */
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
