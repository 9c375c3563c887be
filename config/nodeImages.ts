import { communityGallery } from "../domain/machines/communityGallery";
import type { ImageChoice, ImageTarget } from "../domain/machines/images";
import type { Settings } from "./settings";

/** A kind of machine with the image that the stack gives it. */
export interface NodeImage {
  readonly path: string;
  readonly image: ImageChoice | undefined;
  readonly node: ImageTarget;
  readonly version: string;
}

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

/** Whether a machine starts from an image of CAPZ's community gallery, named by the stack or by default. */
export const usesCommunityGallery = ({ image }: NodeImage): boolean =>
  image === undefined || image.computeGallery?.gallery === communityGallery;

/** "Linux" or "Windows Server 2022". */
export const operatingSystemName = (node: {
  readonly os: string;
  readonly windowsServer?: string | undefined;
}): string => (node.os === "linux" ? "Linux" : `Windows Server ${node.windowsServer ?? ""}`);
