import type { Case } from "./otherWordCases";

/** Slips in a first stack file, and values of another environment: the mistake, what was meant, and the answers. */
export const firstStackCases: Case[] = [
  [
    "a key without a space after its colon",
    "windowsPools: { win1: { replicas:3, vmSize: Standard_D8s_v5 } }",
    "windowsPools: { win1: { replicas: 3, vmSize: Standard_D8s_v5 } }",
    [
      'windowsPools.win1["replicas:3"]: unknown key; write what it says as replicas',
      "a whole number from 0 to 1000",
      "remove replicas:3; replicas: 3",
    ],
  ],
  [
    "a key of the stack file that is indented",
    "management:\n  kind: aks\n  capz-windows:tags: { team: shop }",
    "management: { kind: aks }\ntags: { team: shop }",
    [
      'management["capz-windows:tags"]: unknown key; write what it says as tags',
      "a mapping of at most 50 names to texts",
      'move management["capz-windows:tags"] to capz-windows:tags',
    ],
  ],
  [
    "a choice in another word",
    "network: { outbound: { kind: nat } }",
    "network: { outbound: { type: nat } }",
    [
      "network.outbound.kind: unknown key; write what it says as type",
      "nat, existingNat, firewall or none",
      "rename kind to type",
    ],
  ],
  [
    "the type of a disk in the words of the portal",
    "windowsPools: { win1: { osDiskType: PremiumSSD_LRS } }",
    "windowsPools: { win1: { osDiskType: Premium_LRS } }",
    [
      "windowsPools.win1.osDiskType: not an allowed value",
      "Premium_LRS, Premium_ZRS, StandardSSD_LRS, StandardSSD_ZRS, Standard_LRS",
      "osDiskType: Premium_LRS",
    ],
  ],
  [
    "a subnet in place of its VNET",
    "management: { kind: aks, network: { vnetCidr: 10.60.0.0/16 } }\nnetwork: { vnetCidr: 10.20.0.0/16, apiServer: { private: true, linkedVnetIds: [/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/network/providers/Microsoft.Network/virtualNetworks/hub/subnets/runners] } }",
    "management: { kind: aks, network: { vnetCidr: 10.60.0.0/16 } }\nnetwork: { vnetCidr: 10.20.0.0/16, apiServer: { private: true, linkedVnetIds: [/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/network/providers/Microsoft.Network/virtualNetworks/hub] } }",
    [
      "network.apiServer.linkedVnetIds[0]: invalid format",
      "/subscriptions/ID/resourceGroups/NAME/providers/Microsoft.Network/virtualNetworks/NAME",
      "- /subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/network/providers/Microsoft.Network/virtualNetworks/hub",
    ],
  ],
  [
    "an address with a prefix length",
    "management: { kind: aks, network: { vnetCidr: 10.60.0.0/16 } }\nnetwork: { vnetCidr: 10.20.0.0/16, apiServer: { private: true, linkedVnetIds: [/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/network/providers/Microsoft.Network/virtualNetworks/hub] }, outbound: { type: firewall, firewallAddress: 10.50.0.4/32 } }",
    "management: { kind: aks, network: { vnetCidr: 10.60.0.0/16 } }\nnetwork: { vnetCidr: 10.20.0.0/16, apiServer: { private: true, linkedVnetIds: [/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/network/providers/Microsoft.Network/virtualNetworks/hub] }, outbound: { type: firewall, firewallAddress: 10.50.0.4 } }",
    [
      "network.outbound.firewallAddress: invalid format",
      "a private IPv4 address",
      "firewallAddress: 10.50.0.4",
    ],
  ],
  [
    "a prefix without its colon",
    'controlPlane: { authentication: { oidc: [{ issuerUrl: https://id.shop.example, audiences: [kube], groupsPrefix: company }], readers: { groups: ["company:developers"] } } }',
    'controlPlane: { authentication: { oidc: [{ issuerUrl: https://id.shop.example, audiences: [kube], groupsPrefix: "company:" }], readers: { groups: ["company:developers"] } } }',
    [
      "controlPlane.authentication.oidc[0].groupsPrefix: invalid format",
      "a text without spaces that ends in : / # @ or -, and does not begin with system:",
      'groupsPrefix: "company:"',
    ],
  ],
  [
    "the prefix of another stack",
    'controlPlane: { authentication: { oidc: [{ issuerUrl: https://id.shop.example, audiences: [kube], groupsPrefix: "company:" }], readers: { groups: ["oidc:developers"] } } }',
    'controlPlane: { authentication: { oidc: [{ issuerUrl: https://id.shop.example, audiences: [kube], groupsPrefix: "company:" }], readers: { groups: ["company:developers"] } } }',
    [
      "controlPlane.authentication.readers.groups[0]: begins with the prefix of no issuer, so no login with a token gives this name",
      "names as the API server has them: company:NAME",
      "- company:developers",
    ],
  ],
  [
    "a key in Key Vault under the name of another year",
    'controlPlane: { encryption: { keys: [vault2026, key1], keyVaultKeys: { vault2025: "/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/network/providers/Microsoft.KeyVault/vaults/own/keys/etcd/versions/0123456789abcdef0123456789abcdef" } } }',
    'controlPlane: { encryption: { keys: [vault2026, key1], keyVaultKeys: { vault2026: "/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/network/providers/Microsoft.KeyVault/vaults/own/keys/etcd/versions/0123456789abcdef0123456789abcdef" } } }',
    [
      "controlPlane.encryption.keyVaultKeys.vault2025: vault2025 is not among keys, so nothing is read or written with it",
      "a name of keys: vault2026, key1",
      "rename vault2025 to vault2026 # in controlPlane.encryption.keyVaultKeys",
    ],
  ],
  [
    "the range of a subnet in place of its name",
    "windowsPools: { win1: { subnet: 10.10.64.0/24 } }",
    "network: { poolSubnets: { win1: 10.10.64.0/24 } }\nwindowsPools: { win1: { subnet: win1 } }",
    [
      "windowsPools.win1.subnet: invalid format",
      "1–62 characters: a–z, 0–9 and -, starting with a letter",
      "win1: 10.10.64.0/24 # in network.poolSubnets; subnet: win1",
    ],
  ],
  [
    "a subnet that nothing makes",
    "windowsPools: { win1: { subnet: web } }",
    "network: { poolSubnets: { web: 10.10.1.0/24 } }\nwindowsPools: { win1: { subnet: web } }",
    [
      "windowsPools.win1.subnet: network.poolSubnets has no subnet of this name for pools",
      "node-subnet",
      "web: 10.10.1.0/24 # in network.poolSubnets",
    ],
  ],
  [
    "no further node in a rollout",
    "windowsPools: { win1: { rollout: { maxSurge: 0 } } }",
    "windowsPools: { win1: { rollout: { maxSurge: 0, maxUnavailable: 1 } } }",
    [
      "windowsPools.win1.rollout: with maxSurge and maxUnavailable both 0, a rollout cannot replace any node",
      "at least one of the two greater than 0",
      "maxUnavailable: 1 # in windowsPools.win1.rollout",
    ],
  ],
  [
    "an identity for an add-on that is off",
    "addons: { gmsa: { keyVaultIdentity: /subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/network/providers/Microsoft.ManagedIdentity/userAssignedIdentities/gmsa } }",
    "addons: { gmsa: { enabled: true, keyVaultIdentity: /subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/network/providers/Microsoft.ManagedIdentity/userAssignedIdentities/gmsa } }",
    [
      "addons.gmsa.keyVaultIdentity: the add-on is off, so no pool gets the identity",
      "an identity with enabled: true; identityIds of a pool without the add-on",
      "enabled: true # in addons.gmsa, or remove keyVaultIdentity",
    ],
  ],
  [
    "a zone by its name and its ID",
    "management: { kind: aks, network: { vnetCidr: 10.60.0.0/16 } }\nnetwork: { vnetCidr: 10.20.0.0/16, apiServer: { private: true, dns: { zoneName: shop.example.com, zoneId: /subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/network/providers/Microsoft.Network/privateDnsZones/shop.example.com }, linkedVnetIds: [/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/network/providers/Microsoft.Network/virtualNetworks/hub] } }",
    "management: { kind: aks, network: { vnetCidr: 10.60.0.0/16 } }\nnetwork: { vnetCidr: 10.20.0.0/16, apiServer: { private: true, dns: { zoneId: /subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/network/providers/Microsoft.Network/privateDnsZones/shop.example.com }, linkedVnetIds: [/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/network/providers/Microsoft.Network/virtualNetworks/hub] } }",
    [
      "network.apiServer.dns: zoneId and zoneName are both set",
      "zoneName, zoneId, or manual with or without zoneName",
      "remove zoneName # in network.apiServer.dns",
    ],
  ],
  [
    "a switch for a mapping that needs keys",
    "controlPlane: { encryption: true }",
    "controlPlane: { encryption: { keys: [key1] } }",
    [
      "controlPlane.encryption: expected a mapping, found a boolean",
      "a mapping with the keys keys, keyVaultKeys, resources",
      "encryption: {keys: [key1]}",
    ],
  ],
  [
    "a field of kubelet for which there is a key",
    "windowsPools: { win1: { kubelet: { configuration: { maxPods: 60 } } } }",
    "windowsPools: { win1: { kubelet: { maxPods: 60, configuration: {} } } }",
    [
      "windowsPools.win1.kubelet.configuration.maxPods: the stack file has a key for it, which plans and rules read",
      "kubelet.maxPods of the pool",
      "move maxPods to windowsPools.win1.kubelet.maxPods",
    ],
  ],
  [
    "a command with a colon",
    "windowsPools: { win1: { postKubeadmCommands: [{ echo role: system }] } }",
    'windowsPools: { win1: { postKubeadmCommands: ["echo role: system"] } }',
    [
      "windowsPools.win1.postKubeadmCommands[0]: expected text, found a mapping",
      "text",
      'postKubeadmCommands: ["echo role: system"]',
    ],
  ],
  [
    "eksctl's name of commands",
    "windowsPools: { win1: { preBootstrapCommands: [hostname] } }",
    "windowsPools: { win1: { preKubeadmCommands: [hostname] } }",
    [
      "windowsPools.win1.preBootstrapCommands: unknown key; write commands before kubeadm as preKubeadmCommands",
      "a list of commands, each at most 10,240 characters",
      "rename preBootstrapCommands to preKubeadmCommands",
    ],
  ],
  [
    "a share as a fraction",
    "windowsPools: { win1: { rollout: { maxSurge: 0.25 } } }",
    "windowsPools: { win1: { rollout: { maxSurge: 25% } } }",
    [
      "windowsPools.win1.rollout.maxSurge: invalid format",
      "a number of nodes from 0 to 100, or a percentage such as 25%",
      "maxSurge: 25%",
    ],
  ],
  [
    "the operator of a toleration",
    "windowsPools: { win1: { taints: [{ key: os, operator: Equal, value: windows, effect: NoSchedule }] } }",
    "windowsPools: { win1: { taints: [{ key: os, value: windows, effect: NoSchedule }] } }",
    [
      "windowsPools.win1.taints[0].operator: a taint has no operator: the tolerations of pods have",
      "key, value and effect of each taint",
      "remove operator",
    ],
  ],
];
