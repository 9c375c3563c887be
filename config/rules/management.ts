import { present } from "capz-windows-kit/present";
import { artifactParts, artifactsOf } from "capz-windows-platform/cluster/artifacts";
import { managementNames } from "capz-windows-platform/azure/aks";
import { defaultSyncPeriodMinutes } from "../../capi/syncPeriod";
import { kubeconfigError } from "../kubeconfig";
import { unknownSecret } from "../parse";
import type { Problem } from "capz-windows-kit/problem";
import type { Settings } from "../settings";
import { tokenProblems } from "./bootstrapTokens";

const setKubeconfig = "npx pulumi config set --secret capz-windows:managementKubeconfig < FILE";

function kubeconfigProblems({ management, managementKubeconfig }: Settings): Problem[] {
  const path = "managementKubeconfig";
  if (management.kind !== "existing") {
    return present(
      managementKubeconfig !== undefined && {
        path,
        uses: ["management"],
        problem:
          management.kind === "aks"
            ? "not used with management.kind aks, which creates the management cluster"
            : "not used with management.kind stack: the kubeconfig is an output of the other stack",
        allowed: "only with management.kind existing",
        write: "npx pulumi config rm capz-windows:managementKubeconfig # or kind: existing in management",
      },
    );
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
  return present(
    fault !== undefined && {
      path,
      problem: `not a kubeconfig: ${fault} (the value is a secret and is not shown)`,
      allowed: "a kubeconfig with kind Config, clusters, users, contexts and a current-context",
      write: setKubeconfig,
    },
  );
}

const identityProblems = ({ management, clusterApi }: Settings): Problem[] =>
  present(
    management.kind === "existing" &&
      (management.only || clusterApi.identity === undefined) &&
      management.oidcIssuerUrl === undefined && {
        path: "management.oidcIssuerUrl",
        uses: ["management", "clusterApi"],
        problem: management.only
          ? "the identities of the stacks that use the cluster trust its OIDC issuer"
          : "CAPZ needs an identity: either an existing one, or a new one that trusts the cluster's OIDC issuer",
        allowed: management.only
          ? "the OIDC issuer of the cluster, for AKS that of az aks show --query oidcIssuerProfile.issuerUrl"
          : "management.oidcIssuerUrl, or clusterApi.identity",
      },
  );

/**
 * Options of Cluster API's installation have no effect without it: cert-manager for its webhooks, a repository for its
 * operator.
 */
const withoutInstallProblems = ({ clusterApi }: Settings): Problem[] =>
  (
    [
      ["installCertManager", "cert-manager is installed together with Cluster API only", "true"],
      ["componentsRepository", "Cluster API is not installed by this stack", "a repository"],
      ["digests", "Cluster API is not installed by this stack", "digests"],
    ] as const
  )
    .filter(([key]) => !clusterApi.install && (clusterApi[key] ?? false) !== false)
    .map(([key, problem, what]) => ({
      path: `clusterApi.${key}`,
      value: clusterApi[key],
      uses: [`clusterApi.${key}`, "clusterApi.install", "management"],
      problem,
      allowed: `${what} with clusterApi.install: true`,
    }));

/** Digests of what this stack does not download, or the operator cannot take by a digest. */
function digestProblems({ clusterApi, management }: Settings): Problem[] {
  const { install, componentsRepository, digests = {} } = clusterApi;
  // AKS needs cert-manager from the stack, which another problem says: its digest stays.
  const installCertManager = clusterApi.installCertManager || management.kind === "aks";
  const possible = artifactsOf({ ...clusterApi, installCertManager }).map(({ part }) => part);
  return artifactParts
    .filter((part) => install && digests[part] !== undefined && !possible.includes(part))
    .map((part) => ({
      path: `clusterApi.digests.${part}`,
      value: digests[part],
      uses: ["clusterApi", "management"],
      problem:
        part === "certManager"
          ? "cert-manager is not installed by this stack"
          : `the Cluster API operator takes what is in ${componentsRepository ?? ""} by its tag and cannot take it by a digest`,
      allowed: `${possible.join(", ")}, which this stack downloads by itself`,
    }));
}

function aksProblems({ management, clusterApi, createNamespace }: Settings): Problem[] {
  if (management.kind !== "aks") {
    return [];
  }
  const { install, installCertManager, identity } = clusterApi;
  const must = (wrong: boolean, path: string, problem: string): Problem | false =>
    wrong && {
      path,
      value: false,
      uses: [path, "management"],
      problem,
      allowed: "true with management.kind aks",
    };
  return present(
    must(!createNamespace, "createNamespace", "a new AKS cluster does not have the namespace"),
    must(!install, "clusterApi.install", "Cluster API is not installed on a new AKS cluster"),
    must(
      install && !installCertManager,
      "clusterApi.installCertManager",
      "a new AKS cluster does not have cert-manager",
    ),
    identity && {
      path: "clusterApi.identity",
      value: identity,
      uses: ["clusterApi.identity", "management"],
      problem: "an existing identity cannot trust the OIDC issuer of an AKS cluster that does not exist yet",
      allowed: "only with management.kind existing",
    },
    management.nodeCount > management.maxNodeCount && {
      path: "management.nodeCount",
      value: management.nodeCount,
      uses: ["management"],
      problem: `greater than maxNodeCount ${management.maxNodeCount}`,
      allowed: `a number from 1 to ${management.maxNodeCount}`,
    },
  );
}

/** What the stack with the management cluster decides for all its clients. */
const stackProblems = ({ management, clusterApi }: Settings): Problem[] =>
  management.kind !== "stack"
    ? []
    : present(
        clusterApi.install && {
          path: "clusterApi.install",
          value: true,
          uses: ["clusterApi.install", "management"],
          problem: `Cluster API is installed by the stack ${management.stack}, once for all its clients`,
          allowed: "false with management.kind stack",
        },
        clusterApi.syncPeriodMinutes !== defaultSyncPeriodMinutes && {
          path: "clusterApi.syncPeriodMinutes",
          value: clusterApi.syncPeriodMinutes,
          uses: ["clusterApi.syncPeriodMinutes", "management"],
          problem: `CAPZ has one sync period for all clusters, and the stack ${management.stack} installs it`,
          allowed: `in clusterApi of the stack ${management.stack}`,
        },
      );

/** Resource group names that AKS needs. The names are compared without case, because Azure ignores it. */
function resourceGroupProblems({ management, azure, clusterName }: Settings): Problem[] {
  const names = managementNames(clusterName);
  const owner = [
    [names.resourceGroup, "the resource group of the AKS management cluster"],
    [names.nodeResourceGroup, "the resource group that AKS creates for its nodes"],
  ].find(([name]) => name?.toLowerCase() === azure.resourceGroup.toLowerCase());
  return present(
    management.kind === "aks" &&
      owner !== undefined && {
        path: "azure.resourceGroup",
        value: azure.resourceGroup,
        uses: ["azure.resourceGroup", "clusterName", "management"],
        problem: `this is the name of ${owner[1] ?? ""}`,
        allowed: "a separate resource group for the workload cluster",
      },
  );
}

/** https://learn.microsoft.com/azure/aks/api-server-authorized-ip-ranges */
const mostAuthorized = 200;

/** AKS also gets the addresses from which its own nodes reach the API server. */
function authorizedProblems({ management }: Settings): Problem[] {
  if (management.kind !== "aks" || management.authorizedCidrs.length === 0) {
    return [];
  }
  const { authorizedCidrs, network } = management;
  const most = mostAuthorized - (network?.outbound.egressCidrs?.length ?? 1);
  return present(
    authorizedCidrs.length > most && {
      ...{ path: "management.authorizedCidrs", value: authorizedCidrs, uses: ["management"] },
      problem: `${authorizedCidrs.length} networks, and AKS takes at most ${mostAuthorized} with the addresses of its own nodes`,
      allowed: `at most ${most}`,
    },
  );
}

export const managementRules = (settings: Settings): Problem[] => [
  ...authorizedProblems(settings),
  ...kubeconfigProblems(settings),
  ...identityProblems(settings),
  ...withoutInstallProblems(settings),
  ...digestProblems(settings),
  ...aksProblems(settings),
  ...stackProblems(settings),
  ...tokenProblems(settings),
  ...resourceGroupProblems(settings),
];
