import { z } from "zod";
import { Flavor } from "capz-windows-platform/cluster/platform";
import { KubeletCertificates } from "capz-windows-platform/cluster/kubeletCertificates";
import { defaultPodCidr, defaultServiceCidr, defaultVnetCidr } from "capz-windows-platform/network/defaults";
import { adapterMtu, azureVnetMtu } from "capz-windows-platform/network/mtu";
import { placeholder } from "capz-windows-kit/writeLine";
import { addons } from "./addons";
import { apiServer } from "./apiServer";
import { bastion } from "./bastion";
import { azureContainerRegistries, proxy, registryMirror, trustedCertificates } from "./egress";
import { existingNetwork } from "./existingNetwork";
import { extraManifests } from "./extraManifests";
import { imageDigests } from "./imageDigests";
import { policyExceptions } from "./policyExceptions";
import { azure } from "./azure";
import { clusterApi, management } from "./management";
import { controlPlane, linuxPool, poolDefaults, windowsPool } from "./nodes";
import { secretFiles } from "./files";
import { outbound } from "./outbound";
import { dnsServers, peerings } from "./peerings";
import { clusterOverrides } from "./overrides";
import { sampleWorkload } from "./sampleWorkload";
import { tags } from "./tags";
import { workloads } from "./workloads";
import {
  cidr,
  filledMapping,
  keyWithDefault,
  kubernetesVersion,
  mapping,
  matching,
  optionalKey,
  ownCidr,
  poolName,
  subnetName,
} from "./scalars";

/**
 * Schema of the stack config. It is the only source of the types, the defaults, the JSON Schema for editors, the option
 * table in docs/config.md and the allowed values in error messages. `examples[0]` of a node is the value that an error
 * report suggests.
 */

const network = filledMapping("The VNET and the address ranges of the workload cluster", {
  vnetCidr: cidr.default(defaultVnetCidr).meta({ description: "Address range of the VNET" }),
  controlPlaneSubnetCidr: cidr.optional().meta({
    description:
      "Subnet of the control plane. Default: the first /24 of the VNET (the first quarter of a small VNET)",
    examples: ["10.10.0.0/24"],
  }),
  nodeSubnetCidr: cidr.optional().meta({
    description: "Subnet of all pools that name no other one. Default: the upper half of the VNET",
    examples: ["10.10.128.0/17"],
  }),
  poolSubnets: keyWithDefault(
    z.record(subnetName, cidr),
    {},
    {
      description:
        "Further subnets of the VNET for pools, which name one as subnet: name to address range. Each has the security group, routes and NAT gateway of the node subnet",
      allowed: "a mapping of names to parts of the VNET that no other subnet has",
      examples: [{ web: "10.10.64.0/24" }],
    },
  ),
  existing: existingNetwork,
  outbound,
  peerings,
  dnsServers,
  bastion,
  podCidr: cidr.optional().meta({
    description: `Address range of the pods (inside VXLAN). Default: ${defaultPodCidr("calico")}, and ${defaultPodCidr("flannel")} for the flavor dockershim`,
    examples: [defaultPodCidr("calico")],
  }),
  serviceCidr: cidr.default(defaultServiceCidr).meta({ description: "Address range of the services" }),
  mtu: keyWithDefault(z.int().min(1330).max(adapterMtu.mana), azureVnetMtu, {
    description:
      "MTU of the VNET in bytes; pods have 50 bytes less (VXLAN). Azure fragments packets above 1400, except between machines of one VNET whose adapters carry 3900 (Mellanox) or 9000 (MANA, a preview): such a value is refused where a VM size or a way out of the VNET does not carry it ([MTU](mtu.md))",
    examples: [azureVnetMtu],
  }),
  apiServer,
});

/** The public half of a key whose private half was thrown away. */
const exampleKey =
  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKFwQe4cBdoWLMHy9MI59G0upaxktpmiI3qQYPo1DbyW another-example";

const access = mapping(
  "Access to the cluster and its nodes",
  {
    sshPublicKey: z.string().meta({
      description: "SSH public key of the user capi on every Linux and Windows node",
      allowed: "one line: ssh-ed25519, ssh-rsa or ecdsa-sha2-nistp256/384/521, then the key",
      placeholder: placeholder("contents of your .pub file"),
      examples: ["ssh-ed25519 AAAA... you@example.com"],
    }),
    additionalSshPublicKeys: keyWithDefault(
      z
        .array(
          z.string().meta({
            description: "A further SSH public key",
            allowed: "one line: ssh-ed25519, ssh-rsa or ecdsa-sha2-nistp256/384/521, then the key",
            placeholder: placeholder("contents of your .pub file"),
            examples: [exampleKey],
          }),
        )
        .max(9),
      [],
      {
        description: "SSH public keys of the user capi beside sshPublicKey",
        allowed: "a list of up to 9 SSH public keys",
        examples: [[exampleKey]],
      },
    ),
    allowedCidrs: keyWithDefault(z.array(ownCidr), [], {
      description:
        "Networks that may reach the API server (6443) and SSH on the control plane (22) from the Internet; empty allows only the management cluster. sampleWorkload needs at least one, and a Bastion of the stack a public one, here or in network.bastion.allowedCidrs",
      examples: [["203.0.113.0/24"]],
    }),
  },
  { sshPublicKey: "ssh-ed25519 AAAA... you@example.com" },
);

