import type { Case } from "./otherWordCases";

/** What people who know AKS, Terraform, Cluster API and Helm write, from lists of mistakes that were made without the rules. */
export const toolWordCases: Case[] = [
  [
    "StackReference of Pulumi",
    "management: { kind: stackReference, name: organization/capz-windows/management }",
    "management: { kind: stack, stack: organization/capz-windows/management }",
    ["management.kind: not an allowed value", "aks, existing, stack", "kind: stack"],
  ],
  [
    "NAT gateway of ARM",
    "network: { natGateway: { idleTimeoutInMinutes: 10 } }",
    "network: { outbound: { type: nat, idleTimeoutMinutes: 10 } }",
    [
      "network.natGateway: unknown key; write what it says as outbound",
      "a mapping with the keys type, addresses, prefixLength, idleTimeoutMinutes, natGatewayId, egressCidrs, firewallAddress, routeTableId",
      "remove natGateway; outbound: {type: nat, idleTimeoutMinutes: 10}",
    ],
  ],
  [
    "old storage class of AKS",
    "addons: { defaultStorageClass: managed-premium }",
    "addons: { defaultStorageClass: managed-csi-premium }",
    [
      "addons.defaultStorageClass: not an allowed value",
      "managed-csi, managed-csi-premium, azurefile-csi, azurefile-csi-premium, none",
      "defaultStorageClass: managed-csi-premium",
    ],
  ],
  [
    "two keys in a list",
    'access: { sshPublicKeys: ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKFwQe4cBdoWLMHy9MI59G0upaxktpmiI3qQYPo1DbyV you@example", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKFwQe4cBdoWLMHy9MI59G0upaxktpmiI3qQYPo1DbyW another@example"], allowedCidrs: [203.0.113.0/24] }',
    'access: { sshPublicKey: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKFwQe4cBdoWLMHy9MI59G0upaxktpmiI3qQYPo1DbyV you@example", additionalSshPublicKeys: ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKFwQe4cBdoWLMHy9MI59G0upaxktpmiI3qQYPo1DbyW another@example"], allowedCidrs: [203.0.113.0/24] }',
    [
      "access.sshPublicKeys: unknown key; write the public key as sshPublicKey",
      "one line: ssh-ed25519, ssh-rsa or ecdsa-sha2-nistp256/384/521, then the key",
      "rename sshPublicKeys to additionalSshPublicKeys; move additionalSshPublicKeys[0] to access.sshPublicKey",
    ],
  ],
  [
    "manifest as a path",
    "extraManifests: { policy: docs/workloads/network-policy.yaml }",
    "extraManifests: { policy: { file: docs/workloads/network-policy.yaml } }",
    [
      "extraManifests.policy: expected a mapping, found text",
      "a mapping with the keys file, url, sha256, objects, strategy",
      "policy: {file: docs/workloads/network-policy.yaml}",
    ],
  ],
  [
    "pool not indented",
    "linuxPools:\nlinux1:\n  replicas: 3",
    "linuxPools: { linux1: { replicas: 3 } }",
    [
      "linuxPools: empty, because linux1 below it is not indented further than linuxPools",
      "a mapping of names to values",
      "move capz-windows:linux1 to linuxPools.linux1",
    ],
  ],
  [
    "digests as references with @",
    "imageDigests:\n  - registry.k8s.io/metrics-server/metrics-server:v0.9.0@sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "imageDigests:\n  registry.k8s.io/metrics-server/metrics-server:v0.9.0: sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    [
      "imageDigests: expected a mapping, found a list",
      "a mapping of images with tags to digests",
      "capz-windows:imageDigests: {registry.k8s.io/metrics-server/metrics-server:v0.9.0: sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855}",
    ],
  ],
  [
    "default_node_pool of Terraform",
    "management: { kind: aks, default_node_pool: { vm_size: Standard_D8s_v5, min_count: 2, max_count: 4 } }",
    "management: { kind: aks, nodeSize: Standard_D8s_v5, nodeCount: 2, maxNodeCount: 4 }",
    [
      "management.default_node_pool: what is said of the only node pool is directly below management",
      "management.nodeCount, management.maxNodeCount and management.nodeSize",
      "move management.default_node_pool.vm_size to management.vm_size; move management.default_node_pool.min_count to management.min_count; move management.default_node_pool.max_count to management.max_count; remove default_node_pool",
    ],
  ],
  [
    "aadProfile of Bicep",
    "management: { kind: aks, aadProfile: { managed: true, adminGroupObjectIDs: [22222222-2222-4222-8222-222222222222] } }",
    "management: { kind: aks, entra: { adminGroupObjectIds: [22222222-2222-4222-8222-222222222222] } }",
    [
      "management.aadProfile: unknown key; write access by Microsoft Entra as entra",
      "a mapping with the keys adminGroupObjectIds",
      "rename aadProfile to entra",
    ],
  ],
  [
    "a stack's name in place of the mapping",
    "management: mycompany/capz-windows/management",
    "management: { kind: stack, stack: mycompany/capz-windows/management }",
    [
      "management: expected a mapping, found text",
      "kind: aks, existing or stack",
      "capz-windows:management: {kind: stack, stack: mycompany/capz-windows/management}",
    ],
  ],
  [
    "pod security as one level",
    "controlPlane: { podSecurity: Restricted }",
    "controlPlane: { podSecurity: { enforce: restricted } }",
    [
      "controlPlane.podSecurity: expected a mapping, found text",
      "a mapping with the keys enforce, audit, warn, exemptNamespaces",
      "podSecurity: {enforce: restricted}",
    ],
  ],
  [
    "kubelet_config of Terraform",
    "poolDefaults: { kubelet_config: { image_gc_high_threshold: 75, image_gc_low_threshold: 60 } }",
    "poolDefaults: { kubelet: { imageGC: { highPercent: 75, lowPercent: 60 } } }",
    [
      "poolDefaults.kubelet_config: unknown key; write the configuration of kubelet as kubelet",
      "a mapping with the keys maxPods, reserved, imageGC, maxParallelImagePulls, containerLogs, configuration",
      "remove kubelet_config; kubelet: {imageGC: {highPercent: 75, lowPercent: 60}}",
    ],
  ],
  [
    "spot of AKS",
    "linuxPools: { linux1: { priority: Spot, evictionPolicy: Deallocate, spotMaxPrice: 0.25 } }",
    'linuxPools: { linux1: { spot: { evictionPolicy: Deallocate, maxPrice: "0.25" } } }',
    [
      "linuxPools.linux1.priority: unknown key; write spot machines as spot",
      "a mapping with the keys evictionPolicy, maxPrice",
      "remove priority; spot: {}",
      "linuxPools.linux1.evictionPolicy: unknown key here; it belongs in linuxPools.linux1.spot.evictionPolicy",
      "replicas, vmSize, kubernetesVersion, zones, autoscale, rollout, deletion, subnet, acceleratedNetworking, additionalNetworkInterfaces, spot, osDiskType, ephemeralOsDisk, encryptionAtHost, diskEncryptionSetId, identityIds, terminationNoticeMinutes, labels, taints, kubelet, vmExtensions, image, files, preKubeadmCommands, postKubeadmCommands, osDiskGB, dataDisks, overrides",
      "move evictionPolicy to linuxPools.linux1.spot.evictionPolicy",
      "linuxPools.linux1.spotMaxPrice: unknown key; write the highest price as spot.maxPrice",
      "a number below 1000 in quotes, with up to 5 decimals",
      'remove spotMaxPrice; maxPrice: "0.25" # in linuxPools.linux1.spot',
    ],
  ],
  [
    "subnet of a pool as an ARM ID",
    "network: { poolSubnets: { web: 10.10.64.0/24 } }\nwindowsPools: { win1: { vnetSubnetId: /subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/network/providers/Microsoft.Network/virtualNetworks/shop-vnet/subnets/web } }",
    "network: { poolSubnets: { web: 10.10.64.0/24 } }\nwindowsPools: { win1: { subnet: web } }",
    [
      "windowsPools.win1.vnetSubnetId: unknown key; write the name of a subnet as subnet",
      "1–62 characters: a–z, 0–9 and -, starting with a letter",
      "remove vnetSubnetId; subnet: web",
    ],
  ],
  [
    "trusted launch of Terraform",
    "windowsPools: { win1: { kind: MachineDeployment, image: { computeGallery: { gallery: mygallery, name: capi-windows-2022-gen2, version: 1.35.6 } }, secure_boot_enabled: true, vtpm_enabled: true } }",
    "windowsPools: { win1: { kind: MachineDeployment, image: { computeGallery: { gallery: mygallery, name: capi-windows-2022-gen2, version: 1.35.6 } }, trustedLaunch: { secureBoot: true, vTpm: true } } }",
    [
      "windowsPools.win1.secure_boot_enabled: unknown key; write secure boot of a pool with kind: MachineDeployment as trustedLaunch.secureBoot",
      "true or false",
      "move secure_boot_enabled to windowsPools.win1.trustedLaunch.secureBoot",
      "windowsPools.win1.vtpm_enabled: unknown key; write the virtual TPM of a pool with kind: MachineDeployment as trustedLaunch.vTpm",
      "true or false",
      "move vtpm_enabled to windowsPools.win1.trustedLaunch.vTpm",
    ],
  ],
  [
    "source_image_id of Terraform",
    "windowsPools: { win1: { source_image_id: /subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/platform/providers/Microsoft.Compute/images/capi-windows-2022 } }",
    "windowsPools: { win1: { image: { id: /subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/platform/providers/Microsoft.Compute/images/capi-windows-2022 } } }",
    [
      "windowsPools.win1.source_image_id: unknown key; write the ARM ID of an image as image.id",
      "text",
      "move source_image_id to windowsPools.win1.image.id",
    ],
  ],
  [
    "name of the other stack",
    "management:\n  kind: stack\n  name: organization/capz-windows/management",
    "management:\n  kind: stack\n  stack: organization/capz-windows/management",
    [
      "management.name: unknown key; write what it says as stack",
      "ORGANIZATION/PROJECT/STACK",
      "rename name to stack",
    ],
  ],
  [
    "outboundType of AKS",
    "management:\n  kind: aks\n  network:\n    vnetCidr: 10.50.0.0/24\n    outboundType: managedNATGateway",
    "management:\n  kind: aks\n  network:\n    vnetCidr: 10.50.0.0/24\n    outbound:\n      type: nat",
    [
      "management.network.outboundType: unknown key; write what it says as outbound",
      "a mapping with the keys type, egressCidrs",
      "remove outboundType; outbound: {type: nat}",
    ],
  ],
  [
    "patch without spec",
    "controlPlane:\n  overrides:\n    KubeadmControlPlane:\n      kubeadmConfigSpec:\n        verbosity: 4",
    "controlPlane:\n  overrides:\n    KubeadmControlPlane:\n      spec:\n        kubeadmConfigSpec:\n          verbosity: 4",
    [
      "controlPlane.overrides.KubeadmControlPlane.kubeadmConfigSpec: there is no such field in what may be patched",
      "metadata, spec",
      "move kubeadmConfigSpec to controlPlane.overrides.KubeadmControlPlane.spec.kubeadmConfigSpec",
    ],
  ],
  [
    "registry-mirrors of Docker",
    "registryMirrors:\n  - https://mirror.example.com/cache",
    "registryMirror:\n  url: https://mirror.example.com/cache",
    [
      "registryMirrors: unknown key; write the mirror from which nodes pull images as registryMirror",
      "a mapping with the keys url, paths, fallback",
      "remove capz-windows:registryMirrors; capz-windows:registryMirror: {url: https://mirror.example.com/cache}",
    ],
  ],
  [
    "extension of ARM",
    'windowsPools:\n  win1:\n    vmExtensions:\n      - name: AzureMonitorWindowsAgent\n        publisher: Microsoft.Azure.Monitor\n        typeHandlerVersion: "1.0"',
    'windowsPools:\n  win1:\n    vmExtensions:\n      - name: AzureMonitorWindowsAgent\n        publisher: Microsoft.Azure.Monitor\n        version: "1.0"',
    [
      "windowsPools.win1.vmExtensions[0].typeHandlerVersion: unknown key; write the version as version",
      "MAJOR.MINOR in quotes",
      "rename typeHandlerVersion to version",
    ],
  ],
  [
    "registries as objects",
    "azureContainerRegistries: [{ name: mycompany, id: /subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/platform/providers/Microsoft.ContainerRegistry/registries/mycompany }]",
    "azureContainerRegistries: [/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/platform/providers/Microsoft.ContainerRegistry/registries/mycompany]",
    [
      "azureContainerRegistries[0]: expected text, found a mapping",
      "/subscriptions/ID/resourceGroups/NAME/providers/Microsoft.ContainerRegistry/registries/NAME",
      "- /subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/platform/providers/Microsoft.ContainerRegistry/registries/mycompany",
    ],
  ],
  [
    "exceptions by rule",
    'policyExceptions: { unprotected: { reason: a test cluster, expires: "2027-03-31" } }',
    'policyExceptions: [{ rule: unprotected, reason: a test cluster, until: "2027-03-31" }]',
    [
      "policyExceptions: expected a list, found a mapping",
      "a list of exceptions, each with rule, reason and until",
      'capz-windows:policyExceptions: [{rule: unprotected, reason: a test cluster, expires: "2027-03-31"}]',
    ],
  ],
  [
    "privateCluster",
    "management: { kind: aks, privateCluster: true, network: { vnetCidr: 10.50.0.0/24 } }",
    "management: { kind: aks, network: { vnetCidr: 10.50.0.0/24, apiServer: { private: true } } }",
    [
      "management.privateCluster: unknown key; write a private API server of AKS as network.apiServer",
      "a mapping with the keys private, vnetIntegration, subnetId, privateDnsZone, publicFqdn, linkedVnetIds",
      "remove privateCluster; apiServer: {private: true} # in management.network",
    ],
  ],
];
