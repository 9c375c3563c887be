import { windowsBuilds } from "../machines/windowsReleases";
import { referenceFor, releaseName, taggedVersion } from "./imageReferences";
import { type Isolation, startableBuilds, startsOn, windowsVersion } from "./windowsVersions";

/** Why an image does not start, and the same image for the host where its tag shows how it would be called. */
export interface ImageMismatch {
  readonly problem: string;
  readonly instead: string | undefined;
}

/**
 * Why an image cannot start on nodes of a release of Windows Server, by its tag.
 * @returns `undefined` if it starts, or if its tag does not say for which Windows it is
 */
export function imageMismatch(
  image: string,
  windowsServer: string,
  isolation: Isolation = "process",
): ImageMismatch | undefined {
  const container = taggedVersion(image);
  const host = windowsVersion(windowsBuilds[windowsServer] ?? "");
  if (container === undefined || host === undefined || startsOn(host, container, isolation)) {
    return undefined;
  }
  return {
    problem:
      `the image is for ${releaseName(container)}, and Windows Server ${windowsServer} ` +
      `starts ${startableBuilds(host, isolation)} only${isolation === "hyperv" ? ", also with Hyper-V isolation" : ""}`,
    instead: referenceFor(image, windowsServer),
  };
}

/**
 * The image, known not to be for another release.
 * @throws RangeError with the right tag, where it can be told
 */
export function fittingImage(image: string, windowsServer: string, isolation: Isolation = "process"): string {
  const mismatch = imageMismatch(image, windowsServer, isolation);
  if (mismatch !== undefined) {
    const instead = mismatch.instead ?? `an image for Windows Server ${windowsServer}`;
    throw new RangeError(`${image}: ${mismatch.problem}; write ${instead}`);
  }
  return image;
}
