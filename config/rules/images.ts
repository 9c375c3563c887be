import { present } from "capz-windows-kit/present";
import {
  galleryRegions,
  galleryWindowsServers,
  parseDefinition,
} from "capz-windows-platform/machines/communityGallery";
import {
  type NodeImage,
  nodeImages,
  onlyInMarketplace,
  operatingSystemName,
  usesCommunityGallery,
} from "../nodeImages";
import type { Problem } from "capz-windows-kit/problem";
import type { Settings } from "../settings";
import { imageVersionProblems } from "./imageVersions";
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

function formProblems({ path, image }: NodeImage): Problem[] {
  const [first, ...others] = Object.keys(image ?? {});
  return present(
    image !== undefined &&
      (first === undefined || others.length > 0) && {
        path: `${path}.image`,
        value: image,
        problem:
          first === undefined
            ? "expected one form of image, found none"
            : `expected one form of image, found ${others.length + 1}: ${[first, ...others].join(", ")}`,
        allowed: "exactly one of marketplace, computeGallery, id",
      },
  );
}

/** CAPZ makes the ID of an image from names: with an ID instead of a name, the machines would have an image that does not exist. */
function galleryByName(path: string, gallery: Gallery): Problem {
  return {
    path: `${path}.gallery`,
    value: gallery.gallery,
    uses: [path],
    problem: "a name is expected, and this is an ARM ID or a path",
    allowed: "the name of a gallery; subscriptionId and resourceGroup say where your own gallery is",
  };
}

type Gallery = NonNullable<NonNullable<NodeImage["image"]>["computeGallery"]>;

/** The one of both keys of a gallery's place that is not set. */
function missingPart({
  subscriptionId,
  resourceGroup,
}: Gallery): readonly [key: string, meaning: string] | undefined {
  if ((subscriptionId === undefined) === (resourceGroup === undefined)) {
    return undefined;
  }
  return subscriptionId === undefined
    ? ["subscriptionId", "GUID of the gallery's subscription"]
    : ["resourceGroup", "the gallery's resource group"];
}

function galleryProblems(nodeImage: NodeImage): Problem[] {
  const { path, image, node, version } = nodeImage;
  const gallery = image?.computeGallery;
  if (!gallery) {
    return [];
  }
  const uses = [path, "kubernetesVersion", "azure.location"];
  const at = `${path}.image.computeGallery`;
  const missing = missingPart(gallery);
  if (gallery.gallery.includes("/")) {
    return [galleryByName(at, gallery)];
  }
  const definition = parseDefinition(gallery.name);
  const wanted = operatingSystemName(node);
  const plain = version.replace(/^v/, "");
  return present(
    missing && {
      path: `${at}.${missing[0]}`,
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

/** Images that do not exist, no longer exist, or do not match the nodes. */
export const imageRules = (settings: Settings): Problem[] => [
  ...regionProblems(settings),
  ...nodeImages(settings).flatMap((nodeImage) => [
    ...defaultProblems(nodeImage),
    ...formProblems(nodeImage),
    ...bareProblems(nodeImage),
    ...galleryProblems(nodeImage),
    ...olderRules.read().marketplaceProblems(nodeImage),
    ...imageVersionProblems(nodeImage),
  ]),
];
