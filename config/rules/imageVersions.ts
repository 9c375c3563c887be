import { present } from "capz-windows-kit/present";
import { completeMarketplace } from "capz-windows-platform/machines/images";
import { marketplacePublisher, parseMarketplaceSku } from "capz-windows-platform/machines/marketplace";
import type { Problem, Warning } from "capz-windows-kit/problem";
import { type NodeImage, usesCommunityGallery } from "../nodeImages";

/** Image versions that can change their content, and names of images that suggest another release. */

const isLatest = (version: string | undefined): boolean => version?.toLowerCase() === "latest";

/** The path of a version that means the newest one; `undefined` if the version is fixed. */
function movingVersion(nodeImage: NodeImage): string | undefined {
  const { path, image, node, version } = nodeImage;
  const { computeGallery, marketplace } = image ?? {};
  // The version in the community gallery is the Kubernetes version, for which there is another rule.
  if (isLatest(computeGallery?.version) && !usesCommunityGallery(nodeImage)) {
    return `${path}.image.computeGallery.version`;
  }
  if (marketplace === undefined) {
    return undefined;
  }
  const whole = completeMarketplace(marketplace, node, version);
  const inSku = parseMarketplaceSku(whole.sku)?.kubernetesVersion;
  const isFixed = whole.publisher === marketplacePublisher && inSku !== undefined;
  if (!isLatest(whole.version) || isFixed) {
    return undefined;
  }
  return `${path}.image.marketplace.${marketplace.urn === undefined ? "version" : "urn"}`;
}

/** Images whose content is not fixed. */
export function imageVersionProblems(nodeImage: NodeImage): Problem[] {
  const moving = movingVersion(nodeImage);
  const { path } = nodeImage;
  return present(
    moving !== undefined && {
      path: moving,
      value: "latest",
      uses: [`${path}.image`, path, "kubernetesVersion"],
      problem:
        "each new node gets the image that is newest at that time: the nodes of a pool differ, a plan cannot show it, and no rollout follows",
      allowed: "a version of the image",
    },
  );
}

/** The release of Windows in the name of a managed image or a gallery image. */
const releaseInId = (id: string): string | undefined =>
  /win(?:dows)?(?:-?server)?[-_.]?(2016|2019|2022|2025)(?!\d)/i.exec(
    id.replace(/^.*\/(images|galleries)\//i, ""),
  )?.[1];

/** Names that suggest another release than the pool's. Users choose these names, so this is only a warning. */
export function imageNameWarnings({ path, image, node }: NodeImage): Warning[] {
  const release = image?.id === undefined ? undefined : releaseInId(image.id);
  return present(
    node.os === "windows" &&
      release !== undefined &&
      release !== node.windowsServer && {
        path: `${path}.image.id`,
        message: `the name mentions Windows Server ${release}, but windowsServer of the pool is ${node.windowsServer}: labels, RuntimeClasses and the check of images rely on windowsServer`,
      },
  );
}
