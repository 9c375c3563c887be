import { type YamlLimits, yamlValue } from "capz-windows-kit/boundedYaml";
import type { Artifact } from "capz-windows-platform/cluster/artifacts";
import { writeAtomically } from "capz-windows-kit/io/atomic";
import { download } from "capz-windows-kit/io/download";
import {
  type Bytes,
  type LoadedFile,
  type LoadOptions,
  loadPinnedFile,
  ManifestError,
  type PinnedManifest,
  readIfPresent,
  sha256,
} from "./pinnedManifest";
import { decodedText } from "capz-windows-kit/decodedText";
import { at, list, strings, text } from "capz-windows-kit/untyped";

/** Where charts and manifests of an installation of Cluster API are published, and what is there. */

export interface Published {
  /** Of the archive, or of the file. */
  readonly url: string;
  /** sha256 by the index of the repository of a chart, hexadecimal. */
  readonly listed?: string | undefined;
}

/** "v1.2.3" and "1.2.3" are the same version for Helm. */
const withoutV = (version: string): string => version.replace(/^v/, "");

/** The index of cert-manager, which has every version since 2018, has less. */
const indexLimits: YamlLimits = { bytes: 20_000_000, values: 1_000_000 };

/**
 * The archive of a chart by the index of its repository (https://helm.sh/docs/topics/chart_repository/).
 * @throws Error when the index does not have it
 */
function archiveOf({ name, version, url: address }: Artifact, index: string): Published {
  let entries: unknown;
  try {
    entries = at(yamlValue(index, indexLimits), "entries", name);
  } catch {
    // A page of a proxy.
  }
  const entry = list(entries).find((one) => withoutV(text(one.version)) === withoutV(version));
  const [url] = strings(entry?.urls);
  if (entry === undefined || url === undefined) {
    throw new Error(`${address} does not list ${name} ${version}`);
  }
  return { url: new URL(url, address).href, listed: text(entry.digest).replace(/^sha256:/, "") || undefined };
}

/**
 * @param fetchBytes - reads a URL, with everything that it takes
 * @throws what `fetchBytes` throws, and Error when a repository does not list the chart
 */
async function publishedAt(
  artifact: Artifact,
  fetchBytes: (url: string) => Promise<Bytes>,
): Promise<Published> {
  if (!artifact.isChart) {
    return { url: artifact.url };
  }
  const index = await fetchBytes(artifact.url);
  return archiveOf(artifact, typeof index === "string" ? index : decodedText(index));
}

/** The label of all objects of a provider, by which clusterctl finds them (provider contract of Cluster API v1.14). */
const providers: Readonly<Partial<Record<Artifact["part"], string>>> = {
  core: "cluster-api",
  bootstrap: "bootstrap-kubeadm",
  controlPlane: "control-plane-kubeadm",
  azure: "infrastructure-azure",
};

/** Whether bytes may be what is asked for: an archive, or the manifest of this provider with its CRDs. */
function isExpected({ part, isChart }: Artifact, bytes: Bytes): boolean {
  if (isChart) {
    const [first, second] = Buffer.from(bytes);
    return first === 0x1f && second === 0x8b;
  }
  const lines = (typeof bytes === "string" ? bytes : decodedText(bytes)).split(/\r?\n/);
  return (
    lines.includes("kind: CustomResourceDefinition") &&
    lines.some((line) => line.trim() === `cluster.x-k8s.io/provider: ${providers[part] ?? ""}`)
  );
}

/**
 * What is published now, with its sha256, and whether it looks like what was asked for, and not like a page of a proxy.
 * @throws what {@link publishedAt} throws
 */
export async function publishedDigest(
  artifact: Artifact,
  fetchBytes: (url: string) => Promise<Bytes>,
): Promise<Published & { readonly sha256: string; readonly isExpected: boolean }> {
  const published = await publishedAt(artifact, fetchBytes);
  const bytes = await fetchBytes(published.url);
  return { ...published, sha256: sha256(bytes), isExpected: isExpected(artifact, bytes) };
}

/**
 * A chart or a manifest whose bytes have the sha256 of the stack file.
 * @throws what {@link loadPinnedFile} throws
 */
export function loadArtifact(
  artifact: Artifact & { readonly sha256: string },
  options: LoadOptions,
): Promise<LoadedFile> {
  const { part, name, version, sha256, isChart } = artifact;
  const { fetchBytes = download } = options;
  const pinned: PinnedManifest & { url: string } = {
    ...{ name, version, sha256, url: artifact.url, key: `clusterApi.digests.${part}` },
    ...(isChart ? { extension: "tgz" } : {}),
  };
  return loadPinnedFile(pinned, {
    ...options,
    fetchBytes: async () => {
      // Messages are about the archive, as soon as the index has named it.
      pinned.url = (await publishedAt(artifact, fetchBytes)).url;
      return fetchBytes(pinned.url);
    },
  });
}

/**
 * A file for Helm. One that is there already with these bytes is left alone: the folder may be read-only.
 * @throws ManifestError when it cannot be written
 */
export function placeArchive(path: string, bytes: Bytes): void {
  try {
    const there = readIfPresent(path, path);
    if (there === undefined || sha256(there) !== sha256(bytes)) {
      writeAtomically(path, bytes);
    }
  } catch (error) {
    throw new ManifestError(
      `Cannot write ${path}, from which Helm takes the verified chart: ${(error as Error).message}`,
      { cause: error },
    );
  }
}
