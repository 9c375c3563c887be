import type { Arg, NodeRegistration } from "capz-types";
import { type Platform, featureGates } from "capz-windows-platform/cluster/platform";
import { kubeletLabels, type Labels, type Taint } from "capz-windows-platform/machines/nodeLabels";

export interface KubeletFlagArgs {
  readonly os: "linux" | "windows";
  readonly platform: Platform;
  /** Version of the node, with a leading v. */
  readonly kubernetesVersion: string;
  /** Path of azure.json, which the in-tree cloud provider reads. */
  readonly azureJson: string;
  readonly labels?: Labels | undefined;
}

/** Taints that kubeadm hands to kubelet; the bootstrap provider adds its own. */
export const taintField = (taints: readonly Taint[] = []): Pick<NodeRegistration, "taints"> =>
  taints.length === 0
    ? {}
    : {
        taints: taints.map(({ key, value = "", effect }) => ({
          key,
          ...(value === "" ? {} : ({ value } satisfies Partial<Taint>)),
          effect,
        })),
      };

/** Kubelet arguments for the cloud provider, the feature gates and labels. */
export function kubeletArguments({
  os,
  platform,
  kubernetesVersion,
  azureJson,
  labels,
}: KubeletFlagArgs): Arg[] {
  const nodeLabels = kubeletLabels(labels);
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
    ...(nodeLabels === "" ? [] : [{ name: "node-labels", value: nodeLabels }]),
  ];
}
