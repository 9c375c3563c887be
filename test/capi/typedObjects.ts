/**
 * Errors that the compiler must report. `npm run types` checks this file, and nothing runs it. If a line below
 * `@ts-expect-error` compiles, that is an error.
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
import type { ClusterResourceSet } from "capz-types/crds/addons";
import type {
  AzureCluster,
  AzureClusterIdentity,
  AzureMachinePool,
  AzureMachinePoolSpec,
  AzureMachineTemplate,
} from "capz-types/crds/azure";
import type { KubeadmConfig, KubeadmConfigSpec, KubeadmConfigTemplate } from "capz-types/crds/bootstrap";
import type { Cluster, MachineDeployment, MachineHealthCheck, MachinePool } from "capz-types/crds/cluster";
import type { KubeadmControlPlane } from "capz-types/crds/controlPlane";
import type {
  BootstrapProvider,
  ControlPlaneProvider,
  CoreProvider,
  InfrastructureProvider,
} from "capz-types/crds/operator";

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

/** Whether a misspelt field is an error. */
type Closed<T extends { readonly spec?: unknown }> = string extends keyof NonNullable<T["spec"]>
  ? false
  : true;

export const closed = [
  true satisfies Closed<Cluster>,
  true satisfies Closed<MachinePool>,
  true satisfies Closed<MachineDeployment>,
  true satisfies Closed<MachineHealthCheck>,
  true satisfies Closed<ClusterResourceSet>,
  true satisfies Closed<KubeadmConfig>,
  true satisfies Closed<KubeadmConfigTemplate>,
  true satisfies Closed<KubeadmControlPlane>,
  true satisfies Closed<AzureCluster>,
  true satisfies Closed<AzureClusterIdentity>,
  true satisfies Closed<AzureMachinePool>,
  true satisfies Closed<AzureMachineTemplate>,
  true satisfies Closed<CoreProvider>,
  true satisfies Closed<BootstrapProvider>,
  true satisfies Closed<ControlPlaneProvider>,
  true satisfies Closed<InfrastructureProvider>,
];

/** Below the top, where all types are made in the same way. */
export const misspelt = {
  // @ts-expect-error misspelt: permissions
  files: [{ path: "/x", permission: "0644" }],
} satisfies KubeadmConfigSpec;

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
