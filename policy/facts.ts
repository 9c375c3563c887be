import type { Facts } from "../config/policy/facts";
import { isWithoutDigest } from "../config/policy/images";
import { isRecord } from "../tools/untyped";
import { artifacts, credentials, images, openSamples } from "./contents";
import { controlPlanes } from "./controlPlane";
import { access, managementClusters, unprotected } from "./network";
import { kubernetes, machineImages, windows } from "./pools";
import type { Resource } from "./resource";

/**
 * The facts of a stack by what its program registers, whatever its stack file says.
 * @param asksForDigests - whether the stack file has imageDigests
 * @param digests - clusterApi.digests of the stack file
 */
export const factsOfResources = (
  resources: readonly Resource[],
  asksForDigests: boolean,
  digests?: unknown,
): Facts => ({
  access: () => access(resources),
  managementClusters: () => managementClusters(resources),
  controlPlanes: () => controlPlanes(resources),
  unprotected: () => unprotected(resources),
  kubernetes: () => kubernetes(resources),
  windows: () => windows(resources),
  machineImages: () => machineImages(resources),
  images: () => images(resources),
  withoutDigest: () =>
    asksForDigests
      ? images(resources)
          .map(({ image }) => image)
          .filter(isWithoutDigest)
      : [],
  artifactsWithoutDigest: () =>
    isRecord(digests) ? artifacts(resources).filter((part) => digests[part] === undefined) : [],
  openSamples: () => openSamples(resources),
  credentials: () => credentials(resources),
});
