import { at, isRecord, textAt } from "../../../tools/untyped";
import type { KubeObject } from "../../cluster/objects";
import type { World } from "../../cluster/snapshot";
import { withAnswer } from "./answers";
import { says } from "./finders";
import { azureKinds } from "./kinds";
import type { Match, Rule } from "./rule";

/**
 * Images that do not exist or are not in the region. What helps depends on where the image is: in a gallery of your own, in
 * a community gallery, in the Marketplace, or beside the machines as a managed image.
 */

type Place = "own" | "community" | "marketplace" | "managed";
type Vars = Readonly<Record<string, string>>;

const inGallery =
  /\/subscriptions\/(?<owner>[^/'"\s]+)\/resourceGroups\/(?<imageGroup>[^/'"\s]+)\/providers\/Microsoft\.Compute\/galleries\/(?<gallery>[^/'"\s]+)\/images\/(?<definition>[^/'"\s]+)(?:\/versions\/(?<version>[\w.-]*\w))?/i;
const inCommunity =
  /\/communityGalleries\/(?<gallery>[^/'"\s]+)\/images\/(?<definition>[^/'"\s]+)(?:\/versions\/(?<version>[\w.-]*\w))?/i;
const managedImage =
  /\/subscriptions\/(?<owner>[^/'"\s]+)\/resourceGroups\/(?<imageGroup>[^/'"\s]+)\/providers\/Microsoft\.Compute\/images\/(?<definition>[\w.-]*\w)/i;
const platformImage =
  /platform image '?(?<publisher>[\w.-]+):(?<offer>[\w.-]+):(?<sku>[\w.-]+):(?<version>[\w.-]*\w)/i;

const groups = (pattern: RegExp, text: string): Vars | undefined => {
  const found = pattern.exec(text);
  return found === null
    ? undefined
    : Object.fromEntries(
        Object.entries(found.groups ?? {}).filter(([, value]) => (value as string | undefined) !== undefined),
      );
};

/** An image by the ID or the words of a text. */
function imageOfText(text: string): readonly [Place, Vars] | undefined {
  const patterns = [
    [inGallery, "own"],
    [inCommunity, "community"],
    [managedImage, "managed"],
    [platformImage, "marketplace"],
    [/PlatformImageNotFound/, "marketplace"],
  ] as const;
  for (const [pattern, place] of patterns) {
    const vars = groups(pattern, text);
    if (vars !== undefined) {
      return [place, vars];
    }
  }
  return undefined;
}

/** The image that an AzureMachinePool, AzureMachine or AzureMachineTemplate names. */
function imageOfSpec(object: KubeObject | undefined): readonly [Place, Vars] | undefined {
  const image =
    at(object?.spec, "template", "image") ??
    at(object?.spec, "template", "spec", "image") ??
    at(object?.spec, "image");
  const gallery = at(image, "computeGallery");
  if (isRecord(gallery)) {
    const own = textAt(gallery, "subscriptionID") !== "" && textAt(gallery, "resourceGroup") !== "";
    return [
      own ? "own" : "community",
      {
        ...{ owner: textAt(gallery, "subscriptionID"), imageGroup: textAt(gallery, "resourceGroup") },
        ...{ gallery: textAt(gallery, "gallery"), definition: textAt(gallery, "name") },
        version: textAt(gallery, "version"),
      },
    ];
  }
  const offer = at(image, "marketplace");
  if (isRecord(offer)) {
    const { publisher, sku } = { publisher: textAt(offer, "publisher"), sku: textAt(offer, "sku") };
    return [
      "marketplace",
      { publisher, offer: textAt(offer, "offer"), sku, version: textAt(offer, "version") },
    ];
  }
  return imageOfText(textAt(image, "id"));
}

const missing = withAnswer(
  says({
    kinds: azureKinds,
    text: /(?:Gallery|Platform|Community\w*)?Image(?:Version)?NotFound|gallery image \S+ is not available in|entity name '?versions\/[^']+'? could not be found|The requested (?:VM )?image(?: version)? .*? (?:was )?not found/s,
  }),
);

/** The missing image is taken from Azure's answer, and from the spec of the object if the answer does not name it. */
const missingIn =
  (place: Place) =>
  (world: World): Match[] =>
    missing(world).flatMap((match) => {
      const [found, vars] = imageOfText(match.proof.text) ?? imageOfSpec(match.object) ?? ["community", {}];
      const known = Object.fromEntries(Object.entries(vars).filter(([, text]) => text !== ""));
      return found === place ? [{ ...match, vars: { ...match.vars, ...known } }] : [];
    });

const version = "--subscription {owner} -g {imageGroup} -r {gallery} -i {definition}";

export const missingImages: readonly Rule[] = [
  {
    id: "image-own-gallery",
    stage: "image",
    symptom: "GalleryImageNotFound or ImageNotFound, for an image in a gallery of your own",
    cause:
      "The image {definition} of the gallery {gallery} has no replica in the region {location}, or its version {version} does not exist.",
    remedy: [
      `az sig image-version show ${version} -e {version} --query "publishingProfile.targetRegions[].name" -o tsv   # the regions that have a replica`,
      `az sig image-version update ${version} -e {version} --target-regions OLD-REGIONS {location}   # without the old regions, their replicas are deleted`,
      `az sig image-version list ${version} -o table   # when the version does not exist`,
      "capz-windows:windowsPools: {{pool}: {image: {computeGallery: {gallery: {gallery}, name: {definition}, version: A-VERSION-OF-THE-LIST, subscriptionId: {owner}, resourceGroup: {imageGroup}}}}}",
    ],
    source: "https://learn.microsoft.com/azure/virtual-machines/troubleshooting-shared-images",
    find: missingIn("own"),
  },
  {
    id: "image-marketplace",
    stage: "image",
    symptom: "PlatformImageNotFound",
    cause: "The Marketplace does not have the image in {location}: {why}.",
    remedy: [
      "az vm image list --publisher {publisher} --offer {offer} --sku {sku} --location {location} --all -o table",
      "capz-windows:windowsPools: {{pool}: {image: {marketplace: {version: A-VERSION-OF-THE-LIST}}}}",
      "npx pulumi stack output pools --stack {stack}   # listImages",
    ],
    source: "https://learn.microsoft.com/azure/virtual-machines/windows/cli-ps-findimage",
    find: missingIn("marketplace"),
  },
  {
    id: "image-managed",
    stage: "image",
    symptom: "ImageNotFound, for a managed image",
    cause:
      "The managed image {definition} does not exist in {imageGroup}, or is in another region than {location}.",
    remedy: [
      'az image list --subscription {owner} --resource-group {imageGroup} --query "[].{name:name, location:location, id:id}" -o table',
      "capz-windows:windowsPools: {{pool}: {image: {id: AN-ID-OF-THE-LIST}}}   # a managed image is in one region; a gallery has replicas in several: docs/images.md",
    ],
    source: "https://learn.microsoft.com/azure/virtual-machines/capture-image-resource",
    find: missingIn("managed"),
  },
  {
    id: "image-not-found",
    stage: "image",
    symptom: "GalleryImageNotFound or ImageNotFound, for an image of a community gallery",
    cause: "An image does not exist, or is not available in {location}: {why}.",
    remedy: [
      "az sig image-version list-community --public-gallery-name {gallery} --gallery-image-definition {definition} --location {location} -o table",
      "capz-windows:windowsPools: {{pool}: {image: {computeGallery: {gallery: {gallery}, name: {definition}, version: A-VERSION-OF-THE-LIST}}}}",
      "npx pulumi stack output pools --stack {stack}   # listImages",
    ],
    source: "https://learn.microsoft.com/azure/virtual-machines/troubleshooting-shared-images",
    find: missingIn("community"),
  },
];
