import { z } from "zod";
import { calicoBlock, windowsPodAddresses } from "../../platform/network/defaults";
import { calicoVersions, defaultCalicoVersion } from "../../addons/calicoReleases";
import {
  azureDiskVersions,
  azureFileVersions,
  defaultStorageClasses,
  storageClasses,
} from "../../addons/storage/csi";
import { defaultGmsaVersion, gmsaVersions } from "../../addons/gmsa";
import { hnsInterval } from "../../addons/hnsRemediation";
import { metricsServerVersion } from "../../addons/metricsServer";
import { defaultWindowsExporterVersion } from "../../addons/windowsExporter";
import { clusterAutoscaler } from "./autoscaler";
import { armId, cidr } from "./scalars";

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
      // Calico first: reports propose the first value in place of an unknown one.
      .enum(["calico", "none"])
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
    calicoBlockSize: z
      .int()
      .min(calicoBlock.min)
      .max(calicoBlock.max)
      .optional()
      .meta({
        description: `Prefix length of the block of network.podCidr that Calico gives to each node. A Windows node has one block, less 4 addresses: with ${calicoBlock.default} ${windowsPodAddresses(calicoBlock.default)} pods, with ${calicoBlock.calicos} ${windowsPodAddresses(calicoBlock.calicos)}; pods in the network of the node need none. It cannot be changed in a cluster that exists: one that was made by a version without this key needs ${calicoBlock.calicos}. Default: ${calicoBlock.default}`,
        allowed: `a whole number from ${calicoBlock.min} to ${calicoBlock.max}`,
        examples: [calicoBlock.calicos],
      }),
    azureMetadata: z
      .strictObject({
        blocked: z
          .boolean()
          .optional()
          .meta({
            description:
              "Deny pods both addresses. Default: true with Calico on Kubernetes 1.26 and newer; older clusters deny the wire server to pods on Windows nodes only",
            examples: [false],
          }),
        allowedNamespaces: z
          .array(z.string().regex(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/))
          .default([])
          .meta({
            description:
              "Namespaces whose pods may reach them, such as that of an agent which uses the identity of its node",
            allowed: "names of namespaces: 1–63 characters, a–z, 0–9 and -",
            examples: [["monitoring"]],
          }),
      })
      .prefault({})
      .meta({
        description:
          "Azure's metadata service (169.254.169.254, port 80), which gives tokens of the identities of a node to whoever asks from it, and its wire server (168.63.129.16, TCP ports 80 and 32526). A policy of Calico denies both to pods, on Linux and on Windows; pods in the network of their node, such as HostProcess pods, reach them anyway, and a NetworkPolicy with egress rules decides alone about its pods ([who may talk to whom](workloads/network-policies.md)). DNS is not concerned",
        examples: [{ allowedNamespaces: ["monitoring"] }],
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
          "kube-proxy image for Windows. Default: sigwindowstools/kube-proxy:<version>-calico-hostprocess (flavor dockershim: -nanoserver); set another patch version if that tag is not published yet. Docker Hub limits anonymous pulls by public address, which all nodes behind a NAT gateway share: for large pools copy the image to a registry of your own, or use a mirror ([private networks](private-networks.md))",
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
        allowedCidrs: z
          .array(cidr)
          .min(1)
          .optional()
          .meta({
            description:
              "Networks that may reach the port, in the firewall of each node. Pods reach it with the address of their node. Default: network.vnetCidr and network.podCidr",
            allowed: "IPv4 networks such as 10.10.0.0/16",
            examples: [["10.10.0.0/16"]],
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
