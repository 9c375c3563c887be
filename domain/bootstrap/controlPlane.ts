import type { KubeadmConfigSpec, ApiServer, Arg, NodeRegistration, Timeouts } from "../capi/types";
import { azureJsonFile, checked, commands } from "./files";
import { nodeNameTemplate } from "./jinja";
import { kubeletArguments } from "./kubelet";
import type { NodePlatform } from "./linux";
import { linuxAzureJson } from "./linux";
import { linuxNodeMtu } from "./mtu";
import type { Platform } from "../cluster/platform";
import { featureGates } from "../cluster/platform";
import { imageRepositories } from "./registry";

export interface ControlPlaneBootstrapArgs extends NodePlatform {
  readonly clusterName: string;
  /** Secret with azure.json: `<AzureMachineTemplate>-azure-json`, so it changes with the template's name. */
  readonly azureJsonSecret: string;
  /** Of kubeadm's log on the machines, 0 to 10. Default 10, as in CAPZ's templates. */
  readonly verbosity?: number;
}

/** The device of data disk lun 0. Sizes with NVMe disk controllers have another path: use SCSI sizes. */
const etcdDevice = "/dev/disk/azure/scsi1/lun0";

const etcdMount = "/var/lib/etcddisk";

/** 8 GiB, etcd's recommended maximum. */
const etcdQuotaBytes = 8 * 1024 ** 3;

/** Arguments of a static pod by which the in-tree cloud provider runs in it, and the file that it reads. */
function inTreeProvider({ cloudProvider }: Platform): {
  readonly args: readonly Arg[];
  readonly volumes: Pick<ApiServer, "extraVolumes">;
} {
  return cloudProvider === "external"
    ? { args: [], volumes: {} }
    : {
        args: [
          { name: "cloud-config", value: linuxAzureJson },
          { name: "cloud-provider", value: "azure" },
        ],
        volumes: {
          extraVolumes: [
            { name: "cloud-config", hostPath: linuxAzureJson, mountPath: linuxAzureJson, readOnly: true },
          ],
        },
      };
}

/**
 * Bootstrap data of the control plane: etcd on a disk of its own, the cloud provider in or outside of the tree. The
 * values are those of CAPZ's machine pool templates for Windows (v1.26.0; v1.3.2 for the in-tree provider and
 * Flannel), in the shapes of bootstrap v1beta2.
 *
 * @throws ConfigError when a name is beyond what Cluster API takes.
 */
export function controlPlaneKubeadmConfigSpec(args: ControlPlaneBootstrapArgs): KubeadmConfigSpec {
  const { platform, kubernetesVersion } = args;
  const inTree = inTreeProvider(platform);
  const gates = (component: "kube-apiserver" | "kube-controller-manager") => {
    const value = featureGates(component, platform, kubernetesVersion);
    return value === "" ? [] : [{ name: "feature-gates", value }];
  };
  const mtu = linuxNodeMtu(platform, args.mtu);
  const nodeRegistration: NodeRegistration = {
    name: nodeNameTemplate,
    kubeletExtraArgs: kubeletArguments({ ...args, os: "linux", azureJson: linuxAzureJson }),
  };
  // The webhook wants the same value in both. 20 minutes: the first API server comes up on a machine that still boots.
  const timeouts: Timeouts = { controlPlaneComponentHealthCheckSeconds: 1200 };
  return checked({
    clusterConfiguration: {
      ...imageRepositories(kubernetesVersion),
      apiServer: {
        extraArgs: [
          ...inTree.args,
          ...gates("kube-apiserver"),
          { name: "service-account-issuer", value: "https://kubernetes.default.svc.cluster.local" },
        ],
        ...inTree.volumes,
      },
      controllerManager: {
        extraArgs: [
          // Flannel takes the range that a node gets here; Calico has addresses of its own.
          { name: "allocate-node-cidrs", value: String(platform.cni === "flannel") },
          ...(platform.cloudProvider === "external"
            ? [{ name: "cloud-provider", value: "external" }]
            : inTree.args),
          { name: "cluster-name", value: args.clusterName },
          // Pod packets travel in VXLAN: no Azure routes.
          ...(platform.cloudProvider === "external"
            ? []
            : [{ name: "configure-cloud-routes", value: "false" }]),
          ...gates("kube-controller-manager"),
        ],
        ...inTree.volumes,
      },
      etcd: {
        local: {
          dataDir: `${etcdMount}/etcd`,
          extraArgs: [{ name: "quota-backend-bytes", value: String(etcdQuotaBytes) }],
        },
      },
    },
    initConfiguration: { nodeRegistration, timeouts },
    joinConfiguration: { nodeRegistration, timeouts },
    diskSetup: {
      partitions: [{ device: etcdDevice, layout: true, overwrite: false, tableType: "gpt" }],
      filesystems: [
        {
          device: etcdDevice,
          filesystem: "ext4",
          label: "etcd_disk",
          // etcd need not wait until the whole disk is written over once.
          extraOpts: ["-E", "lazy_itable_init=1,lazy_journal_init=1"],
        },
        { device: "ephemeral0.1", filesystem: "ext4", label: "ephemeral0", replaceFS: "ntfs" },
      ],
    },
    mounts: [["LABEL=etcd_disk", etcdMount]],
    files: [azureJsonFile(linuxAzureJson, args.azureJsonSecret, "control-plane-azure.json"), ...mtu.files],
    ...commands("preKubeadmCommands", mtu.preKubeadmCommands),
    ...commands("postKubeadmCommands", mtu.postKubeadmCommands),
    verbosity: args.verbosity ?? 10,
  });
}
