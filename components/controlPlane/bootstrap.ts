import type { KubeadmConfigSpec } from "../capi/types";
import { azureJsonFile, checked, nodeName } from "../machinePool/bootstrap/files";

export interface ControlPlaneBootstrapArgs {
  readonly clusterName: string;
  /** Secret with azure.json: `<AzureMachineTemplate>-azure-json`, so it changes with the template's name. */
  readonly azureJsonSecret: string;
}

/** The device of data disk lun 0. Sizes with NVMe disk controllers have another path: use SCSI sizes. */
const etcdDevice = "/dev/disk/azure/scsi1/lun0";

/** 8 GiB, etcd's recommended maximum. */
const etcdQuotaBytes = 8 * 1024 ** 3;

/** Bootstrap data of the control plane: etcd on a disk of its own, the cloud provider outside of the tree. */
export function controlPlaneKubeadmConfigSpec(args: ControlPlaneBootstrapArgs): KubeadmConfigSpec {
  const nodeRegistration = {
    name: nodeName,
    kubeletExtraArgs: [{ name: "cloud-provider", value: "external" }],
  };
  // The webhook wants the same value in both; CAPZ's templates give the first API server 20 minutes.
  const timeouts = { controlPlaneComponentHealthCheckSeconds: 1200 };
  return checked({
    clusterConfiguration: {
      controllerManager: {
        extraArgs: [
          // Calico has addresses of its own.
          { name: "allocate-node-cidrs", value: "false" },
          { name: "cloud-provider", value: "external" },
          { name: "cluster-name", value: args.clusterName },
        ],
      },
      etcd: {
        local: {
          dataDir: "/var/lib/etcddisk/etcd",
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
          extraOpts: ["-E", "lazy_itable_init=1,lazy_journal_init=1"],
        },
        { device: "ephemeral0.1", filesystem: "ext4", label: "ephemeral0", replaceFS: "ntfs" },
      ],
    },
    mounts: [["LABEL=etcd_disk", "/var/lib/etcddisk"]],
    files: [azureJsonFile("/etc/kubernetes/azure.json", args.azureJsonSecret, "control-plane-azure.json")],
  });
}
