/** References of container images that can change their content. */

export interface ImageAt {
  readonly path: string;
  readonly image: string;
}

const isMoving = (image: string): boolean => {
  const [, tag] = /:([^:/]+)$/.exec(image) ?? [];
  return !image.includes("@sha256:") && (tag === undefined || tag === "latest");
};

/** Those below keys named image or …Image. */
export const movingImages = (value: unknown, path = ""): ImageAt[] =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, inner]: [string, unknown]) => {
        const at = path === "" ? key : `${path}.${key}`;
        return typeof inner === "string" && /(?:^i|I)mage$/.test(key)
          ? isMoving(inner)
            ? [{ path: at, image: inner }]
            : []
          : movingImages(inner, at);
      })
    : [];
