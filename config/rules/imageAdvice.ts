import { satisfies } from "semver";
import { galleryRegions, galleryWindowsServers } from "../../platform/machines/communityGallery";
import { completeMarketplace, marketplaceNode } from "../../platform/machines/images";
import { listMarketplaceCommand, marketplaceOffer, marketplaceSku } from "../../older/platform/marketplace";
import { placeholder, writeLine } from "../../tools/writeLine";
import type { NodeImage } from "../nodeImages";

/** What to write for an image that does not fit. */

/** Versions whose only images are the withdrawn Marketplace images (CAPZ v1.27.0 virtualmachineimages). */
export const onlyInMarketplace = (version: string): boolean =>
  satisfies(version, "<=1.28.12 || 1.29.1 - 1.29.7 || 1.30.0 - 1.30.3");

/** Whether CAPZ's community gallery has ever had images for these nodes. */
export const hasDefaultImage = ({ node, version }: Pick<NodeImage, "node" | "version">): boolean =>
  !onlyInMarketplace(version) &&
  (node.os === "linux" || (galleryWindowsServers as readonly string[]).includes(node.windowsServer));

/** An image in a gallery of the user's, at the pool or the control plane with this path. */
const ownImage = (path: string, note = "docs/images.md"): string =>
  writeLine(
    "image",
    {
      computeGallery: {
        gallery: placeholder("your gallery"),
        name: placeholder("image definition"),
        version: placeholder("image version"),
      },
    },
    `in ${path}: ${note}`,
  );

const isGalleryRegion = (location: string): boolean =>
  (galleryRegions as readonly string[]).includes(location);

/** CAPZ's default image where it exists, otherwise an image of the user's. */
export const defaultOrOwnImage = (nodeImage: NodeImage, location: string): string =>
  hasDefaultImage(nodeImage) && isGalleryRegion(location)
    ? `remove image # in ${nodeImage.path}`
    : ownImage(nodeImage.path);

/** Advice that needs an image where the pool has none and CAPZ has no default for what the advice makes of it. */
export const withImage = (write: string, nodeImage: NodeImage): string =>
  nodeImage.image !== undefined || hasDefaultImage(nodeImage)
    ? write
    : `${write}; ${ownImage(nodeImage.path)}`;

/** The reference image in the Marketplace where its names can be computed, otherwise an image of the user's. */
export function marketplaceOrOwnImage({ path, node, version }: NodeImage): string {
  const { version: imageVersion } = completeMarketplace({}, node, version);
  const list = listMarketplaceCommand(
    marketplaceOffer(node.os),
    marketplaceSku(marketplaceNode(node, version), version),
  );
  return imageVersion === undefined
    ? ownImage(path)
    : `image: {marketplace: {}} # in ${path}, while it exists: ${list}; later your own (docs/images.md)`;
}
