import { managementNames } from "../../domain/azure/aks";
import { kubeconfigError } from "../kubeconfig";
import { unknownSecret } from "../parse";
import type { Problem } from "../../domain/problem";
import type { Settings } from "../settings";

const setKubeconfig = "pulumi config set --secret managementKubeconfig < FILE";

function kubeconfigProblems({ management, managementKubeconfig }: Settings): Problem[] {
  const path = "managementKubeconfig";
  const wanted = management.kind === "existing";
  if (!wanted) {
    return managementKubeconfig === undefined
      ? []
      : [
          {
            path,
            uses: ["management"],
            problem: "it is given, and management.kind aks makes a cluster of its own",
            allowed: "only with management.kind existing",
            write: "management.kind: existing, or take it out with: pulumi config rm managementKubeconfig",
          },
        ];
  }
  if (managementKubeconfig === undefined) {
    return [
      {
        path,
        uses: ["management"],
        problem: "it is missing, and management.kind existing needs it",
        allowed: "a kubeconfig, as a secret",
        write: setKubeconfig,
      },
    ];
  }
  const fault = managementKubeconfig === unknownSecret ? undefined : kubeconfigError(managementKubeconfig);
  return fault === undefined
    ? []
    : [
        {
          path,
          uses: [path],
          problem: `this is no kubeconfig: ${fault} (the value is a secret and not shown)`,
          allowed: "a kubeconfig with kind Config, clusters, users, contexts and a current-context",
          write: setKubeconfig,
        },
      ];
}

function identityProblems({ management, clusterApi }: Settings): Problem[] {
  if (
    management.kind === "existing" &&
    clusterApi.identity === undefined &&
    management.oidcIssuerUrl === undefined
  ) {
    return [
      {
        path: "management.oidcIssuerUrl",
        uses: ["management", "clusterApi"],
        problem:
          "CAPZ needs an identity: one is made with federated credentials from the cluster's OIDC issuer, or given",
        allowed: "management.oidcIssuerUrl, or clusterApi.identity",
        write: "oidcIssuerUrl: what `az aks show --query oidcIssuerProfile.issuerUrl` prints",
      },
    ];
  }
  return [];
}

function aksProblems({ management, clusterApi }: Settings): Problem[] {
  if (management.kind !== "aks") {
    return [];
  }
  const problems: Problem[] = [];
  if (!clusterApi.install) {
    problems.push({
      path: "clusterApi.install",
      value: false,
      uses: ["clusterApi.install", "management"],
      problem: "a new AKS cluster has no Cluster API on it",
      allowed: "true with management.kind aks",
      write: "install: true, or management.kind: existing",
    });
  }
  if (clusterApi.identity) {
    problems.push({
      path: "clusterApi.identity",
      value: clusterApi.identity,
      uses: ["clusterApi.identity", "management"],
      problem:
        "an identity that exists already cannot trust the OIDC issuer of an AKS cluster that is made now",
      allowed: "only with management.kind existing",
      write: "take identity out",
    });
  }
  if (management.nodeCount > management.maxNodeCount) {
    problems.push({
      path: "management.nodeCount",
      value: management.nodeCount,
      uses: ["management"],
      problem: `it is larger than maxNodeCount ${management.maxNodeCount}`,
      allowed: `a number from 1 to ${management.maxNodeCount}`,
      write: `maxNodeCount: ${management.nodeCount}`,
    });
  }
  return problems;
}

/** Azure takes names of resource groups for equal whatever their case. */
function resourceGroupProblems({ management, azure, clusterName }: Settings): Problem[] {
  const names = managementNames(clusterName);
  const owner = [
    [names.resourceGroup, "the resource group of the AKS management cluster"],
    [names.nodeResourceGroup, "the resource group that AKS makes for its nodes"],
  ].find(([name]) => name?.toLowerCase() === azure.resourceGroup.toLowerCase());
  return management.kind !== "aks" || owner === undefined
    ? []
    : [
        {
          path: "azure.resourceGroup",
          value: azure.resourceGroup,
          uses: ["azure.resourceGroup", "clusterName", "management"],
          problem: `this is ${owner[1] ?? ""}`,
          allowed: "a resource group of its own for the workload cluster",
          write: `resourceGroup: ${clusterName}, or take it out`,
        },
      ];
}

export const managementRules = (settings: Settings): Problem[] => [
  ...kubeconfigProblems(settings),
  ...identityProblems(settings),
  ...aksProblems(settings),
  ...resourceGroupProblems(settings),
];
