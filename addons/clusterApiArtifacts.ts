import { parse } from "yaml";
import type { Artifact } from "../platform/cluster/artifacts";
import type { Bytes } from "./pinnedManifest";
import { decodedText } from "../tools/decodedText";
import { at, list, strings, text } from "../tools/untyped";

/** Where charts and manifests of an installation of Cluster API are published, and what is there. */

export interface Published {
  /** Of the archive, or of the file. */
  readonly url: string;
  /** sha256 by the index of the repository of a chart, hexadecimal. */
  readonly listed?: string | undefined;
}

/** "v1.2.3" and "1.2.3" are the same version for Helm. */
const withoutV = (version: string): string => version.replace(/^v/, "");

/**
 * The archive of a chart by the index of its repository (https://helm.sh/docs/topics/chart_repository/).
 * @throws Error when the index does not have it
 */
function archiveOf({ name, version, url: address }: Artifact, index: string): Published {
  let entries: unknown;
  try {
    entries = at(parse(index), "entries", name);
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
export async function publishedAt(
  artifact: Artifact,
  fetchBytes: (url: string) => Promise<Bytes>,
): Promise<Published> {
  if (!artifact.isChart) {
    return { url: artifact.url };
  }
  const index = await fetchBytes(artifact.url);
  return archiveOf(artifact, typeof index === "string" ? index : decodedText(index));
}
