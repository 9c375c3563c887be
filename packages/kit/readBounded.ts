import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { decodedText } from "./decodedText";
import { formatCount } from "./problem";

/**
 * The one reader of files that users, clusters and strangers write: what a program holds in memory must not follow from the length of
 * a file alone, and a device such as /dev/zero has no length. test/architecture/boundedFiles.part.ts finds every other reader.
 */

/** The most bytes of a file, by what it is. */
export const mostBytes = {
  /** One with some hundred clusters has less. */
  kubeconfig: 10_000_000,
  /** What `kubectl get -o json` prints of a large cluster has less. */
  recording: 200_000_000,
  /** A rendered chart with its CRDs has less. */
  manifests: 50_000_000,
  /** A plan of 300 pools has 10 MB. */
  plan: 200_000_000,
  /** The price list of a region has 100 kB. */
  prices: 10_000_000,
  /** Pulumi passes at most 120,000 bytes of a stack file to the program (configSize.ts); comments and ciphers are longer. */
  stackFile: 1_000_000,
  /** A package.json, a file of digests, a public key, measured minutes. */
  small: 1_000_000,
  /** That of this project has 0.5 MB. */
  packageLock: 50_000_000,
  /** Pulumi's event log of a preview. */
  events: 400_000_000,
  /** What a preview, or a plan, says about a stack, for the comment. */
  report: 64 * 2 ** 20,
} as const;

/** A file has more bytes than its reader takes, or is none. The message says what it is, and not which one. */
export class FileError extends Error {
  override readonly name = "FileError";

  constructor(
    readonly file: string,
    message: string,
  ) {
    super(message);
  }
}

/** What a shell gives to a command in place of a file, as in `<(...)`; and an empty file. */
const givenByShell = /^\/(?:dev\/(?:fd\/\d+|stdin|null)|proc\/self\/fd\/\d+)$/;

/** A pipe that nobody writes, and a terminal, would be waited for without end. */
function refuseOthers(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile() && !found.isDirectory() && !givenByShell.test(file)) {
    throw new FileError(file, "it is not a regular file");
  }
}

/** The bytes of a file or pipe, read until there are too many: a pipe and a device do not say how many they have. */
function readAll(descriptor: number, file: string, most: number, expected: number): Buffer {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(Math.max(expected - bytes, 64 * 1024));
    const read = readSync(descriptor, chunk);
    if (read === 0) {
      return Buffer.concat(chunks);
    }
    bytes += read;
    if (bytes > most) {
      throw new FileError(file, `it has more than ${formatCount(most)} bytes`);
    }
    chunks.push(chunk.subarray(0, read));
  }
}

/** @throws FileError before the first byte is read where the size is known, otherwise after the last one that is taken */
function readOpen(descriptor: number, file: string, most: number): Buffer {
  const found = fstatSync(descriptor);
  if (found.isFile() && found.size > most) {
    throw new FileError(file, `it has ${formatCount(found.size)} bytes, more than ${formatCount(most)}`);
  }
  return readAll(descriptor, file, most, found.isFile() ? found.size : 0);
}

const withPath = (error: Error, path: string): Error =>
  Object.assign(error, { path, message: `${error.message} '${path}'` });

/**
 * The bytes of a file.
 * @param file - its path, or 0 for the standard input
 * @param most - how many bytes the caller takes
 * @throws FileError, or what node:fs throws for a file that cannot be read
 */
export function readBounded(file: string | 0, most: number): Buffer {
  if (file === 0) {
    return readOpen(0, "the standard input", most);
  }
  refuseOthers(file);
  const descriptor = openSync(file, "r");
  try {
    return readOpen(descriptor, file, most);
  } catch (error) {
    // That of a folder has no path, without which nobody knows which one.
    throw error instanceof FileError ? error : withPath(error as Error, file);
  } finally {
    closeSync(descriptor);
  }
}

/** The text of a file, in the encoding that its first bytes say. @throws as `readBounded` does */
export const readBoundedText = (file: string | 0, most: number): string =>
  decodedText(readBounded(file, most));
