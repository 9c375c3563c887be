import { createHash } from "node:crypto";
import { list, textAt, at } from "capz-windows-kit/untyped";
import { TooLargeError } from "capz-windows-kit/io/exchange";
import { InnerHostError } from "capz-windows-kit/io/innerHosts";
import { proxyFetch } from "capz-windows-kit/io/proxyFetch";
import { isReference, parseReference, registryOf } from "capz-windows-platform/workloads/imageReferences";
import { indexPlatforms, platformOf, RegistryError } from "./images";
import type { ImagePlatform } from "./types";

/**
 * Reads images by the OCI distribution API (opencontainers/distribution-spec v1.1), with the anonymous tokens that
 * public registries issue (distribution, "Token Authentication Specification"). No credentials are read or sent.
 */

const accepted = [
  "application/vnd.oci.image.index.v1+json",
  "application/vnd.docker.distribution.manifest.list.v2+json",
  "application/vnd.oci.image.manifest.v1+json",
  "application/vnd.docker.distribution.manifest.v2+json",
].join(", ");

/**
 * Completes a reference as containerd does: without a registry it is on Docker Hub, and there, without a namespace, in
 * `library`.
 */
export function placeOf(image: string) {
  const { name, tag, digest } = parseReference(image);
  const { host = "registry-1.docker.io", path } = registryOf(name);
  const isShort = host === "registry-1.docker.io" && !path.includes("/");
  const scheme = /^(?:localhost|127\.0\.0\.1)(?::|$)/.test(host) ? "http" : "https";
  const repository = isShort ? `library/${path}` : path;
  return { base: `${scheme}://${host}`, repository, reference: digest || tag || "latest" };
}

const parameter = (challenge: string, name: string): string =>
  new RegExp(`${name}="([^"]*)"`).exec(challenge)?.[1] ?? "";

/** Registries refuse manifests of more than 4 MiB (distribution-spec v1.1, "Pushing Manifests"); configs are smaller. */
const limits = { totalMs: 10_000, maxBytes: 4 * 2 ** 20 };

const ownRegistries = "CAPZ_WINDOWS_LOCAL_REGISTRIES";

/** An image is a text of others: what answers this machine alone is asked only where the user names it. */
const get = (url: string, headers: Readonly<Record<string, string>>): Promise<Response> =>
  proxyFetch(url, {
    ...{ headers, ...limits },
    innerHosts: (process.env[ownRegistries] ?? "").split(/[\s,]+/),
  });

/** @throws RegistryError when the registry gives no anonymous token */
async function anonymousToken(challenge: string, secure: boolean): Promise<string> {
  const realm = parameter(challenge, "realm");
  if (!/^Bearer /i.test(challenge) || !realm.startsWith(secure ? "https://" : "http")) {
    throw new RegistryError("the registry requires a login");
  }
  const url = new URL(realm);
  for (const name of ["service", "scope"]) {
    const value = parameter(challenge, name);
    if (value !== "") {
      url.searchParams.set(name, value);
    }
  }
  const answer = await get(url.href, {});
  const body: unknown = answer.ok ? await answer.json() : undefined;
  const token = textAt(body, "token") || textAt(body, "access_token");
  if (token === "") {
    throw new RegistryError("the registry requires a login");
  }
  return token;
}

/** By the status of the answer. */
const refusals: Readonly<Record<number, string>> = {
  401: "the registry requires a login",
  403: "the registry requires a login",
  404: "the registry has no such image",
};

/** Reads an image in its registry. @throws RegistryError when the registry does not give it, or the reference names none */
async function asking<T>(image: string, ask: (read: Read, reference: string) => Promise<T>): Promise<T> {
  // Anything else would be a request to another path of whatever host it names.
  if (!isReference(image)) {
    throw new RegistryError("the reference is not valid, so no registry is asked");
  }
  const { base, repository, reference } = placeOf(image);
  const headers: Record<string, string> = { accept: accepted };
  const read = async (path: string): Promise<Buffer> => {
    const url = `${base}/v2/${repository}/${path}`;
    let answer = await get(url, headers);
    if (answer.status === 401 && headers.authorization === undefined) {
      const challenge = answer.headers.get("www-authenticate") ?? "";
      headers.authorization = `Bearer ${await anonymousToken(challenge, base.startsWith("https"))}`;
      answer = await get(url, headers);
    }
    if (!answer.ok) {
      throw new RegistryError(refusals[answer.status] ?? `the registry answered ${answer.status}`);
    }
    return Buffer.from(await answer.arrayBuffer());
  };
  try {
    return await ask(read, reference);
  } catch (error) {
    if (error instanceof RegistryError) {
      throw error;
    }
    const isUnreachable = !isAnswer(error) && !isRefused(error);
    throw new RegistryError(reasonOf(error, base), { cause: error, isUnreachable });
  }
}

/** Whether something came, of which no image can be read. */
const isAnswer = (error: unknown): boolean =>
  error instanceof SyntaxError ||
  (error as Error).cause instanceof TooLargeError ||
  error instanceof TooLargeError;

/** Whether nothing was sent. */
const isRefused = (error: unknown): boolean => (error as Error).cause instanceof InnerHostError;

function reasonOf(error: unknown, base: string): string {
  const { host } = new URL(base);
  const { cause = error } = error as Error;
  if (cause instanceof InnerHostError) {
    return `${cause.message}, so it is not asked; ${ownRegistries} may name a registry of your own`;
  }
  if (cause instanceof TooLargeError) {
    return `the registry ${host} does not answer with a manifest: ${cause.message}`;
  }
  return error instanceof SyntaxError
    ? `the registry ${host} answered with something else than JSON`
    : `the registry ${host} cannot be reached`;
}

const parsed = (bytes: Buffer): unknown => JSON.parse(bytes.toString("utf8"));

const digestOf = (bytes: Buffer): string => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

type Read = (path: string) => Promise<Buffer>;

const isDigest = (text: string): boolean => /^sha256:[0-9a-f]{64}$/.test(text);

/** What a digest names has it. @throws RegistryError */
async function readAs(read: Read, kind: string, reference: string): Promise<Buffer> {
  const bytes = await read(`${kind}/${reference}`);
  if (isDigest(reference) && digestOf(bytes) !== reference) {
    throw new RegistryError("the registry answered with something of another digest");
  }
  return bytes;
}

/** A page of a proxy is no manifest, and a path is no digest. @throws RegistryError */
async function readManifest(read: Read, reference: string) {
  const bytes = await readAs(read, "manifests", reference);
  const manifest = parsed(bytes);
  const isIndex = list(at(manifest, "manifests")).length > 0;
  if (at(manifest, "schemaVersion") !== 2 || !(isIndex || isDigest(textAt(manifest, "config", "digest")))) {
    throw new RegistryError("the registry answered with something else than a manifest");
  }
  return { bytes, manifest, isIndex };
}

/** The platforms of an image. @throws RegistryError when its registry does not give them */
export const askRegistry = (image: string): Promise<readonly ImagePlatform[]> =>
  asking(image, async (read, reference) => {
    const { manifest, isIndex } = await readManifest(read, reference);
    return isIndex
      ? indexPlatforms(manifest)
      : [platformOf(parsed(await readAs(read, "blobs", textAt(manifest, "config", "digest"))))];
  });

/**
 * The digest of what a tag names: of the index of an image for several platforms. It is computed from what came, as
 * clients of registries must (distribution-spec v1.1, "Pulling manifests").
 * @throws RegistryError when its registry does not give it
 */
export const askDigest = (image: string): Promise<string> =>
  asking(image, async (read, reference) => digestOf((await readManifest(read, reference)).bytes));
