import { inParallel } from "capz-windows-kit/io/parallel";
import {
  isReference,
  parseReference,
  registryOf,
  taggedVersion,
} from "capz-windows-platform/workloads/imageReferences";
import { list, textAt, at } from "capz-windows-kit/untyped";
import type { ImageFacts, ImagePlatform } from "./types";
import { messageOf } from "capz-windows-kit/messageOf";

/** The platforms of an image, from its registry or from its tag. */

/** A platform of an index, or the config of an image that has no index. */
export const platformOf = (value: unknown): ImagePlatform => {
  const osVersion = textAt(value, "os.version") || textAt(value, "osVersion");
  const platform = { os: textAt(value, "os"), architecture: textAt(value, "architecture") };
  return osVersion === "" ? platform : { ...platform, osVersion };
};

/** The platforms of an image index (OCI image index, Docker manifest list), without attestations. */
export const indexPlatforms = (index: unknown): ImagePlatform[] =>
  list(at(index, "manifests"))
    .map((entry) => platformOf(at(entry, "platform")))
    .filter(({ os }) => os !== "" && os !== "unknown");

/**
 * What an image's tag says, without a registry.
 * @param problem - why the registry did not answer; `undefined` if it was not asked
 */
function tagFacts(reference: string, problem?: string): ImageFacts {
  const version = taggedVersion(reference);
  const osVersion = version && `${version.major}.${version.minor}.${version.build}`;
  const isKnown = osVersion !== undefined || isForHostProcess.test(reference);
  return {
    from: "tag",
    platforms: isKnown ? [{ os: "windows", architecture: "amd64", osVersion }] : [],
    ...(problem === undefined ? {} : { problem }),
  };
}

/** Microsoft's base image of HostProcess containers, which is for no release of Windows (Kubernetes, HostProcess pods). */
const isForHostProcess =
  /^mcr\.microsoft\.com\/oss\/kubernetes\/windows-host-process-containers-base-image[:@]/;

interface RegistryErrorOptions extends ErrorOptions {
  /** Whether nothing came from the registry. */
  readonly isUnreachable?: boolean;
}

/** A registry gave no platforms; the message is for the reader of a report. */
export class RegistryError extends Error {
  override readonly name = "RegistryError";
  readonly isUnreachable: boolean;

  constructor(message: string, { isUnreachable = false, ...options }: RegistryErrorOptions = {}) {
    super(message, options);
    this.isUnreachable = isUnreachable;
  }
}

/** A registry that did not answer so often is not asked again: each attempt may take ten seconds. */
const mostAttempts = 2;

/** After which no registry is asked any more. */
const mostSeconds = 120;

/** Asks the registry of an image for the image's platforms. Rejects with a message for the report. */
export type AskRegistry = (reference: string) => Promise<readonly ImagePlatform[]>;

/**
 * The facts of every image. Each reference is requested once, at most four at a time, and of a registry that does not answer
 * no more.
 * @param ask - `undefined` when registries are not to be asked
 */
export async function imageFacts(
  references: readonly string[],
  ask: AskRegistry | undefined,
): Promise<ReadonlyMap<string, ImageFacts>> {
  const until = Date.now() + mostSeconds * 1_000;
  const unreachable = new Map<string, number>();
  const factsOf = async (reference: string): Promise<ImageFacts> => {
    if (ask === undefined || !isReference(reference)) {
      return tagFacts(reference);
    }
    const { host = "registry-1.docker.io" } = registryOf(parseReference(reference).name);
    if ((unreachable.get(host) ?? 0) >= mostAttempts) {
      return tagFacts(reference, `the registry ${host} did not answer, and was not asked again`);
    }
    if (Date.now() > until) {
      return tagFacts(
        reference,
        `the registries were asked for ${mostSeconds} seconds, and this one no more`,
      );
    }
    try {
      return { from: "registry", platforms: await ask(reference) };
    } catch (error) {
      if (error instanceof RegistryError && error.isUnreachable) {
        unreachable.set(host, (unreachable.get(host) ?? 0) + 1);
      }
      return tagFacts(reference, messageOf(error));
    }
  };
  const different = [...new Set(references)].sort();
  return new Map(
    await inParallel(
      different.map((reference) => async () => [reference, await factsOf(reference)] as const),
      4,
    ),
  );
}
