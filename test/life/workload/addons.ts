import type { KubernetesObject } from "../../../domain/capi/types";
import type { Kube, LiveObject } from "../kube";

/** Stands for the programs that ClusterResourceSets deliver: nothing runs their pods here. */

const standIn = /(^|\.)(tigera\.io|projectcalico\.org)$/;

const groupOf = ({ apiVersion }: KubernetesObject): string =>
  apiVersion.includes("/") ? apiVersion.split("/")[0]! : "";

/** CRDs that the Calico operator brings for the objects that are delivered after it; any content is accepted. */
export function operatorCrds(delivered: readonly KubernetesObject[]): KubernetesObject[] {
  const kinds = new Map(
    delivered
      .filter((object) => standIn.test(groupOf(object)))
      .map(({ apiVersion, kind }) => [`${apiVersion}/${kind}`, { apiVersion, kind }]),
  );
  return [...kinds.values()].map(({ apiVersion, kind }) => {
    const [group = "", version = ""] = apiVersion.split("/");
    const plural = `${kind.toLowerCase()}s`;
    return {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: `${plural}.${group}` },
      spec: {
        group,
        scope: "Cluster",
        names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
        versions: [
          {
            name: version,
            served: true,
            storage: true,
            subresources: { status: {} },
            schema: {
              openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
            },
          },
        ],
      },
    };
  });
}

/**
 * How many Typha pods the Calico operator wants for a number of schedulable nodes of both systems; with fewer Linux
 * nodes it renders nothing. tigera/operator v1.42.3 pkg/common/autoscale.go, tried with the real one.
 */
export const typhaReplicas = (nodes: number): number =>
  nodes <= 2 ? 1 : nodes <= 4 ? 2 : nodes < 400 ? 3 : Math.floor(nodes / 200) + 2;

/** Whether the Calico operator gives these nodes a network. */
export function rendersNetwork(nodes: readonly LiveObject[]): boolean {
  const linux = nodes.filter(({ metadata }) => metadata.labels?.["kubernetes.io/os"] === "linux");
  return linux.length >= typhaReplicas(nodes.length);
}

/** Whether what gives nodes their network was delivered. */
export async function networkDelivered(kube: Kube): Promise<"operator" | "manifest" | undefined> {
  if (await kube.get({ apiVersion: "operator.tigera.io/v1", kind: "Installation" }, "default")) {
    return "operator";
  }
  const sets = await kube.list({ apiVersion: "apps/v1", kind: "DaemonSet" });
  return sets.some(({ metadata: { name } }) => /^(kube-flannel|calico-node)/.test(name))
    ? "manifest"
    : undefined;
}

/** Whether something will give nodes their provider id. */
export const cloudProviderDelivered = async (kube: Kube): Promise<boolean> =>
  (await kube.get(
    { apiVersion: "apps/v1", kind: "Deployment" },
    "cloud-controller-manager",
    "kube-system",
  )) !== undefined;
