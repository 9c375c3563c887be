import type { ImageConfig } from "../../config/schema/nodes";

/** Community gallery of the CAPZ project (CAPZ v1.26.0 azure/defaults.go). */
export const communityGallery = "ClusterAPI-f72ceb4f-5159-4c26-a0fe-2ea738f0d019";

export type NodeImage = { readonly os: "linux" } | { readonly os: "windows"; readonly windowsServer: string };

/**
 * The `image` field of AzureMachinePool and AzureMachineTemplate. Without one of the user's it is CAPZ's default for
 * the version, written out: then a later CAPZ with another default does not roll the nodes.
 * Versions of gallery images are Kubernetes versions without the v.
 */
export function capzImage(configured: ImageConfig | undefined, node: NodeImage, kubernetesVersion: string) {
  const gallery = configured?.computeGallery;
  if (configured?.marketplace) {
    return { marketplace: configured.marketplace };
  }
  if (gallery) {
    const { subscriptionId, ...rest } = gallery;
    return {
      computeGallery: {
        ...rest,
        ...(subscriptionId === undefined ? {} : { subscriptionID: subscriptionId }),
      },
    };
  }
  if (configured?.id !== undefined) {
    return { id: configured.id };
  }
  const name = node.os === "linux" ? "capi-ubun2-2404" : `capi-win-${node.windowsServer}-containerd`;
  return {
    computeGallery: { gallery: communityGallery, name, version: kubernetesVersion.replace(/^v/, "") },
  };
}

/** One line that tells an image, for outputs and reports. */
export function imageText(image: ReturnType<typeof capzImage>): string {
  if (image.computeGallery) {
    const { gallery, name, version } = image.computeGallery;
    return `${gallery}/${name}/${version}`;
  }
  if (image.marketplace) {
    const { publisher, offer, sku, version } = image.marketplace;
    return `${publisher}:${offer}:${sku}:${version}`;
  }
  return image.id;
}
