import { bash } from "capz-windows-kit/shell";
import type { ImageForms } from "capz-types";
import { communityGallery, galleryUbuntu, galleryWindows } from "./communityGallery";
import type { ContainerRuntime, MarketplaceImage, MarketplaceNode } from "./marketplace";
import {
  listMarketplaceCommand,
  marketplaceOffer,
  marketplacePublisher,
  marketplaceSku,
  marketplaceUbuntu,
  marketplaceVersion,
  parseUrn,
  urnOf,
} from "./marketplace";

/** A Marketplace image: either the whole URN, or any of its four parts. */
export interface MarketplaceChoice {
  /** publisher:offer:sku:version. */
  readonly urn?: string | undefined;
  /** Default: cncf-upstream. */
  readonly publisher?: string | undefined;
  /** Default: capi-windows, and capi for Linux. */
  readonly offer?: string | undefined;
  /** Default: computed from the Kubernetes version, the Windows release and the runtime. */
  readonly sku?: string | undefined;
  /** Default: the published one where it is known. */
  readonly version?: string | undefined;
}

/** An image of an Azure Compute Gallery; without subscriptionId and resourceGroup of a community gallery. */
export interface GalleryChoice {
  /** Name of the gallery; of a community gallery its public name. */
  readonly gallery: string;
  /** Name of the image definition. */
  readonly name: string;
  /** Version of the image. */
  readonly version: string;
  /** Subscription of a gallery of your own. */
  readonly subscriptionId?: string | undefined;
  /** Resource group of a gallery of your own. */
  readonly resourceGroup?: string | undefined;
}

/** A VM image: exactly one of the three. */
export interface ImageChoice {
  /** Azure Marketplace image. */
  readonly marketplace?: MarketplaceChoice | undefined;
  /** Image of an Azure Compute Gallery. */
  readonly computeGallery?: GalleryChoice | undefined;
  /** ARM id of a managed image or of a gallery version. */
  readonly id?: string | undefined;
}

/** The kind of node that an image is for. */
export type ImageTarget =
  | { readonly os: "linux" }
  | { readonly os: "windows"; readonly windowsServer: string; readonly runtime: ContainerRuntime };

type GalleryImage = ImageForms["computeGallery"];

/**
 * The `image` field of AzureMachinePool and AzureMachineTemplate: exactly one form. `computeGallery` without
 * subscriptionID and resourceGroup is a community gallery.
 */
export type CapzImage =
  | (Pick<ImageForms, "marketplace"> & { readonly computeGallery?: never; readonly id?: never })
  | (Pick<ImageForms, "computeGallery"> & { readonly marketplace?: never; readonly id?: never })
  | (Pick<ImageForms, "id"> & { readonly marketplace?: never; readonly computeGallery?: never });

const marketplaceNode = (node: ImageTarget, kubernetesVersion: string): MarketplaceNode =>
  node.os === "linux" ? { os: "linux", ubuntu: marketplaceUbuntu(kubernetesVersion) } : node;

/**
 * Completes a Marketplace image with the parts of the reference image for the Kubernetes version, the operating system
 * and the runtime. The version stays missing if it cannot be determined (see marketplaceVersion).
 */
export function completeMarketplace(
  { urn, ...given }: MarketplaceChoice,
  node: ImageTarget,
  kubernetesVersion: string,
): Partial<MarketplaceImage> & Omit<MarketplaceImage, "version"> {
  const sku = given.sku ?? marketplaceSku(marketplaceNode(node, kubernetesVersion), kubernetesVersion);
  const version = given.version ?? marketplaceVersion(sku, kubernetesVersion);
  const parts = {
    publisher: given.publisher ?? marketplacePublisher,
    offer: given.offer ?? marketplaceOffer(node.os),
    sku,
    ...(version === undefined ? {} : ({ version } satisfies Partial<MarketplaceImage>)),
  };
  return urn === undefined ? parts : (parseUrn(urn) ?? parts);
}

/**
 * The image of a machine. If the user names none, CAPZ's default for the version is set explicitly, so that a CAPZ
 * upgrade with another default does not replace the nodes. Gallery image versions are Kubernetes versions without the v.
 */
export function capzImage(
  configured: ImageChoice | undefined,
  node: ImageTarget,
  kubernetesVersion: string,
): CapzImage {
  if (configured?.marketplace) {
    // The config rules reject an image whose version cannot be determined.
    const { version = "latest", ...image } = completeMarketplace(
      configured.marketplace,
      node,
      kubernetesVersion,
    );
    return { marketplace: { ...image, version } };
  }
  if (configured?.computeGallery) {
    const { gallery, name, version, subscriptionId, resourceGroup } = configured.computeGallery;
    return {
      computeGallery: {
        gallery,
        name,
        version,
        ...(subscriptionId === undefined
          ? {}
          : ({ subscriptionID: subscriptionId } satisfies Partial<GalleryImage>)),
        ...(resourceGroup === undefined ? {} : ({ resourceGroup } satisfies Partial<GalleryImage>)),
      },
    };
  }
  if (configured?.id !== undefined) {
    return { id: configured.id };
  }
  const name = node.os === "linux" ? galleryUbuntu : galleryWindows(node.windowsServer);
  return {
    computeGallery: { gallery: communityGallery, name, version: kubernetesVersion.replace(/^v/, "") },
  };
}

/** Whether an image says that it is of a Kubernetes version: images in galleries have its number by convention. */
export const isImageOf = ({ computeGallery }: CapzImage, kubernetesVersion: string): boolean =>
  computeGallery?.version === kubernetesVersion.replace(/^v/, "");

/** An image in one line, for outputs and reports. */
export function imageText(image: CapzImage): string {
  if (image.computeGallery) {
    const { gallery, name, version } = image.computeGallery;
    return `${gallery}/${name}/${version}`;
  }
  return image.marketplace ? urnOf(image.marketplace) : image.id;
}

/** The reference that CAPZ gives to Azure: two images with the same one are one image (CAPZ v1.27.0 azure/converters). */
export function azureImageReference(image: CapzImage): string {
  if (!image.computeGallery) {
    return imageText(image);
  }
  const { gallery, name, version, subscriptionID, resourceGroup } = image.computeGallery;
  return subscriptionID === undefined || resourceGroup === undefined
    ? `/CommunityGalleries/${gallery}/Images/${name}/Versions/${version}`
    : `/subscriptions/${subscriptionID}/resourceGroups/${resourceGroup}/providers/Microsoft.Compute/galleries/${gallery}/images/${name}/versions/${version}`;
}

/** Azure CLI command that lists the versions of an image definition of a community gallery in a region. */
const listCommunityCommand = (gallery: string, definition: string, location: string): string =>
  bash`az sig image-version list-community --public-gallery-name ${gallery} --gallery-image-definition ${definition} --location ${location} -o table`;

/** Azure CLI command that lists the existing versions of an image, or shows whether the image exists. */
export function listImagesCommand(image: CapzImage, location: string): string {
  if (image.marketplace) {
    const { publisher, offer, sku } = image.marketplace;
    return listMarketplaceCommand(offer, sku, publisher);
  }
  if (image.computeGallery) {
    const { gallery, name, subscriptionID, resourceGroup } = image.computeGallery;
    return subscriptionID === undefined || resourceGroup === undefined
      ? listCommunityCommand(gallery, name, location)
      : bash`az sig image-version list --subscription ${subscriptionID} --resource-group ${resourceGroup} --gallery-name ${gallery} --gallery-image-definition ${name} -o table`;
  }
  return bash`az resource show --ids ${image.id} -o table`;
}
