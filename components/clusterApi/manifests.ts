import { defaultSyncPeriodMinutes } from "../../capi/syncPeriod";
import { tokenLifeArgument, tokenMinutes } from "capz-windows-platform/machines/bootstrapTokens";
import { chartRepositories } from "capz-windows-platform/versions";
import { apiVersions } from "../../capi/apiVersions";
import { contentHash } from "../../capi/contentHash";
import { skipAwait, awaiting, providerInstalled } from "../../capi/waits";
import type { AzureClusterIdentity, AzureClusterIdentitySpec } from "capz-types/crds/azure";
import type {
  BootstrapProvider,
  BootstrapProviderSpec,
  ControlPlaneProvider,
  CoreProvider,
  InfrastructureProvider,
  InfrastructureProviderSpec,
} from "capz-types/crds/operator";

/** Namespace of CAPZ. The operator chart has another default, but the federated subjects contain this one. */
export const capzNamespace = "capz-system";

/** Service accounts that must be federated with CAPZ's identity: the manager's, and that of Azure Service Operator. */
export const federatedServiceAccounts = ["capz-manager", "azureserviceoperator-default"] as const;

export const federatedSubject = (serviceAccount: string): string =>
  `system:serviceaccount:${capzNamespace}:${serviceAccount}`;

/** Audience of federated tokens; Microsoft Entra accepts no other. */
export const federatedAudience = "api://AzureADTokenExchange";

export interface ProviderVersions {
  /** Core, bootstrap and control plane provider, with leading v. */
  readonly core: string;
  /** CAPZ, with leading v. */
  readonly azure: string;
  /** OCI repository with the manifests, tagged by these versions. Default: the releases on GitHub. */
  readonly componentsRepository?: string | undefined;
  /** How often CAPZ reconciles every object. Default: every minute. */
  readonly syncPeriodMinutes?: number | undefined;
  /** How long a bootstrap token lives. Default: 90 minutes. */
  readonly bootstrapTtlMinutes?: number | undefined;
}

type ProviderObject = BootstrapProvider | ControlPlaneProvider | CoreProvider | InfrastructureProvider;

export interface ProviderRelease {
  /** Logical role, part of the resource's name. */
  readonly role: "core" | "bootstrap" | "control-plane" | "infrastructure";
  readonly namespace: string;
  /** With leading v. */
  readonly version: string;
  readonly object: ProviderObject;
}

/**
 * Not `manager.additionalArgs`: the operator refuses an argument there that the manifest of the provider has already
 * (cluster-api-operator v0.29 internal/controller/component_customizer.go, "already exists").
 */
const tokenLife = (minutes: number): Pick<BootstrapProviderSpec, "deployment"> => ({
  deployment: { containers: [{ name: "manager", args: { [tokenLifeArgument]: `${minutes}m` } }] },
});

/** The four providers as objects of the Cluster API operator, the core provider first: the others wait for it. */
export function providerReleases({
  core,
  azure,
  componentsRepository,
  syncPeriodMinutes = defaultSyncPeriodMinutes,
  bootstrapTtlMinutes = tokenMinutes,
}: ProviderVersions): readonly ProviderRelease[] {
  const release = (
    role: ProviderRelease["role"],
    kind: ProviderObject["kind"],
    name: string,
    namespace: string,
    version: string,
    more: Pick<InfrastructureProviderSpec, "deployment" | "manager"> = {},
  ): ProviderRelease => ({
    role,
    namespace,
    version,
    object: {
      apiVersion: apiVersions.operator,
      kind,
      metadata: {
        name,
        namespace,
        annotations: skipAwait,
      },
      spec: {
        version,
        ...more,
        // Without a tag the operator takes the version (cluster-api-operator v0.29 internal/controller/oci_source.go).
        ...(componentsRepository === undefined
          ? {}
          : ({ fetchConfig: { oci: componentsRepository } } satisfies Partial<InfrastructureProviderSpec>)),
      },
    },
  });
  return [
    release("core", "CoreProvider", "cluster-api", "capi-system", core),
    release(
      "bootstrap",
      "BootstrapProvider",
      "kubeadm",
      "capi-kubeadm-bootstrap-system",
      core,
      tokenLife(bootstrapTtlMinutes),
    ),
    release("control-plane", "ControlPlaneProvider", "kubeadm", "capi-kubeadm-control-plane-system", core),
    release("infrastructure", "InfrastructureProvider", "azure", capzNamespace, azure, {
      manager: { syncPeriod: `${syncPeriodMinutes}m` },
    }),
  ];
}

/** Only adds the wait for the provider's controllers. It changes with the provider. */
export const providerInstalledPatch = ({
  version,
  object: { apiVersion, kind, metadata, spec },
}: ProviderRelease) => ({
  apiVersion,
  kind,
  metadata: { ...metadata, annotations: awaiting(providerInstalled(version), contentHash(spec)) },
});

/** `Text` is a Pulumi input in the program, because only Azure knows some of the values. */
export interface ClusterIdentityArgs<Text> {
  readonly name: string;
  readonly namespace: string;
  readonly tenantId: Text;
  readonly clientId: Text;
}

interface ClusterIdentityObject<Text> extends Omit<AzureClusterIdentity, "spec"> {
  readonly spec: Omit<AzureClusterIdentitySpec, "clientID" | "tenantID"> & {
    readonly clientID: Text;
    readonly tenantID: Text;
  };
}

/** The AzureClusterIdentity that AzureCluster names. Only its own namespace may use it. */
export const clusterIdentityObject = <Text>(
  args: ClusterIdentityArgs<Text>,
): ClusterIdentityObject<Text> => ({
  apiVersion: apiVersions.azure,
  kind: "AzureClusterIdentity",
  metadata: {
    name: args.name,
    namespace: args.namespace,
    // Lets `clusterctl move` take it along.
    labels: { "clusterctl.cluster.x-k8s.io/move-hierarchy": "true" },
  },
  spec: {
    type: "WorkloadIdentity",
    tenantID: args.tenantId,
    clientID: args.clientId,
    allowedNamespaces: { list: [args.namespace] },
  },
});

/** Helm charts that carry everything else. */
export const charts = {
  certManager: { chart: "cert-manager", repo: chartRepositories.certManager, namespace: "cert-manager" },
  operator: {
    chart: "cluster-api-operator",
    repo: chartRepositories.clusterApiOperator,
    namespace: "capi-operator-system",
  },
} as const;
