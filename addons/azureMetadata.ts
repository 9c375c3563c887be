import type { KubernetesObject } from "capz-types";
import { metadataServers, metadataTier } from "capz-windows-platform/cluster/metadataAccess";
import { present } from "capz-windows-kit/present";

/**
 * Keeps pods from two addresses of Azure that are open to every process of a machine: the metadata service, which issues
 * tokens of the machine's identities, and the wire server, which hands out the settings of its extensions
 * (CVE-2021-27075, CAPZ #1682). The ports are those of Microsoft, "What is IP address 168.63.129.16?"; DNS, which has the
 * same address, stays.
 */

export interface AzureMetadataArgs {
  readonly blocked: boolean;
  /** Namespaces whose pods may reach both addresses. */
  readonly allowedNamespaces: readonly string[];
}

const apiVersion = "crd.projectcalico.org/v1";
const { name: tier, order } = metadataTier;

const deny = ({ address, ports }: (typeof metadataServers)[number]) => ({
  action: "Deny",
  protocol: "TCP",
  destination: { nets: [`${address}/32`], ports },
});

/**
 * A tier whose policies pass on what they do not decide, so that no pod is denied anything else. It comes after the tier
 * `default`, which has Kubernetes' NetworkPolicies: Calico for Windows would no longer follow the pods that these select,
 * because it looks for them in the first tier of a pod alone (calico v3.32.1 felix/dataplane/windows/endpoint_mgr.go,
 * refreshPendingWlEpUpdates). So a NetworkPolicy with egress rules decides alone about its pods. Orders: default
 * 1,000,000, kube-baseline 10,000,000 (calico v3.32.1 api/pkg/apis/projectcalico/v3/tier.go).
 *
 * If it is not wanted, the policy passes everything: a ClusterResourceSet would not delete it.
 */
export const azureMetadataPolicy = ({
  blocked,
  allowedNamespaces,
}: AzureMetadataArgs): KubernetesObject[] => [
  { apiVersion, kind: "Tier", metadata: { name: tier }, spec: { order, defaultAction: "Pass" } },
  {
    apiVersion,
    kind: "GlobalNetworkPolicy",
    // Calico's API lists the policies of a tier by this label, and wants its name first (libcalico-go/lib/names).
    metadata: { name: `${tier}.azure-metadata`, labels: { "projectcalico.org/tier": tier } },
    spec: {
      tier,
      // Calico gives this label to every pod that is not in its host's network; users cannot set it.
      selector: present(
        "has(projectcalico.org/namespace)",
        allowedNamespaces.length > 0 &&
          `projectcalico.org/namespace not in {${allowedNamespaces.map((name) => `'${name}'`).join(", ")}}`,
      ).join(" && "),
      types: ["Egress"],
      egress: blocked ? metadataServers.map(deny) : [{ action: "Pass" }],
    },
  },
];
