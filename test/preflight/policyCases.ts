import { at as valueAt, list, textAt } from "../../tools/untyped";

/** Policies that Azure has as built-in ones or landing zones assign, and what of the stack they forbid. */

export type Content = Readonly<Record<string, unknown>>;

export const isOf = (type: string, content: Content): boolean =>
  textAt(content, "type") === `Microsoft.${type}`;

const set =
  "/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/p/providers/Microsoft.Compute/diskEncryptionSets/own";

/** What is forbidden, the part of the resources that the stack has, and a stack that complies. */
export const rules: readonly (readonly [
  name: string,
  denies: (content: Content) => boolean,
  forbidden: string,
  complies?: Record<string, unknown>,
])[] = [
  [
    "public addresses without zones",
    (content) => isOf("Network/publicIPAddresses", content) && content.zones === undefined,
    "Microsoft.Network/publicIPAddresses pip-test-node-natgw, pip-test-management-egress",
  ],
  [
    "ssh from other networks",
    (content) =>
      list(valueAt(content, "properties", "securityRules")).some(
        (rule) => textAt(rule, "properties", "destinationPortRange") === "22",
      ),
    "Microsoft.Network/networkSecurityGroups test-controlplane-nsg",
    {
      access: {
        allowedCidrs: [],
        sshPublicKey: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKFwQe4cBdoWLMHy9MI59G0upaxktpmiI3qQYPo1DbyV x",
      },
    },
  ],
  [
    "subnets without a security group, a route table and a NAT gateway",
    (content) =>
      list(valueAt(content, "properties", "subnets")).some((subnet) =>
        ["networkSecurityGroup", "routeTable", "natGateway"].some(
          (part) => textAt(subnet, "properties", part, "id") === "",
        ),
      ),
    "",
  ],
  [
    "disks of scale sets without a set of keys",
    (content) =>
      isOf("Compute/virtualMachineScaleSets", content) &&
      valueAt(
        content,
        ...["properties", "virtualMachineProfile", "storageProfile", "osDisk"],
        ...["managedDisk", "diskEncryptionSet", "id"],
      ) !== set,
    "Microsoft.Compute/virtualMachineScaleSets linux1, win1",
    {
      linuxPools: { linux1: { diskEncryptionSetId: set } },
      windowsPools: { win1: { diskEncryptionSetId: set } },
    },
  ],
  [
    "sizes other than D8s_v5",
    (content) =>
      (isOf("Compute/virtualMachines", content) &&
        textAt(content, "properties", "hardwareProfile", "vmSize") !== "Standard_D8s_v5") ||
      (isOf("Compute/virtualMachineScaleSets", content) &&
        textAt(content, "sku", "name") !== "Standard_D8s_v5"),
    "Microsoft.Compute/virtualMachines test-control-plane-00000; Microsoft.Compute/virtualMachineScaleSets linux1, win1",
    {
      controlPlane: { vmSize: "Standard_D8s_v5" },
      linuxPools: { linux1: { vmSize: "Standard_D8s_v5" } },
      windowsPools: { win1: { vmSize: "Standard_D8s_v5" } },
    },
  ],
  [
    "no encryption at the host",
    (content) =>
      isOf("Compute/virtualMachineScaleSets", content) &&
      valueAt(content, "properties", "virtualMachineProfile", "securityProfile", "encryptionAtHost") !== true,
    "Microsoft.Compute/virtualMachineScaleSets linux1, win1",
    {
      linuxPools: { linux1: { encryptionAtHost: true } },
      windowsPools: { win1: { encryptionAtHost: true } },
    },
  ],
  [
    "machines without an identity of their own",
    (content) =>
      isOf("Compute/virtualMachines", content) &&
      Object.keys(valueAt(content, "identity", "userAssignedIdentities") ?? {}).join() !==
        "/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/test/providers/Microsoft.ManagedIdentity/userAssignedIdentities/test-control-plane",
    "",
  ],
  [
    "extensions other than those of the company",
    (content) =>
      isOf("Compute/virtualMachines/extensions", content) &&
      textAt(content, "properties", "publisher") !== "Company",
    "Microsoft.Compute/virtualMachines/extensions agent",
    { windowsPools: { win1: { kind: "MachineDeployment" } } },
  ],
  [
    "machines outside of zones; availability sets, which CAPZ does not make in a region with zones",
    (content) =>
      isOf("Compute/availabilitySets", content) ||
      (isOf("Compute/virtualMachines", content) && content.zones === undefined),
    "Microsoft.Compute/virtualMachines win1-0000-00000",
    { windowsPools: { win1: { kind: "MachineDeployment", zones: ["2"] } } },
  ],
  [
    "interfaces that forward packets",
    (content) =>
      isOf("Network/networkInterfaces", content) &&
      valueAt(content, "properties", "enableIPForwarding") !== false,
    "",
  ],
  [
    "load balancers without the Standard SKU",
    (content) => isOf("Network/loadBalancers", content) && textAt(content, "sku", "name") !== "Standard",
    "",
  ],
  [
    "local accounts of AKS",
    (content) =>
      isOf("ContainerService/managedClusters", content) &&
      valueAt(content, "properties", "disableLocalAccounts") !== true,
    "Microsoft.ContainerService/managedClusters test-management",
    {
      management: {
        kind: "aks",
        entra: { adminGroupObjectIds: ["11111111-2222-4333-8444-777777777777"] },
      },
    },
  ],
  [
    "tags that are missing",
    (content) =>
      content.location !== undefined &&
      content.tags !== undefined &&
      textAt(content, "tags", "team") !== "platform",
    [
      "Microsoft.Resources/subscriptions/resourceGroups test, test-management",
      "Microsoft.Network/routeTables test-node-routetable",
      "Microsoft.Network/networkSecurityGroups test-node-nsg, test-controlplane-nsg",
      "Microsoft.Network/publicIPAddresses pip-test-node-natgw, pip-test-management-egress, pip-test-apiserver",
      "Microsoft.ManagedIdentity/userAssignedIdentities test-management-aks, test-control-plane, test-capz",
      "Microsoft.Network/natGateways test-node-natgw",
      "Microsoft.ContainerService/managedClusters test-management",
      "Microsoft.Network/virtualNetworks test-vnet",
      "Microsoft.Network/loadBalancers test-public-lb",
      "Microsoft.Network/networkInterfaces test-control-plane-00000-nic",
      "Microsoft.Compute/virtualMachines test-control-plane-00000",
      "Microsoft.Compute/disks test-control-plane-00000_OSDisk, test-control-plane-00000_etcddisk",
      "Microsoft.Compute/virtualMachineScaleSets linux1, win1",
    ].join("; "),
    { tags: { team: "platform" } },
  ],
];

/** Stacks other than the small one. */
export const others: Readonly<Record<string, Record<string, unknown>>> = {
  "extensions other than those of the company": {
    windowsPools: {
      win1: {
        kind: "MachineDeployment",
        vmExtensions: [{ name: "agent", publisher: "Other", version: "1.0" }],
      },
    },
  },
  "machines outside of zones; availability sets, which CAPZ does not make in a region with zones": {
    windowsPools: { win1: { kind: "MachineDeployment" } },
  },
};
