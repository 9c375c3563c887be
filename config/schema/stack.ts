import { z } from "zod";
import { calicoVersions, defaultCalicoVersion } from "../../domain/addons/calico";
import { Flavor } from "../../domain/cluster/platform";
import { defaultPodCidr, defaultServiceCidr, defaultVnetCidr } from "../../domain/network/defaults";
import { azureVnetMtu } from "../../domain/network/mtu";
import { azure, clusterApi, management } from "./management";
import { controlPlane, linuxPool, windowsPool } from "./nodes";
import { sampleWorkload } from "./sampleWorkload";
import { cidr, kubernetesVersion, poolName } from "./scalars";

/**
 * What a stack may say. The only source of types, defaults, the JSON Schema for editors, the option table in
 * docs/config.md and the allowed values in error texts. `examples[0]` of a node is what the report tells to write.
 */

const network = z
  .strictObject({
    vnetCidr: cidr.default(defaultVnetCidr).meta({ description: "Address range of the VNET" }),
    controlPlaneSubnetCidr: cidr
      .optional()
      .meta({
        description: "Subnet of the control plane. Default: the first /24 of the VNET (or its first quarter)",
      }),
    nodeSubnetCidr: cidr
      .optional()
      .meta({ description: "Subnet of all pools. Default: the upper half of the VNET" }),
    podCidr: cidr
      .optional()
      .meta({
        description:
          `Pod addresses (in VXLAN). Default: ${defaultPodCidr("calico")}, and ${defaultPodCidr("flannel")} for the flavor dockershim`,
        examples: [defaultPodCidr("calico")],
      }),
    serviceCidr: cidr.default(defaultServiceCidr).meta({ description: "Service addresses" }),
    mtu: z
      .int()
      .min(1330)
      .max(azureVnetMtu)
      .default(azureVnetMtu)
      .meta({
        description: "MTU of the VNET in bytes. Azure fragments above 1400; pods get 50 less (VXLAN)",
        examples: [azureVnetMtu],
      }),
  })
  .prefault({})
  .meta({ description: "The VNET of the workload cluster and the cluster network" });

const addons = z
  .strictObject({
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
          "kube-proxy image for Windows. Default: sigwindowstools/kube-proxy:<version>-calico-hostprocess (flavor dockershim: -nanoserver); name another patch when that tag is not published yet",
        examples: ["sigwindowstools/kube-proxy:v1.35.5-calico-hostprocess"],
      }),
    cloudProviderAzureTag: z
      .string()
      .regex(/^v1\.[0-9]+\.[0-9]+$/)
      .optional()
      .meta({
        description: "Image tag of cloud-provider-azure. Default: by the cluster's minor version",
        allowed: "v1.MINOR.PATCH",
        examples: ["v1.35.4"],
      }),
  })
  .prefault({})
  .meta({ description: "What the ClusterResourceSets deliver" });

const access = z
  .strictObject({
    sshPublicKey: z.string().meta({
      description: "Public key of the user capi on every node, Linux and Windows",
      allowed: "one line: ssh-ed25519, ssh-rsa or ecdsa-sha2-nistp256/384/521, then the key",
      examples: ["ssh-ed25519 AAAA... you@example.com"],
    }),
    allowedCidrs: z
      .array(cidr)
      .default([])
      .meta({
        description:
          "Who may reach the API server (6443) and ssh of the control plane (22) from the Internet; empty means nobody but the management cluster",
        examples: [["203.0.113.0/24"]],
      }),
  })
  .meta({
    description: "Access to the cluster and its nodes",
    examples: [{ sshPublicKey: "ssh-ed25519 AAAA... you@example.com" }],
  });

export const stackSchema = z.strictObject({
  clusterName: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,42}[a-z0-9]$/)
    .meta({
      description: "Name of the workload cluster and of most things in Azure",
      allowed: "2–44 characters: a–z, 0–9 and -, the first a letter, the last a letter or digit",
      examples: ["my-cluster"],
    }),
  namespace: z
    .string()
    .regex(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/)
    .optional()
    .meta({
      description: "Namespace in the management cluster. Default: clusterName",
      allowed: "1–63 characters: a–z, 0–9 and -",
      examples: ["my-cluster"],
    }),
  kubernetesVersion: kubernetesVersion.meta({
    description: "Kubernetes version of the workload cluster",
    examples: ["v1.35.6"],
  }),
  flavor: z
    .enum(Flavor)
    .default("containerd")
    .meta({
      description:
        "Container runtime of the Windows nodes, and CNI: containerd with Calico, or Docker with Flannel (dockershim; Kubernetes 1.22 and 1.23 only, beyond every support)",
      examples: ["containerd"],
    }),
  azure,
  management,
  managementKubeconfig: z
    .string()
    .min(1)
    .optional()
    .meta({
      description:
        "SECRET. Kubeconfig of the existing management cluster: pulumi config set --secret managementKubeconfig < kubeconfig",
      secret: true,
      examples: ["(set it with: pulumi config set --secret managementKubeconfig < FILE)"],
    }),
  clusterApi,
  network,
  controlPlane,
  linuxPools: z
    .record(poolName, linuxPool)
    .default({})
    .meta({ description: "Linux pools by name", examples: [{ linux1: {} }] }),
  windowsPools: z
    .record(poolName, windowsPool)
    .default({})
    .meta({
      description:
        "Windows pools by name. Up to 9 characters the name is also the scale set's and the nodes' prefix",
      examples: [{ win1: {} }],
    }),
  addons,
  sampleWorkload,
  access,
  tags: z
    .record(z.string().min(1).max(512), z.string().max(256))
    .default({})
    .meta({ description: "Azure tags of everything that is made", examples: [{ team: "platform" }] }),
  protect: z
    .boolean()
    .default(true)
    .meta({
      description:
        "Refuse to delete resource groups, the VNET, the management cluster and the Cluster object",
      examples: [true],
    }),
  wait: z
    .enum(["nodes", "controlPlane", "none"])
    .default("controlPlane")
    .meta({
      description:
        "How long `pulumi up` waits: until every pool runs, until the control plane answers, or not at all (then no workload kubeconfig is read)",
      examples: ["controlPlane"],
    }),
});

export type StackConfig = z.output<typeof stackSchema>;

/** Keys whose values are secrets (`secret` in the schema): never echoed, wrapped in `pulumi.secret` at the boundary. */
export const secretKeys: readonly string[] = Object.entries(stackSchema.shape)
  .filter(([, node]) => node.meta()?.secret === true)
  .map(([key]) => key);
