import { satisfies } from "semver";
import { communityGallery } from "capz-windows-platform/machines/communityGallery";
import type { ImageChoice, ImageTarget } from "capz-windows-platform/machines/images";
import { marketplacePublisher } from "capz-windows-platform/machines/marketplace";
import { type PlacedPool, poolsOf } from "./pools";
import type { Settings } from "./settings";

/** The image setting of the control plane or of a pool. */
export interface NodeImage {
  /** Path of the control plane or the pool in the stack config. */
  readonly path: string;
  /** Missing if the stack uses the default. */
  readonly image: ImageChoice | undefined;
  readonly node: ImageTarget;
  /** Kubernetes version of the nodes, with a leading v. */
  readonly version: string;
}

/** The image setting of the control plane. */
export const controlPlaneImage = ({ controlPlane, kubernetesVersion }: Settings): NodeImage => ({
  path: "controlPlane",
  image: controlPlane.image,
  node: { os: "linux" },
  version: kubernetesVersion,
});

/** That of a pool. */
export const poolImage = ({ os, path, pool }: PlacedPool, { flavor }: Settings): NodeImage => ({
  path,
  image: pool.image,
  node: os === "linux" ? { os } : { os, windowsServer: pool.windowsServer, runtime: flavor },
  version: pool.kubernetesVersion,
});

/** The image settings of the control plane and of every pool. */
export const nodeImages = (settings: Settings): NodeImage[] => [
  controlPlaneImage(settings),
  ...poolsOf(settings).map((placed) => poolImage(placed, settings)),
];

/** Whether an image is in CAPZ's community gallery, either by default or because the stack names that gallery. */
export const usesCommunityGallery = ({ image }: NodeImage): boolean =>
  image === undefined || image.computeGallery?.gallery === communityGallery;

/** Whether an image is one of the Cluster API projects; of any other one the contents are not known. */
export function isReference(nodeImage: NodeImage): boolean {
  const { marketplace } = nodeImage.image ?? {};
  const publisher = marketplace?.urn?.split(":")[0] ?? marketplace?.publisher ?? marketplacePublisher;
  return usesCommunityGallery(nodeImage) || (marketplace !== undefined && publisher === marketplacePublisher);
}

/** Name of an operating system for messages: "Linux", or for instance "Windows Server 2022". */
export const operatingSystemName = (node: {
  readonly os: string;
  readonly windowsServer?: string | undefined;
}): string => (node.os === "linux" ? "Linux" : `Windows Server ${node.windowsServer ?? ""}`);

/** Versions whose only images are the withdrawn Marketplace images (CAPZ v1.27.0 virtualmachineimages). */
export const onlyInMarketplace = (version: string): boolean =>
  satisfies(version, "<=1.28.12 || 1.29.1 - 1.29.7 || 1.30.0 - 1.30.3");
