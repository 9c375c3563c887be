import { communityGallery } from "../platform/machines/communityGallery";
import type { ImageChoice, ImageTarget } from "../platform/machines/images";
import { poolsOf } from "./pools";
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

/** The image settings of the control plane and of every pool. */
export const nodeImages = (settings: Settings): NodeImage[] => [
  {
    path: "controlPlane",
    image: settings.controlPlane.image,
    node: { os: "linux" },
    version: settings.kubernetesVersion,
  },
  ...poolsOf(settings).map(({ os, path, pool }): NodeImage => ({
    path,
    image: pool.image,
    node: os === "linux" ? { os } : { os, windowsServer: pool.windowsServer, runtime: settings.flavor },
    version: pool.kubernetesVersion,
  })),
];

/** Whether an image is in CAPZ's community gallery, either by default or because the stack names that gallery. */
export const usesCommunityGallery = ({ image }: NodeImage): boolean =>
  image === undefined || image.computeGallery?.gallery === communityGallery;

/** Name of an operating system for messages: "Linux", or for instance "Windows Server 2022". */
export const operatingSystemName = (node: {
  readonly os: string;
  readonly windowsServer?: string | undefined;
}): string => (node.os === "linux" ? "Linux" : `Windows Server ${node.windowsServer ?? ""}`);
