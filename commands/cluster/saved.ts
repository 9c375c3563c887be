import { hideCredentials, nameOf } from "../../tools/credentials";
import { isRecord } from "../../tools/untyped";
import { managementKinds, workloadKinds } from "./kinds";
import type { KubeObject } from "./objects";
import type { Side, Snapshot } from "./snapshot";

/** A recording for those who help: what the rules read, and nothing that looks like a secret. */

/** Annotations that rules read. Others belong to programs of which nothing is known, and may have anything in them. */
const annotations =
  /^(?:[\w.-]+\.)?(?:cluster\.x-k8s\.io|clusters\.x-k8s\.io|kubernetes\.io|k8s\.io)\/(?!.*last-applied)[\w.-]+$|^kubernetes\.io\/ingress\.class$/;

/** Fields of any object that programs read as secrets, or in which users put them. */
const secretFields: ReadonlySet<string> = new Set([
  ...["protectedSettings", "variables", "stringData", "binaryData", "caBundle", "userData", "customData"],
  ...["env", "envFrom", "command", "managedFields", "kubeconfig", "passwd", "sshAuthorizedKeys"],
]);

const readKinds: Readonly<Record<Side, ReadonlySet<string>>> = {
  management: new Set(managementKinds.map(({ kind }) => kind)),
  workload: new Set(workloadKinds.map(({ kind }) => kind)),
};

/** The host of an address: a path and a query may have a token. */
const hostOf = (url: string): string => /^[a-z]+:\/\/(?:[^/@]*@)?([^/?#]*)/i.exec(url)?.[1] ?? "";

function savedValue(value: unknown, key?: string, name?: string): unknown {
  if (typeof value === "string") {
    return hideCredentials(key === "url" ? hostOf(value) : value, name);
  }
  if (Array.isArray(value)) {
    return value.map((inner) => savedValue(inner));
  }
  if (!isRecord(value)) {
    return value;
  }
  const kept = Object.entries(value).filter(
    ([inner]) => !secretFields.has(inner) && (key !== "annotations" || annotations.test(inner)),
  );
  return Object.fromEntries(
    kept.map(([inner, one]) => [inner, savedValue(one, inner, nameOf(value, inner))]),
  );
}

const savedSide = <T extends { readonly objects: readonly KubeObject[] }>(side: Side, read: T): T => ({
  ...(savedValue({ ...read, objects: [] }) as T),
  objects: read.objects
    .filter(({ kind }) => readKinds[side].has(kind))
    .map((object) => savedValue(object) as KubeObject),
});

export const savedSnapshot = (snapshot: Snapshot): unknown => ({
  ...snapshot,
  management: savedSide("management", snapshot.management),
  workload: savedSide("workload", snapshot.workload),
  kubeconfig: undefined,
});
