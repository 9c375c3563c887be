import type { ForeignKey } from "./foreignKey";
import { absent, moved } from "./foreignKey";

/** Keys of VM images. */
export const imageKeys: readonly ForeignKey[] = [
  moved("imageReference imageRef vmImage customImage nodeImage", "the VM image", [
    "pool.image",
    "controlPlane.image",
  ]),
  moved("imageId managedImageId", "the ARM ID of an image", ["pool.image.id", "controlPlane.image.id"], {
    within: ["pool", "controlPlane"],
  }),
  moved(
    "sharedGallery sharedImageGallery sig gallery",
    "an image in a gallery",
    ["pool.image.computeGallery"],
    {
      within: ["image"],
    },
  ),
  absent(
    "plan thirdPartyImage",
    "images of third parties, which need a purchase plan, are not supported",
    "an image without a plan in computeGallery (docs/images.md)",
    { within: ["image"] },
  ),
];
