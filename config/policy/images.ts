import { imagesOfOperator } from "../../addons/calicoImages";
import type { KubernetesObject } from "capz-types";
import { isRecord, list } from "capz-windows-kit/untyped";
import { pathText, type Path } from "../steps";

/** References of container images. */

export interface ImageAt {
  readonly path: string;
  readonly image: string;
}

/** Whether its content can change under the same name. */
export function isMoving(image: string): boolean {
  const [, tag] = /:([^:/]+)$/.exec(image) ?? [];
  return !image.includes("@sha256:") && (tag === undefined || tag === "latest");
}

/** Whether its tag alone says what it is. Charts and providers, which are named in words, have no digest. */
export const isWithoutDigest = (image: string): boolean => !/ |@sha256:/.test(image);

/** Those below keys named image or …Image. */
export const imagesBelow = (value: unknown, path = ""): ImageAt[] =>
  isRecord(value)
    ? Object.entries(value).flatMap(([key, inner]): ImageAt[] => {
        const at = path === "" ? key : `${path}.${key}`;
        return typeof inner === "string" && /(?:^i|I)mage$/.test(key)
          ? [{ path: at, image: inner }]
          : imagesBelow(inner, at);
      })
    : [];

/** Those that a YAML stream brings into a cluster: of its pods, and of the pods that Calico's operator makes. */
export const imagesOfStream = (text: string, objects: readonly KubernetesObject[]): string[] => [
  ...imagesOfPods(objects).map(({ image }) => image),
  ...imagesOfOperator(text, objects),
];

/** Keys of a pod that are lists of containers. */
const containerKeys = ["containers", "initContainers", "ephemeralContainers"];

/** Those of all containers below a value, such as an object of Kubernetes. */
export function imagesOfPods(value: unknown, path: Path = []): ImageAt[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => imagesOfPods(item, [...path, index]));
  }
  if (!isRecord(value)) {
    return [];
  }
  return Object.entries(value).flatMap(([key, inner]) =>
    containerKeys.includes(key) && Array.isArray(inner)
      ? list(inner).flatMap((container, index) =>
          typeof container.image === "string"
            ? [{ path: pathText([...path, key, index, "image"]), image: container.image }]
            : [],
        )
      : imagesOfPods(inner, [...path, key]),
  );
}
