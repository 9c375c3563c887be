/**
 * The community gallery in which the CAPZ project publishes reference images, one version per Kubernetes version.
 * Sources: CAPZ v1.27.0 azure/defaults.go and custom-images.md; image-builder, workflow build-azure-sig.
 */

export const communityGallery = "ClusterAPI-f72ceb4f-5159-4c26-a0fe-2ea738f0d019";

/** Windows Server releases for which the gallery receives new images; 2019 is no longer built. */
export const galleryWindowsServers = ["2022", "2025"] as const;

export const galleryUbuntu = "capi-ubun2-2404";

export const galleryWindows = (windowsServer: string): string => `capi-win-${windowsServer}-containerd`;

/** Regions to which the gallery is replicated; in any other region Azure answers GalleryImageNotFound. */
export const galleryRegions = [
  "australiaeast",
  "canadacentral",
  "eastus",
  "eastus2",
  "francecentral",
  "germanywestcentral",
  "northcentralus",
  "northeurope",
  "switzerlandnorth",
  "uksouth",
  "westeurope",
  "westus2",
] as const;

/**
 * Number of Kubernetes minors that the Kubernetes project maintains at a time. The gallery removes images of older
 * minors, and all other images 6 months after they were published.
 */
export const maintainedMinors = 3;

export interface ParsedDefinition {
  readonly os: "linux" | "windows";
  /** Release year, set for Windows only. */
  readonly windowsServer?: string;
}

/**
 * The operating system that the name of an image definition denotes: in the community gallery
 * (`capi-win-2022-containerd`) or in your own, as image-builder names it (`capi-windows-2022-containerd`). `undefined`
 * for other names.
 */
export function parseDefinition(name: string): ParsedDefinition | undefined {
  const windowsServer = /^capi-win(?:dows)?-(\d{4})(?:-|$)/.exec(name)?.[1];
  if (windowsServer !== undefined) {
    return { os: "windows", windowsServer };
  }
  return /^(capi-)?(ubun2|ubuntu|flatcar|azurelinux)(-|$)/.test(name) ? { os: "linux" } : undefined;
}
