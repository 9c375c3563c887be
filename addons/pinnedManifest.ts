import { createHash } from "node:crypto";
import { join } from "node:path";
import { manifestCacheVariable } from "capz-windows-kit/offline";
import { decodedText } from "capz-windows-kit/decodedText";
import { mostBytes, readBounded } from "capz-windows-kit/readBounded";
import { writeAtomically } from "capz-windows-kit/io/atomic";
import { download as downloadFile } from "capz-windows-kit/io/download";

/** A published manifest, pinned by its digest. The repository contains no copy of it. */
export interface PinnedManifest {
  readonly name: string;
  /** Upstream tag, with a leading v. */
  readonly version: string;
  readonly url: string;
  /** 64 lower-case hexadecimal digits. */
  readonly sha256: string;
  /** Size of the file in bytes, shown in plans. */
  readonly bytes?: number;
  /** Of its name in a folder. Default: yaml. */
  readonly extension?: "yaml" | "tgz";
  /** Key of the stack file that has the sha256. Default: none, it is that of this program. */
  readonly key?: string;
}

/** The bytes of a file, or a text for its UTF-8. */
export type Bytes = Uint8Array | string;

export interface LoadOptions {
  /** Folder with verified copies; created if it is missing. Default: none, so every load downloads. */
  readonly cacheDir?: string | undefined;
  /** What messages call that folder. Default: {@link manifestCacheVariable}. */
  readonly cacheName?: string | undefined;
  /** Use no network; a placeholder stands for what the cache does not have. */
  readonly offline: boolean;
  /** Replaces the download, including retries and waits. Default: {@link downloadFile}. */
  readonly fetchBytes?: ((url: string) => Promise<Bytes>) | undefined;
}

export type LoadedFile =
  | { readonly bytes: Bytes; readonly verified: true }
  /** `reason` says why. */
  | { readonly verified: false; readonly reason: string };

export type LoadedManifest =
  | { readonly text: string; readonly verified: true }
  /** `text` is a placeholder without any object; `reason` says why. */
  | { readonly text: string; readonly verified: false; readonly reason: string };

/** A pinned manifest is not available. The message is for users and says what to do. */
export class ManifestError extends Error {
  override readonly name: string = "ManifestError";
}

/** The text that was read or downloaded is not the pinned one. */
export class ManifestMismatchError extends ManifestError {
  override readonly name = "ManifestMismatchError";
  readonly url: string;
  /** sha256, hexadecimal. */
  readonly expected: string;
  /** sha256, hexadecimal. */
  readonly actual: string;

  constructor(pinned: PinnedManifest, actual: string, cacheName?: string) {
    const folder = cacheName ?? `the folder that ${manifestCacheVariable} names`;
    super(
      [
        `${pinned.name} ${pinned.version} is not the file that was pinned, so nothing of it is used.`,
        `  url:             ${pinned.url}`,
        `  expected sha256: ${pinned.sha256}`,
        `  actual sha256:   ${actual}`,
        `A proxy's error page, a half-written or an edited file does this: download it again, unchanged, and if you`,
        `keep it in ${folder}, replace ${cacheFileName(pinned)} there.`,
        `If the file at the url itself has changed, find out why before you trust it.`,
        ...(pinned.key === undefined
          ? []
          : [
              `The sha256 is ${pinned.key} of the stack file. If that is one of another version, write that of ${pinned.version}:`,
              `npm run images -- NAME --digests`,
            ]),
      ].join("\n"),
    );
    this.url = pinned.url;
    this.expected = pinned.sha256;
    this.actual = actual;
  }
}

/** Name of a manifest's file in the cache folder, e.g. tigera-operator-v3.31.7.yaml. */
export const cacheFileName = ({ name, version, extension = "yaml" }: PinnedManifest): string =>
  `${name}-${version}.${extension}`;

/** sha256 as `sha256sum` prints it. */
export const sha256 = (bytes: Bytes): string => createHash("sha256").update(bytes).digest("hex");

/** @throws ManifestMismatchError when bytes do not have the pinned sha256 */
function verified(pinned: PinnedManifest, bytes: Bytes, cacheName?: string): Bytes {
  const actual = sha256(bytes);
  if (actual !== pinned.sha256) {
    throw new ManifestMismatchError(pinned, actual, cacheName);
  }
  return bytes;
}

const textOf = (bytes: Bytes): string => (typeof bytes === "string" ? bytes : decodedText(bytes));

/**
 * The text of a file whose bytes have the pinned sha256.
 * @throws ManifestMismatchError otherwise
 */
export const verifyManifest = (pinned: PinnedManifest, bytes: Bytes, cacheName?: string): string =>
  textOf(verified(pinned, bytes, cacheName));

/** The text that stands for a manifest missing from the cache in an offline plan: comments only, no object. */
export const manifestPlaceholder = ({ name, version, url, sha256 }: PinnedManifest): string =>
  `# ${name} ${version}: not in this plan\n# url: ${url}\n# sha256: ${sha256}\n`;

