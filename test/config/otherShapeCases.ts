import type { Case } from "./otherWordCases";

/** Keys and values of other tools that have another shape here: the mistake, what was meant, and the answers. */
export const otherShapeCases: Case[] = [
  [
    "a key with further words",
    "waitFor: nodes",
    "wait: nodes",
    [
      "waitFor: unknown key; write what it says as wait",
      "nodes, controlPlane, none",
      "rename capz-windows:waitFor to capz-windows:wait",
    ],
  ],
  [
    "a switch of Terraform",
    "deletion_protection: false",
    "protect: false",
    [
      "deletion_protection: unknown key; write what it says as protect",
      "true or false",
      "remove capz-windows:deletion_protection; capz-windows:protect: false",
    ],
  ],
  [
    "a number in the words of a chart",
    "sampleWorkload: { replicaCount: 3 }\nSAMPLED",
    "sampleWorkload: { replicas: 3 }\nSAMPLED",
    [
      "sampleWorkload.replicaCount: unknown key; write what it says as replicas",
      "a whole number from 1 to 100",
      "rename replicaCount to replicas",
    ],
  ],
  [
    "the least and the most nodes",
    "management: { kind: aks, minNodes: 4, maxNodes: 6, vmSku: Standard_D4s_v5 }",
    "management: { kind: aks, nodeCount: 4, maxNodeCount: 6, nodeSize: Standard_D4s_v5 }",
    [
      "management.minNodes: unknown key; write what it says as nodeCount",
      "a whole number from 1 to 100",
      "rename minNodes to nodeCount",
      "management.maxNodes: unknown key; write what it says as maxNodeCount",
      "a whole number from 1 to 100",
      "rename maxNodes to maxNodeCount",
      "management.vmSku: unknown key; write what it says as nodeSize",
      "a VM size as `az vm list-skus` prints it",
      "rename vmSku to nodeSize",
    ],
  ],
  [
    "an image in parts",
    "sampleWorkload: { image: { repository: registry.example.com/iis, tag: windowsservercore-ltsc2022 } }\nSAMPLED",
    'sampleWorkload: { image: "registry.example.com/iis:windowsservercore-ltsc2022" }\nSAMPLED',
    [
      "sampleWorkload.image: expected text, found a mapping",
      "REGISTRY/NAME:TAG, the name in lowercase",
      "image: registry.example.com/iis:windowsservercore-ltsc2022",
    ],
  ],
  [
    "items by the key that each needs",
    'policyExceptions: { unprotected: { reason: a test cluster, until: "2027-03-31" } }',
    'policyExceptions: [{ rule: unprotected, reason: a test cluster, until: "2027-03-31" }]',
    [
      "policyExceptions: expected a list, found a mapping",
      "a list of exceptions, each with rule, reason and until",
      'capz-windows:policyExceptions: [{rule: unprotected, reason: a test cluster, until: "2027-03-31"}]',
    ],
  ],
  [
    "a patch in a list",
    "overrides: [{ kind: Cluster, metadata: { labels: { team: web } } }]",
    "overrides: { Cluster: { metadata: { labels: { team: web } } } }",
    [
      "overrides: expected a mapping, found a list",
      "a mapping with the keys Cluster, AzureCluster",
      "capz-windows:overrides: {Cluster: {metadata: {labels: {team: web}}}}",
    ],
  ],
  [
    "a manifest below its name",
    "extraManifests: { web: { apiVersion: v1, kind: Namespace, metadata: { name: web } } }",
    "extraManifests: { web: { objects: [{ apiVersion: v1, kind: Namespace, metadata: { name: web } }] } }",
    [
      "extraManifests.web.apiVersion: unknown key; write what it says as extraManifests.web",
      "a mapping with the keys file, url, sha256, objects, strategy",
      "web: {objects: [{apiVersion: v1, kind: Namespace, metadata: {name: web}}]} # in extraManifests",
    ],
  ],
  [
    "a key of Windows pools for all pools",
    'poolDefaults: { windowsServer: "2025" }\nwindowsPools: { win1: {}, win2: { windowsServer: "2022" } }',
    'windowsPools: { win1: { windowsServer: "2025" }, win2: { windowsServer: "2022" } }',
    [
      "poolDefaults.windowsServer: unknown key here; it belongs in windowsPools.<name>.windowsServer",
      "replicas, vmSize, kubernetesVersion, zones, autoscale, rollout, deletion, subnet, acceleratedNetworking, additionalNetworkInterfaces, spot, osDiskType, ephemeralOsDisk, encryptionAtHost, diskEncryptionSetId, identityIds, terminationNoticeMinutes, labels, taints, kubelet, vmExtensions",
      'remove windowsServer; windowsServer: "2025" # in windowsPools.win1',
    ],
  ],
  [
    "flags for an issuer",
    "controlPlane: { authentication: { oidc-issuer-url: https://login.example.com/r, oidc-client-id: kubernetes, oidc-username-claim: email } }",
    "controlPlane: { authentication: { oidc: [{ issuerUrl: https://login.example.com/r, audiences: [kubernetes], usernameClaim: email }] } }",
    [
      "controlPlane.authentication.oidc-issuer-url: unknown key; write what it says as oidc",
      "a list of up to 10 issuers",
      "remove oidc-issuer-url; remove oidc-client-id; remove oidc-username-claim; oidc: [{issuerUrl: https://login.example.com/r, audiences: [kubernetes], usernameClaim: email}]",
    ],
  ],
  [
    "Cluster API's conditions",
    'controlPlane: { healthCheck: { unhealthyConditions: [{ type: Ready, status: Unknown, timeout: 600s }, { type: Ready, status: "False", timeout: 1800s }] } }',
    "controlPlane: { healthCheck: { nodeUnknownTimeoutSeconds: 600, nodeNotReadyTimeoutSeconds: 1800 } }",
    [
      "controlPlane.healthCheck.unhealthyConditions: unknown key; write what it says as nodeUnknownTimeoutSeconds, nodeNotReadyTimeoutSeconds",
      "nodeUnknownTimeoutSeconds: a whole number from 60 to 86400; nodeNotReadyTimeoutSeconds: a whole number from 60 to 86400",
      "remove unhealthyConditions; nodeUnknownTimeoutSeconds: 600; nodeNotReadyTimeoutSeconds: 1800",
    ],
  ],
  [
    "AKS's NAT gateway",
    "network: { outboundType: managedNATGateway, natGatewayProfile: { managedOutboundIPProfile: { count: 2 }, idleTimeoutInMinutes: 10 } }",
    "network: { outbound: { type: nat, addresses: 2, idleTimeoutMinutes: 10 } }",
    [
      "network.outboundType: unknown key; write what it says as outbound",
      "a mapping with the keys type, addresses, prefixLength, idleTimeoutMinutes, natGatewayId, egressCidrs, firewallAddress, routeTableId",
      "remove outboundType; remove natGatewayProfile; outbound: {type: nat, addresses: 2, idleTimeoutMinutes: 10}",
    ],
  ],
  [
    "the disk of etcd as CAPZ has it",
    "controlPlane: { dataDisks: [{ nameSuffix: etcddisk, diskSizeGB: 512 }] }",
    "controlPlane: { etcdDiskGB: 512 }",
    [
      "controlPlane.dataDisks: unknown key; write the size of the disk of etcd as etcdDiskGB",
      "a whole number from 4 to 4096",
      "remove dataDisks; etcdDiskGB: 512",
    ],
  ],
  [
    "CAPZ's OS disk with its type",
    "windowsPools: { win1: { osDisk: { diskSizeGB: 256, managedDisk: { storageAccountType: StandardSSD_LRS } } } }",
    "windowsPools: { win1: { osDiskGB: 256, osDiskType: StandardSSD_LRS } }",
    [
      "windowsPools.win1.osDisk: unknown key; write the size of the OS disk as osDiskGB",
      "a whole number from 30 to 2048",
      "move windowsPools.win1.osDisk.diskSizeGB to windowsPools.win1.osDiskGB; osDiskType: StandardSSD_LRS; remove osDisk",
    ],
  ],
  [
    "a length with a slash",
    "network: { outbound: { type: nat, prefixLength: /30 } }",
    "network: { outbound: { type: nat, prefixLength: 30 } }",
    [
      "network.outbound.prefixLength: expected a whole number, found text",
      "a whole number from 28 to 31",
      "prefixLength: 30",
    ],
  ],
  [
    "a region as the portal prints it",
    "azure: { subscriptionId: 11111111-2222-4333-8444-555555555555, tenantId: 66666666-7777-4888-9999-000000000000, location: (Europe) North Europe }",
    "azure: { subscriptionId: 11111111-2222-4333-8444-555555555555, tenantId: 66666666-7777-4888-9999-000000000000, location: northeurope }",
    [
      "azure.location: invalid format",
      "lowercase letters and digits, as `az account list-locations` prints under Name",
      "location: northeurope",
    ],
  ],
  [
    "keys of another tool with required ones missing",
    'management: { kind: aks, maintenance_window: { day_of_week: Saturday, start_time: "02:00", utc_offset: "+01:00" } }',
    'management: { kind: aks, maintenanceWindow: { dayOfWeek: Saturday, startTime: "02:00", utcOffset: "+01:00" } }',
    [
      "management.maintenance_window: unknown key; did you mean maintenanceWindow?",
      "kind, only, kubernetesVersion, os, nodeCount, maxNodeCount, nodeSize, zones, network, runCommand, maintenanceWindow, entra, authorizedCidrs",
      "rename maintenance_window to maintenanceWindow",
    ],
  ],
  [
    "the kind under another name",
    "management: { type: aks, nodeCount: 4 }",
    "management: { kind: aks, nodeCount: 4 }",
    ["management.kind: this key is required", "aks, existing, stack", "rename type to kind"],
  ],
  [
    "names of keys alone",
    "controlPlane: { encryption: [key2, key1] }",
    "controlPlane: { encryption: { keys: [key2, key1] } }",
    [
      "controlPlane.encryption: expected a mapping, found a list",
      "a mapping with the keys keys, keyVaultKeys, resources",
      "encryption: {keys: [key2, key1]}",
    ],
  ],
  [
    "a time as people say it",
    "management: { kind: aks, maintenanceWindow: { dayOfWeek: sat, startTime: 10 pm, durationHours: 6h } }",
    'management: { kind: aks, maintenanceWindow: { dayOfWeek: Saturday, startTime: "22:00", durationHours: 6 } }',
    [
      "management.maintenanceWindow.dayOfWeek: not an allowed value",
      "Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday",
      "dayOfWeek: Saturday",
      "management.maintenanceWindow.startTime: invalid format",
      "HH:MM, from 00:00 to 23:59",
      'startTime: "22:00"',
      "management.maintenanceWindow.durationHours: expected a whole number, found text",
      "a whole number from 4 to 24",
      "durationHours: 6",
    ],
  ],
  [
    "the URL of a path",
    "registryMirror: { url: https://mirror.example.com, paths: { docker.io: https://mirror.example.com/docker-hub } }",
    "registryMirror: { url: https://mirror.example.com, paths: { docker.io: docker-hub } }",
    [
      'registryMirror.paths["docker.io"]: invalid format',
      "a path such as docker-hub or cache/docker-hub",
      "docker.io: docker-hub",
    ],
  ],
];
