/**
 * Errors that the compiler must report. `npm run types` checks this file, and nothing runs it. If a line below
 * `@ts-expect-error` compiles, that is an error. Each object has no other mistake.
 */

import type { ClusterIdentityArgs, ProviderRelease } from "../../components/clusterApi/manifests";
import { clusterIdentityObject } from "../../components/clusterApi/manifests";
import type { clusterResourceSetObject } from "../../components/clusterResourceSet/manifests";
import type {
  kubeadmControlPlaneObject,
  machineHealthCheckObject,
  machineTemplateObject,
} from "../../components/controlPlane/manifests";
import type { PoolParts } from "../../components/machinePool/manifests";
import type { azureClusterObject, clusterObject } from "../../components/workloadCluster/manifests";
import type { ClusterResourceSet } from "../../capi/crds/addons";
import type {
  AzureCluster,
  AzureClusterIdentity,
  AzureMachinePool,
  AzureMachinePoolSpec,
  AzureMachineTemplate,
} from "../../capi/crds/azure";
import type { KubeadmConfig, KubeadmConfigSpec, KubeadmConfigTemplate } from "../../capi/crds/bootstrap";
import type { Cluster, MachineDeployment, MachineHealthCheck, MachinePool } from "../../capi/crds/cluster";
import type { KubeadmControlPlane } from "../../capi/crds/controlPlane";
import type {
  BootstrapProvider,
  ControlPlaneProvider,
  CoreProvider,
  InfrastructureProvider,
} from "../../capi/crds/operator";

type Equal<A, B> = [A, B] extends [B, A] ? true : false;

/** Builders return the types of their kinds, no looser ones. */
export const builders = [
  true satisfies Equal<ReturnType<typeof clusterObject>, Cluster>,
  true satisfies Equal<ReturnType<typeof azureClusterObject>, AzureCluster>,
  true satisfies Equal<ReturnType<typeof kubeadmControlPlaneObject>, KubeadmControlPlane>,
  true satisfies Equal<ReturnType<typeof machineTemplateObject>, AzureMachineTemplate>,
  true satisfies Equal<ReturnType<typeof machineHealthCheckObject>, MachineHealthCheck>,
  true satisfies Equal<ReturnType<typeof clusterResourceSetObject>, ClusterResourceSet>,
  true satisfies Equal<PoolParts["bootstrap"], KubeadmConfig | KubeadmConfigTemplate>,
  true satisfies Equal<PoolParts["infrastructure"], AzureMachinePool | AzureMachineTemplate>,
  true satisfies Equal<PoolParts["machines"], MachinePool | MachineDeployment>,
  true satisfies Equal<Required<PoolParts>["healthCheck"], MachineHealthCheck>,
  true satisfies Equal<
    ProviderRelease["object"],
    BootstrapProvider | ControlPlaneProvider | CoreProvider | InfrastructureProvider
  >,
];

export const identity = (args: ClusterIdentityArgs<string>): AzureClusterIdentity =>
  clusterIdentityObject(args);

const metadata = { name: "x", namespace: "y" };
const cluster = "cluster.x-k8s.io/v1beta2";
const bootstrap = "bootstrap.cluster.x-k8s.io/v1beta2";
const azure = "infrastructure.cluster.x-k8s.io/v1beta1";
const operator = "operator.cluster.x-k8s.io/v1alpha2";
const ref = { apiGroup: "x", kind: "X", name: "x" };