export const stackSchema = z.strictObject({
  clusterName: matching(/^[a-z][a-z0-9-]{0,42}[a-z0-9]$/, {
    description: "Name of the workload cluster, and part of the names of most Azure resources",
    allowed: "2–44 characters: a–z, 0–9 and -, starting with a letter, ending with a letter or digit",
    examples: ["my-cluster"],
  }),
  namespace: optionalKey(z.string().regex(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/), {
    description:
      "Namespace in the management cluster. Clusters that share one need pools of different names. Default: clusterName",
    allowed: "1–63 characters: a–z, 0–9 and -",
    examples: ["my-cluster"],
  }),
  createNamespace: keyWithDefault(z.boolean(), true, {
    description:
      "Create the namespace, and delete it with the stack; set to false if it exists already, for instance because another stack's cluster lives in it. Must be true with management.kind aks",
    examples: [true],
  }),
  kubernetesVersion: kubernetesVersion.meta({
    description: "Kubernetes version of the workload cluster",
    examples: ["v1.36.5"],
  }),
  flavor: keyWithDefault(z.enum(Flavor), "containerd", {
    description:
      "Container runtime of the Windows nodes, and CNI: containerd with Calico, or Docker with Flannel (dockershim; only Kubernetes 1.22 and 1.23, which are no longer supported)",
    examples: ["containerd"],
  }),
  azure,
  management,
  managementKubeconfig: optionalKey(z.string().min(1), {
    description:
      "SECRET. Kubeconfig of the existing management cluster: npx pulumi config set --secret capz-windows:managementKubeconfig < kubeconfig",
    secret: true,
    examples: ["(set it with: npx pulumi config set --secret capz-windows:managementKubeconfig < FILE)"],
  }),
  secretFiles,
  clusterApi,
  network,
  controlPlane,
  poolDefaults,
  linuxPools: keyWithDefault(
    z.record(poolName, linuxPool),
    {},
    { description: "Linux pools by name", examples: [{ linux1: {} }] },
  ),
  windowsPools: keyWithDefault(
    z.record(poolName, windowsPool),
    {},
    {
      description:
        "Windows pools by name. A name of up to 9 characters is also the name of the scale set and the prefix of its node names",
      examples: [{ win1: {} }],
    },
  ),
  kubeletCertificates: keyWithDefault(z.enum(KubeletCertificates), "selfSigned", {
    description:
      "Certificates with which kubelets answer the API server and metrics-server: selfSigned, which cannot be verified; issued, by the cluster's CA after an approver has compared the names and addresses with the machines of the cluster; or verified, where the API server and metrics-server also refuse others. A new cluster may have verified at once. A cluster that exists needs issued first, and verified when all its machines are replaced ([operations](operations.md#certificates-of-kubelets)). From Kubernetes 1.26 on, flavor containerd",
    examples: ["verified"],
  }),
  addons,
  extraManifests,
  imageDigests,
  sampleWorkload,
  workloads,
  access,
  proxy,
  registryMirror,
  azureContainerRegistries,
  trustedCertificates,
  tags,
  overrides: clusterOverrides,
  protect: keyWithDefault(z.boolean(), true, {
    description:
      "Protect the resource groups, the VNET, the management cluster, the namespace and the Cluster object from deletion",
    examples: [true],
  }),
  policyExceptions,
  wait: keyWithDefault(z.enum(["nodes", "controlPlane", "none"]), "controlPlane", {
    description:
      "What `pulumi up` waits for: all nodes, only the control plane, or nothing (the workload kubeconfig is then not read). With all nodes, an update also waits until each node of a scale set has its image; unless it is nothing, until the old machines of a pool of kind MachineDeployment are replaced",
    examples: ["controlPlane"],
  }),
});

export type StackConfig = z.output<typeof stackSchema>;

/** Keys whose values are secrets (`secret` in the schema): never shown, and wrapped in `pulumi.secret` when read. */
export const secretKeys: readonly string[] = Object.entries(stackSchema.shape)
  .filter(([, node]) => node.meta()?.secret === true)
  .map(([key]) => key);
