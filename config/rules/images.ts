import { satisfies } from "semver";
import {
  galleryRegions,
  galleryWindowsServers,
  parseDefinition,
} from "../../domain/machines/communityGallery";
import { capzImage, listImagesCommand, marketplaceNode } from "../../domain/machines/images";
import { listMarketplaceCommand, marketplaceOffer, marketplaceSku } from "../../domain/machines/marketplace";
import type { NodeImage } from "../nodeImages";
import { usesCommunityGallery, nodeImages, operatingSystemName } from "../nodeImages";
import type { Problem } from "../../domain/problem";
import type { Settings } from "../settings";
import { marketplaceProblems } from "./marketplace";

/** Releases for which there are only the withdrawn Marketplace images (CAPZ v1.26.0 virtualmachineimages). */
const onlyInMarketplace = (version: string): boolean =>
  satisfies(version, "<=1.28.12 || 1.29.1 - 1.29.7 || 1.30.0 - 1.30.3");

function regionProblems(settings: Settings): Problem[] {
  const { location } = settings.azure;
  const users = nodeImages(settings).filter(usesCommunityGallery);
  if (users.length === 0 || (galleryRegions as readonly string[]).includes(location)) {
    return [];
  }
  return [
    {
      path: "azure.location",
      value: location,
      uses: ["azure.location", ...users.map(({ path }) => `${path}.image`)],
      problem: `CAPZ's community gallery has no images there, and ${users.map(({ path }) => path).join(", ")} use it`,
      allowed: galleryRegions.join(", "),
      write: "location: one of these, or an image of your own in each of them",
    },
  ];
}

function defaultProblems({ path, image, node, version }: NodeImage): Problem[] {
  if (image !== undefined) {
    return [];
  }
  if (onlyInMarketplace(version)) {
    return [
      {
        path: `${path}.image`,
        uses: ["kubernetesVersion", path],
        problem: `for ${version} CAPZ takes a Marketplace image that is withdrawn`,
        allowed: "v1.30.4 or newer, an image of your own, or the withdrawn one by name while it is left",
        write: `image: {computeGallery: ...} with your own (docs/images.md), or {marketplace: {}} if it is left: ${listMarketplaceCommand(marketplaceOffer(node.os), marketplaceSku(marketplaceNode(node, version), version))}`,
      },
    ];
  }
  if (node.os === "windows" && !(galleryWindowsServers as readonly string[]).includes(node.windowsServer)) {
    return [
      {
        path: `${path}.image`,
        uses: [path, "kubernetesVersion"],
        problem: `CAPZ's community gallery gets no images of Windows Server ${node.windowsServer} any more`,
        allowed: `windowsServer ${galleryWindowsServers.join(" or ")}, or an image of your own`,
        write: `image: {computeGallery: ...} with your own (docs/images.md), or windowsServer: "2022"`,
      },
    ];
  }
  return [];
}

function formProblems({ path, image }: NodeImage): Problem[] {
  const forms = Object.keys(image ?? {});
  if (image === undefined || forms.length === 1) {
    return [];
  }
  return [
    {
      path: `${path}.image`,
      value: image,
      uses: [`${path}.image`],
      problem:
        forms.length === 0 ? "it names no image" : `it names ${forms.length} images: ${forms.join(", ")}`,
      allowed: "exactly one of marketplace, computeGallery, id",
      write: "one of the three, or take image out",
    },
  ];
}

function galleryProblems(user: NodeImage, location: string): Problem[] {
  const { path, image, node, version } = user;
  const gallery = image?.computeGallery;
  if (!gallery) {
    return [];
  }
  const problems: Problem[] = [];
  const uses = [path, "kubernetesVersion", "azure.location"];
  const at = `${path}.image.computeGallery`;
  const list = listImagesCommand(capzImage(image, node, version), location);
  if ((gallery.subscriptionId === undefined) !== (gallery.resourceGroup === undefined)) {
    problems.push({
      path: at,
      value: gallery,
      uses: [`${path}.image`],
      problem: "subscriptionId and resourceGroup belong together",
      allowed: "both for a gallery of your own, none for a community gallery",
      write:
        gallery.subscriptionId === undefined
          ? "subscriptionId: the gallery's"
          : "resourceGroup: the gallery's",
    });
  }
  const definition = parseDefinition(gallery.name);
  const wanted = operatingSystemName(node);
  if (definition && operatingSystemName(definition) !== wanted) {
    problems.push({
      path: `${at}.name`,
      value: gallery.name,
      uses,
      problem: `by its name this is an image of ${operatingSystemName(definition)}, and the machines are ${wanted}`,
      allowed: `an image definition of ${wanted}`,
      write: `name: another definition${node.os === "windows" ? ", or windowsServer: the image's" : ""}`,
    });
  }
  if (usesCommunityGallery(user) && gallery.version !== version.replace(/^v/, "")) {
    problems.push({
      path: `${at}.version`,
      value: gallery.version,
      uses,
      problem: `in this gallery it is the version of the kubelet inside, and the machines are to have ${version}`,
      allowed: version.replace(/^v/, ""),
      write: `version: ${version.replace(/^v/, "")}; what exists: ${list}`,
    });
  }
  return problems;
}

/** Images that do not exist, no longer exist, or are of something else than the machines are to be. */
export const imageRules = (settings: Settings): Problem[] => [
  ...regionProblems(settings),
  ...nodeImages(settings).flatMap((user) => [
    ...defaultProblems(user),
    ...formProblems(user),
    ...galleryProblems(user, settings.azure.location),
    ...marketplaceProblems(user),
  ]),
];
