import { type NodeImage, usesCommunityGallery } from "../../config/nodeImages";
import { kubernetesVersion } from "../../config/schema/scalars";
import { latestPatch } from "capz-windows-platform/kubernetesReleases";
import {
  capzImage,
  imageText,
  listImagesCommand,
  type CapzImage,
} from "capz-windows-platform/machines/images";
import { patchText } from "capz-windows-platform/machines/patchMonths";
import { list, textAt } from "capz-windows-kit/untyped";
import { ArmError, type Arm } from "../azure/arm";
import { imageApi, versionsPath } from "../azure/imageVersions";

/** Newer versions of the images of a stack's machines. */

/** The image of a pool or of the control plane, and the newer versions of it. */
export interface ImageState {
  /** controlPlane, windowsPools.win1. */
  readonly path: string;
  readonly image: string;
  /** Text about how old the updates in a Windows image are; only for Windows. */
  readonly patches?: string;
  /** Newer versions that Azure has, newest first; `undefined` if Azure was not asked or did not answer. */
  readonly newer: readonly string[] | undefined;
  /** What is known without Azure. */
  readonly note?: string;
  /** The key of the stack file to which the newest version belongs, and its value. */
  readonly bump?: { readonly key: string; readonly value: string };
  /** The command that lists the versions. */
  readonly command: string;
}

const numbers = (version: string): number[] =>
  version
    .split(/[^0-9]+/)
    .filter(Boolean)
    .map(Number);

/** Compares versions number by number, as Azure does for images: 1.35.10 is newer than 1.35.9. @returns as for sort */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [numbers(a), numbers(b)];
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const difference = (left[index] ?? -1) - (right[index] ?? -1);
    if (difference !== 0) {
      return difference;
    }
  }
  return 0;
}

const versionOf = (image: CapzImage): string =>
  image.computeGallery?.version ?? image.marketplace?.version ?? image.id?.split("/").at(-1) ?? "";

/** The versions that Azure has, in any order. @throws ArmError */
async function versionsIn(arm: Arm, image: CapzImage, subscription: string, location: string) {
  const path = versionsPath(image, subscription, location);
  if (path === undefined) {
    return undefined;
  }
  // The Marketplace answers with a plain list, galleries with pages.
  const found = image.marketplace
    ? list(await arm.get(path, imageApi.marketplace))
    : await arm.list(path, imageApi.gallery);
  return found.map((one) => textAt(one, "name")).filter((name) => /^[\w.-]{1,80}$/.test(name));
}

/**
 * The newer versions that the node can use, newest first. The version of an image in the community gallery is its
 * Kubernetes version, so only those of the node's minor version are listed.
 */
function fitting(nodeImage: NodeImage, image: CapzImage, versions: readonly string[]): string[] {
  const own = versionOf(image);
  const minor = /^\d+\.\d+\./.exec(own)?.[0] ?? "";
  return versions
    .filter((version) => compareVersions(version, own) > 0)
    .filter(
      (version) =>
        !usesCommunityGallery(nodeImage) ||
        (version.startsWith(minor) && kubernetesVersion.safeParse(version).success),
    )
    .sort((a, b) => compareVersions(b, a));
}

/**
 * The line of the stack file that gets the newest version. `undefined` for images of the community gallery: they follow
 * from the Kubernetes version, which `bumpsOf` changes.
 */
function bumpOf(nodeImage: NodeImage, newest: string): ImageState["bump"] {
  const { path, image } = nodeImage;
  if (usesCommunityGallery(nodeImage)) {
    return undefined;
  }
  if (image?.computeGallery !== undefined) {
    return { key: `${path}.image.computeGallery.version`, value: newest };
  }
  return image?.marketplace?.version === undefined
    ? undefined
    : { key: `${path}.image.marketplace.version`, value: newest };
}

/**
 * A note for when Azure is not asked: a newer patch of the Kubernetes version is released, for which there may be an
 * image.
 */
function tableNote(nodeImage: NodeImage): string | undefined {
  const { version } = nodeImage;
  const newest = latestPatch(Number(version.split(".")[1]));
  return usesCommunityGallery(nodeImage) && newest !== undefined && compareVersions(newest, version) > 0
    ? `Kubernetes ${newest} is released; the command shows whether the gallery has an image of it`
    : undefined;
}

export interface AskedOf {
  readonly subscriptionId: string;
  readonly location: string;
}

/**
 * @param day - today's date, such as 2026-11-22, from which the age of updates is computed
 * @param arm - `undefined` when Azure is not to be asked
 */
export async function imageState(
  nodeImage: NodeImage,
  asked: AskedOf,
  day: string,
  arm: Arm | undefined,
): Promise<ImageState> {
  const image = capzImage(nodeImage.image, nodeImage.node, nodeImage.version);
  const known = {
    path: nodeImage.path,
    image: imageText(image),
    ...(nodeImage.node.os === "windows" ? { patches: patchText(image, day) } : {}),
    command: listImagesCommand(image, asked.location),
  };
  const note = tableNote(nodeImage);
  const unasked = { ...known, newer: undefined, ...(note === undefined ? {} : { note }) };
  if (arm === undefined) {
    return unasked;
  }
  try {
    const versions = await versionsIn(arm, image, asked.subscriptionId, asked.location);
    if (versions === undefined) {
      return { ...unasked, note: "a managed image has no versions: build a new image and write its ID" };
    }
    const newer = fitting(nodeImage, image, versions);
    const bump = newer[0] === undefined ? undefined : bumpOf(nodeImage, newer[0]);
    return { ...known, newer, ...(bump === undefined ? {} : { bump }) };
  } catch (error) {
    if (error instanceof ArmError) {
      return { ...unasked, note: `Azure does not answer: ${error.message}` };
    }
    throw error;
  }
}

type Bump = NonNullable<ImageState["bump"]>;

/**
 * The changes of the stack file. For nodes with an image of the community gallery, kubernetesVersion is set to the
 * newest version of which the gallery has an image for all of them. The program then upgrades them in the right order.
 */
export function bumpsOf(
  states: readonly ImageState[],
  nodes: readonly NodeImage[],
  clusterVersion: string,
): readonly Bump[] {
  const paired = nodes.map((node, index) => ({ node, state: states[index] }));
  const inGallery = paired.filter(({ node }) => usesCommunityGallery(node));
  const versions = [...new Set(inGallery.map(({ node }) => node.version))];
  const upgrades = versions.flatMap((version): Bump[] => {
    const same = inGallery.filter(({ node }) => node.version === version);
    const newest = same[0]?.state?.newer?.find((one) =>
      same.every(({ state }) => state?.newer?.includes(one) === true),
    );
    if (newest === undefined) {
      return [];
    }
    const value = `v${newest}`;
    return [
      ...(version === clusterVersion
        ? [{ key: "kubernetesVersion", value }]
        : same.map(({ node }) => ({ key: `${node.path}.kubernetesVersion`, value }))),
      ...same
        .filter(({ node }) => node.image !== undefined)
        .map(({ node }) => ({ key: `${node.path}.image.computeGallery.version`, value: newest })),
    ];
  });
  return [...upgrades, ...states.flatMap(({ bump }) => bump ?? [])];
}
