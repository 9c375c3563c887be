import { z } from "zod";
import type { OptionalAddon, Release } from "../../addons/addon";
import { calicoVersions, defaultCalicoVersion } from "../../addons/calicoReleases";
import { optionalAddons, optionalKeys, type OptionalKey } from "../../addons/optionalAddons";
import { defaultStorageClasses } from "../../addons/storage/csi";
import { calicoBlock, windowsPodAddresses } from "capz-windows-platform/network/defaults";
import { clusterAutoscaler } from "./autoscaler";
import { armId, cidr, filledMapping, flag, keyWithDefault, optionalFlag, optionalKey } from "./scalars";

/** Options of the add-ons. */

/** What can be set beside `enabled` and `version`. */
const ownOptions = {
  windowsExporter: {
    allowedCidrs: optionalKey(z.array(cidr).min(1), {
      description:
        "Networks that may reach the port, in the firewall of each node. Pods reach it with the address of their node. Default: network.vnetCidr and network.podCidr",
      allowed: "IPv4 networks such as 10.10.0.0/16",
      examples: [["10.10.0.0/16"]],
    }),
  },
  gmsa: {
    keyVaultIdentity: armId(
      "User-assigned identity that every Windows pool gets, as with identityIds. With it the plug-in of the image reads the account that fetches passwords of gMSAs from a key vault, and the nodes are in no domain. It needs the role Key Vault Secrets User there. Default: none; the nodes are in a domain, or have another plug-in",
      "Microsoft.ManagedIdentity/userAssignedIdentities",
      "gmsa",
    ).optional(),
    randomHostnames: flag(
      "Give each pod with a gMSA and without a hostname a random one. Windows cuts names of pods to 15 characters, and pods of one Deployment are then one computer to Active Directory",
    ),
  },
} as const satisfies Partial<Record<OptionalKey, z.ZodRawShape>>;

type OwnOptions<Key> = Key extends keyof typeof ownOptions ? (typeof ownOptions)[Key] : unknown;

/** The key `version`. */
function versionOf(release: Release): { version?: z.ZodType } {
  const { description } = release;
  if ("pinned" in release) {
    const [newest = ""] = release.pinned;
    return { version: keyWithDefault(z.enum(release.pinned), newest, { description, examples: [newest] }) };
  }
  const { allowed, byDefault } = release;
  const version = z.string().regex(release.pattern);
  return {
    version: (typeof byDefault === "string" ? version.default(byDefault) : version.optional()).meta({
      ...{ description, allowed },
      examples: [typeof byDefault === "string" ? byDefault : byDefault(35)],
    }),
  };
}

/** The add-ons of the catalogue. */
const optional = Object.fromEntries(
  optionalKeys.map((key) => {
    const { byDefault, description, release }: OptionalAddon = optionalAddons[key];
    const own: Partial<Record<OptionalKey, z.ZodRawShape>> = ownOptions;
    const enabled = optionalFlag(
      `Install it. Default: ${byDefault ? "true from Kubernetes 1.26 on" : "false"}`,
    );
    const options = z.strictObject({ enabled, ...versionOf(release), ...own[key] }).prefault({});
    return [key, options.meta({ description, examples: [{ enabled: true }] })];
  }),
) as unknown as {
  readonly [Key in OptionalKey]: z.ZodPrefault<
    z.ZodObject<
      { enabled: z.ZodOptional<z.ZodBoolean>; version: z.ZodOptional<z.ZodString> } & OwnOptions<Key>,
      z.core.$strict
    >
  >;
};

