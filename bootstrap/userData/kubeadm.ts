import { gte, lt } from "semver";
import type { Arg, KubeadmConfigSpec, NodeRegistration, Timeouts } from "capz-types";
import { withoutUndefined } from "capz-windows-kit/without";
import { goYaml } from "./yamlText";

/** Values of the cluster that the bootstrap provider adds to the spec. */
export interface ClusterFacts {
  /** With a leading v. */
  readonly kubernetesVersion: string;
  readonly clusterName: string;
  /** `host:port` of the API server. */
  readonly controlPlaneEndpoint: string;
  readonly podCidr: string;
  /** Default: kubeadm's own. */
  readonly serviceCidr?: string;
  /** Default: kubeadm's own. */
  readonly dnsDomain?: string;
}

/** Placeholders for the short-lived secrets that the bootstrap provider inserts. */
const placeholders = { token: "<bootstrap token>", caHash: "<sha256 of the cluster's CA>" } as const;

/** kubeadm 1.31 introduced v1beta4, with argument lists and a timeouts field (CAPI v1.14.2 bootstrap/kubeadm/pkg/types). */
const isV1beta4 = (version: string): boolean => gte(version, "1.31.0-0");

const header = (kind: string, version: string) => ({
  apiVersion: isV1beta4(version) ? "kubeadm.k8s.io/v1beta4" : "kubeadm.k8s.io/v1beta3",
  kind,
});

/** Arguments as a list, or before v1beta4 as a map; no field if the spec has no arguments. */
function argumentField(
  key: "extraArgs" | "kubeletExtraArgs",
  list: readonly Arg[] | undefined,
  version: string,
) {
  const map = (args: readonly Arg[]) => Object.fromEntries(args.map(({ name, value }) => [name, value]));
  return list === undefined ? {} : { [key]: isV1beta4(version) ? list : map(list) };
}

/** A duration as Go formats it, for instance `20m0s` or `1h0m0s`. */
export function goDuration(seconds: number): string {
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const rest = `${seconds % 60}s`;
  if (hours > 0) {
    return `${hours}h${minutes}m${rest}`;
  }
  return minutes > 0 ? `${minutes}m${rest}` : rest;
}

/** A program of the control plane; before v1beta4 it has no environment. */
function program<T extends { extraArgs?: readonly Arg[]; extraEnvs?: unknown }>(
  { extraEnvs, ...fields }: T,
  version: string,
) {
  const environment = extraEnvs === undefined || !isV1beta4(version) ? {} : { extraEnvs };
  return { ...fields, ...environment, ...argumentField("extraArgs", fields.extraArgs, version) };
}

function nodeRegistration({ imagePullSerial, ...node }: NodeRegistration, version: string) {
  return {
    ...node,
    ...(imagePullSerial === undefined || !isV1beta4(version) ? {} : { imagePullSerial }),
    ...argumentField("kubeletExtraArgs", node.kubeletExtraArgs, version),
    taints: node.taints ?? null,
  };
}

const duration = (field: string, seconds: number | undefined) =>
  seconds === undefined ? {} : { [field]: goDuration(seconds) };

const secondsOfDay = 24 * 3600;

/** The `timeouts` field, which v1beta4 introduced. */
const timeoutsField = (timeouts: Timeouts | undefined, version: string) =>
  timeouts === undefined || !isV1beta4(version)
    ? {}
    : {
        timeouts: {
          ...duration("controlPlaneComponentHealthCheck", timeouts.controlPlaneComponentHealthCheckSeconds),
          ...duration("discovery", timeouts.discoverySeconds),
          ...duration("etcdAPICall", timeouts.etcdAPICallSeconds),
          ...duration("kubeletHealthCheck", timeouts.kubeletHealthCheckSeconds),
          ...duration("kubernetesAPICall", timeouts.kubernetesAPICallSeconds),
          ...duration("tlsBootstrap", timeouts.tlsBootstrapSeconds),
        },
      };

/** The control plane provider enables this gate for the minors in which it is optional (CAPI v1.14.2 controlplane/kubeadm/pkg/desiredstate). */
function featureGates(version: string, given: Readonly<Record<string, boolean>> | undefined) {
  const own = gte(version, "1.31.0-0") && lt(version, "1.36.0-0");
  const gates = own ? { ControlPlaneKubeletLocalMode: true, ...given } : given;
  return gates === undefined ? {} : { featureGates: gates };
}

