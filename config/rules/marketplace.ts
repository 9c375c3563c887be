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

/** A Marketplace image that has half a name, does not exist, or is of something else than the machines are to be. */
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
        problem: `urn has all four parts already, and ${Object.keys(parts).join(", ")} ${Object.keys(parts).length === 1 ? "is" : "are"} given too`,
        allowed: "urn, or any of publisher, offer, sku and version",
        write: "urn: publisher:offer:sku:version, and nothing else",
      },
    ];
  }
  if (urn !== undefined && parseUrn(urn) === undefined) {
    return [
      {
        ...base,
        path: `${at}.urn`,
        value: urn,
        problem: "it does not have four parts with colons between them",
        allowed: "publisher:offer:sku:version",
        write: `urn: a line of: ${listMarketplaceCommand(marketplaceOffer(node.os))}`,
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
            problem: "it is missing, and only those of the publisher cncf-upstream are known",
            allowed: "a version of the SKU",
            write: `version: one of: ${listMarketplaceCommand(whole.offer, whole.sku, whole.publisher)}`,
          },
        ]
      : [];
}

/** The images of the Cluster API projects tell by their names what they are for. */
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
        problem: `nothing newer than Kubernetes ${newestInMarketplace} was published in this offer, and the machines are to have ${version}`,
        allowed: "CAPZ's community gallery, or an image of your own",
        write: "take image out, or image: {computeGallery: ...} with your own (docs/images.md)",
      },
    ];
  }
  if (!sku) {
    return [
      {
        ...base,
        problem: `the SKU ${image.sku} is none of the Cluster API projects' names`,
        allowed:
          "k8s-1dotMINORdotPATCH-SYSTEM or SYSTEM-gen1 with a system such as windows-2019-containerd or ubuntu-2004",
        write: `sku: take it out, then it is computed; what exists: ${listMarketplaceCommand(image.offer)}`,
      },
    ];
  }
  if (image.version === undefined) {
    return [
      {
        ...base,
        path: `${base.path}.version`,
        problem: `the SKU ${image.sku} has a version for each Kubernetes version and day, and that of ${version} is not known`,
        allowed: `a version that begins with ${version.replace(/^v1\./, "1")}.`,
        write: `version: one of: ${list}`,
      },
    ];
  }
  const found = sku.kubernetesVersion ?? kubernetesVersionOfImage(image.version);
  const differences = [
    ...(operatingSystemName(sku.node) === operatingSystemName(node)
      ? []
      : [`of ${operatingSystemName(sku.node)}, not ${operatingSystemName(node)}`]),
    ...(sku.node.os === "windows" && node.os === "windows" && sku.node.runtime !== node.runtime
      ? [`for ${sku.node.runtime}, and the flavor is ${node.runtime}`]
      : []),
    ...(found === undefined || found === version ? [] : [`of Kubernetes ${found}, not ${version}`]),
  ];
  return differences.length === 0
    ? []
    : [
        {
          ...base,
          problem: `this image is ${differences.join("; ")}`,
          allowed: `an image of ${operatingSystemName(node)} with Kubernetes ${version}${node.os === "windows" ? ` and ${node.runtime}` : ""}`,
          write: `marketplace: {}, then the names are computed; what exists: ${listMarketplaceCommand(image.offer)}`,
        },
      ];
}
