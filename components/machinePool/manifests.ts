import { validateSpec } from "../../bootstrap/files";
import { apiVersions, reference } from "../../capi/apiVersions";
import { hashedName } from "../../capi/contentHash";
import { overridden, type Overrides } from "../../capi/overrides/overrides";
import type { KubeadmConfigSpec, ObjectMeta } from "capz-types";
import { skipAwaitAndDeleteInBackground, backgroundDeletion } from "../../capi/waits";
import { autoscalerCapacity } from "../../bootstrap/autoscaler";
import { autoscalerAnnotation } from "capz-windows-platform/machines/autoscalerAnnotation";
import { hybridBenefitAnnotation } from "capz-windows-platform/machines/hybridBenefit";
import { isImageOf } from "capz-windows-platform/machines/images";
import { azureJsonSecret } from "capz-windows-platform/cluster/naming";
import { deletionAnnotations, deletionField } from "capz-windows-platform/machines/healthChecks";
import { syncedLabels } from "capz-windows-platform/machines/nodeLabels";
import { optionalFields } from "capz-windows-kit/without";
import { azureMachineSpec, machineIdentity } from "./machineSpec";
import type { PoolObjectArgs } from "./poolObjectArgs";
import type { AzureMachinePool, AzureMachinePoolSpec, AzureMachineTemplate } from "capz-types/crds/azure";
import type { KubeadmConfig, KubeadmConfigTemplate } from "capz-types/crds/bootstrap";
import type {
  MachineDeployment,
  MachineHealthCheck,
  MachinePool,
  MachinePoolSpec,
} from "capz-types/crds/cluster";

export interface PoolParts {
  readonly bootstrap: KubeadmConfig | KubeadmConfigTemplate;
  readonly infrastructure: AzureMachinePool | AzureMachineTemplate;
  readonly machines: MachinePool | MachineDeployment;
  readonly healthCheck?: MachineHealthCheck;
}

type Annotations = NonNullable<ObjectMeta["annotations"]>;

/** Annotations that tell CAPZ what is on the image, for its own choices. */
export const windowsAnnotations = ({ platform, windowsServer }: PoolObjectArgs) => ({
  // The only runtime that CAPZ still knows.
  ...(platform.flavor === "containerd" ? ({ runtime: "containerd" } satisfies Annotations) : {}),
  windowsServerVersion: `windows-${windowsServer ?? ""}`,
});

const azureMachinePool = (args: PoolObjectArgs): AzureMachinePool => ({
  apiVersion: apiVersions.azure,
  kind: "AzureMachinePool",
  metadata: {
    name: args.name,
    namespace: args.namespace,
    ...optionalFields<ObjectMeta>({
      annotations: args.os === "windows" ? windowsAnnotations(args) : undefined,
    }),
  },
  spec: {
    location: args.location,
    strategy: { type: "RollingUpdate", rollingUpdate: args.rollout },
    template: azureMachineSpec(args, "AzureMachinePool"),
    ...machineIdentity(args),
    ...optionalFields<AzureMachinePoolSpec>({ additionalTags: args.tags }),
  },
});

/** Empty without an autoscaler. */
export const autoscalerAnnotations = (args: PoolObjectArgs): Record<string, string> =>
  args.autoscale === undefined
    ? {}
    : {
        [autoscalerAnnotation.min]: String(args.autoscale.min),
        [autoscalerAnnotation.max]: String(args.autoscale.max),
        ...autoscalerCapacity(args),
      };

export const licenceAnnotation = ({ hybridBenefit }: PoolObjectArgs): Record<string, string> =>
  hybridBenefit === true ? { [hybridBenefitAnnotation]: "true" } : {};

/** Labels that Cluster API copies to machines and nodes, and annotations that it copies to machines. */
const templateMetadata = ({
  labels,
  deletion,
}: PoolObjectArgs): Pick<MachinePoolSpec["template"], "metadata"> =>
  optionalFields<MachinePoolSpec["template"]>({
    metadata: optionalFields<ObjectMeta>({
      labels: syncedLabels(labels),
      annotations: deletionAnnotations(deletion),
    }),
  });

/**
 * Whether updates of the pool wait for its machines. Those of a MachineDeployment do, because its old machines need the
 * templates that Pulumi deletes afterwards. A Linux scale set goes before Windows, if the image states that its kubelet has
 * the version of the stack file; otherwise the wait might never end.
 */
export const ordersUpgrades = ({ os, kind, image, kubernetesVersion }: PoolObjectArgs): boolean =>
  kind === "MachineDeployment" || (os === "linux" && isImageOf(image, kubernetesVersion));

function machinePool(args: PoolObjectArgs, kubeadmConfigName: string): MachinePool {
  const { clusterName, autoscale } = args;
  return {
    apiVersion: apiVersions.cluster,
    kind: "MachinePool",
    metadata: {
      name: args.name,
      namespace: args.namespace,
      annotations: {
        ...(ordersUpgrades(args) ? backgroundDeletion : skipAwaitAndDeleteInBackground),
        ...autoscalerAnnotations(args),
        ...licenceAnnotation(args),
      },
    },
    spec: {
      clusterName,
      ...optionalFields<MachinePoolSpec>({
        // With an autoscaler the number is the autoscaler's; with its annotations an omitted field keeps its value.
        replicas: autoscale ? undefined : args.replicas,
        failureDomains: args.zones,
      }),
      template: {
        ...templateMetadata(args),
        spec: {
          clusterName,
          version: args.kubernetesVersion,
          ...deletionField(args.deletion),
          bootstrap: { configRef: reference(apiVersions.bootstrap, "KubeadmConfig", kubeadmConfigName) },
          infrastructureRef: reference(apiVersions.azure, "AzureMachinePool", args.name),
        },
      },
    },
  };
}

/** An object whose name ends with the hash of its content. */
export const withHash = <T extends { readonly metadata: ObjectMeta }>(object: T, content: unknown): T => ({
  ...object,
  metadata: { ...object.metadata, name: hashedName(object.metadata.name, content) },
});

/** Bootstrap data with an override is validated again as a whole. */
export const checkedSpec = (spec: KubeadmConfigSpec = {}, overrides: Overrides = {}): KubeadmConfigSpec =>
  Object.keys(overrides).length === 0 ? spec : validateSpec(spec);

/**
 * The three objects of a scale set. The KubeadmConfig carries a hash of its content in its name: new machines get new
 * bootstrap data, and existing machines are left alone (CAPZ rolls for image, size, zones and identity only).
 */
export function poolObjects(args: PoolObjectArgs): PoolParts {
  const { overrides, name } = args;
  const unnamed = overridden<KubeadmConfig>(
    {
      apiVersion: apiVersions.bootstrap,
      kind: "KubeadmConfig",
      metadata: { name, namespace: args.namespace },
      spec: args.bootstrap(azureJsonSecret(name)),
    },
    overrides,
  );
  const bootstrap = withHash(unnamed, checkedSpec(unnamed.spec, overrides));
  return {
    bootstrap,
    infrastructure: overridden(azureMachinePool(args), overrides),
    machines: overridden(machinePool(args, bootstrap.metadata.name), overrides),
  };
}
