import { windowsBuilds } from "../machines/windowsReleases";
import { referenceFor, releaseName, taggedVersion } from "./imageReferences";
import {
  type Isolation,
  startableBuilds,
  startsOn,
  type WindowsVersion,
  windowsVersion,
} from "./windowsVersions";

/**
 * Why none of the builds of an image starts on a release of Windows Server; `undefined` if one does.
 * @param source - how they are known, in brackets
 * @param windowsServer - "" where the build is of no known release
 */
export function buildFault(
  builds: readonly WindowsVersion[],
  { windowsServer, version }: { readonly windowsServer: string; readonly version: WindowsVersion },
  isolation: Isolation,
  source = "",
): string | undefined {
  const host = windowsServer === "" ? releaseName(version) : `Windows Server ${windowsServer}`;
  const names = [...new Set(builds.map(releaseName))].join(", ");
  return builds.some((build) => startsOn(version, build, isolation))
    ? undefined
    : `is for ${names}${source}, and ${host} starts ${startableBuilds(version, isolation)} only`;
}

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
  const version = windowsVersion(windowsBuilds[windowsServer] ?? "");
  if (container === undefined || version === undefined) {
    return undefined;
  }
  const fault = buildFault([container], { windowsServer, version }, isolation);
  const also = isolation === "hyperv" ? ", also with Hyper-V isolation" : "";
  return fault === undefined
    ? undefined
    : { problem: `the image ${fault}${also}`, instead: referenceFor(image, windowsServer) };
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
