/**
 * Image tags by Kubernetes minor. Source: helm/cloud-provider-azure of kubernetes-sigs/cloud-provider-azure at
 * 7b31c76c, which pairs each minor with the release that was tested on it.
 */
const tagsByMinor = new Map([
  [26, "v1.26.22"],
  [27, "v1.27.21"],
  [28, "v1.28.14"],
  [29, "v1.29.15"],
  [30, "v1.30.15"],
  [31, "v1.31.12"],
  [32, "v1.32.17"],
  [33, "v1.33.12"],
  [34, "v1.34.9"],
  [35, "v1.35.4"],
  [36, "v1.36.0"],
]);

/** Whether a release of cloud-provider-azure is known for a Kubernetes minor. */
export const isCloudProviderKnown = (minor: number): boolean => tagsByMinor.has(minor);

export interface CloudProviderImages {
  readonly cloudControllerManager: string;
  readonly cloudNodeManager: string;
}

/**
 * Images of cloud-provider-azure for a Kubernetes version.
 * @throws Error if no tag is known for the minor and imageTag is not set
 */
export function cloudProviderAzureImages(kubernetesVersion: string, imageTag?: string): CloudProviderImages {
  const text = /^v?1\.([0-9]+)\./.exec(kubernetesVersion)?.[1];
  if (text === undefined) {
    throw new Error(`${kubernetesVersion} is not a Kubernetes version; use v1.MINOR.PATCH.`);
  }
  const minor = Number(text);
  const tag = imageTag ?? tagsByMinor.get(minor);
  if (tag === undefined) {
    const minors = [...tagsByMinor.keys()];
    throw new Error(
      `No cloud-provider-azure image is known for Kubernetes 1.${minor} (known: 1.${Math.min(...minors)} to ` +
        `1.${Math.max(...minors)}). Set imageTag (in a stack, addons.cloudProviderAzureTag) to a tag such as ` +
        `v1.${minor}.0.`,
    );
  }
  // According to the same chart, images from 1.32 on are in a newer path of Microsoft's registry.
  const repository = `mcr.microsoft.com/oss/${minor >= 32 ? "v2/" : ""}kubernetes`;
  return {
    cloudControllerManager: `${repository}/azure-cloud-controller-manager:${tag}`,
    cloudNodeManager: `${repository}/azure-cloud-node-manager:${tag}`,
  };
}
