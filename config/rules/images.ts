import { present } from "capz-windows-kit/present";
import {
  galleryRegions,
  galleryWindowsServers,
  parseDefinition,
} from "capz-windows-platform/machines/communityGallery";
import { completeMarketplace } from "capz-windows-platform/machines/images";
import { marketplacePublisher, parseMarketplaceSku } from "capz-windows-platform/machines/marketplace";
import {
  type NodeImage,
  nodeImages,
  onlyInMarketplace,
  operatingSystemName,
  usesCommunityGallery,
} from "../nodeImages";
import type { Problem } from "capz-windows-kit/problem";
import type { Settings } from "../settings";
import { exactlyOne } from "./choices";
import { olderRules } from "../olderRules";

function regionProblems(settings: Settings): Problem[] {
  const { location } = settings.azure;
  const paths = nodeImages(settings)
    .filter(usesCommunityGallery)
    .map(({ path }) => path);
  return present(
    paths.length > 0 &&
      !(galleryRegions as readonly string[]).includes(location) && {
        path: "azure.location",
        value: location,
        uses: ["azure.location", ...paths.map((path) => `${path}.image`)],
        problem: `CAPZ's community gallery has no images in this region; it is used by ${paths.join(", ")}`,
        allowed: galleryRegions.join(", "),
        write:
          "location: westeurope # or another of these regions, or image: your own for each of these nodes",
      },
  );
}

function defaultProblems(nodeImage: NodeImage): Problem[] {
  const { path, image, node, version } = nodeImage;
  if (image === undefined && onlyInMarketplace(version)) {
    return [
      {
        path: `${path}.image`,
        uses: ["kubernetesVersion", path],
        problem: `CAPZ's default image for ${version} is a Marketplace image, and these are being withdrawn`,
        allowed:
          "v1.30.4 or newer, your own image (docs/images.md), or the Marketplace image as long as it exists",
      },
    ];
  }
  return present(
    image === undefined &&
      node.os === "windows" &&
      !(galleryWindowsServers as readonly string[]).includes(node.windowsServer) && {
        path: `${path}.image`,
        uses: [path, "kubernetesVersion"],
        problem: `CAPZ's community gallery no longer publishes images of Windows Server ${node.windowsServer}`,
        allowed: `windowsServer ${galleryWindowsServers.join(" or ")}, or your own image (docs/images.md)`,
      },
  );
}

const formProblems = ({ path, image }: NodeImage): Problem[] =>
  present(image !== undefined && exactlyOne(`${path}.image`, image, ["marketplace", "computeGallery", "id"]));

function galleryProblems(nodeImage: NodeImage): Problem[] {
  const { path, image, node, version } = nodeImage;
  const gallery = image?.computeGallery;
  if (!gallery) {
    return [];
  }
  const uses = [path, "kubernetesVersion", "azure.location"];
  const at = `${path}.image.computeGallery`;
  // CAPZ makes the ID of an image from names: with an ID in place of one, there is no such image.
  if (gallery.gallery.includes("/")) {
    return [
      {
        path: `${at}.gallery`,
        value: gallery.gallery,
        uses: [at],
        problem: "a name is expected, and this is an ARM ID or a path",
        allowed: "the name of a gallery; subscriptionId and resourceGroup say where your own gallery is",
      },
    ];
  }
  const [missing] = (["subscriptionId", "resourceGroup"] as const).filter(
    (key) => gallery[key] === undefined,
  );
  const definition = parseDefinition(gallery.name);
  const wanted = operatingSystemName(node);
  const plain = version.replace(/^v/, "");
  return present(
    missing !== undefined &&
      (gallery.subscriptionId ?? gallery.resourceGroup) !== undefined && {
        path: `${at}.${missing}`,
        uses: [`${path}.image`],
        problem: "missing: subscriptionId and resourceGroup must be set together",
        allowed: "both for your own gallery, neither for a community gallery",
      },
    definition !== undefined &&
      operatingSystemName(definition) !== wanted && {
        path: `${at}.name`,
        value: gallery.name,
        uses,
        problem: `the name denotes an image of ${operatingSystemName(definition)}, but the nodes run ${wanted}`,
        allowed: `an image definition for ${wanted}`,
      },
    usesCommunityGallery(nodeImage) &&
      gallery.version !== plain && {
        path: `${at}.version`,
        value: gallery.version,
        uses,
        problem: `in this gallery, the image version is the Kubernetes version, and the nodes run ${version}`,
        allowed: plain,
      },
  );
}

/** What bootstrap data of a stack does nothing on: it is cloud-config, for an image that has kubeadm already. */
const bareImages: readonly (readonly [name: RegExp, why: string])[] = [
  [/^MicrosoftWindows(Server|Desktop)\b/i, "has no Cloudbase-Init, containerd and kubelet"],
  [/^kinvolk\b|flatcar/i, "is Flatcar, which reads Ignition and not cloud-config"],
];

function bareProblems({ path, image, node, version }: NodeImage): Problem[] {
  const { marketplace, computeGallery } = image ?? {};
  const name =
    marketplace?.urn ?? marketplace?.publisher ?? [computeGallery?.gallery, computeGallery?.name].join(" ");
  const [, why] = bareImages.find(([bare]) => bare.test(name)) ?? [];
  return present(
    why !== undefined && {
      path: `${path}.image.${marketplace === undefined ? "computeGallery" : "marketplace"}`,
      value: marketplace ?? computeGallery,
      uses: [path, "kubernetesVersion"],
      problem: `the image ${why}: machines that are made of it never become nodes`,
      allowed: `an image for ${operatingSystemName(node)} with Kubernetes ${version}, as image-builder makes them (docs/images.md)`,
    },
  );
}

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
function versionProblems(nodeImage: NodeImage): Problem[] {
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

/** Images that do not exist, no longer exist, or do not match the nodes. */
export const imageRules = (settings: Settings): Problem[] => [
  ...regionProblems(settings),
  ...nodeImages(settings).flatMap((nodeImage) => [
    ...defaultProblems(nodeImage),
    ...formProblems(nodeImage),
    ...bareProblems(nodeImage),
    ...galleryProblems(nodeImage),
    ...olderRules.read().marketplaceProblems(nodeImage),
    ...versionProblems(nodeImage),
  ]),
];
