import type { WindowsEnvArgs, WindowsPodArgs, WindowsServiceArgs } from "./windowsArgs";
import { windowsPodSpec } from "./windowsPods";
import { volumeObjects } from "./windowsVolumes";

/** Workloads on Windows nodes as Kubernetes objects. */

export const WorkloadKind = {
  Deployment: "Deployment",
  DaemonSet: "DaemonSet",
  StatefulSet: "StatefulSet",
} as const;
export type WorkloadKind = (typeof WorkloadKind)[keyof typeof WorkloadKind];

export interface WindowsObjectArgs extends WindowsPodArgs, WindowsEnvArgs {
  /** Name of the object, of its container and value of its label `app`. */
  readonly name: string;
  /** Whole image reference. */
  readonly image: string;
  /** Whether the pods name their system. Default: true. */
  readonly namesOs?: boolean | undefined;
}

export interface WindowsReplicasArgs extends WindowsObjectArgs {
  /** Number of pods. Default: 1. */
  readonly replicas?: number | undefined;
}

const namespaceOf = ({ namespace = "default" }: Pick<WindowsPodArgs, "namespace">): string => namespace;

const labelsOf = (name: string): { app: string } => ({ app: name });

function parts(args: WindowsObjectArgs, disks: boolean) {
  const { name, namesOs = true } = args;
  const labels = labelsOf(name);
  const objects = volumeObjects(args.volumes ?? [], disks);
  return {
    metadata: { name, namespace: namespaceOf(args), labels },
    // A selector is immutable: it never says more than the name.
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: windowsPodSpec({ ...args, namesOs, objects }) },
    claims: objects.claims,
  };
}

/**
 * Pods that are alike, replaced one after the other.
 * @throws RangeError for an image of another Windows release, and for what cannot be
 */
export function windowsDeployment(
  args: WindowsReplicasArgs & {
    /** Seconds until a rollout counts as failed. Default: Kubernetes' 600. */
    readonly progressDeadlineSeconds?: number | undefined;
  },
) {
  const { metadata, selector, template } = parts(args, false);
  const { replicas = 1, progressDeadlineSeconds } = args;
  return {
    apiVersion: "apps/v1" as const,
    kind: "Deployment" as const,
    metadata,
    spec: {
      replicas,
      ...(progressDeadlineSeconds === undefined ? {} : { progressDeadlineSeconds }),
      selector,
      template,
    },
  };
}

/**
 * One pod on each Windows node of a release.
 * @throws RangeError for an image of another Windows release, and for what cannot be
 */
export function windowsDaemonSet(args: WindowsObjectArgs) {
  const { metadata, selector, template } = parts(args, false);
  return {
    apiVersion: "apps/v1" as const,
    kind: "DaemonSet" as const,
    metadata,
    spec: {
      selector,
      // One by one, as is the default, a large pool takes hours for the download of its images.
      updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: "10%" } },
      template,
    },
  };
}

/**
 * Pods with names that stay, each with its own disks, which outlive it and the StatefulSet. Its pods find each other
 * by the Service of `headlessService`.
 * @throws RangeError for an image of another Windows release, and for what cannot be
 */
export function windowsStatefulSet(args: WindowsReplicasArgs) {
  const { metadata, selector, template, claims } = parts(args, true);
  return {
    apiVersion: "apps/v1" as const,
    kind: "StatefulSet" as const,
    metadata,
    spec: {
      serviceName: headlessName(args.name),
      replicas: args.replicas ?? 1,
      selector,
      template,
      ...(claims.length === 0 ? {} : { volumeClaimTemplates: [...claims] }),
    },
  };
}

const headlessName = (name: string): string => `${name}-pods`;

/** Makes Azure's load balancer one of the VNET (cloud-provider-azure, load balancer annotations). */
const internalAnnotation = "service.beta.kubernetes.io/azure-load-balancer-internal";

const serviceTypes: readonly string[] = ["ClusterIP", "NodePort", "LoadBalancer"];

/**
 * The Service in front of a workload.
 * @throws RangeError for a type that Windows nodes cannot serve, and for limits that would do nothing
 */
export function windowsService(
  { name, ports = [], ...args }: Pick<WindowsObjectArgs, "name" | "namespace" | "ports">,
  { type = "ClusterIP", internal = false, allowedCidrs, ...service }: WindowsServiceArgs = {},
) {
  const [targetPort] = ports;
  if (targetPort === undefined) {
    throw new RangeError(`${name}: a Service needs a port of the container`);
  }
  if (!serviceTypes.includes(type)) {
    throw new RangeError(
      `${name}: ${type} is not a type of Service; write one of ${serviceTypes.join(", ")}`,
    );
  }
  if (internal && (type !== "LoadBalancer" || allowedCidrs !== undefined)) {
    throw new RangeError(
      `${name}: internal is for a LoadBalancer, which then serves the VNET and has no allowedCidrs`,
    );
  }
  return {
    apiVersion: "v1" as const,
    kind: "Service" as const,
    metadata: {
      name,
      namespace: namespaceOf(args),
      labels: labelsOf(name),
      ...(internal ? { annotations: { [internalAnnotation]: "true" } } : {}),
    },
    spec: {
      type,
      selector: labelsOf(name),
      ports: [{ port: service.port ?? targetPort, targetPort, protocol: "TCP" }],
      ...(allowedCidrs === undefined || type !== "LoadBalancer"
        ? {}
        : { loadBalancerSourceRanges: [...allowedCidrs] }),
    },
  };
}

/** The Service that gives each pod of a StatefulSet its name in DNS. */
export const headlessService = ({
  name,
  ports = [],
  ...args
}: Pick<WindowsObjectArgs, "name" | "namespace" | "ports">) => ({
  apiVersion: "v1" as const,
  kind: "Service" as const,
  metadata: { name: headlessName(name), namespace: namespaceOf(args), labels: labelsOf(name) },
  spec: {
    clusterIP: "None",
    selector: labelsOf(name),
    ...(ports.length === 0
      ? {}
      : { ports: ports.map((port) => ({ name: `port-${port}`, port, protocol: "TCP" })) }),
  },
});
