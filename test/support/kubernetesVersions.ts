/** Kubernetes versions that share flavor, Windows releases and add-ons. */
export interface VersionRange {
  readonly flavor: "containerd" | "dockershim";
  /** Newest first; each pool is at most `skew` minors behind the cluster. */
  readonly versions: readonly string[];
  readonly skew: number;
  readonly windowsServers: readonly string[];
  /** Whether pools need images of their own, because the community gallery has none for these versions. */
  readonly ownImages: boolean;
  readonly podCidrs: readonly string[];
  readonly addons: Readonly<Record<string, readonly unknown[]>>;
}

/** Values of add-ons that need the external cloud provider. */
const currentAddons = {
  azureMetadata: [{ blocked: false }, { blocked: true, allowedNamespaces: ["monitoring"] }],
  azureDisk: [{ enabled: true }, { version: "v1.34.5" }],
  azureFile: [{ enabled: true, version: "v1.35.7" }, { enabled: false }],
  defaultStorageClass: ["managed-csi", "managed-csi-premium", "none"],
  windowsExporter: [
    { enabled: true, allowedCidrs: ["10.10.0.0/16"] },
    { enabled: true, version: "0.31.7" },
  ],
  metricsServer: [{ enabled: false }, { enabled: true, version: "v0.8.1" }],
  clusterAutoscaler: [
    { enabled: false },
    {
      ...{ enabled: true, version: "v1.35.2", image: "registry.example/cluster-autoscaler:v1.35.2" },
      ...{ expander: "most-pods", maxNodeProvisionMinutes: 45, scaleDownUnneededMinutes: 20 },
      ...{ scaleDownDelayAfterAddMinutes: 0, scaleDownUtilizationPercent: 70, balanceSimilarPools: true },
      ...{ skipNodesWithLocalStorage: true, skipNodesWithSystemPods: false },
    },
  ],
};

export const versionRanges: readonly VersionRange[] = [
  {
    flavor: "containerd",
    versions: ["v1.36.1", "v1.35.6", "1.35.0", "v1.34.2", "v1.33.4", "v1.32.9", "v1.31.11", "v1.30.14"],
    skew: 3,
    windowsServers: ["2022", "2025"],
    ownImages: false,
    podCidrs: ["192.168.0.0/16", "100.64.0.0/12"],
    addons: {
      calicoVersion: ["v3.30.7", "v3.31.7", "v3.32.1"],
      calicoBlockSize: [25, 26],
      kubeProxyWindowsImage: ["registry.example/kube-proxy:v1.35.5-calico-hostprocess"],
      cloudProviderAzureTag: ["v1.35.4"],
      gmsa: [
        { enabled: false },
        {
          ...{ enabled: true, version: "v0.13.0", randomHostnames: true },
          keyVaultIdentity:
            "/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/platform/providers/Microsoft.ManagedIdentity/userAssignedIdentities/gmsa",
        },
      ],
      ...currentAddons,
    },
  },
  {
    flavor: "containerd",
    versions: ["v1.29.15", "v1.28.9", "v1.27.16", "v1.26.0"],
    skew: 3,
    windowsServers: ["2019", "2022"],
    ownImages: true,
    podCidrs: ["192.168.0.0/16", "100.64.0.0/12"],
    addons: { calicoVersion: ["v3.30.7"], cloudProviderAzureTag: ["v1.29.15"], ...currentAddons },
  },
  {
    flavor: "containerd",
    versions: ["v1.25.16", "v1.24.17", "v1.24.8"],
    skew: 1,
    windowsServers: ["2019", "2022"],
    ownImages: true,
    podCidrs: ["192.168.0.0/16", "100.64.0.0/12"],
    addons: { kubeProxyWindowsImage: ["registry.example/kube-proxy:v1.25.16-calico-hostprocess"] },
  },
  {
    flavor: "containerd",
    versions: ["v1.23.17", "1.22.9", "v1.22.1"],
    skew: 1,
    windowsServers: ["2019"],
    ownImages: true,
    podCidrs: ["192.168.0.0/16", "10.244.0.0/16"],
    addons: { azureDisk: [{ enabled: false }], defaultStorageClass: ["none"] },
  },
  {
    flavor: "dockershim",
    versions: ["v1.23.17", "v1.23.6", "1.22.9", "v1.22.0"],
    skew: 1,
    windowsServers: ["2019"],
    ownImages: true,
    podCidrs: ["10.244.0.0/16", "100.64.0.0/12"],
    addons: {
      flannelImage: ["registry.example/flannel:v0.12.0"],
      flannelWindowsImage: ["registry.example/flannel-windows:v0.13.0"],
      kubeProxyWindowsImage: ["registry.example/kube-proxy:v1.22.9-nanoserver"],
    },
  },
];
