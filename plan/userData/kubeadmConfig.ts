import { minor } from "semver";
import { stringify } from "yaml";
import type { Arg, KubeadmConfigSpec, NodeRegistration } from "../../components/capi/types";

/** kubeadm's own configuration, as the bootstrap provider translates it from a KubeadmConfig. */

export interface KubeadmArgs {
  readonly spec: KubeadmConfigSpec;
  readonly clusterName: string;
  /** With leading v. */
  readonly kubernetesVersion: string;
  /** host:port of the API server. */
  readonly controlPlaneEndpoint: string;
  readonly podCidr: string;
  readonly serviceCidr: string;
}

/** kubeadm's API: v1beta4 from Kubernetes 1.31 on (CAPI v1.13 bootstrap/kubeadm/types/utils). */
const isV1beta4 = ({ kubernetesVersion }: KubeadmArgs): boolean => minor(kubernetesVersion) >= 31;

const kubeadmApi = (args: KubeadmArgs): string => `kubeadm.k8s.io/${isV1beta4(args) ? "v1beta4" : "v1beta3"}`;

/** Until v1beta3 arguments were a mapping. */
const extraArgs = (args: KubeadmArgs, list: readonly Arg[]): unknown =>
  isV1beta4(args) ? list : Object.fromEntries(list.map(({ name, value }) => [name, value]));

const nodeRegistration = (args: KubeadmArgs, { kubeletExtraArgs, ...rest }: NodeRegistration) => ({
  ...rest,
  ...(kubeletExtraArgs === undefined ? {} : { kubeletExtraArgs: extraArgs(args, kubeletExtraArgs) }),
});

function timeouts(args: KubeadmArgs, seconds: number | undefined) {
  return seconds === undefined || !isV1beta4(args)
    ? {}
    : { timeouts: { controlPlaneComponentHealthCheck: `${seconds}s` } };
}

const yaml = (value: unknown): string =>
  stringify(value, { lineWidth: 0, sortMapEntries: true, aliasDuplicateObjects: false });

export function clusterConfiguration(args: KubeadmArgs): string {
  const { controllerManager, apiServer, etcd } = args.spec.clusterConfiguration ?? {};
  const component = (part: { extraArgs?: readonly Arg[] } | undefined) =>
    part?.extraArgs === undefined ? {} : { extraArgs: extraArgs(args, part.extraArgs) };
  return yaml({
    apiVersion: kubeadmApi(args),
    kind: "ClusterConfiguration",
    clusterName: args.clusterName,
    controlPlaneEndpoint: args.controlPlaneEndpoint,
    kubernetesVersion: args.kubernetesVersion,
    networking: { dnsDomain: "cluster.local", podSubnet: args.podCidr, serviceSubnet: args.serviceCidr },
    apiServer: component(apiServer),
    controllerManager: component(controllerManager),
    etcd: etcd?.local ? { local: { dataDir: etcd.local.dataDir, ...component(etcd.local) } } : {},
  });
}

export function initConfiguration(args: KubeadmArgs): string {
  const { initConfiguration: init } = args.spec;
  return yaml({
    apiVersion: kubeadmApi(args),
    kind: "InitConfiguration",
    localAPIEndpoint: {},
    nodeRegistration: nodeRegistration(args, init?.nodeRegistration ?? {}),
    ...timeouts(args, init?.timeouts?.controlPlaneComponentHealthCheckSeconds),
  });
}

export function joinConfiguration(args: KubeadmArgs, controlPlane: boolean): string {
  const { joinConfiguration: join } = args.spec;
  return yaml({
    apiVersion: kubeadmApi(args),
    kind: "JoinConfiguration",
    discovery: {
      bootstrapToken: {
        apiServerEndpoint: args.controlPlaneEndpoint,
        token: "<bootstrap token>",
        caCertHashes: ["<sha256 of the cluster CA>"],
      },
    },
    nodeRegistration: nodeRegistration(args, join?.nodeRegistration ?? {}),
    ...(join?.patches === undefined ? {} : { patches: join.patches }),
    ...(controlPlane ? { controlPlane: { localAPIEndpoint: {} } } : {}),
    ...timeouts(args, join?.timeouts?.controlPlaneComponentHealthCheckSeconds),
  });
}
