import {
  defaultUnhealthyLimit,
  deletionAnnotations,
  deletionField,
  healthCheckFields,
  type HealthCheckOptions,
} from "capz-windows-platform/machines/healthChecks";
import { syncedLabels } from "capz-windows-platform/machines/nodeLabels";
import { backgroundDeletion } from "../../capi/waits";
import { apiVersions, reference } from "../../capi/apiVersions";
import { overridden } from "../../capi/overrides/overrides";
import { azureJsonSecret } from "capz-windows-platform/cluster/naming";
import type { AzureMachineTemplate, AzureMachineTemplateSpec } from "capz-types/crds/azure";
import type { KubeadmConfigTemplate } from "capz-types/crds/bootstrap";
import type { MachineDeployment, MachineDeploymentSpec, MachineHealthCheck } from "capz-types/crds/cluster";
import type { ObjectMeta } from "capz-types";
import { optionalFields } from "capz-windows-kit/without";
import { azureMachineSpec, machineIdentity } from "./machineSpec";
import type { PoolParts } from "./manifests";
import type { PoolObjectArgs } from "./poolObjectArgs";
import {
  autoscalerAnnotations,
  licenceAnnotation,
  checkedSpec,
  windowsAnnotations,
  withHash,
} from "./manifests";

type MachineSpec = MachineDeploymentSpec["template"]["spec"];
type MachineTemplate = AzureMachineTemplateSpec["template"];

/**
 * The AzureMachineTemplate. It is immutable, so its name ends with the hash of its content. CAPZ reads the annotations
 * from the template's inner metadata, not from the object's own.
 */
function machineTemplate(args: PoolObjectArgs): AzureMachineTemplate {
  const template: MachineTemplate = {
    ...optionalFields<MachineTemplate>({
      metadata: args.os === "windows" ? { annotations: windowsAnnotations(args) } : undefined,
    }),
    spec: {
      ...azureMachineSpec(args, "AzureMachineTemplate"),
      ...machineIdentity(args),
      ...optionalFields<MachineTemplate["spec"]>({ additionalTags: args.tags }),
    },
  };
  const unnamed = overridden<AzureMachineTemplate>(
    {
      apiVersion: apiVersions.azure,
      kind: "AzureMachineTemplate",
      metadata: { name: args.name, namespace: args.namespace },
      spec: { template },
    },
    args.overrides,
  );
  return withHash(unnamed, unnamed.spec?.template);
}

/**
 * Labels of its machines. Cluster API's webhook would set the same ones; written explicitly, they are no difference.
 */
const machineLabels = ({ clusterName, name }: PoolObjectArgs) => ({
  "cluster.x-k8s.io/cluster-name": clusterName,
  "cluster.x-k8s.io/deployment-name": name,
});

/** Replaces machines whose node is lost or never came; Windows needs its time for the first boot. */
function healthCheck(args: PoolObjectArgs, options: HealthCheckOptions): MachineHealthCheck {
  const { name, namespace, clusterName, replicas, autoscale } = args;
  return {
    apiVersion: apiVersions.cluster,
    kind: "MachineHealthCheck",
    metadata: { name, namespace },
    spec: {
      clusterName,
      selector: { matchLabels: machineLabels(args) },
      ...healthCheckFields(options, defaultUnhealthyLimit(autoscale?.min ?? replicas)),
    },
  };
}

/**
 * A pool of single machines: MachineDeployment, its two templates and a health check, which scale sets do not have. Any
 * change rolls the machines, including one of the bootstrap data.
 */
export function machineDeploymentObjects(args: PoolObjectArgs): PoolParts {
  const { name, namespace, clusterName, autoscale, overrides } = args;
  const { maxSurge, maxUnavailable, deletePolicy } = args.rollout;
  const infrastructure = machineTemplate(args);
  const unnamed = overridden<KubeadmConfigTemplate>(
    {
      apiVersion: apiVersions.bootstrap,
      kind: "KubeadmConfigTemplate",
      metadata: { name, namespace },
      spec: { template: { spec: args.bootstrap(azureJsonSecret(infrastructure.metadata.name)) } },
    },
    overrides,
  );
  const bootstrap = withHash(unnamed, checkedSpec(unnamed.spec?.template.spec, overrides));
  const [zone] = args.zones;
  const machines: MachineDeployment = {
    apiVersion: apiVersions.cluster,
    kind: "MachineDeployment",
    metadata: {
      name,
      namespace,
      annotations: { ...backgroundDeletion, ...autoscalerAnnotations(args), ...licenceAnnotation(args) },
    },
    spec: {
      clusterName,
      // With an autoscaler the number is the autoscaler's; with its annotations an omitted field keeps its value.
      ...optionalFields<MachineDeploymentSpec>({ replicas: autoscale ? undefined : args.replicas }),
      rollout: { strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge, maxUnavailable } } },
      deletion: { order: deletePolicy },
      selector: { matchLabels: machineLabels(args) },
      template: {
        metadata: {
          labels: { ...machineLabels(args), ...syncedLabels(args.labels) },
          ...optionalFields<ObjectMeta>({ annotations: deletionAnnotations(args.deletion) }),
        },
        spec: {
          clusterName,
          version: args.kubernetesVersion,
          ...deletionField(args.deletion),
          ...optionalFields<MachineSpec>({ failureDomain: zone }),
          bootstrap: {
            configRef: reference(apiVersions.bootstrap, bootstrap.kind, bootstrap.metadata.name),
          },
          infrastructureRef: reference(apiVersions.azure, infrastructure.kind, infrastructure.metadata.name),
        },
      },
    },
  };
  return {
    bootstrap,
    infrastructure,
    machines: overridden(machines, overrides),
    ...optionalFields<PoolParts>({
      healthCheck: args.healthCheck && overridden(healthCheck(args, args.healthCheck), overrides),
    }),
  };
}
