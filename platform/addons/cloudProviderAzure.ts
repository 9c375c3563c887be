import { kubernetesRows } from "../compatibility";

/** Image tags by Kubernetes minor. */
const tagsByMinor = new Map(
  Object.entries(kubernetesRows).flatMap(([minor, { cloudProviderAzure: tag }]) =>
    tag === undefined ? [] : [[Number(minor), tag] as const],
  ),
);

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
