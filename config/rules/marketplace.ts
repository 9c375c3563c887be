import { compare } from "semver";
import { completeMarketplace } from "../../domain/machines/images";
import {
  kubernetesVersionOfImage,
  listMarketplaceCommand,
  marketplaceOffer,
  marketplacePublisher,
  newestInMarketplace,
  parseMarketplaceSku,
  parseUrn,
} from "../../domain/machines/marketplace";
import type { NodeImage } from "../nodeImages";
import { operatingSystemName } from "../nodeImages";
import type { Problem } from "../../domain/problem";

/** A Marketplace image whose name is incomplete, that does not exist, or that does not match the nodes. */
export function marketplaceProblems({ path, image, node, version }: NodeImage): Problem[] {
  const given = image?.marketplace;
  if (!given) {
    return [];
  }
  const at = `${path}.image.marketplace`;
  const base = { path: at, value: given, uses: [path, "kubernetesVersion", "flavor"] };
  const { urn, ...parts } = given;
  if (urn !== undefined && Object.keys(parts).length > 0) {
    return [
      {
        ...base,
        problem: `urn contains all four parts and cannot be combined with ${Object.keys(parts).join(", ")}`,
        allowed: "urn, or any of publisher, offer, sku and version",
        write: "urn: publisher:offer:sku:version, without other keys",
      },
    ];
  }
  if (urn !== undefined && parseUrn(urn) === undefined) {
    return [
      {
        ...base,
        path: `${at}.urn`,
        value: urn,
        problem: "expected four parts, separated by colons",
        allowed: "publisher:offer:sku:version",
        write: `urn: a URN that this command lists: ${listMarketplaceCommand(marketplaceOffer(node.os))}`,
      },
    ];
  }
  const whole = completeMarketplace(given, node, version);
  return whole.publisher === marketplacePublisher
    ? referenceProblems(whole, { node, version }, base)
    : whole.version === undefined
      ? [
          {
            ...base,
            path: `${at}.version`,
            problem: "this key is required, because only versions of the publisher cncf-upstream are known",
            allowed: "a version of the SKU",
            write: `version: a version that this command lists: ${listMarketplaceCommand(whole.offer, whole.sku, whole.publisher)}`,
          },
        ]
      : [];
}

/** Checks the names of the Cluster API projects' images, which contain what an image is for. */
function referenceProblems(
  image: ReturnType<typeof completeMarketplace>,
  { node, version }: Pick<NodeImage, "node" | "version">,
  base: Pick<Problem, "path" | "value" | "uses">,
): Problem[] {
  const list = listMarketplaceCommand(image.offer, image.sku);
  const sku = parseMarketplaceSku(image.sku);
  if (compare(version, newestInMarketplace) > 0) {
    return [
      {
        ...base,
        problem: `the newest image of this offer is for Kubernetes ${newestInMarketplace}, but the nodes run ${version}`,
        allowed: "CAPZ's community gallery, or your own image",
        write: "remove image, or image: {computeGallery: ...} with your own (docs/images.md)",
      },
    ];
  }
  if (!sku) {
    return [
      {
        ...base,
        problem: `the SKU ${image.sku} does not follow the naming scheme of the Cluster API projects`,
        allowed:
          "k8s-1dotMINORdotPATCH-OS or OS-gen1, where OS is for instance windows-2019-containerd or ubuntu-2004",
        write: `remove sku to use the computed one; to list the SKUs: ${listMarketplaceCommand(image.offer)}`,
      },
    ];
  }
  if (image.version === undefined) {
    return [
      {
        ...base,
        path: `${base.path}.version`,
        problem: `the versions of the SKU ${image.sku} contain a build date, and that of ${version} is not known`,
        allowed: `a version that begins with ${version.replace(/^v1\./, "1")}.`,
        write: `version: a version that this command lists: ${list}`,
      },
    ];
  }
  const found = sku.kubernetesVersion ?? kubernetesVersionOfImage(image.version);
  const differences = [
    ...(operatingSystemName(sku.node) === operatingSystemName(node)
      ? []
      : [`for ${operatingSystemName(sku.node)}, not ${operatingSystemName(node)}`]),
    ...(sku.node.os === "windows" && node.os === "windows" && sku.node.runtime !== node.runtime
      ? [`for ${sku.node.runtime}, not ${node.runtime} (flavor)`]
      : []),
    ...(found === undefined || found === version ? [] : [`for Kubernetes ${found}, not ${version}`]),
  ];
  return differences.length === 0
    ? []
    : [
        {
          ...base,
          problem: `this image is ${differences.join("; ")}`,
          allowed: `an image for ${operatingSystemName(node)} with Kubernetes ${version}${node.os === "windows" ? ` and ${node.runtime}` : ""}`,
          write: `marketplace: {} to use the computed names; to list the images: ${listMarketplaceCommand(image.offer)}`,
        },
      ];
}
