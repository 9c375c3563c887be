import type { CapzImage } from "capz-windows-platform/machines/images";

/** The path of the list of an image's versions in Azure's API; `undefined` for images without versions. */
export function versionsPath(image: CapzImage, subscription: string, location: string): string | undefined {
  const compute = `/subscriptions/${subscription}/providers/Microsoft.Compute/locations/${location}`;
  if (image.computeGallery) {
    const { gallery, name, subscriptionID, resourceGroup } = image.computeGallery;
    return subscriptionID === undefined || resourceGroup === undefined
      ? `${compute}/communityGalleries/${gallery}/images/${name}/versions`
      : `/subscriptions/${subscriptionID}/resourceGroups/${resourceGroup}/providers/Microsoft.Compute/galleries/${gallery}/images/${name}/versions`;
  }
  if (image.marketplace) {
    const { publisher, offer, sku } = image.marketplace;
    return `${compute}/publishers/${publisher}/artifacttypes/vmimage/offers/${offer}/skus/${sku}/versions`;
  }
  return /^(.+\/galleries\/[^/]+\/images\/[^/]+\/versions)\/[^/]+$/i.exec(image.id)?.[1];
}

/**
 * https://learn.microsoft.com/rest/api/compute/community-gallery-image-versions, gallery-image-versions and
 * virtual-machine-images
 */
export const imageApi = { gallery: "2023-07-03", marketplace: "2024-07-01" };
