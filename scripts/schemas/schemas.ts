import { readdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { loadPinnedManifest, sha256 } from "../../addons/pinnedManifest";
import { download } from "capz-windows-kit/io/download";
import type { PinnedManifest } from "../../addons/pinnedManifest";
import { pinnedVersions, providerPins } from "capz-windows-platform/versions";
import { inParallel } from "capz-windows-kit/io/parallel";

/** The files with CRDs of one release, in its repository. */
export interface PinnedRelease {
  /** owner/name on GitHub. */
  readonly repository: string;
  /** The tag, with leading v. */
  readonly version: string;
  /** sha256, hexadecimal, by the path in the repository. */
  readonly files: Readonly<Record<string, string>>;
}

/** The pinned releases by project. */
export type SchemaPins = Readonly<Record<string, PinnedRelease>>;

/** The releases that the program installs, by project. scripts/schemas/pins.json must have the same. */
export const pinnedReleases: Readonly<Record<string, string>> = {
  "cluster-api": providerPins.containerd.clusterApi,
  "cluster-api-provider-azure": providerPins.containerd.capz,
  "cluster-api-operator": `v${pinnedVersions.clusterApiOperator}`,
  "cert-manager": pinnedVersions.certManager,
};

/** Where GitHub serves the files of a tag. */
const rawFiles = "https://raw.githubusercontent.com";

/** Number of downloads at the same time. */
const atOnce = 8;

export type FetchText = (url: string) => Promise<string | Uint8Array>;

export interface SchemaSource {
  /** Default: {@link rawFiles}. */
  readonly baseUrl?: string | undefined;
  /** Default: a download that is tried three times. */
  readonly fetchText?: FetchText | undefined;
}

const urlOf = (baseUrl: string, { repository, version }: PinnedRelease, path: string): string =>
  `${baseUrl}/${repository}/${version}/${path}`;

interface SchemaFile {
  /** Its subfolder, such as cluster-api-v1.14.2. */
  readonly folder: string;
  readonly pinned: PinnedManifest;
}

const schemaFiles = (pins: SchemaPins, baseUrl: string): SchemaFile[] =>
  Object.entries(pins).flatMap(([project, release]) =>
    Object.entries(release.files).map(([path, hash]) => ({
      folder: `${project}-${release.version}`,
      pinned: {
        name: basename(path, ".yaml"),
        version: release.version,
        url: urlOf(baseUrl, release, path),
        sha256: hash,
      },
    })),
  );

/** Deletes the folders of other releases of the same projects, because tests read every folder of the cache. */
function removeOtherReleases(out: string, pins: SchemaPins): void {
  for (const name of readdirSync(out)) {
    const [, project = "", version] = /^(.+)-(v\d.*)$/.exec(name) ?? [];
    const pinned = pins[project];
    if (pinned !== undefined && pinned.version !== version) {
      rmSync(join(out, name), { recursive: true });
    }
  }
}

/**
 * Fills a folder with the pinned CRDs: one subfolder for each release, one file for each CRD. Files that are there and
 * have the pinned sha256 are not downloaded again, so a second run needs no network.
 * @returns how many files there are, and how many of them were downloaded
 * @throws ManifestMismatchError when a download is not the pinned file; nothing of it is kept
 * @throws ManifestError when a download fails
 */
export async function fetchSchemas(
  pins: SchemaPins,
  out: string,
  { baseUrl = rawFiles, fetchText = download }: SchemaSource = {},
): Promise<{ readonly files: number; readonly downloaded: number }> {
  const files = schemaFiles(pins, baseUrl);
  let downloaded = 0;
  const counted: FetchText = (url) => {
    downloaded += 1;
    return fetchText(url);
  };
  await inParallel(
    files.map(({ folder, pinned }) => () => {
      const cacheDir = join(out, folder);
      return loadPinnedManifest(pinned, {
        offline: false,
        cacheDir,
        cacheName: cacheDir,
        fetchBytes: counted,
      });
    }),
    atOnce,
  );
  removeOtherReleases(out, pins);
  return { files: files.length, downloaded };
}

/**
 * Pins the same files of other releases, with the sha256 of what GitHub serves now.
 * @throws Error when a file cannot be downloaded, for instance because the project has moved or removed it
 */
export async function pinSchemas(
  pins: SchemaPins,
  releases: Readonly<Record<string, string>>,
  { baseUrl = rawFiles, fetchText = download }: SchemaSource = {},
): Promise<SchemaPins> {
  const pinRelease = async (release: PinnedRelease): Promise<PinnedRelease> => {
    const hashed = await inParallel(
      Object.keys(release.files).map((path) => async () => {
        const url = urlOf(baseUrl, release, path);
        const text = await fetchText(url).catch((error: unknown) => {
          const reason = error instanceof Error ? error.message : String(error);
          throw new Error(
            `Cannot download ${url}: ${reason}. ` +
              "If the release has moved or dropped it, change its path in scripts/schemas/pins.json first.",
            { cause: error },
          );
        });
        return [path, sha256(text)] as const;
      }),
      atOnce,
    );
    return { ...release, files: Object.fromEntries(hashed) };
  };
  const pinned: [string, PinnedRelease][] = [];
  for (const [project, release] of Object.entries(pins)) {
    pinned.push([project, await pinRelease({ ...release, version: releases[project] ?? release.version })]);
  }
  return Object.fromEntries(pinned);
}
