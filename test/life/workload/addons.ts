import type { KubernetesObject } from "capz-types";
import type { Kube, LiveObject } from "../kube";

/** Simulates the programs that ClusterResourceSets deliver, because nothing runs their pods here. */

const standIn = /(^|\.)(tigera\.io|projectcalico\.org)$/;

const groupOf = ({ apiVersion }: KubernetesObject): string =>
  apiVersion.includes("/") ? apiVersion.split("/")[0]! : "";

/** CRDs of the Calico operator for the objects that are delivered after it. They accept any content. */
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
 * Number of Typha pods that the Calico operator wants for schedulable nodes of both operating systems. With fewer Linux
 * nodes it renders nothing. Source: tigera/operator v1.42.3 pkg/common/autoscale.go, verified with the real operator.
 */
export const typhaReplicas = (nodes: number): number =>
  nodes <= 2 ? 1 : nodes <= 4 ? 2 : nodes < 400 ? 3 : Math.floor(nodes / 200) + 2;

/** Whether the Calico operator installs a network on these nodes. */
export function rendersNetwork(nodes: readonly LiveObject[]): boolean {
  const linux = nodes.filter(({ metadata }) => metadata.labels?.["kubernetes.io/os"] === "linux");
  return linux.length >= typhaReplicas(nodes.length);
}

/** How the network of nodes was delivered. Undefined if it was not. */
export async function networkDelivered(kube: Kube): Promise<"operator" | "manifest" | undefined> {
  if (await kube.get({ apiVersion: "operator.tigera.io/v1", kind: "Installation" }, "default")) {
    return "operator";
  }
  const sets = await kube.list({ apiVersion: "apps/v1", kind: "DaemonSet" });
  return sets.some(({ metadata: { name } }) => /^(kube-flannel|calico-node)/.test(name))
    ? "manifest"
    : undefined;
}

/** Whether a cloud provider was delivered, which sets the provider ID of nodes. */
export const cloudProviderDelivered = async (kube: Kube): Promise<boolean> =>
  (await kube.get(
    { apiVersion: "apps/v1", kind: "Deployment" },
    "cloud-controller-manager",
    "kube-system",
  )) !== undefined;
