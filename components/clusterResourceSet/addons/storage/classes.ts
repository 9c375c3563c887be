import type { DefaultStorageClass } from "../../../../domain/addons/csi";
import type { KubernetesObject } from "../../../../domain/capi/types";

export interface StorageClassArgs {
  readonly name: Exclude<DefaultStorageClass, "none">;
  readonly provisioner: string;
  /** Of the disk or the storage account: `Premium_LRS`. */
  readonly skuName: string;
  /** The class of claims that name none. */
  readonly isDefault: boolean;
  readonly volumeBindingMode: "WaitForFirstConsumer" | "Immediate";
  readonly mountOptions?: readonly string[];
}

/**
 * A storage class. It says nothing of a file system: each driver takes what the node has, ext4 on Linux and NTFS on
 * Windows (azuredisk-csi-driver pkg/azuredisk/nodeserver.go, getDefaultFsType), and one named here would fail on the
 * other system. All but the annotation is immutable in the API server.
 */
export const storageClass = (args: StorageClassArgs): KubernetesObject => ({
  apiVersion: "storage.k8s.io/v1",
  kind: "StorageClass",
  metadata: {
    name: args.name,
    // Written out either way: a ClusterResourceSet takes nothing off that it no longer says.
    annotations: { "storageclass.kubernetes.io/is-default-class": String(args.isDefault) },
  },
  provisioner: args.provisioner,
  parameters: { skuName: args.skuName },
  reclaimPolicy: "Delete",
  volumeBindingMode: args.volumeBindingMode,
  allowVolumeExpansion: true,
  ...(args.mountOptions === undefined ? {} : { mountOptions: args.mountOptions }),
});
