import { azureDiskImages, type DefaultStorageClass } from "./csi";
import type { NodeProxy } from "../../bootstrap/egress";
import type { KubernetesObject } from "capz-types";
import { csiAccess } from "./access";
import { storageClass } from "./classes";
import { csiController } from "./controller";
import { csiDriverObject, type CsiDriver } from "./csiDriver";
import { csiNodesLinux, csiNodesWindows } from "./nodes";

export interface StorageArgs {
  readonly version: string;
  readonly defaultClass: DefaultStorageClass;
  /** Pods of the controller: never more than control plane machines. */
  readonly replicas: number;
  /** For the controller's requests to Azure. Default: none. */
  readonly proxy?: NodeProxy | undefined;
}

/** Arguments and ports as in deploy/ of azuredisk-csi-driver v1.34.5. */
const azureDisk = (version: string): CsiDriver => ({
  name: "disk.csi.azure.com",
  short: "azuredisk",
  images: azureDiskImages(version),
  attaches: true,
  controllerPorts: { health: 29_602, metrics: 29_604 },
  nodePorts: { health: 29_603, metrics: 29_605, registrar: 29_607 },
  controllerArgs: [
    "--disable-avset-nodes=false",
    // Without azure.json it could do nothing, so it should fail at once.
    "--allow-empty-cloud-config=false",
  ],
  nodeArgs: {
    linux: [
      "--enable-perf-optimization=true",
      "--allow-empty-cloud-config=true",
      "--get-node-info-from-labels=false",
    ],
    windows: ["--allow-empty-cloud-config=true"],
  },
  memory: { controller: "500Mi", linux: "1000Mi", windows: "1000Mi" },
  timeouts: { provisioner: 30, resizer: 240 },
});

/** Azure disks as volumes: driver, classes, controller, and node plug-ins for both operating systems. */
export function azureDiskObjects({ version, defaultClass, ...controller }: StorageArgs): KubernetesObject[] {
  const driver = azureDisk(version);
  const diskClass = (name: "managed-csi" | "managed-csi-premium", skuName: string): KubernetesObject =>
    storageClass({
      ...{ name, skuName, provisioner: driver.name, isDefault: defaultClass === name },
      // A disk is in one zone, which is known only when the pod has a node.
      volumeBindingMode: "WaitForFirstConsumer",
    });
  return [
    diskClass("managed-csi", "StandardSSD_LRS"),
    diskClass("managed-csi-premium", "Premium_LRS"),
    ...csiAccess(driver),
    csiDriverObject(driver, { podInfoOnMount: false, fsGroupPolicy: "File" }),
    ...csiController(driver, controller),
    csiNodesLinux(driver),
    csiNodesWindows(driver),
  ];
}
