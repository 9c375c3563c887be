import { isRecord } from "../tools/untyped";

/** A resource as @pulumi/policy hands it to a stack policy: what is used of it. */
export interface PolicyResource {
  readonly type: string;
  readonly urn: string;
  readonly name: string;
  /** Reading a value that is not known yet, in a preview, throws. */
  readonly props: Readonly<Record<string, unknown>>;
  readonly opts: { readonly protect?: boolean | undefined };
}

/** The same with plain values. */
export interface Resource extends Omit<PolicyResource, "opts"> {
  readonly isProtected: boolean;
}

/** Stands for a value that is not known yet. */
export const notKnown = Symbol("not known yet");

/** A plain copy, with `notKnown` where reading throws. */
function plain(value: unknown): unknown {
  if (typeof value !== "object" || value === null) {
    return value;
  }
  const read = (key: string | number): unknown => {
    try {
      return plain((value as Readonly<Record<string | number, unknown>>)[key]);
    } catch {
      return notKnown;
    }
  };
  return Array.isArray(value)
    ? Array.from({ length: value.length }, (_, index) => read(index))
    : Object.fromEntries(Object.keys(value).map((key) => [key, read(key)]));
}

export const plainResource = ({ type, urn, name, props, opts }: PolicyResource): Resource => ({
  ...{ type, urn, name },
  props: plain(props) as Resource["props"],
  isProtected: opts.protect === true,
});

/** The value at the end of a path of keys; `notKnown` if a step is not known. */
export const reach = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (node, key) => (node === notKnown ? notKnown : isRecord(node) ? node[key] : undefined),
    value,
  );

/** Whether a value is known as a whole. */
export const isKnown = (value: unknown): boolean =>
  value !== notKnown &&
  (typeof value !== "object" || value === null || Object.values(value).every((inner) => isKnown(inner)));

/** Whether it is an object of a kind of an API group in any version, such as `Cluster` of `cluster.x-k8s.io`. */
export function isKind({ type }: Resource, group: string, ...kinds: readonly string[]): boolean {
  const [, inGroup = "", kind = ""] = type.split(":");
  return type.startsWith("kubernetes:") && inGroup.startsWith(`${group}/`) && kinds.includes(kind);
}
