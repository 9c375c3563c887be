import { azureFileImages } from "./csi";
import type { KubernetesObject } from "capz-types";
import { csiAccess } from "./access";
import type { StorageArgs } from "./azureDisk";
import { storageClass } from "./classes";
import { csiController } from "./controller";
import { csiDriverObject, type CsiDriver } from "./csiDriver";
import { csiNodesLinux, csiNodesWindows } from "./nodes";

/**
 * Arguments and ports as in deploy/ of azurefile-csi-driver v1.35.7, without what installs packages on the host: its
 * proxy for encrypted NFS and the renewal of tokens for mounts by managed identity. SMB with the account's key, which
 * both operating systems mount, needs neither.
 */
const azureFile = (version: string): CsiDriver => ({
  name: "file.csi.azure.com",
  short: "azurefile",
  images: azureFileImages(version),
  attaches: false,
  controllerPorts: { health: 29_612, metrics: 29_614 },
  nodePorts: { health: 29_613, metrics: 29_615, registrar: 29_617 },
  controllerArgs: [],
  // The controller clones shares with azcopy, which otherwise takes as much memory and as many files as the machine has.
  controllerEnv: [
    { name: "AZCOPY_CONCURRENCY_VALUE", value: "10" },
    { name: "AZCOPY_CONCURRENT_FILES", value: "20" },
    { name: "AZCOPY_BUFFER_GB", value: "1" },
  ],
  controllerFolders: { "azcopy-dir": "/root/.azcopy" },
  nodeArgs: { linux: [], windows: [] },
  memory: { controller: "800Mi", linux: "400Mi", windows: "600Mi" },
  timeouts: { provisioner: 1200, resizer: 120 },
});

/** For SMB on Linux, as in the driver's example; the driver ignores them on Windows. */
const smbOptions = [
  "dir_mode=0777",
  "file_mode=0777",
  "mfsymlinks",
  "cache=strict",
  "nosharesock",
  "actimeo=30",
  "nobrl",
] as const;

/** Azure Files as volumes that pods on Linux and Windows share. */
export function azureFileObjects({ version, defaultClass, ...controller }: StorageArgs): KubernetesObject[] {
  const driver = azureFile(version);
  const fileClass = (name: "azurefile-csi" | "azurefile-csi-premium", skuName: string): KubernetesObject =>
    storageClass({
      ...{ name, skuName, provisioner: driver.name, isDefault: defaultClass === name },
      // A share can be reached from every zone.
      volumeBindingMode: "Immediate",
      mountOptions: smbOptions,
    });
  return [
    fileClass("azurefile-csi", "Standard_LRS"),
    fileClass("azurefile-csi-premium", "Premium_LRS"),
    ...csiAccess(driver),
    csiDriverObject(driver, {
      podInfoOnMount: true,
      volumeLifecycleModes: ["Persistent", "Ephemeral"],
      fsGroupPolicy: "ReadWriteOnceWithFSType",
    }),
    ...csiController(driver, controller),
    csiNodesLinux(driver),
    csiNodesWindows(driver),
  ];
}
