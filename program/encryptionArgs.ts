import type { EncryptionArgs } from "../components/controlPlane/encryptionKeys";
import type { Settings } from "../config/settings";
import { pluginImage } from "capz-windows-platform/encryption/keyVault";
import { pinnedImage } from "capz-windows-platform/workloads/imageDigests";

/** With the image of the plugin only where a digest pins it: a component's inputs are its args, and those of other stacks stay as they are. */
export function encryptionArgs({
  controlPlane: { encryption },
  imageDigests,
}: Settings): EncryptionArgs | undefined {
  const image = pinnedImage(pluginImage, imageDigests);
  return encryption?.keyVaultKeys === undefined || image === pluginImage
    ? encryption
    : { ...encryption, pluginImage: image };
}
