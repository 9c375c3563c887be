import type { AzureMachinePoolSpec } from "./crds/azure";
import type { KubeadmConfigSpec } from "./crds/bootstrap";
import type { MachineHealthCheckSpec } from "./crds/cluster";
import type { ObjectMeta } from "./crds/objectMeta";

export type { KubeadmConfigSpec } from "./crds/bootstrap";
export type { ObjectMeta } from "./crds/objectMeta";

/**
 * Any Kubernetes object, for code that reads objects of all kinds. Objects of Cluster API, CAPZ and the operator are
 * made by the types in packages/capz-types/crds/, which know their fields.
 */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly [field: string]: unknown;
}

/**
 * One entry of `KubeadmConfig.spec.files`. `content` has at most 10,240 characters, `permissions` is octal text
 * ("0644"), and `append` adds to a file that exists instead of replacing it.
 */
export type BootstrapFile = NonNullable<KubeadmConfigSpec["files"]>[number];

export type JoinConfiguration = NonNullable<KubeadmConfigSpec["joinConfiguration"]>;

export type NodeRegistration = NonNullable<JoinConfiguration["nodeRegistration"]>;

export type Timeouts = NonNullable<JoinConfiguration["timeouts"]>;

/** `{name, value}` argument list of CAPI v1beta2 (v1beta1 had a map). */
export type Arg = NonNullable<NodeRegistration["kubeletExtraArgs"]>[number];

/** The forms of an image in AzureMachinePool and AzureMachineTemplate, of which an object has one. */
export type ImageForms = Required<NonNullable<AzureMachinePoolSpec["template"]["image"]>>;

/** When a MachineHealthCheck takes a node for lost. */
export type UnhealthyNodeCondition = NonNullable<
  NonNullable<MachineHealthCheckSpec["checks"]>["unhealthyNodeConditions"]
>[number];

/** What the kubeadm configuration says of the API server: arguments, volumes of its static pod. */
export type ApiServer = NonNullable<NonNullable<KubeadmConfigSpec["clusterConfiguration"]>["apiServer"]>;
