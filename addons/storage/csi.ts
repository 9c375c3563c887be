/** The CSI drivers for Azure, and the images that belong to each release. */

/** Images of one release of a driver, as its manifests in deploy/ pair them. */
export interface CsiImages {
  /** The driver itself on Linux. */
  readonly driver: string;
  /** The driver in a HostProcess container, which needs no csi-proxy. */
  readonly driverWindows: string;
  readonly provisioner: string;
  /** Only for volumes that are attached to a machine. */
  readonly attacher: string;
  readonly resizer: string;
  readonly livenessProbe: string;
  /** For both operating systems. */
  readonly nodeDriverRegistrar: string;
}

const repository = "mcr.microsoft.com/oss/v2/kubernetes-csi";

/** The sidecars that both drivers name at the pinned releases. */
const sidecars = {
  provisioner: `${repository}/csi-provisioner:v6.3.0`,
  attacher: `${repository}/csi-attacher:v4.12.0`,
  resizer: `${repository}/csi-resizer:v2.2.0`,
  livenessProbe: `${repository}/livenessprobe:v2.19.0`,
  nodeDriverRegistrar: `${repository}/csi-node-driver-registrar:v2.17.0`,
} as const;

const images = (name: string, version: string): CsiImages => ({
  driver: `${repository}/${name}:${version}`,
  driverWindows: `${repository}/${name}:${version}-windows-hp`,
  ...sidecars,
});

export const azureDiskImages = (version: string): CsiImages => images("azuredisk-csi", version);
export const azureFileImages = (version: string): CsiImages => images("azurefile-csi", version);

/** Storage classes by the driver that serves them. They have the names that AKS gives them. */
export const storageClasses = {
  azureDisk: ["managed-csi", "managed-csi-premium"],
  azureFile: ["azurefile-csi", "azurefile-csi-premium"],
} as const;

/** The default class, for claims that name no class. */
export const defaultStorageClasses = [
  ...storageClasses.azureDisk,
  ...storageClasses.azureFile,
  "none",
] as const;
export type DefaultStorageClass = (typeof defaultStorageClasses)[number];
