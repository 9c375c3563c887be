import type { Case } from "./otherWordCases";

/** Mistakes of people who maintain stack files: the mistake, what was meant, and the answers. */
export const everydayCases: Case[] = [
  [
    "all keys of another way out",
    "network: { outbound: { type: nat, natGatewayId: /subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/network/providers/Microsoft.Network/natGateways/shop, egressCidrs: [203.0.113.10/32] } }",
    "network: { outbound: { type: existingNat, natGatewayId: /subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/network/providers/Microsoft.Network/natGateways/shop, egressCidrs: [203.0.113.10/32] } }",
    [
      "network.outbound.natGatewayId: this key belongs to type: existingNat, and the type is nat",
      "beside type: addresses, prefixLength, idleTimeoutMinutes",
      "type: existingNat # in network.outbound, or remove natGatewayId",
      "network.outbound.egressCidrs: this key belongs to type: existingNat, and the type is nat",
      "beside type: addresses, prefixLength, idleTimeoutMinutes",
      "type: existingNat # in network.outbound, or remove egressCidrs",
    ],
  ],
  [
    "keys of a way out without its type",
    "network: { outbound: { addresses: 2 } }",
    "network: { outbound: { type: nat, addresses: 2 } }",
    ["network.outbound.type: this key is required", "nat, existingNat, firewall or none", "type: nat"],
  ],
  [
    "Azure's number for the price on demand",
    "windowsPools: { win1: { spot: { maxPrice: -1 } } }",
    "windowsPools: { win1: { spot: {} } }",
    [
      "windowsPools.win1.spot.maxPrice: expected text, found a number",
      "a number below 1000 in quotes, with up to 5 decimals",
      "remove maxPrice",
    ],
  ],
  [
    "the two ends of a range exchanged",
    "windowsPools: { win1: { kubelet: { imageGC: { highPercent: 60, lowPercent: 75 } } } }",
    "windowsPools: { win1: { kubelet: { imageGC: { highPercent: 75, lowPercent: 60 } } } }",
    [
      "windowsPools.win1.kubelet.imageGC: lowPercent 75 is not less than highPercent 60, and kubelet does not start with that",
      "a lowPercent (default 80) less than highPercent (default 85)",
      "imageGC: {highPercent: 75, lowPercent: 60}",
    ],
  ],
  [
    "a default class before its driver",
    "addons: { defaultStorageClass: azurefile-csi }",
    "addons: { azureFile: { enabled: true }, defaultStorageClass: azurefile-csi }",
    [
      "addons.defaultStorageClass: its CSI driver is not installed, so claims that name no class would stay Pending",
      "managed-csi, managed-csi-premium, none",
      "enabled: true # in addons.azureFile, or defaultStorageClass: managed-csi",
    ],
  ],
  [
    "the subnet of another VNET",
    "network: { vnetCidr: 10.20.0.0/16, poolSubnets: { web: 10.10.64.0/24 } }\nwindowsPools: { win1: { subnet: web } }",
    "network: { vnetCidr: 10.20.0.0/16, poolSubnets: { web: 10.20.64.0/24 } }\nwindowsPools: { win1: { subnet: web } }",
    [
      "network.poolSubnets.web: not inside the VNET 10.20.0.0/16 (network.vnetCidr)",
      "a part of 10.20.0.0/16",
      "web: 10.20.64.0/24",
    ],
  ],
  [
    "the address of another VNET",
    "management: { kind: aks, network: { vnetCidr: 10.60.0.0/16 } }\nnetwork: { vnetCidr: 10.20.0.0/16, apiServer: { private: true, ip: 10.10.0.100, linkedVnetIds: [/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/network/providers/Microsoft.Network/virtualNetworks/hub] } }",
    "management: { kind: aks, network: { vnetCidr: 10.60.0.0/16 } }\nnetwork: { vnetCidr: 10.20.0.0/16, apiServer: { private: true, ip: 10.20.0.100, linkedVnetIds: [/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/network/providers/Microsoft.Network/virtualNetworks/hub] } }",
    [
      "network.apiServer.ip: not in the control plane subnet 10.20.0.0/24 (network.controlPlaneSubnetCidr)",
      "an address from 10.20.0.4 to 10.20.0.254",
      "ip: 10.20.0.100 # the default is 10.20.0.254",
    ],
  ],
  [
    "the ID of a zone as its name",
    "management: { kind: aks, network: { vnetCidr: 10.60.0.0/16 } }\nnetwork: { vnetCidr: 10.20.0.0/16, apiServer: { private: true, dns: { zoneName: /subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/network/providers/Microsoft.Network/privateDnsZones/shop.example.com }, linkedVnetIds: [/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/network/providers/Microsoft.Network/virtualNetworks/hub] } }",
    "management: { kind: aks, network: { vnetCidr: 10.60.0.0/16 } }\nnetwork: { vnetCidr: 10.20.0.0/16, apiServer: { private: true, dns: { zoneId: /subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/network/providers/Microsoft.Network/privateDnsZones/shop.example.com }, linkedVnetIds: [/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/network/providers/Microsoft.Network/virtualNetworks/hub] } }",
    [
      "network.apiServer.dns.zoneName: invalid format",
      "at least two names of a–z, 0–9 and -, with dots between them",
      "rename zoneName to zoneId",
    ],
  ],
  [
    "a key one level too deep",
    "management: { kind: aks, network: { vnetCidr: 10.60.0.0/16 } }\nnetwork: { vnetCidr: 10.20.0.0/16, apiServer: { private: true, dns: { linkedVnetIds: [/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/network/providers/Microsoft.Network/virtualNetworks/hub] } } }",
    "management: { kind: aks, network: { vnetCidr: 10.60.0.0/16 } }\nnetwork: { vnetCidr: 10.20.0.0/16, apiServer: { private: true, linkedVnetIds: [/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/network/providers/Microsoft.Network/virtualNetworks/hub] } }",
    [
      "network.apiServer.dns.linkedVnetIds: unknown key here; it belongs in network.apiServer.linkedVnetIds",
      "zoneName, zoneId, manual",
      "move linkedVnetIds to network.apiServer.linkedVnetIds",
    ],
  ],
  [
    "a range without its mapping",
    "vnetCidr: 10.20.0.0/16",
    "network: { vnetCidr: 10.20.0.0/16 }",
    [
      "vnetCidr: unknown key here; it belongs in network.vnetCidr",
      "clusterName, namespace, createNamespace, kubernetesVersion, flavor, azure, management, managementKubeconfig, secretFiles, clusterApi, network, controlPlane, poolDefaults, linuxPools, windowsPools, kubeletCertificates, addons, extraManifests, imageDigests, sampleWorkload, workloads, access, proxy, registryMirror, azureContainerRegistries, trustedCertificates, tags, overrides, protect, policyExceptions, wait",
      "move capz-windows:vnetCidr to network.vnetCidr",
    ],
  ],
  [
    "a list in the singular",
    "azureContainerRegistry: /subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/network/providers/Microsoft.ContainerRegistry/registries/shop",
    "azureContainerRegistries: [/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/network/providers/Microsoft.ContainerRegistry/registries/shop]",
    [
      "azureContainerRegistry: unknown key; did you mean azureContainerRegistries?",
      "clusterName, namespace, createNamespace, kubernetesVersion, flavor, azure, management, managementKubeconfig, secretFiles, clusterApi, network, controlPlane, poolDefaults, linuxPools, windowsPools, kubeletCertificates, addons, extraManifests, imageDigests, sampleWorkload, workloads, access, proxy, registryMirror, azureContainerRegistries, trustedCertificates, tags, overrides, protect, policyExceptions, wait",
      "remove capz-windows:azureContainerRegistry; capz-windows:azureContainerRegistries: [/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/network/providers/Microsoft.ContainerRegistry/registries/shop]",
    ],
  ],
  [
    "seconds where minutes belong",
    "windowsPools: { win1: { spot: {}, terminationNoticeMinutes: 300 } }",
    "windowsPools: { win1: { spot: {}, terminationNoticeMinutes: 5 } }",
    [
      "windowsPools.win1.terminationNoticeMinutes: greater than the maximum 15",
      "a whole number from 5 to 15",
      "terminationNoticeMinutes: 5",
    ],
  ],
  [
    "the drive as a mount path",
    'windowsPools: { win1: { dataDisks: [{ name: data, sizeGB: 64, mountPath: "F:" }] } }',
    "windowsPools: { win1: { dataDisks: [{ name: data, sizeGB: 64, letter: F }] } }",
    [
      "windowsPools.win1.dataDisks[0].mountPath: unknown key; write what it says as letter",
      "one letter from F to Z; Windows and Azure use the letters before",
      "remove mountPath; letter: F",
    ],
  ],
  [
    "a Windows pool among the Linux pools",
    'linuxPools: { web: { windowsServer: "2025", replicas: 3 } }',
    'windowsPools: { web: { windowsServer: "2025", replicas: 3 } }\nlinuxPools: {}',
    [
      "linuxPools.web.windowsServer: unknown key; write what it says as windowsPools.web",
      "a mapping with the keys replicas, vmSize, kubernetesVersion, zones, autoscale, rollout, deletion, subnet, acceleratedNetworking, additionalNetworkInterfaces, spot, osDiskType, ephemeralOsDisk, encryptionAtHost, diskEncryptionSetId, identityIds, terminationNoticeMinutes, labels, taints, kubelet, vmExtensions, image, files, preKubeadmCommands, postKubeadmCommands, kind, windowsServer, osDiskGB, dataDisks, trustedLaunch, hybridBenefit, healthCheck, overrides",
      "move linuxPools.web to windowsPools.web",
    ],
  ],
  [
    "the operating system of a pool",
    "windowsPools: { web: { osType: Linux, replicas: 3 } }",
    "linuxPools: { web: { replicas: 3 } }\nwindowsPools: {}",
    [
      "windowsPools.web.osType: unknown key; write what it says as linuxPools.web",
      "a mapping with the keys replicas, vmSize, kubernetesVersion, zones, autoscale, rollout, deletion, subnet, acceleratedNetworking, additionalNetworkInterfaces, spot, osDiskType, ephemeralOsDisk, encryptionAtHost, diskEncryptionSetId, identityIds, terminationNoticeMinutes, labels, taints, kubelet, vmExtensions, image, files, preKubeadmCommands, postKubeadmCommands, osDiskGB, dataDisks, overrides",
      "remove osType; move windowsPools.web to linuxPools.web",
    ],
  ],
  [
    "a patch without the mapping around it",
    "windowsPools: { win1: { overrides: { AzureMachinePool: { spec: { diagnostics: { boot: { storageAccountType: Disabled } } } } } } }",
    "windowsPools: { win1: { overrides: { AzureMachinePool: { spec: { template: { diagnostics: { boot: { storageAccountType: Disabled } } } } } } } }",
    [
      "windowsPools.win1.overrides.AzureMachinePool.spec.diagnostics: there is no such field in spec",
      "additionalTags, identity, location, orchestrationMode, platformFaultDomainCount, providerID, providerIDList, roleAssignmentName, strategy, systemAssignedIdentityRole, template, userAssignedIdentities, zoneBalance",
      "move diagnostics to windowsPools.win1.overrides.AzureMachinePool.spec.template.diagnostics",
    ],
  ],
  [
    "flags as a mapping",
    'controlPlane: { overrides: { KubeadmControlPlane: { spec: { kubeadmConfigSpec: { clusterConfiguration: { scheduler: { extraArgs: { v: "3" } } } } } } } }',
    'controlPlane: { overrides: { KubeadmControlPlane: { spec: { kubeadmConfigSpec: { clusterConfiguration: { scheduler: { extraArgs: [{ name: v, value: "3" }] } } } } } } }',
    [
      "controlPlane.overrides.KubeadmControlPlane.spec.kubeadmConfigSpec.clusterConfiguration.scheduler.extraArgs: the CRD does not allow this: expected array, received object",
      "a list of: a mapping with name, value",
      'extraArgs: [{name: v, value: "3"}]',
    ],
  ],

  [
    "lines with equals signs",
    "windowsPools:\n  win1:\n    replicas = 3\n    vmSize = Standard_D8s_v5",
    "windowsPools: { win1: { replicas: 3, vmSize: Standard_D8s_v5 } }",
    [
      "windowsPools.win1: expected a mapping, found text",
      "a mapping with the keys replicas, vmSize, kubernetesVersion, zones, autoscale, rollout, deletion, subnet, acceleratedNetworking, additionalNetworkInterfaces, spot, osDiskType, ephemeralOsDisk, encryptionAtHost, diskEncryptionSetId, identityIds, terminationNoticeMinutes, labels, taints, kubelet, vmExtensions, image, files, preKubeadmCommands, postKubeadmCommands, kind, windowsServer, osDiskGB, dataDisks, trustedLaunch, hybridBenefit, healthCheck, overrides",
      "win1: {replicas: 3, vmSize: Standard_D8s_v5}",
    ],
  ],
  [
    "a drive with a slash as a mount path",
    'windowsPools: { win1: { dataDisks: [{ name: data, sizeGB: 64, mountPath: "F:/" }] } }',
    "windowsPools: { win1: { dataDisks: [{ name: data, sizeGB: 64, letter: F }] } }",
    [
      "windowsPools.win1.dataDisks[0].mountPath: unknown key; write what it says as letter",
      "one letter from F to Z; Windows and Azure use the letters before",
      "remove mountPath; letter: F",
    ],
  ],
  [
    "the first words of a key",
    "workloads: { hostProcess: [monitoring] }\nwindowsPools: { win1: {} }",
    "workloads: { hostProcessNamespaces: [monitoring] }\nwindowsPools: { win1: {} }",
    [
      "workloads.hostProcess: unknown key; write what it says as hostProcessNamespaces",
      "names of namespaces: 1–63 characters, a–z, 0–9 and -",
      "rename hostProcess to hostProcessNamespaces",
    ],
  ],
  [
    "a way in without its kind",
    "network: { bastion: { jumpHost: ops@10.10.200.10 } }",
    "network: { bastion: { kind: jumpHost, jumpHost: ops@10.10.200.10 } }",
    ["network.bastion.kind: this key is required", "stack, existing, jumpHost or none", "kind: jumpHost"],
  ],
  [
    "the words of a key in another order",
    "linuxPools: { linux1: { enable_host_encryption: true } }",
    "linuxPools: { linux1: { encryptionAtHost: true } }",
    [
      "linuxPools.linux1.enable_host_encryption: unknown key; write what it says as encryptionAtHost",
      "true or false",
      "rename enable_host_encryption to encryptionAtHost",
    ],
  ],
  [
    "bootstrap data of a scale set for single machines",
    "windowsPools: { win1: { kind: MachineDeployment, overrides: { KubeadmConfig: { spec: { verbosity: 4 } } } } }",
    "windowsPools: { win1: { kind: MachineDeployment, overrides: { KubeadmConfigTemplate: { spec: { template: { spec: { verbosity: 4 } } } } } } }",
    [
      "windowsPools.win1.overrides.KubeadmConfig: a pool of kind MachineDeployment has no KubeadmConfig",
      "the kinds that the pool has",
      "move KubeadmConfig to windowsPools.win1.overrides.KubeadmConfigTemplate.spec.template",
    ],
  ],
  [
    "a machine of a scale set for single machines",
    "windowsPools: { win1: { kind: MachineDeployment, overrides: { AzureMachinePool: { spec: { template: { diagnostics: { boot: { storageAccountType: Disabled } } } } } } } }",
    "windowsPools: { win1: { kind: MachineDeployment, overrides: { AzureMachineTemplate: { spec: { template: { spec: { diagnostics: { boot: { storageAccountType: Disabled } } } } } } } } }",
    [
      "windowsPools.win1.overrides.AzureMachinePool: a pool of kind MachineDeployment has no AzureMachinePool",
      "the kinds that the pool has",
      "move windowsPools.win1.overrides.AzureMachinePool.spec.template to windowsPools.win1.overrides.AzureMachineTemplate.spec.template.spec; remove AzureMachinePool",
    ],
  ],
];
