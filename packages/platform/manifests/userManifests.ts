import type { KubernetesObject } from "capz-types";
import { at, isRecord, list, ownValue, textAt } from "capz-windows-kit/untyped";
import { namespacedKinds } from "./kinds";

/** Manifests that users bring along, delivered by a separate ClusterResourceSet. */

export const ManifestStrategy = { Reconcile: "Reconcile", ApplyOnce: "ApplyOnce" } as const;
export type ManifestStrategy = (typeof ManifestStrategy)[keyof typeof ManifestStrategy];

/** Bytes of a file; the ConfigMaps of a set have room for less. */
export const largestManifest = 2_000_000;

/** Logical name of the set of a manifest: the same in every stack, whatever the cluster is called. */
export const manifestRole = (name: string): `extra-${string}` => `extra-${name}`;

/**
 * Name of the set in the management cluster. The strategy of a ClusterResourceSet is immutable, so it is part of the name:
 * another strategy means a new set. The objects that the old set delivered stay in the cluster.
 */
export const manifestSetName = (clusterName: string, name: string, strategy: ManifestStrategy): string =>
  `${clusterName}-${strategy === "ApplyOnce" ? "once" : "extra"}-${name}`;

/** On the set of a user's manifest and its ConfigMaps, with the manifest's name. */
export const manifestLabel = "capz-windows/extra-manifests";

/** Kind, namespace and name: `Deployment web/frontend`. */
export const objectTitle = (object: unknown): string => {
  const [namespace, name] = [textAt(object, "metadata", "namespace"), textAt(object, "metadata", "name")];
  return `${textAt(object, "kind")} ${namespace === "" ? name : `${namespace}/${name}`}`;
};

/**
 * API groups of which one stores the objects of the other: Calico's API server keeps those of its own group as those of its
 * CRDs (calico v3.32.1 libcalico-go/lib/backend/k8s/resources).
 */
const storedAs: Readonly<Record<string, string>> = { "projectcalico.org": "crd.projectcalico.org" };

/**
 * API group, kind, namespace and name, without the API version: the same object can be written in several versions. Then the
 * same without the namespace, which the API server takes away from an object that has none.
 */
export function objectIdentities(object: KubernetesObject): readonly [string, string] {
  const group = object.apiVersion.includes("/") ? object.apiVersion.replace(/\/[^/]*$/, "") : "";
  const stored = ownValue(storedAs, group) ?? group;
  return [
    `${stored} ${objectTitle(object)}`,
    `${stored} ${object.kind} ${textAt(object, "metadata", "name")}`,
  ];
}

/** What is wrong with an object of a manifest, and what there is instead. */
export interface ManifestFault {
  readonly problem: string;
  readonly allowed: string;
}

const isName = (value: unknown): value is string => typeof value === "string" && value !== "";

/** A Secret without content, such as a service account token, is filled in the cluster: its manifest hides nothing. */
const hasContent = ({ data, stringData }: Readonly<Record<string, unknown>>): boolean =>
  [data, stringData].some((content) => isRecord(content) && Object.keys(content).length > 0);

/**
 * A Calico whose pods of two nodes would not reach each other: it sends packets with pod addresses, or IP in IP, which Azure
 * drops. With Windows, its operator refuses it (tigera/operator v1.42.3 pkg/controller/installation/validation.go).
 */
function calicoFault(value: unknown): ManifestFault | undefined {
  const found = list(at(value, "spec", "calicoNetwork", "ipPools"))
    .map((pool) => textAt(pool, "encapsulation"))
    .find((name) => /^IPIP|CrossSubnet$/.test(name));
  return found !== undefined && textAt(value, "apiVersion").startsWith("operator.tigera.io/")
    ? {
        problem: `${objectTitle(value)}: with ${found}, Azure drops packets between pods of two nodes, and Calico's operator refuses it for Windows`,
        allowed: "encapsulation: VXLAN",
      }
    : undefined;
}

/** Why a ClusterResourceSet cannot deliver an object, or nothing would come of it; `undefined` where neither is known. */
export function manifestFault(value: unknown, index: number): ManifestFault | undefined {
  const { apiVersion, kind, metadata } = isRecord(value) ? value : {};
  const { name, namespace } = isRecord(metadata) ? metadata : {};
  if (!isName(apiVersion) || !isName(kind) || (!isName(name) && !kind.endsWith("List"))) {
    return {
      problem: `object ${index + 1} is no Kubernetes object`,
      allowed: "objects with apiVersion, kind and metadata.name, each a text",
    };
  }
  const title = objectTitle(value);
  if (apiVersion === "v1" && kind === "Secret" && isRecord(value) && hasContent(value)) {
    return {
      problem: `${title}: what a ClusterResourceSet delivers is stored in plain text in a ConfigMap of the management cluster, and appears in plans`,
      allowed:
        "objects of other kinds; make Secrets with kubectl and the output workloadKubeconfig, or use an external secret store",
    };
  }
  if (kind.endsWith("List") && isRecord(value) && Array.isArray(value.items)) {
    return {
      problem: `${kind}: a ClusterResourceSet applies no lists`,
      allowed: "its items as separate documents",
    };
  }
  if (namespacedKinds.has(kind) && !isName(namespace)) {
    return {
      problem: `${title} names no namespace, and a ClusterResourceSet has no default`,
      allowed: "metadata.namespace in every object of a namespace",
    };
  }
  return calicoFault(value);
}