/** A misspelt field of each kind. */
export const misspelt: readonly unknown[] = [
  {
    ...{ apiVersion: cluster, kind: "Cluster", metadata },
    spec: {
      clusterNetwork: {
        pods: { cidrBlocks: ["192.168.0.0/16"] },
        // @ts-expect-error misspelt: services
        service: { cidrBlocks: ["10.96.0.0/12"] },
      },
    },
  } satisfies Cluster,
  {
    ...{ apiVersion: cluster, kind: "MachinePool", metadata },
    spec: {
      clusterName: "x",
      // @ts-expect-error misspelt: failureDomains
      failureDomain: ["1"],
      template: { spec: { clusterName: "x", bootstrap: {}, infrastructureRef: ref } },
    },
  } satisfies MachinePool,
  {
    ...{ apiVersion: cluster, kind: "MachineDeployment", metadata },
    spec: {
      clusterName: "x",
      selector: {},
      // @ts-expect-error of v1beta1: rollout.strategy
      strategy: { type: "RollingUpdate" },
      template: { spec: { clusterName: "x", bootstrap: {}, infrastructureRef: ref } },
    },
  } satisfies MachineDeployment,
  {
    ...{ apiVersion: cluster, kind: "MachineHealthCheck", metadata },
    spec: {
      clusterName: "x",
      selector: {},
      checks: {
        // @ts-expect-error of v1beta1: nodeStartupTimeoutSeconds
        nodeStartupTimeout: "40m",
      },
    },
  } satisfies MachineHealthCheck,
  {
    ...{ apiVersion: "addons.cluster.x-k8s.io/v1beta2", kind: "ClusterResourceSet", metadata },
    spec: {
      clusterSelector: {},
      resources: [{ kind: "ConfigMap", name: "x" }],
      // @ts-expect-error misspelt: strategy
      strategie: "Reconcile",
    },
  } satisfies ClusterResourceSet,
  {
    ...{ apiVersion: bootstrap, kind: "KubeadmConfig", metadata },
    spec: {
      // @ts-expect-error misspelt: preKubeadmCommands
      preKubeadmCommand: ["echo"],
    },
  } satisfies KubeadmConfig,
  {
    ...{ apiVersion: bootstrap, kind: "KubeadmConfigTemplate", metadata },
    spec: {
      template: {
        spec: {
          // @ts-expect-error misspelt: permissions
          files: [{ path: "/x", permission: "0644" }],
        },
      },
    },
  } satisfies KubeadmConfigTemplate,
  {
    ...{ apiVersion: "controlplane.cluster.x-k8s.io/v1beta2", kind: "KubeadmControlPlane", metadata },
    spec: {
      version: "v1.35.6",
      // @ts-expect-error of v1beta1: machineTemplate.spec.infrastructureRef
      machineTemplate: { infrastructureRef: ref, spec: { infrastructureRef: ref } },
    },
  } satisfies KubeadmControlPlane,
  {
    ...{ apiVersion: azure, kind: "AzureCluster", metadata },
    spec: {
      location: "westeurope",
      identityRef: {},
      // @ts-expect-error misspelt: subscriptionID
      subscriptionId: "x",
    },
  } satisfies AzureCluster,
  {
    ...{ apiVersion: azure, kind: "AzureClusterIdentity", metadata },
    spec: {
      type: "WorkloadIdentity",
      tenantID: "x",
      clientID: "x",
      // @ts-expect-error misspelt: allowedNamespaces
      allowedNamespace: { list: ["x"] },
    },
  } satisfies AzureClusterIdentity,
  {
    ...{ apiVersion: azure, kind: "AzureMachinePool", metadata },
    spec: {
      location: "westeurope",
      template: {
        vmSize: "x",
        osDisk: {
          osType: "Windows",
          // @ts-expect-error misspelt: diskSizeGB
          diskSizeGb: 128,
        },
      },
    },
  } satisfies AzureMachinePool,
  {
    ...{ apiVersion: azure, kind: "AzureMachineTemplate", metadata },
    spec: {
      template: {
        spec: {
          vmSize: "x",
          osDisk: { osType: "Linux" },
          // @ts-expect-error misspelt: userAssignedIdentities
          userAssignedIdentity: [{ providerID: "x" }],
        },
      },
    },
  } satisfies AzureMachineTemplate,
  {
    ...{ apiVersion: operator, kind: "CoreProvider", metadata },
    // @ts-expect-error misspelt: version
    spec: { versions: "v1.13.6" },
  } satisfies CoreProvider,
  {
    ...{ apiVersion: operator, kind: "BootstrapProvider", metadata },
    // @ts-expect-error misspelt: manager.syncPeriod
    spec: { manager: { syncperiod: "1m" } },
  } satisfies BootstrapProvider,
  {
    ...{ apiVersion: operator, kind: "ControlPlaneProvider", metadata },
    // @ts-expect-error misspelt: configSecret
    spec: { configsecret: { name: "x" } },
  } satisfies ControlPlaneProvider,
  {
    ...{ apiVersion: operator, kind: "InfrastructureProvider", metadata },
    // @ts-expect-error misspelt: fetchConfig.url
    spec: { fetchConfig: { URL: "x" } },
  } satisfies InfrastructureProvider,
];

const template: AzureMachinePoolSpec["template"] = { vmSize: "x", osDisk: { osType: "Windows" } };

/** Values that a field does not accept. */
export const wrong: readonly unknown[] = [
  {
    location: "x",
    template,
    strategy: {
      // @ts-expect-error Newest, Oldest or Random
      rollingUpdate: { deletePolicy: "newest" },
    },
  } satisfies AzureMachinePoolSpec,
  {
    location: "x",
    template: {
      vmSize: "x",
      // @ts-expect-error a number, not a text
      osDisk: { osType: "Windows", diskSizeGB: "128" },
    },
  } satisfies AzureMachinePoolSpec,
  {
    location: "x",
    template: {
      vmSize: "x",
      // @ts-expect-error osType is required, because its default is Linux
      osDisk: { diskSizeGB: 128 },
    },
  } satisfies AzureMachinePoolSpec,
  {
    // @ts-expect-error the pinned release has two formats, and this is neither
    files: [{ path: "/x", contentFormat: "GoTemplate" }],
  } satisfies KubeadmConfigSpec,
];

/** A field that accepts a number and a percentage. */
export const right = {
  location: "x",
  template,
  strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: "25%" } },
} satisfies AzureMachinePoolSpec;
