import { compact } from "../compact";
import { managementNames } from "../../platform/azure/aks";
import { kubeconfigError } from "../kubeconfig";
import { unknownSecret } from "../parse";
import type { Problem } from "../../tools/problem";
import { placeholder, writeLine } from "../../tools/writeLine";
import type { Settings } from "../settings";

const setKubeconfig = "npx pulumi config set --secret managementKubeconfig < FILE";

function kubeconfigProblems({ management, managementKubeconfig }: Settings): Problem[] {
  const path = "managementKubeconfig";
  if (management.kind !== "existing") {
    return compact([
      managementKubeconfig !== undefined && {
        path,
        uses: ["management"],
        problem: "not used with management.kind aks, which creates the management cluster",
        allowed: "only with management.kind existing",
        write: "npx pulumi config rm managementKubeconfig # or kind: existing in management",
      },
    ]);
  }
  if (managementKubeconfig === undefined) {
    return [
      {
        path,
        uses: ["management"],
        problem: "this key is required with management.kind existing",
        allowed: "a kubeconfig, as a secret",
        write: setKubeconfig,
      },
    ];
  }
  const fault = managementKubeconfig === unknownSecret ? undefined : kubeconfigError(managementKubeconfig);
  return compact([
    fault !== undefined && {
      path,
      uses: [path],
      problem: `not a kubeconfig: ${fault} (the value is a secret and is not shown)`,
      allowed: "a kubeconfig with kind Config, clusters, users, contexts and a current-context",
      write: setKubeconfig,
    },
  ]);
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
          "CAPZ needs an identity: either an existing one, or a new one that trusts the cluster's OIDC issuer",
        allowed: "management.oidcIssuerUrl, or clusterApi.identity",
        write: writeLine(
          "oidcIssuerUrl",
          placeholder("output of az aks show --query oidcIssuerProfile.issuerUrl"),
        ),
      },
    ];
  }
  return [];
}

/**
 * Options of Cluster API's installation have no effect without it: cert-manager for its webhooks, a repository for its
 * operator.
 */
function withoutInstallProblems({ clusterApi }: Settings): Problem[] {
  const { install, installCertManager, componentsRepository } = clusterApi;
  const needsInstall = (key: string, value: unknown, problem: string, what: string): Problem => ({
    path: `clusterApi.${key}`,
    value,
    uses: [`clusterApi.${key}`, "clusterApi.install", "management"],
    problem,
    allowed: `${what} with clusterApi.install: true`,
    write: `remove ${key} # or install: true`,
  });
  return install
    ? []
    : [
        ...(installCertManager
          ? [
              needsInstall(
                "installCertManager",
                true,
                "cert-manager is installed together with Cluster API only",
                "true",
              ),
            ]
          : []),
        ...(componentsRepository === undefined
          ? []
          : [
              needsInstall(
                "componentsRepository",
                componentsRepository,
                "Cluster API is not installed by this stack",
                "a repository",
              ),
            ]),
      ];
}

function aksProblems({ management, clusterApi, createNamespace }: Settings): Problem[] {
  if (management.kind !== "aks") {
    return [];
  }
  const problems: Problem[] = [];
  if (!createNamespace) {
    problems.push({
      path: "createNamespace",
      value: false,
      uses: ["createNamespace", "management"],
      problem: "a new AKS cluster does not have the namespace",
      allowed: "true with management.kind aks",
      write: "remove capz-windows:createNamespace # or kind: existing in management",
    });
  }
  if (!clusterApi.install) {
    problems.push({
      path: "clusterApi.install",
      value: false,
      uses: ["clusterApi.install", "management"],
      problem: "Cluster API is not installed on a new AKS cluster",
      allowed: "true with management.kind aks",
      write: "install: true # or kind: existing in management",
    });
  } else if (!clusterApi.installCertManager) {
    problems.push({
      path: "clusterApi.installCertManager",
      value: false,
      uses: ["clusterApi.installCertManager", "management"],
      problem: "a new AKS cluster does not have cert-manager",
      allowed: "true with management.kind aks",
      write: "remove installCertManager # or kind: existing in management",
    });
  }
  if (clusterApi.identity) {
    problems.push({
      path: "clusterApi.identity",
      value: clusterApi.identity,
      uses: ["clusterApi.identity", "management"],
      problem: "an existing identity cannot trust the OIDC issuer of an AKS cluster that does not exist yet",
      allowed: "only with management.kind existing",
      write: "remove identity",
    });
  }
  if (management.nodeCount > management.maxNodeCount) {
    problems.push({
      path: "management.nodeCount",
      value: management.nodeCount,
      uses: ["management"],
      problem: `greater than maxNodeCount ${management.maxNodeCount}`,
      allowed: `a number from 1 to ${management.maxNodeCount}`,
      write: `maxNodeCount: ${management.nodeCount}`,
    });
  }
  return problems;
}

/** Resource group names that AKS needs. The names are compared without case, because Azure ignores it. */
function resourceGroupProblems({ management, azure, clusterName }: Settings): Problem[] {
  const names = managementNames(clusterName);
  const owner = [
    [names.resourceGroup, "the resource group of the AKS management cluster"],
    [names.nodeResourceGroup, "the resource group that AKS creates for its nodes"],
  ].find(([name]) => name?.toLowerCase() === azure.resourceGroup.toLowerCase());
  return compact([
    management.kind === "aks" &&
      owner !== undefined && {
        path: "azure.resourceGroup",
        value: azure.resourceGroup,
        uses: ["azure.resourceGroup", "clusterName", "management"],
        problem: `this is the name of ${owner[1] ?? ""}`,
        allowed: "a separate resource group for the workload cluster",
        write: `remove resourceGroup # the default is ${clusterName}`,
      },
  ]);
}

export const managementRules = (settings: Settings): Problem[] => [
  ...kubeconfigProblems(settings),
  ...identityProblems(settings),
  ...withoutInstallProblems(settings),
  ...aksProblems(settings),
  ...resourceGroupProblems(settings),
];
