import { z } from "zod";
import { calicoVersions, defaultCalicoVersion } from "../../domain/addons/calico";
import {
  azureDiskVersions,
  azureFileVersions,
  defaultStorageClasses,
  storageClasses,
} from "../../domain/addons/csi";
import { defaultGmsaVersion, gmsaVersions } from "../../domain/addons/gmsa";
import { hnsInterval } from "../../domain/addons/hnsRemediation";
import { metricsServerVersion } from "../../domain/addons/metricsServer";
import { defaultWindowsExporterVersion } from "../../domain/addons/windowsExporter";
import { clusterAutoscaler } from "./autoscaler";
import { armId } from "./scalars";

/** Options of the add-ons. */

/** Whether an add-on is installed; the default depends on the cluster's version. */
const enabled = (byDefault: string) =>
  z
    .boolean()
    .optional()
    .meta({ description: `Install it. Default: ${byDefault}`, examples: [true] });

export const addons = z
  .strictObject({
    cni: z
      .enum(["none", "calico"])
      .optional()
      .meta({
        description:
          "The network of the pods: Calico, or none, and you bring a CNI of your own; nodes are not ready until it runs ([a CNI of your own](own-cni.md)). Default: calico; the flavor dockershim always has Flannel",
        examples: ["none"],
      }),
    kubeProxyWindows: z
      .boolean()
      .optional()
      .meta({
        description:
          "kube-proxy on Windows nodes; false for a CNI that replaces it, or for one that you deliver. Without any, pods on Windows nodes reach no Service, cluster DNS included. Default: true, and false with `cni: none`, because the image waits for Calico's HNS network",
        examples: [false],
      }),
    calicoVersion: z
      .enum(calicoVersions)
      .optional()
      .meta({
        description: `Calico release. Default: ${defaultCalicoVersion("v1.34.0")}, and ${defaultCalicoVersion("v1.35.0")} from Kubernetes 1.35 on`,
        examples: [defaultCalicoVersion("v1.35.0")],
      }),
    flannelImage: z
      .string()
      .min(1)
      .optional()
      .meta({
        description: "Flannel image for Linux, flavor dockershim. Default: quay.io/coreos/flannel:v0.12.0-amd64",
        examples: ["quay.io/coreos/flannel:v0.12.0-amd64"],
      }),
    flannelWindowsImage: z
      .string()
      .min(1)
      .optional()
      .meta({
        description:
          "Flannel image for Windows with PowerShell, wins and yq, flavor dockershim. Default: sigwindowstools/flannel:v0.13.0-nanoserver",
        examples: ["sigwindowstools/flannel:v0.13.0-nanoserver"],
      }),
    kubeProxyWindowsImage: z
      .string()
      .min(1)
      .optional()
      .meta({
        description:
          "kube-proxy image for Windows. Default: sigwindowstools/kube-proxy:<version>-calico-hostprocess (flavor dockershim: -nanoserver); set another patch version if that tag is not published yet",
        examples: ["sigwindowstools/kube-proxy:v1.35.5-calico-hostprocess"],
      }),
    cloudProviderAzureTag: z
      .string()
      .regex(/^v1\.[0-9]+\.[0-9]+$/)
      .optional()
      .meta({
        description: "Image tag of cloud-provider-azure. Default: the tag for the cluster's minor version",
        allowed: "v1.MINOR.PATCH",
        examples: ["v1.35.4"],
      }),
    azureDisk: z
      .strictObject({
        enabled: enabled("true from Kubernetes 1.26 on"),
        version: z
          .enum(azureDiskVersions)
          .default(azureDiskVersions[0])
          .meta({ description: "Release of the Azure Disk CSI driver", examples: [azureDiskVersions[0]] }),
      })
      .prefault({})
      .meta({
        description: `Azure disks as volumes, on Linux and on Windows: the CSI driver and the storage classes ${storageClasses.azureDisk.join(" and ")}. Without it no claim for a disk is ever bound`,
        examples: [{ enabled: true }],
      }),
    azureFile: z
      .strictObject({
        enabled: enabled("false"),
        version: z
          .enum(azureFileVersions)
          .default(azureFileVersions[0])
          .meta({ description: "Release of the Azure File CSI driver", examples: [azureFileVersions[0]] }),
      })
      .prefault({})
      .meta({
        description: `Azure Files as volumes that several pods share, on Linux and on Windows: the CSI driver and the storage classes ${storageClasses.azureFile.join(" and ")}. The control plane's identity becomes Storage Account Contributor of the resource group`,
        examples: [{ enabled: true }],
      }),
    defaultStorageClass: z
      .enum(defaultStorageClasses)
      .optional()
      .meta({
        description:
          "Storage class of claims that name none. Default: managed-csi, or azurefile-csi without disks, or none without either driver",
        examples: ["managed-csi"],
      }),
    metricsServer: z
      .strictObject({
        enabled: enabled("true from Kubernetes 1.26 on"),
        version: z
          .string()
          .regex(/^v0\.[0-9]+\.[0-9]+$/)
          .optional()
          .meta({
            description: `Release. Default: the newest that supports the cluster's minor version, ${metricsServerVersion(35)} for 1.35`,
            allowed: "v0.MINOR.PATCH",
            examples: [metricsServerVersion(35)],
          }),
      })
      .prefault({})
      .meta({
        description: "metrics-server, for `kubectl top` and the HorizontalPodAutoscaler",
        examples: [{ enabled: true }],
      }),
    clusterAutoscaler,
    windowsExporter: z
      .strictObject({
        enabled: enabled("false"),
        version: z
          .string()
          .regex(/^0\.[0-9]+\.[0-9]+$/)
          .default(defaultWindowsExporterVersion)
          .meta({
            description: "Release, without a leading v",
            allowed: "0.MINOR.PATCH",
            examples: [defaultWindowsExporterVersion],
          }),
      })
      .prefault({})
      .meta({
        description:
          "windows-exporter on every Windows node: metrics of nodes and containers for Prometheus, on port 9182",
        examples: [{ enabled: true }],
      }),
    hnsRemediation: z
      .strictObject({
        enabled: enabled("false"),
        intervalSeconds: z
          .int()
          .min(hnsInterval.min)
          .max(hnsInterval.max)
          .default(hnsInterval.default)
          .meta({
            description: "Seconds between two looks",
            allowed: `${hnsInterval.min} to ${hnsInterval.max}`,
            examples: [60],
          }),
      })
      .prefault({})
      .meta({
        description:
          "Watches the host network service (HNS) of each Windows node. When it has crashed, Calico and kube-proxy are started again, because they do not notice that their rules are gone; an event of the node says so",
        examples: [{ enabled: true }],
      }),
    gmsa: z
      .strictObject({
        enabled: enabled("false"),
        version: z
          .enum(gmsaVersions)
          .default(defaultGmsaVersion)
          .meta({ description: "Release of windows-gmsa", examples: [defaultGmsaVersion] }),
        keyVaultIdentity: armId(
          "User-assigned identity that every Windows pool gets, as with identityIds. With it the plug-in of the image reads the account that fetches passwords of gMSAs from a key vault, and the nodes are in no domain. It needs the role Key Vault Secrets User there. Default: none; the nodes are in a domain, or have another plug-in",
          "Microsoft.ManagedIdentity/userAssignedIdentities",
          "gmsa",
        ).optional(),
        randomHostnames: z
          .boolean()
          .default(false)
          .meta({
            description:
              "Give each pod with a gMSA and without a hostname a random one. Windows cuts names of pods to 15 characters, and pods of one Deployment are then one computer to Active Directory",
            examples: [true],
          }),
      })
      .prefault({})
      .meta({
        description:
          "Group managed service accounts of Active Directory for Windows containers: the CRD of credential specs and the webhook that checks and fills them in, with a certificate that is made in the cluster",
        examples: [{ enabled: true }],
      }),
  })
  .prefault({})
  .meta({ description: "Add-ons that the ClusterResourceSets install" });
