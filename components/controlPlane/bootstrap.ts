import type { KubeadmConfigSpec } from "../capi/types";
import { azureJsonFile, checked } from "../machinePool/bootstrap/files";
import { nodeNameTemplate } from "../machinePool/bootstrap/jinja";

export interface ControlPlaneBootstrapArgs {
  readonly clusterName: string;
  /** Secret with azure.json: `<AzureMachineTemplate>-azure-json`, so it changes with the template's name. */
  readonly azureJsonSecret: string;
  /** Whether the controller manager gives nodes their pod CIDRs. Default false: Calico has addresses of its own. */
  readonly allocateNodeCidrs?: boolean;
  /** Of kubeadm's log on the machines, 0 to 10. Default 10, as in CAPZ's templates. */
  readonly verbosity?: number;
}

/** The device of data disk lun 0. Sizes with NVMe disk controllers have another path: use SCSI sizes. */
const etcdDevice = "/dev/disk/azure/scsi1/lun0";

const etcdMount = "/var/lib/etcddisk";

/** 8 GiB, etcd's recommended maximum. */
const etcdQuotaBytes = 8 * 1024 ** 3;

/**
 * Bootstrap data of the control plane: etcd on a disk of its own, the cloud provider outside of the tree. The values
 * are those of CAPZ's machine pool template for Windows (v1.26.0), in the shapes of bootstrap v1beta2.
 *
 * @throws ConfigError when a name is beyond what Cluster API takes.
 */
export function controlPlaneKubeadmConfigSpec(args: ControlPlaneBootstrapArgs): KubeadmConfigSpec {
  const nodeRegistration = {
    name: nodeNameTemplate,
    kubeletExtraArgs: [{ name: "cloud-provider", value: "external" }],
  };
  // The webhook wants the same value in both. 20 minutes: the first API server comes up on a machine that still boots.
  const timeouts = { controlPlaneComponentHealthCheckSeconds: 1200 };
  return checked({
    clusterConfiguration: {
      apiServer: {
        extraArgs: [
          { name: "service-account-issuer", value: "https://kubernetes.default.svc.cluster.local" },
        ],
      },
      controllerManager: {
        extraArgs: [
          { name: "allocate-node-cidrs", value: String(args.allocateNodeCidrs ?? false) },
          { name: "cloud-provider", value: "external" },
          { name: "cluster-name", value: args.clusterName },
        ],
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
    files: [azureJsonFile("/etc/kubernetes/azure.json", args.azureJsonSecret, "control-plane-azure.json")],
    verbosity: args.verbosity ?? 10,
  });
}
