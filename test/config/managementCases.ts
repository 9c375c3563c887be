import { minimal } from "../support/stacks";
import type { Case } from "./ruleCases";

const existing = {
  kind: "existing",
  name: "m",
  egressCidrs: ["198.51.100.4/32"],
  oidcIssuerUrl: "https://issuer.example/",
};
const kubeconfig = JSON.stringify({
  kind: "Config",
  clusters: [{ name: "c" }],
  contexts: [{ name: "c" }],
  users: [{ name: "c" }],
  "current-context": "c",
});

const digest = `sha256:${"a".repeat(64)}`;

/** The management cluster, and Cluster API on it. */
export const managementCases: readonly Case[] = [
  [
    "no identity and no issuer",
    { management: { ...existing, oidcIssuerUrl: undefined }, managementKubeconfig: kubeconfig },
    "management.oidcIssuerUrl: CAPZ needs an identity: either an existing one, or a new one that trusts the cluster's OIDC issuer",
    {
      management: { ...existing, oidcIssuerUrl: undefined },
      managementKubeconfig: kubeconfig,
      clusterApi: { identity: { clientId: "11111111-2222-4333-8444-555555555555" } },
    },
  ],
  [
    "a kubeconfig that is not used",
    { managementKubeconfig: kubeconfig },
    "managementKubeconfig: not used with management.kind aks, which creates the management cluster",
    { managementKubeconfig: kubeconfig, management: existing },
  ],
  [
    "a new cluster that would already have Cluster API",
    { clusterApi: { install: false } },
    "clusterApi.install: Cluster API is not installed on a new AKS cluster",
    { clusterApi: { install: false }, management: existing, managementKubeconfig: kubeconfig },
  ],
  [
    "a new cluster that would already have cert-manager",
    { clusterApi: { installCertManager: false } },
    "clusterApi.installCertManager: a new AKS cluster does not have cert-manager",
    {
      clusterApi: { install: true, installCertManager: false },
      management: existing,
      managementKubeconfig: kubeconfig,
    },
  ],
  [
    "cert-manager without Cluster API",
    { clusterApi: { installCertManager: true }, management: existing, managementKubeconfig: kubeconfig },
    "clusterApi.installCertManager: cert-manager is installed together with Cluster API only",
    {
      clusterApi: { install: true, installCertManager: true },
      management: existing,
      managementKubeconfig: kubeconfig,
    },
  ],
  [
    "a repository for Cluster API that is not installed",
    {
      clusterApi: { componentsRepository: "registry.example.com/cluster-api" },
      management: existing,
      managementKubeconfig: kubeconfig,
    },
    "clusterApi.componentsRepository: Cluster API is not installed by this stack",
    {
      clusterApi: { install: true, componentsRepository: "registry.example.com/cluster-api" },
      management: existing,
      managementKubeconfig: kubeconfig,
    },
  ],
  [
    "digests for Cluster API that is not installed",
    { clusterApi: { digests: { operator: digest } }, management: existing, managementKubeconfig: kubeconfig },
    "clusterApi.digests: Cluster API is not installed by this stack",
    {
      clusterApi: { install: true, digests: { operator: digest } },
      management: existing,
      managementKubeconfig: kubeconfig,
    },
  ],
  [
    "a digest of cert-manager that is not installed",
    {
      clusterApi: { install: true, installCertManager: false, digests: { certManager: digest } },
      management: existing,
      managementKubeconfig: kubeconfig,
    },
    "clusterApi.digests.certManager: cert-manager is not installed by this stack",
    { clusterApi: { digests: { certManager: digest } } },
  ],
  [
    "a digest of a file that the operator takes from a repository",
    { clusterApi: { componentsRepository: "registry.example.com/capi", digests: { azure: digest } } },
    "clusterApi.digests.azure: the Cluster API operator takes what is in registry.example.com/capi by its tag and cannot take it by a digest",
    {
      clusterApi: {
        componentsRepository: "registry.example.com/capi",
        digests: { certManager: digest, operator: digest },
      },
    },
  ],
  [
    "a namespace that a new cluster would already have",
    { createNamespace: false },
    "createNamespace: a new AKS cluster does not have the namespace",
    { createNamespace: false, management: existing, managementKubeconfig: kubeconfig },
  ],
  [
    "a namespace of Cluster API",
    { namespace: "capz-system" },
    "namespace: the stack would create and delete this namespace, which belongs to Kubernetes or to Cluster API",
    { namespace: "capz-clusters" },
  ],
  [
    "a namespace of Kubernetes, by the cluster's name",
    { clusterName: "default" },
    "namespace: the stack would create and delete this namespace, which belongs to Kubernetes or to Cluster API",
    {
      clusterName: "default",
      createNamespace: false,
      management: existing,
      managementKubeconfig: kubeconfig,
    },
  ],
  [
    "a resource group that AKS uses",
    { azure: { ...(minimal().azure as object), resourceGroup: "Test-Management-nodes" } },
    "azure.resourceGroup: this is the name of the resource group that AKS creates for its nodes",
    { azure: { ...(minimal().azure as object), resourceGroup: "test-management-2" } },
  ],
  [
    "more nodes than the maximum",
    { management: { kind: "aks", nodeCount: 6 } },
    "management.nodeCount: greater than maxNodeCount 5",
    { management: { kind: "aks", nodeCount: 5 } },
  ],
];
