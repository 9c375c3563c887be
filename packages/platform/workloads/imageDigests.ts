import { ownValue } from "capz-windows-kit/untyped";

/** Images by the digest of what a registry had for their tag, so that nothing else can run under it later. */

/** Digests such as sha256:… by whole reference with its tag. Of an image for several platforms it is that of its index. */
export type ImageDigests = Readonly<Record<string, string>>;

/** The reference with its digest, if there is one for it. */
export function pinnedImage(image: string, digests: ImageDigests = {}): string {
  const digest = ownValue(digests, image);
  return digest === undefined ? image : `${image}@${digest}`;
}

/** A key `image` of a YAML stream, as programs write it. */
const imageLine = /^(\s*(?:- )?image: *)(["']?)([^\s"'@]+)\2[ \t]*$/gm;

/** A YAML stream with digests; its other bytes stay as they are. */
export const pinnedStream = (yaml: string, digests: ImageDigests): string =>
  yaml.replace(imageLine, (line, start: string, quote: string, image: string) =>
    ownValue(digests, image) === undefined ? line : `${start}${quote}${pinnedImage(image, digests)}${quote}`,
  );
