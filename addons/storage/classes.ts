import type { DefaultStorageClass } from "./csi";
import type { KubernetesObject } from "capz-types";

export interface StorageClassArgs {
  readonly name: Exclude<DefaultStorageClass, "none">;
  readonly provisioner: string;
  /** SKU of the disk or the storage account: `Premium_LRS`. */
  readonly skuName: string;
  /** Whether claims that name no class get this one. */
  readonly isDefault: boolean;
  readonly volumeBindingMode: "WaitForFirstConsumer" | "Immediate";
  readonly mountOptions?: readonly string[];
}

/**
 * A storage class. It does not set a file system: each driver uses the default of the node, ext4 on Linux and NTFS on
 * Windows (azuredisk-csi-driver pkg/azuredisk/nodeserver.go, getDefaultFsType), and one set here would fail on the
 * other operating system. In the API server everything but the annotation is immutable.
 */
export const storageClass = (args: StorageClassArgs): KubernetesObject => ({
  apiVersion: "storage.k8s.io/v1",
  kind: "StorageClass",
  metadata: {
    name: args.name,
    // Set in either case: a ClusterResourceSet does not remove what its manifest no longer contains.
    annotations: { "storageclass.kubernetes.io/is-default-class": String(args.isDefault) },
  },
  provisioner: args.provisioner,
  parameters: { skuName: args.skuName },
  reclaimPolicy: "Delete",
  volumeBindingMode: args.volumeBindingMode,
  allowVolumeExpansion: true,
  ...(args.mountOptions === undefined ? {} : { mountOptions: args.mountOptions }),
});
