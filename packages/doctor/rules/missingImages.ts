import { at, isRecord, textAt } from "capz-windows-kit/untyped";
import type { KubeObject } from "../cluster/objects";
import type { World } from "../cluster/snapshot";
import { withAnswer } from "./answers";
import { says } from "./finders";
import { azureKinds } from "./kinds";
import type { Detectors, Match } from "./rule";

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

export const missingImages: Detectors = {
  "image-own-gallery": missingIn("own"),
  "image-marketplace": missingIn("marketplace"),
  "image-managed": missingIn("managed"),
  "image-not-found": missingIn("community"),
};
