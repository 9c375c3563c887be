import { keysOf, nodeAt } from "../../config/jsonSchema";
import type { Case } from "./otherWordCases";

/** Keys and values that must be kept whole: pools, ranges, subnets, zones and names. */

const poolKeys = (group: string): string => `${group} with each pool by its name`;
const cidr = "an IPv4 network without host bits, such as 10.10.0.0/16";
const guid = "a GUID: 8-4-4-4-12 hexadecimal digits";
const id = "11111111-2222-4333-8444-555555555555";

export const keptWordCases: Case[] = [
  [
    "the digest of cert-manager where AKS cannot be without it",
    `clusterApi: { installCertManager: false, digests: { certManager: "sha256:${"0f".repeat(32)}" } }`,
    `clusterApi: { digests: { certManager: "sha256:${"0f".repeat(32)}" } }`,
    [
      "clusterApi.installCertManager: a new AKS cluster does not have cert-manager",
      "true with management.kind aks",
      "remove installCertManager # or kind: existing in management",
    ],
  ],
  [
    "an override of a field for which a pool has a key",
    "windowsPools: { win1: { overrides: { AzureMachinePool: { spec: { template: { vmSize: Standard_D8s_v5, osDisk: { cachingType: ReadOnly } } } } } } }",
    "windowsPools: { win1: { vmSize: Standard_D8s_v5, overrides: { AzureMachinePool: { spec: { template: { osDisk: { cachingType: ReadOnly } } } } } } }",
    [
      "windowsPools.win1.overrides.AzureMachinePool.spec.template.vmSize: an override may not change this: the stack file has a key for it",
      "other fields; for this one, vmSize",
      "move vmSize to windowsPools.win1.vmSize",
    ],
  ],
  [
    "an override of a field for which the stack file has a key elsewhere",
    "controlPlane: { overrides: { KubeadmControlPlane: { spec: { replicas: 5 } } } }",
    "controlPlane: { replicas: 5, overrides: { KubeadmControlPlane: { spec: {} } } }",
    [
      "controlPlane.overrides.KubeadmControlPlane.spec.replicas: an override may not change this: the stack file has a key for it",
      "other fields; for this one, controlPlane.replicas",
      "move replicas to controlPlane.replicas",
    ],
  ],
  [
    "pools in a list below a word for pools",
    "windowsPools: { pools: [{ name: win1, replicas: 2 }, { name: win2 }] }",
    "windowsPools: { win1: { replicas: 2 }, win2: {} }",
    [
      "windowsPools.pools: pools are directly below windowsPools",
      poolKeys("windowsPools"),
      "win1: {replicas: 2}; win2: {}; remove pools",
    ],
    ["windowsPools"],
  ],
  [
    "pools by their names below a word for pools, one of them empty",
    "linuxPools: { nodePools: { linux1: { replicas: 3 }, linux2: {} } }",
    "linuxPools: { linux1: { replicas: 3 }, linux2: {} }",
    [
      "linuxPools.nodePools: pools are directly below linuxPools",
      poolKeys("linuxPools"),
      "move linuxPools.nodePools.linux1 to linuxPools.linux1; move linuxPools.nodePools.linux2 to linuxPools.linux2; remove nodePools",
    ],
    ["linuxPools"],
  ],
  [
    "one pool below a word for pools, beside another one",
    "linuxPools: { linux1: {}, pools: { linux3: { replicas: 3 } } }",
    "linuxPools: { linux1: {}, linux3: { replicas: 3 } }",
    [
      "linuxPools.pools: pools are directly below linuxPools",
      poolKeys("linuxPools"),
      "move linuxPools.pools.linux3 to linuxPools.linux3; remove pools",
    ],
    ["linuxPools"],
  ],
  [
    "an empty pool beside another one, one level too deep",
    "windowsPools: { all: { win1: { replicas: 2 }, win2: {} } }",
    "windowsPools: { win1: { replicas: 2 }, win2: {} }",
    [
      "windowsPools.all.win1: unknown key",
      keysOf(nodeAt(["windowsPools", "all"])).join(", "),
      "move win1 to windowsPools.win1; move win2 to windowsPools.win2; remove all # in windowsPools",
    ],
    ["windowsPools"],
  ],
  [
    "a range as text in place of a number",
    'windowsPools: { win1: { replicas: "2-6" } }',
    "windowsPools: { win1: { autoscale: { min: 2, max: 6 } } }",
    [
      "windowsPools.win1.replicas: expected a whole number, found text",
      "a whole number from 0 to 1000",
      "remove replicas; autoscale: {min: 2, max: 6}",
    ],
  ],
  [
    "a range as text for all pools",
    'poolDefaults: { replicas: "2..6" }\nwindowsPools: { win1: {} }',
    "poolDefaults: { autoscale: { min: 2, max: 6 } }\nwindowsPools: { win1: {} }",
    [
      "poolDefaults.replicas: expected a whole number, found text",
      "a whole number from 0 to 1000",
      "remove replicas; autoscale: {min: 2, max: 6}",
    ],
  ],
  [
    "the two subnets in one mapping",
    "network: { vnetCidr: 10.20.0.0/16, subnets: { controlPlane: 10.20.0.0/24, nodes: 10.20.128.0/17 } }",
    "network: { vnetCidr: 10.20.0.0/16, controlPlaneSubnetCidr: 10.20.0.0/24, nodeSubnetCidr: 10.20.128.0/17 }",
    [
      "network.subnets: unknown key; write what it says as controlPlaneSubnetCidr, nodeSubnetCidr",
      `controlPlaneSubnetCidr: ${cidr}; nodeSubnetCidr: ${cidr}`,
      "remove subnets; controlPlaneSubnetCidr: 10.20.0.0/24; nodeSubnetCidr: 10.20.128.0/17",
    ],
  ],
  [
    "subnets of CAPZ, without the VNET around them",
    "network: { subnets: [{ name: cp, role: control-plane, cidrBlocks: [10.20.0.0/24] }, { name: n, role: node, cidrBlocks: [10.20.128.0/17] }] }",
    "network: { vnetCidr: 10.20.0.0/16, controlPlaneSubnetCidr: 10.20.0.0/24, nodeSubnetCidr: 10.20.128.0/17 }",
    [
      "network.subnets: unknown key; write what it says as vnetCidr, controlPlaneSubnetCidr, nodeSubnetCidr",
      `vnetCidr: ${cidr}; controlPlaneSubnetCidr: ${cidr}; nodeSubnetCidr: ${cidr}`,
      "remove subnets; vnetCidr: 10.20.0.0/16; controlPlaneSubnetCidr: 10.20.0.0/24; nodeSubnetCidr: 10.20.128.0/17",
    ],
  ],
  [
    "a subnet for the pools of one operating system",
    "subnets: { controlPlane: 10.10.0.0/24, windows: { addressPrefix: 10.10.3.0/24 } }\nwindowsPools: { win1: {} }",
    "network: { controlPlaneSubnetCidr: 10.10.0.0/24, poolSubnets: { windows: 10.10.3.0/24 } }\nwindowsPools: { win1: { subnet: windows } }",
    [
      "subnets: unknown key; write what it says as network.controlPlaneSubnetCidr, network.poolSubnets.windows, windowsPools.win1.subnet",
      `network.controlPlaneSubnetCidr: ${cidr}; network.poolSubnets.windows: ${cidr}; windowsPools.win1.subnet: 1–62 characters: a–z, 0–9 and -, starting with a letter`,
      "remove capz-windows:subnets; controlPlaneSubnetCidr: 10.10.0.0/24 # in network; windows: 10.10.3.0/24 # in network.poolSubnets; subnet: windows # in windowsPools.win1",
    ],
  ],
  [
    "a subnet with a prefix length that does not exist",
    "network: { vnetCidr: 10.20.0.0/16, controlPlaneSubnetCidr: 10.20.4.0/33 }",
    "network: { vnetCidr: 10.20.0.0/16, controlPlaneSubnetCidr: 10.20.4.0/24 }",
    ["network.controlPlaneSubnetCidr: invalid format", cidr, "controlPlaneSubnetCidr: 10.20.4.0/24"],
  ],
  [
    "such a subnet without the VNET around it",
    "network: { nodeSubnetCidr: 10.20.4.0/33 }",
    "network: { vnetCidr: 10.20.0.0/16, nodeSubnetCidr: 10.20.4.0/24 }",
    ["network.nodeSubnetCidr: invalid format", cidr, "vnetCidr: 10.20.0.0/16; nodeSubnetCidr: 10.20.4.0/24"],
  ],
  [
    "a VNET with such a prefix length",
    "network: { vnetCidr: 10.20.0.0/33 }",
    "network: { vnetCidr: 10.20.0.0/16 }",
    ["network.vnetCidr: invalid format", cidr, "vnetCidr: 10.20.0.0/16"],
  ],
  [
    "a range of zones",
    'windowsPools: { win1: { zones: "1-3" } }',
    'windowsPools: { win1: { zones: ["1", "2", "3"] } }',
    [
      "windowsPools.win1.zones: expected a list, found text",
      'a list of "1", "2" and "3", each at most once',
      'zones: ["1", "2", "3"]',
    ],
  ],
  [
    "a range of zones in a list",
    'windowsPools: { win1: { zones: ["2-3"] } }',
    'windowsPools: { win1: { zones: ["2", "3"] } }',
    ["windowsPools.win1.zones[0]: not an allowed value", '"1", "2" or "3"', 'zones: ["2", "3"]'],
  ],
  [
    "a common word for a choice beside it, which is a key of another mapping",
    "SAMPLEDsampleWorkload: { type: clusterip }",
    "SAMPLEDsampleWorkload: { serviceType: ClusterIP }",
    [
      "sampleWorkload.type: unknown key; write what it says as serviceType",
      "LoadBalancer, ClusterIP, NodePort",
      "remove type; serviceType: ClusterIP",
    ],
  ],
  [
    "tags with semicolons",
    'tags: "a=b;c=d"',
    "tags: { a: b, c: d }",
    [
      "tags: expected a mapping, found text",
      "a mapping of at most 50 names to texts",
      "capz-windows:tags: {a: b, c: d}",
    ],
  ],
  [
    "an app registration in the words of Azure's portal",
    `controlPlane: { authentication: { entra: { appId: ${id}, directoryId: ${id} } } }`,
    `controlPlane: { authentication: { entra: { clientId: ${id}, tenantId: ${id} } } }`,
    [
      "controlPlane.authentication.entra.appId: unknown key; write what it says as clientId",
      guid,
      "rename appId to clientId",
      "controlPlane.authentication.entra.directoryId: unknown key; write what it says as tenantId",
      guid,
      "rename directoryId to tenantId",
    ],
  ],
  [
    "an issuer without its list, with the client of kubectl",
    "controlPlane: { authentication: { oidc: { issuerUrl: https://login.example.com, clientId: kubernetes } } }",
    "controlPlane: { authentication: { oidc: [{ issuerUrl: https://login.example.com, audiences: [kubernetes] }] } }",
    [
      "controlPlane.authentication.oidc: expected a list, found a mapping",
      "a list of up to 10 issuers",
      "oidc: [{issuerUrl: https://login.example.com, audiences: [kubernetes]}]",
    ],
  ],
  [
    "the ARM ID of a resource group",
    `resourceGroup: /subscriptions/${id}/resourceGroups/shop-rg`,
    `azure: { subscriptionId: ${id}, tenantId: 11111111-2222-4333-8444-666666666666, location: westeurope, resourceGroup: shop-rg }`,
    [
      "resourceGroup: unknown key; write the resource group as azure.resourceGroup",
      "1–90 letters, digits, -, _, ., ( and ), not ending in a dot",
      "remove capz-windows:resourceGroup; resourceGroup: shop-rg # in azure",
    ],
  ],
];