export const addons = filledMapping("Add-ons that the ClusterResourceSets install", {
  cni: z
    // Calico first: reports propose the first value in place of an unknown one.
    .enum(["calico", "none"])
    .optional()
    .meta({
      description:
        "The network of the pods: Calico, or none, and you bring a CNI of your own; nodes are not ready until it runs ([a CNI of your own](own-cni.md)). Default: calico; the flavor dockershim always has Flannel",
      examples: ["none"],
    }),
  kubeProxyWindows: optionalFlag(
    "kube-proxy on Windows nodes; false for a CNI that replaces it, or for one that you deliver. Without any, pods on Windows nodes reach no Service, cluster DNS included. Default: true, and false with `cni: none`, because the image waits for Calico's HNS network",
    false,
  ),
  calicoVersion: optionalKey(z.enum(calicoVersions), {
    description: `Calico release. Default: ${defaultCalicoVersion("v1.34.0")}, and ${defaultCalicoVersion("v1.35.0")} from Kubernetes 1.35 on`,
    examples: [defaultCalicoVersion("v1.35.0")],
  }),
  calicoBlockSize: optionalKey(z.int().min(calicoBlock.min).max(calicoBlock.max), {
    description: `Prefix length of the block of network.podCidr that Calico gives to each node. A Windows node has one block, less 4 addresses: with ${calicoBlock.default} ${windowsPodAddresses(calicoBlock.default)} pods, with ${calicoBlock.calicos} ${windowsPodAddresses(calicoBlock.calicos)}; pods in the network of the node need none. It cannot be changed in a cluster that exists: one that was made by a version without this key needs ${calicoBlock.calicos}. Default: ${calicoBlock.default}`,
    allowed: `a whole number from ${calicoBlock.min} to ${calicoBlock.max}`,
    examples: [calicoBlock.calicos],
  }),
  azureMetadata: filledMapping(
    "Azure's metadata service (169.254.169.254, port 80), which gives tokens of the identities of a node to whoever asks from it, and its wire server (168.63.129.16, TCP ports 80 and 32526). A policy of Calico denies both to pods, on Linux and on Windows; pods in the network of their node, such as HostProcess pods, reach them anyway, and a NetworkPolicy with egress rules decides alone about its pods ([who may talk to whom](workloads/network-policies.md)). DNS is not concerned",
    {
      blocked: optionalFlag(
        "Deny pods both addresses. Default: true with Calico on Kubernetes 1.26 and newer; older clusters deny the wire server to pods on Windows nodes only",
        false,
      ),
      allowedNamespaces: keyWithDefault(
        z.array(z.string().regex(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/)),
        [],
        {
          description:
            "Namespaces whose pods may reach them, such as that of an agent which uses the identity of its node",
          allowed: "names of namespaces: 1–63 characters, a–z, 0–9 and -",
          examples: [["monitoring"]],
        },
      ),
    },
    { allowedNamespaces: ["monitoring"] },
  ),
  flannelImage: optionalKey(z.string().min(1), {
    description: "Flannel image for Linux, flavor dockershim. Default: quay.io/coreos/flannel:v0.12.0-amd64",
    examples: ["quay.io/coreos/flannel:v0.12.0-amd64"],
  }),
  flannelWindowsImage: optionalKey(z.string().min(1), {
    description:
      "Flannel image for Windows with PowerShell, wins and yq, flavor dockershim. Default: sigwindowstools/flannel:v0.13.0-nanoserver",
    examples: ["sigwindowstools/flannel:v0.13.0-nanoserver"],
  }),
  kubeProxyWindowsImage: optionalKey(z.string().min(1), {
    description:
      "kube-proxy image for Windows. Default: sigwindowstools/kube-proxy:<version>-calico-hostprocess (flavor dockershim: -nanoserver); set another patch version if that tag is not published yet. Docker Hub limits anonymous pulls by public address, which all nodes behind a NAT gateway share: for large pools copy the image to a registry of your own, or use a mirror ([private networks](private-networks.md))",
    examples: ["sigwindowstools/kube-proxy:v1.35.5-calico-hostprocess"],
  }),
  cloudProviderAzureTag: optionalKey(z.string().regex(/^v1\.[0-9]+\.[0-9]+$/), {
    description: "Image tag of cloud-provider-azure. Default: the tag for the cluster's minor version",
    allowed: "v1.MINOR.PATCH",
    examples: ["v1.35.4"],
  }),
  defaultStorageClass: optionalKey(z.enum(defaultStorageClasses), {
    description:
      "Storage class of claims that name none. Default: managed-csi, or azurefile-csi without disks, or none without either driver",
    examples: ["managed-csi"],
  }),
  ...optional,
  clusterAutoscaler,
});
