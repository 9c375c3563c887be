import { lastPart } from "../../platform/azure/resourceParts";
import { isRecord } from "../../tools/untyped";
import { switchOf, textOf } from "./values";

/** References, names and digests of Azure and Kubernetes in this program's notation; `undefined` without a counterpart. */

/** CAPZ's and Azure's mapping for an OS disk on the host, or its place. */
export const ephemeralOf = (value: unknown): unknown =>
  isRecord(value) ? (value.placement ?? (value.option === "Local" ? "CacheDisk" : undefined)) : textOf(value);

/** A reference to a key of a Secret, as pods and cloud-init have it. */
export const secretOf = (value: unknown): unknown =>
  isRecord(value) ? (value.secretKeyRef ?? value.secret ?? value) : undefined;

/** Azure's type of security, as what it switches on. */
export const trustedLaunchOf = (value: unknown): unknown =>
  /^trusted_?launch$/i.test(String(value)) ? { secureBoot: true, vTpm: true } : undefined;

/** The ARM ID of a reference, or the ID itself. */
export const idOf = (value: unknown): unknown => (isRecord(value) ? value.id : value);

/** Whether the annotations of a Service make its load balancer internal. */
export const isInternalService = (value: unknown): boolean | undefined =>
  isRecord(value) && Object.keys(value).length === 1
    ? switchOf(value["service.beta.kubernetes.io/azure-load-balancer-internal"])
    : undefined;

/** A stack by its organization and project. */
const inParts = ({ organization, project, stack }: Readonly<Record<string, unknown>>): string | undefined =>
  [organization, project, stack].every((part) => typeof part === "string")
    ? [organization, project, stack].join("/")
    : undefined;

/** The name of a reference, which may be an ARM ID. */
export const nameOf = (value: unknown): unknown => {
  const own = isRecord(value) ? (value.name ?? value.id ?? inParts(value)) : value;
  return typeof own === "string" && own.startsWith("/") ? lastPart(own) : own;
};

/** The URL of a proxy in two keys. */
export function proxyUrlOf(value: unknown): unknown {
  const { host, port } = isRecord(value) ? value : {};
  return !isRecord(value)
    ? value
    : typeof host === "string" && typeof port === "number"
      ? `http://${host}:${port}`
      : undefined;
}

/** A lock of Azure as a switch. */
export const isLocked = (value: unknown): boolean | undefined =>
  /^(CanNotDelete|ReadOnly)$/i.test(String(value)) ? true : switchOf(value);

/** The day of a point in time. */
export const dayOf = (value: unknown): string => String(value).replace(/T[\d:.]+Z?$/, "");

/** A digest without the name of its algorithm. */
export const hexOf = (value: unknown): string => String(value).replace(/^sha256:/i, "");

/** A list in a mapping, or the names of a mapping in it, as Azure Resource Manager has identities. */
const idsIn = (value: Readonly<Record<string, unknown>>): readonly unknown[] => {
  const inner = Object.values(value).find((one) => typeof one === "object" && one !== null) ?? value;
  return Array.isArray(inner) ? (inner as unknown[]) : Object.keys(inner);
};

/** ARM IDs of identities, of a list of CAPZ's, a list of texts, or a mapping with one. */
export function identityIdsOf(value: unknown): unknown {
  const list = Array.isArray(value) ? value : isRecord(value) ? idsIn(value) : [value];
  const ids = (list as readonly unknown[]).map((item) =>
    String(isRecord(item) ? item.providerID : item).replace(/^azure:\/\//, ""),
  );
  return ids.length > 0 && ids.every((id) => id.startsWith("/subscriptions/")) ? ids : undefined;
}