/** Whether {@link manifestPlaceholder} made a text. */
export const standsForManifest = (text: string): boolean =>
  /^# \S+ \S+: not in this plan\n# url: /.test(text) && isPlaceholder(text);

/** Whether a text is comments and nothing else. An empty text is not: it would omit the manifest silently. */
export function isPlaceholder(text: string): boolean {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.length > 0 && lines.every((line) => line.startsWith("#"));
}

/**
 * A pinned file from the cache or from its URL, checked against its sha256 on every read.
 * A cached file with another hash is never used: online it is replaced, offline it counts as missing.
 * @throws ManifestMismatchError when the download has another hash
 * @throws ManifestError when the download fails
 * @throws Error when the cache folder cannot be read
 */
export async function loadPinnedFile(pinned: PinnedManifest, options: LoadOptions): Promise<LoadedFile> {
  const { cacheDir, cacheName, offline, fetchBytes = downloadFile } = options;
  const path = cacheDir === undefined || cacheDir === "" ? undefined : join(cacheDir, cacheFileName(pinned));
  let reason = `offline, and no folder is named by ${manifestCacheVariable}`;
  if (path !== undefined) {
    const cached = readIfPresent(path, cacheName);
    if (cached === undefined) {
      reason = `offline, and ${path} does not exist`;
    } else {
      try {
        return { bytes: verified(pinned, cached), verified: true };
      } catch (error) {
        if (!(error instanceof ManifestMismatchError)) throw error;
        reason = `offline, and ${path} has sha256 ${error.actual} instead of ${error.expected}`;
      }
    }
  }
  if (offline) {
    return { verified: false, reason };
  }
  const bytes = verified(pinned, await download(pinned, fetchBytes, cacheName), cacheName);
  if (path !== undefined) {
    keep(path, bytes);
  }
  return { bytes, verified: true };
}

/** The text of {@link loadPinnedFile}; offline a placeholder takes the place of a file that is not there. */
export async function loadPinnedManifest(
  pinned: PinnedManifest,
  options: LoadOptions,
): Promise<LoadedManifest> {
  const loaded = await loadPinnedFile(pinned, options);
  return loaded.verified
    ? { text: textOf(loaded.bytes), verified: true }
    : { ...loaded, text: manifestPlaceholder(pinned) };
}

/** The text of a pinned manifest for the objects of an add-on. */
export const manifestText = async (
  pinned: PinnedManifest,
  {
    manifestCache: cacheDir,
    offline,
  }: { readonly manifestCache?: string | undefined; readonly offline: boolean },
): Promise<string> => (await loadPinnedManifest(pinned, { cacheDir, offline })).text;

async function download(
  pinned: PinnedManifest,
  fetchBytes: (url: string) => Promise<Bytes>,
  cacheName?: string,
): Promise<Bytes> {
  const advice =
    cacheName === undefined
      ? [
          `Without access to it from here: put the file, as ${cacheFileName(pinned)}, into a folder and name that`,
          `folder in the environment variable ${manifestCacheVariable}.`,
        ]
      : [`Without access to it from here: put the file, as ${cacheFileName(pinned)}, into ${cacheName}.`];

  try {
    return await fetchBytes(pinned.url);
  } catch (error) {
    throw new ManifestError(
      [
        `Cannot download ${pinned.name} ${pinned.version}: ${messageOf(error)}`,
        `  url: ${pinned.url}`,
        ...advice,
      ].join("\n"),
      { cause: error },
    );
  }
}

export function readIfPresent(path: string, cacheName?: string): Buffer | undefined {
  try {
    return readBounded(path, mostBytes.manifests);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    const folder = cacheName === undefined ? ` (folder named by ${manifestCacheVariable})` : "";
    throw new Error(`Cannot read ${path}${folder}: ${messageOf(error)}`, { cause: error });
  }
}

/** Two runs may fill the cache at the same time, so it is written atomically. */
function keep(path: string, bytes: Bytes): void {
  try {
    writeAtomically(path, bytes);
  } catch (error) {
    // A read-only cache (a CI volume) is no reason to stop: the text in memory is verified.
    if (!["EROFS", "EACCES", "EPERM"].includes(codeOf(error) ?? "")) throw error;
  }
}

// Not `instanceof Error`: errors of Node's own modules can come from another realm, for instance under Jest.
const field = (error: unknown, name: string): unknown =>
  typeof error === "object" && error !== null ? (error as Record<string, unknown>)[name] : undefined;

const textField = (error: unknown, name: string): string | undefined => {
  const value = field(error, name);
  return typeof value === "string" && value !== "" ? value : undefined;
};

const codeOf = (error: unknown): string | undefined => textField(error, "code");

const messageOf = (error: unknown): string => textField(error, "message") ?? String(error);
