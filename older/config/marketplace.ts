import { present } from "capz-windows-kit/present";
import { compare } from "semver";
import { completeMarketplace } from "capz-windows-platform/machines/images";
import {
  kubernetesVersionOfImage,
  marketplacePublisher,
  newestInMarketplace,
  parseMarketplaceSku,
  parseUrn,
} from "capz-windows-platform/machines/marketplace";
import type { NodeImage } from "../../config/nodeImages";
import { operatingSystemName } from "../../config/nodeImages";
import type { Problem } from "capz-windows-kit/problem";

/** A Marketplace image whose name is incomplete, that does not exist, or that does not match the nodes. */
export function marketplaceProblems(nodeImage: NodeImage): Problem[] {
  const { path, image, node, version } = nodeImage;
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
      },
    ];
  }
  const whole = completeMarketplace(given, node, version);
  if (whole.publisher === marketplacePublisher) {
    return referenceProblems(whole, nodeImage, base);
  }
  if (whole.version !== undefined) {
    return [];
  }
  return [
    {
      ...base,
      path: `${at}.version`,
      problem: "this key is required, because only versions of the publisher cncf-upstream are known",
      allowed: "a version of the SKU",
    },
  ];
}

/** Checks the names of the Cluster API projects' images, which contain what an image is for. */
function referenceProblems(
  image: ReturnType<typeof completeMarketplace>,
  nodeImage: NodeImage,
  base: Pick<Problem, "path" | "value" | "uses">,
): Problem[] {
  const { node, version } = nodeImage;
  const sku = parseMarketplaceSku(image.sku);
  if (compare(version, newestInMarketplace) > 0) {
    return [
      {
        ...base,
        problem: `the newest image of the Cluster API projects in the Marketplace is for Kubernetes ${newestInMarketplace}, but the nodes run ${version}`,
        allowed: "CAPZ's community gallery, or your own image (docs/images.md)",
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
  return present(
    differences.length !== 0 && {
      ...base,
      problem: `this image is ${differences.join("; ")}`,
      allowed: `an image for ${operatingSystemName(node)} with Kubernetes ${version}${node.os === "windows" ? ` and ${node.runtime}` : ""}`,
    },
  );
}