export function clusterConfiguration(spec: KubeadmConfigSpec, facts: ClusterFacts): string {
  const { kubernetesVersion: version, clusterName, podCidr, serviceCidr, dnsDomain } = facts;
  const {
    imageRepository,
    dns = {},
    apiServer = {},
    controllerManager = {},
    scheduler = {},
    etcd,
    certificatesDir,
    // What is given counts (CAPI v1.14.2 computeClusterConfigurationAndAdditionalData, DefaultFeatureGates).
    controlPlaneEndpoint = facts.controlPlaneEndpoint,
    featureGates: gates,
    certificateValidityPeriodDays: certificateDays,
    caCertificateValidityPeriodDays: caDays,
    encryptionAlgorithm,
  } = spec.clusterConfiguration ?? {};
  const seconds = spec.initConfiguration?.timeouts?.controlPlaneComponentHealthCheckSeconds;
  const local = etcd?.local;
  return goYaml({
    ...header("ClusterConfiguration", version),
    apiServer: {
      ...program(apiServer, version),
      // In v1beta4, the timeout is part of InitConfiguration and JoinConfiguration.
      ...(isV1beta4(version) ? {} : duration("timeoutForControlPlane", seconds)),
    },
    clusterName,
    controlPlaneEndpoint,
    controllerManager: program(controllerManager, version),
    dns,
    etcd: local ? { local: program(local, version) } : {},
    ...featureGates(version, gates),
    ...(imageRepository === undefined ? {} : { imageRepository }),
    kubernetesVersion: version,
    networking: withoutUndefined({ podSubnet: podCidr, serviceSubnet: serviceCidr, dnsDomain }),
    ...(isV1beta4(version) ? { proxy: {} } : {}),
    scheduler: program(scheduler, version),
    ...(certificatesDir === undefined ? {} : { certificatesDir }),
    ...(isV1beta4(version) && {
      ...duration("certificateValidityPeriod", certificateDays && certificateDays * secondsOfDay),
      ...duration("caCertificateValidityPeriod", caDays && caDays * secondsOfDay),
      ...(encryptionAlgorithm === undefined ? {} : { encryptionAlgorithm }),
    }),
  });
}

export const initConfiguration = (
  { initConfiguration: init }: KubeadmConfigSpec,
  facts: ClusterFacts,
): string =>
  goYaml({
    ...header("InitConfiguration", facts.kubernetesVersion),
    localAPIEndpoint: init?.localAPIEndpoint ?? {},
    nodeRegistration: nodeRegistration(init?.nodeRegistration ?? {}, facts.kubernetesVersion),
    ...(init?.patches ? { patches: init.patches } : {}),
    ...(init?.skipPhases ? { skipPhases: init.skipPhases } : {}),
    ...timeoutsField(init?.timeouts, facts.kubernetesVersion),
  });

/** Cluster API removes this taint once it has set the node's labels. */
const workerTaint = { effect: "NoSchedule", key: "node.cluster.x-k8s.io/uninitialized" };

export function joinConfiguration(
  { joinConfiguration: join }: KubeadmConfigSpec,
  facts: ClusterFacts,
  role: "worker" | "join-control-plane",
): string {
  const { kubernetesVersion: version, controlPlaneEndpoint } = facts;
  const node = join?.nodeRegistration;
  const taints = node?.taints ?? [];
  const registered =
    role === "worker" &&
    !taints.some(({ key, effect }) => key === workerTaint.key && effect === workerTaint.effect)
      ? { ...node, taints: [...taints, workerTaint] }
      : node;
  return goYaml({
    ...header("JoinConfiguration", version),
    ...(role === "worker"
      ? {}
      : { controlPlane: { localAPIEndpoint: join?.controlPlane?.localAPIEndpoint ?? {} } }),
    ...(join?.caCertPath === undefined ? {} : { caCertPath: join.caCertPath }),
    discovery: {
      bootstrapToken: {
        apiServerEndpoint: controlPlaneEndpoint,
        caCertHashes: [placeholders.caHash],
        token: placeholders.token,
      },
      ...(isV1beta4(version) ? {} : duration("timeout", join?.timeouts?.tlsBootstrapSeconds)),
    },
    nodeRegistration: nodeRegistration(registered ?? {}, version),
    ...(join?.patches ? { patches: join.patches } : {}),
    ...(join?.skipPhases ? { skipPhases: join.skipPhases } : {}),
    ...timeoutsField(join?.timeouts, version),
  });
}
