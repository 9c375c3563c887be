import { buildFault } from "capz-windows-platform/workloads/imageFit";
import {
  isForWindows,
  isReference,
  movedReference,
  referenceFor,
  referenceProblem,
} from "capz-windows-platform/workloads/imageReferences";
import { containersOf } from "capz-windows-platform/workloads/podSpec";
import { windowsVersion, type Isolation } from "capz-windows-platform/workloads/windowsVersions";
import { present } from "capz-windows-kit/present";
import { textAt } from "capz-windows-kit/untyped";
import type { ImageFacts, NodePool } from "./types";

/** Whether the images of a pod start on the nodes of a pool. */

/** The images of a pod, each once. */
export const imagesOf = (podSpec: unknown): string[] => [
  ...new Set(
    containersOf(podSpec)
      .map((container) => textAt(container, "image"))
      .filter((image) => image !== ""),
  ),
];

const sources: Readonly<Record<ImageFacts["from"], string>> = {
  registry: "its registry says",
  tag: "by its tag",
};

/** Nothing for nodes of no known release: no tag names their build. */
const toUse = (image: string, windowsServer: string): string =>
  windowsServer === "" ? "" : `: use ${image}`;

/** Why containers of an image do not start on the nodes of a pool; `undefined` if they do or if that is unknown. */
export function imageProblem(
  image: string,
  { from, platforms }: ImageFacts,
  { os, version, architecture, windowsServer = "" }: NodePool,
  isolation: Isolation,
): string | undefined {
  const named = `the image ${image}`;
  const source = ` (${sources[from]})`;
  if (referenceProblem(image) !== undefined) {
    return undefined;
  }
  if (platforms.length === 0) {
    const moved = movedReference(image, windowsServer);
    if (moved === undefined) {
      return undefined;
    }
    return os === "linux"
      ? `${named} is for windows (by its name)`
      : `${named} has no build for Windows Server 2019 or later, because Microsoft no longer publishes to Docker Hub${toUse(moved, windowsServer)}`;
  }
  const ofSystem = platforms.filter((platform) => platform.os === os);
  if (ofSystem.length === 0) {
    return `${named} is for ${[...new Set(platforms.map((platform) => platform.os))].join(" and ")}${source}`;
  }
  const ofProcessor = ofSystem.filter((platform) => platform.architecture === architecture || from === "tag");
  if (ofProcessor.length === 0) {
    return `${named} is for ${ofSystem.map((platform) => platform.architecture).join(", ")}, and the nodes are ${architecture}${source}`;
  }
  const builds = ofProcessor.flatMap(({ osVersion = "" }) => windowsVersion(osVersion) ?? []);
  // A Windows image without a version is for HostProcess containers and starts on every release.
  if (version === undefined || builds.length < ofProcessor.length) {
    return undefined;
  }
  const fault = buildFault(builds, { windowsServer, version }, isolation, source);
  const instead =
    referenceFor(image, windowsServer) ??
    `an image for Windows Server ${windowsServer}, if its publisher has one, or build it for that`;
  return (
    fault && `${named} ${fault}${from === "tag" || builds.length === 1 ? toUse(instead, windowsServer) : ""}`
  );
}

/**
 * Whether an image is for other builds of Windows than the node's, in Hyper-V isolation. containerd pulls for the build of
 * the node unless it is configured otherwise (Kubernetes, KEP-4216), and the virtual machine is made of the pause image.
 */
export function isOfOtherBuild({ platforms }: ImageFacts, { os, version }: NodePool): boolean {
  const builds = platforms.flatMap(({ osVersion = "" }) => windowsVersion(osVersion) ?? []);
  return os === "windows" && builds.length > 0 && builds.every(({ build }) => build !== version?.build);
}

export const factsFor = (
  { images }: { readonly images: ReadonlyMap<string, ImageFacts> },
  image: string,
): ImageFacts => images.get(image) ?? { from: "tag", platforms: [] };

export const isUnknown = (facts: ImageFacts): boolean => facts.platforms.length === 0;

/** What is to be said of images that only their tags describe. */
export function imageNotes(podSpec: unknown, images: ReadonlyMap<string, ImageFacts>): string[] {
  return imagesOf(podSpec).flatMap((image) => {
    const facts = factsFor({ images }, image);
    if (facts.from !== "tag" || !isReference(image)) {
      return [];
    }
    const why = facts.problem === undefined ? "" : ` (${facts.problem})`;
    const what = isForWindows(image)
      ? "which release of Windows it is for, in a word such as ltsc2022"
      : "which operating system it is for";
    return present(
      !isUnknown(facts) && why !== "" && `the image ${image} was only judged by its tag${why}`,
      isUnknown(facts) &&
        movedReference(image, "2022") === undefined &&
        `the image ${image}: its tag does not say ${what}${why}; run this where its registry can be reached`,
    );
  });
}
