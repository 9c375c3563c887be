import {
  deletionField,
  healthCheckFields,
  type MachineDeletionArgs,
  type HealthCheckOptions,
} from "capz-windows-platform/machines/healthChecks";
import { validateSpec } from "../../bootstrap/files";
import { apiVersions, reference } from "../../capi/apiVersions";
import { hashedName } from "../../capi/contentHash";
import { overridden, type Overrides } from "../../capi/overrides/overrides";
import type { KubeadmConfigSpec } from "capz-types";
import { backgroundDeletion } from "../../capi/waits";
import type { CapzImage } from "capz-windows-platform/machines/images";
import { encodedSshKey } from "capz-windows-platform/machines/sshKey";
import { controlPlaneName } from "capz-windows-platform/cluster/naming";
import type { AzureMachineTemplate, AzureMachineTemplateSpec } from "capz-types/crds/azure";
import type { MachineHealthCheck } from "capz-types/crds/cluster";
import type { KubeadmControlPlane } from "capz-types/crds/controlPlane";

export interface MachineTemplateArgs {
  readonly clusterName: string;
  readonly namespace: string;
  readonly vmSize: string;
  readonly osDiskGB: number;
  /** Data disk at lun 0, where etcd lives. */
  readonly etcdDiskGB: number;
  readonly image: CapzImage;
  readonly sshPublicKey: string;
  /** The cloud provider on the control plane has no other credential; without it azure.json would be useless. */
  readonly identityId: string;
  readonly tags: Readonly<Record<string, string>>;
  /** Merge patches of the objects, by kind. Default: none. */
  readonly overrides?: Overrides | undefined;
}

type MachineSpec = AzureMachineTemplateSpec["template"]["spec"];

/** The AzureMachineTemplate. Its spec is immutable, so its name ends with the hash of its content. */
export function machineTemplateObject(args: MachineTemplateArgs): AzureMachineTemplate {
  const spec: MachineSpec = {
    vmSize: args.vmSize,
    image: args.image,
    osDisk: {
      diskSizeGB: args.osDiskGB,
      osType: "Linux",
      managedDisk: { storageAccountType: "Premium_LRS" },
    },
    dataDisks: [
      {
        nameSuffix: "etcddisk",
        lun: 0,
        diskSizeGB: args.etcdDiskGB,
        // Set explicitly because the list is atomic: the webhook's default would be a difference in each preview.
        cachingType: "None",
        managedDisk: { storageAccountType: "Premium_LRS" },
      },
    ],
    sshPublicKey: encodedSshKey(args.sshPublicKey),
    identity: "UserAssigned",
    // CAPZ writes provider ids with `azure://` in front of the ARM id.
    userAssignedIdentities: [{ providerID: `azure://${args.identityId}` }],
    ...(Object.keys(args.tags).length > 0
      ? ({ additionalTags: args.tags } satisfies Partial<MachineSpec>)
      : {}),
  };
  const base = `${args.clusterName}-cp`;
  const unnamed = overridden<AzureMachineTemplate>(
    {
      apiVersion: apiVersions.azure,
      kind: "AzureMachineTemplate",
      metadata: { name: base, namespace: args.namespace },
      spec: { template: { spec } },
    },
    args.overrides,
  );
  const name = hashedName(base, unnamed.spec?.template.spec);
  return { ...unnamed, metadata: { ...unnamed.metadata, name } };
}

export interface KubeadmControlPlaneArgs extends Pick<
  MachineTemplateArgs,
  "clusterName" | "namespace" | "overrides"
> {
  /** An odd number: etcd runs on these machines. */
  readonly replicas: number;
  /** With leading v. */
  readonly kubernetesVersion: string;
  readonly machineTemplateName: string;
  readonly bootstrap: KubeadmConfigSpec;
  /** Days before its certificates expire at which a machine is replaced; 0 is never. */
  readonly certificatesExpiryDays: number;
  /** How machines are deleted. Default: a drain without limit. */
  readonly deletion?: MachineDeletionArgs | undefined;
}

type Rollout = NonNullable<KubeadmControlPlane["spec"]>["rollout"];

export function kubeadmControlPlaneObject(args: KubeadmControlPlaneArgs): KubeadmControlPlane {
  const object: KubeadmControlPlane = {
    apiVersion: apiVersions.controlPlane,
    kind: "KubeadmControlPlane",
    metadata: {
      name: controlPlaneName(args.clusterName),
      namespace: args.namespace,
      annotations: backgroundDeletion,
    },
    spec: {
      replicas: args.replicas,
      version: args.kubernetesVersion,
      machineTemplate: {
        spec: {
          infrastructureRef: reference(apiVersions.azure, "AzureMachineTemplate", args.machineTemplateName),
          ...deletionField(args.deletion),
        },
      },
      rollout: {
        ...(args.certificatesExpiryDays === 0
          ? {}
          : ({ before: { certificatesExpiryDays: args.certificatesExpiryDays } } satisfies Rollout)),
        strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1 } },
      },
      kubeadmConfigSpec: args.bootstrap,
    },
  };
  const result = overridden(object, args.overrides);
  if (result !== object) {
    validateSpec(result.spec.kubeadmConfigSpec ?? {});
  }
  return result;
}

/**
 * Replaces control plane machines whose node is lost, but only if other members keep etcd's majority: with one machine
 * there is nothing to recover from. Scale sets have none: Cluster API remediates only machines of MachineSets and
 * control planes, and Azure repairs scale sets itself.
 */
export function machineHealthCheckObject(
  clusterName: string,
  namespace: string,
  options: HealthCheckOptions,
  overrides?: Overrides,
): MachineHealthCheck {
  const object: MachineHealthCheck = {
    apiVersion: apiVersions.cluster,
    kind: "MachineHealthCheck",
    metadata: { name: controlPlaneName(clusterName), namespace },
    spec: {
      clusterName,
      selector: {
        matchLabels: { "cluster.x-k8s.io/cluster-name": clusterName, "cluster.x-k8s.io/control-plane": "" },
      },
      ...healthCheckFields(options),
    },
  };
  return overridden(object, overrides);
}
