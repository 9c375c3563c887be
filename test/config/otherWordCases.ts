/** Keys and values in other words: the mistake, what was meant, and the answers. */

export type Case = [
  what: string,
  wrong: string,
  right: string,
  answers: readonly string[],
  without?: string[],
];

export const otherWordCases: Case[] = [
  [
    "a duration without its unit in the name",
    "clusterApi: { syncPeriod: 5m }",
    "clusterApi: { syncPeriodMinutes: 5 }",
    [
      "clusterApi.syncPeriod: unknown key; write what it says as syncPeriodMinutes",
      "a whole number from 1 to 60",
      "remove syncPeriod; syncPeriodMinutes: 5",
    ],
  ],
  [
    "a number whose unit is another one",
    "controlPlane: { certificatesExpiryHours: 1080 }",
    "controlPlane: { certificatesExpiryDays: 45 }",
    [
      "controlPlane.certificatesExpiryHours: unknown key; write what it says as certificatesExpiryDays",
      "0, or 7 to 180 days",
      "remove certificatesExpiryHours; certificatesExpiryDays: 45",
    ],
  ],
  [
    "flags of the autoscaler",
    "addons: { clusterAutoscaler: { enabled: true, scale-down-unneeded-time: 20m, scale-down-utilization-threshold: 0.6 } }",
    "addons: { clusterAutoscaler: { enabled: true, scaleDownUnneededMinutes: 20, scaleDownUtilizationPercent: 60 } }",
    [
      "addons.clusterAutoscaler.scale-down-unneeded-time: unknown key; write what it says as scaleDownUnneededMinutes",
      "a whole number from 1 to 1440",
      "remove scale-down-unneeded-time; scaleDownUnneededMinutes: 20",
      "addons.clusterAutoscaler.scale-down-utilization-threshold: unknown key; write what it says as scaleDownUtilizationPercent",
      "a whole number from 0 to 100",
      "remove scale-down-utilization-threshold; scaleDownUtilizationPercent: 60",
    ],
  ],
  [
    "flags of the API server",
    "controlPlane: { authentication: { oidc: [{ oidc-issuer-url: https://login.example.com, oidc-client-id: kubernetes }] } }",
    "controlPlane: { authentication: { oidc: [{ issuerUrl: https://login.example.com, audiences: [kubernetes] }] } }",
    [
      "controlPlane.authentication.oidc[0].oidc-issuer-url: unknown key; write what it says as issuerUrl",
      "a URL that begins with https://, without ? and #",
      "rename oidc-issuer-url to issuerUrl",
      "controlPlane.authentication.oidc[0].oidc-client-id: unknown key; write the clients whose tokens are accepted as audiences",
      "a list of 1 to 10 client IDs",
      "remove oidc-client-id; audiences: [kubernetes]",
    ],
  ],
  [
    "a mapping whose keys are joined to its name here",
    "addons: { calico: { version: v3.32.1, blockSize: 25 } }",
    "addons: { calicoVersion: v3.32.1, calicoBlockSize: 25 }",
    [
      "addons.calico: unknown key; write what it says as calicoVersion, calicoBlockSize",
      "calicoVersion: v3.30.7, v3.31.7, v3.32.1; calicoBlockSize: a whole number from 20 to 27",
      "move addons.calico.version to addons.calicoVersion; move addons.calico.blockSize to addons.calicoBlockSize; remove calico",
    ],
  ],
  [
    "a key of several mappings, one of which has it",
    "SAMPLEDsampleWorkload: { count: 3 }",
    "SAMPLEDsampleWorkload: { replicas: 3 }",
    [
      "sampleWorkload.count: unknown key; write what it says as replicas",
      "a whole number from 1 to 100",
      "rename count to replicas",
    ],
  ],
  [
    "fields of kubelet",
    "linuxPools: { linux1: { kubelet: { evictionHard: { memory.available: 500Mi } } } }",
    "linuxPools: { linux1: { kubelet: { configuration: { evictionHard: { memory.available: 500Mi } } } } }",
    [
      "linuxPools.linux1.kubelet.evictionHard: unknown key; write what it says as configuration.evictionHard",
      "a mapping of fields that have no key of their own",
      "move evictionHard to linuxPools.linux1.kubelet.configuration.evictionHard",
    ],
  ],
  [
    "a range in place of a number",
    "windowsPools: { win1: { replicas: { min: 2, max: 6 } } }",
    "windowsPools: { win1: { autoscale: { min: 2, max: 6 } } }",
    [
      "windowsPools.win1.replicas: expected a whole number, found a mapping",
      "a whole number from 0 to 1000",
      "rename replicas to autoscale",
    ],
  ],
  [
    "defaults of the pools of one operating system",
    "poolDefaults: { windows: { labels: { team: shop }, osDiskType: StandardSSD_LRS } }\nwindowsPools: { win1: { labels: { tier: web } } }",
    "windowsPools: { win1: { labels: { team: shop, tier: web }, osDiskType: StandardSSD_LRS } }",
    [
      "poolDefaults.windows: unknown key; write what it says as windowsPools.win1.labels.team, windowsPools.win1.osDiskType",
      "windowsPools.win1.labels.team: text; windowsPools.win1.osDiskType: Premium_LRS, Premium_ZRS, StandardSSD_LRS, StandardSSD_ZRS, Standard_LRS",
      "remove windows; team: shop # in windowsPools.win1.labels; osDiskType: StandardSSD_LRS # in windowsPools.win1",
    ],
  ],
  [
    "a profile with one key that has a place, and one that has none",
    "apiServerAccessProfile: { authorizedIpRanges: [203.0.113.0/24], enableVnetIntegration: true }\naccess: { sshPublicKey: KEY }",
    "access: { allowedCidrs: [203.0.113.0/24], sshPublicKey: KEY }",
    [
      "apiServerAccessProfile: unknown key; write what it says as access.allowedCidrs",
      "a list of: an IPv4 network without host bits, such as 10.10.0.0/16",
      "move apiServerAccessProfile.authorizedIpRanges to access.allowedCidrs; move apiServerAccessProfile.enableVnetIntegration to capz-windows:enableVnetIntegration; remove capz-windows:apiServerAccessProfile",
    ],
  ],
  [
    "a mapping for the cluster",
    "cluster: { name: shop, version: v1.35.6 }",
    "clusterName: shop\nkubernetesVersion: v1.35.6",
    [
      "cluster: unknown key; write what it says as clusterName, kubernetesVersion",
      "clusterName: 2–44 characters: a–z, 0–9 and -, starting with a letter, ending with a letter or digit; kubernetesVersion: v1.MINOR.PATCH",
      "move cluster.name to capz-windows:clusterName; move cluster.version to capz-windows:kubernetesVersion; remove capz-windows:cluster",
    ],
    ["clusterName", "kubernetesVersion"],
  ],
  [
    "the pools of the other operating system",
    "linuxPools: { linux1: {}, windowsPools: { win1: { replicas: 3 } } }",
    "linuxPools: { linux1: {} }\nwindowsPools: { win1: { replicas: 3 } }",
    [
      "linuxPools.windowsPools: unknown key; write what it says as windowsPools",
      "a mapping of names to values",
      "move windowsPools to capz-windows:windowsPools",
    ],
    ["windowsPools"],
  ],
  [
    "pools by their numbers in a list",
    'windowsPools: { "0": { name: web, replicas: 3 }, "1": { name: api } }',
    "windowsPools: { web: { replicas: 3 }, api: {} }",
    [
      "windowsPools.0.name: the name of a pool is its key in the mapping",
      "windowsPools and linuxPools with each pool by its name, such as win1: {replicas: 2}",
      "remove name",
      "windowsPools.1.name: the name of a pool is its key in the mapping",
      "windowsPools and linuxPools with each pool by its name, such as win1: {replicas: 2}",
      "remove name",
      "windowsPools.0: invalid name",
      "1–40 characters: a–z, 0–9 and -, starting with a letter",
      'rename "0" to web',
      "windowsPools.1: invalid name",
      "1–40 characters: a–z, 0–9 and -, starting with a letter",
      'rename "1" to api',
    ],
  ],
  [
    "an image in a gallery without its form",
    "windowsPools: { win1: { image: { gallery: own, name: capi-win, version: 1.35.6 } } }",
    "windowsPools: { win1: { image: { computeGallery: { gallery: own, name: capi-win, version: 1.35.6 } } } }",
    [
      "windowsPools.win1.image.gallery: unknown key here; it belongs in windowsPools.win1.image.computeGallery.gallery",
      "marketplace, computeGallery, id",
      "move gallery to windowsPools.win1.image.computeGallery.gallery; move name to windowsPools.win1.image.computeGallery.name; move version to windowsPools.win1.image.computeGallery.version",
    ],
  ],
  [
    "a number of CPUs inside another mapping",
    "SAMPLEDsampleWorkload: { resources: { limits: { cpu: 1, memory: 1GB } } }",
    'SAMPLEDsampleWorkload: { limits: { cpu: "1", memory: 1Gi } }',
    [
      "sampleWorkload.resources: unknown key; write what it says as limits",
      "a mapping with the keys cpu, memory",
      "move sampleWorkload.resources.limits to sampleWorkload.limits; remove resources",
    ],
  ],
  [
    "kubelet as AKS has it",
    "windowsPools: { win1: { kubeletConfig: { systemReserved: { cpu: 500m, memory: 3Gi } } } }",
    "windowsPools: { win1: { kubelet: { reserved: { cpu: 500m, memory: 3Gi } } } }",
    [
      "windowsPools.win1.kubeletConfig: unknown key; write the configuration of kubelet as kubelet",
      "a mapping with the keys maxPods, reserved, imageGC, maxParallelImagePulls, containerLogs, configuration",
      "remove kubeletConfig; kubelet: {reserved: {cpu: 500m, memory: 3Gi}}",
    ],
  ],
  [
    "a security profile with a key of the pool",
    "windowsPools: { win1: { securityProfile: { encryptionAtHost: true } } }",
    "windowsPools: { win1: { encryptionAtHost: true } }",
    [
      "windowsPools.win1.securityProfile: unknown key; write what it says as encryptionAtHost",
      "true or false",
      "move windowsPools.win1.securityProfile.encryptionAtHost to windowsPools.win1.encryptionAtHost; remove securityProfile",
    ],
  ],
  [
    "a level in place of the mapping",
    "controlPlane: { podSecurity: restricted }",
    "controlPlane: { podSecurity: { enforce: restricted } }",
    [
      "controlPlane.podSecurity: expected a mapping, found text",
      "a mapping with the keys enforce, audit, warn, exemptNamespaces",
      "podSecurity: {enforce: restricted}",
    ],
  ],
  [
    "a part of a choice",
    "controlPlane: { podSecurity: { enforce: strict } }",
    "controlPlane: { podSecurity: { enforce: restricted } }",
    [
      "controlPlane.podSecurity.enforce: not an allowed value",
      "privileged, baseline, restricted",
      "enforce: restricted",
    ],
  ],
  [
    "names in a mapping each",
    "controlPlane: { encryption: { keys: [{ name: key2026 }] } }",
    "controlPlane: { encryption: { keys: [key2026] } }",
    ["controlPlane.encryption.keys[0]: expected text, found a mapping", "text", "keys: [key2026]"],
  ],
  [
    "pools whose key says the operating system",
    "windowsNodePools: { win1: { replicas: 4 } }",
    "windowsPools: { win1: { replicas: 4 } }",
    [
      "windowsNodePools: pools are two mappings from the name of a pool to its keys",
      "linuxPools and windowsPools, such as windowsPools: {win1: {replicas: 2}}",
      "remove capz-windows:windowsNodePools; win1: {replicas: 4} # in windowsPools",
    ],
    ["windowsPools"],
  ],
  [
    "a version with a v too many",
    "management: { kind: aks, kubernetesVersion: v1.35.2 }",
    'management: { kind: aks, kubernetesVersion: "1.35.2" }',
    ["management.kubernetesVersion: invalid format", "1.MINOR or 1.MINOR.PATCH", "kubernetesVersion: 1.35.2"],
  ],
  [
    "the effect of a taint as its value",
    "windowsPools: { win1: { taints: { dedicated: NoExecute } } }",
    "windowsPools: { win1: { taints: [{ key: dedicated, effect: NoExecute }] } }",
    [
      "windowsPools.win1.taints: expected a list, found a mapping",
      "a list of {key, value, effect}, each key with each effect once",
      "taints: [{key: dedicated, effect: NoExecute}]",
    ],
  ],
  [
    "add-ons by their names",
    "addons: [azureFile, windowsExporter]",
    "addons: { azureFile: { enabled: true }, windowsExporter: { enabled: true } }",
    [
      "addons: expected a mapping, found a list",
      "a mapping with the keys cni, kubeProxyWindows, calicoVersion, calicoBlockSize, azureMetadata, flannelImage, flannelWindowsImage, kubeProxyWindowsImage, cloudProviderAzureTag, defaultStorageClass, azureDisk, azureFile, metricsServer, windowsExporter, hnsRemediation, gmsa, clusterAutoscaler",
      "capz-windows:addons: {azureFile: {enabled: true}, windowsExporter: {enabled: true}}",
    ],
  ],
  [
    "a number with the word for what it counts",
    "network: { mtu: 1380 bytes }",
    "network: { mtu: 1380 }",
    ["network.mtu: expected a whole number, found text", "a whole number from 1330 to 1400", "mtu: 1380"],
  ],
  [
    "an image as its ARM ID",
    "windowsPools: { win1: { image: /subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/images/providers/Microsoft.Compute/images/capi } }",
    "windowsPools: { win1: { image: { id: /subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/images/providers/Microsoft.Compute/images/capi } } }",
    [
      "windowsPools.win1.image: expected a mapping, found text",
      "a mapping with the keys marketplace, computeGallery, id",
      "image: {id: /subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/images/providers/Microsoft.Compute/images/capi}",
    ],
  ],
];
