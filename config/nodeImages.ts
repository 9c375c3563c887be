import { communityGallery } from "../domain/machines/communityGallery";
import type { ImageChoice, ImageTarget } from "../domain/machines/images";
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
  ...Object.entries(settings.linuxPools).map(([name, { image, kubernetesVersion }]): NodeImage => ({
    path: `linuxPools.${name}`,
    image,
    node: { os: "linux" },
    version: kubernetesVersion,
  })),
  ...Object.entries(settings.windowsPools).map(
    ([name, { image, kubernetesVersion, windowsServer }]): NodeImage => ({
      path: `windowsPools.${name}`,
      image,
      node: { os: "windows", windowsServer, runtime: settings.flavor },
      version: kubernetesVersion,
    }),
  ),
];

/** Whether an image is in CAPZ's community gallery, either by default or because the stack names that gallery. */
export const usesCommunityGallery = ({ image }: NodeImage): boolean =>
  image === undefined || image.computeGallery?.gallery === communityGallery;

/** Name of an operating system for messages: "Linux", or for instance "Windows Server 2022". */
export const operatingSystemName = (node: {
  readonly os: string;
  readonly windowsServer?: string | undefined;
}): string => (node.os === "linux" ? "Linux" : `Windows Server ${node.windowsServer ?? ""}`);
