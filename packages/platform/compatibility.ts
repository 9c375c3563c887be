import rows from "./kubernetesRows.json";

/**
 * Versions that belong together: the single table from which images, add-ons and providers follow. A new version is
 * written here, or in kubernetesRows.json, and nowhere else; docs/compatibility.md is generated from both.
 */

/** Date of the table. */
export const knownOn = "2026-11-22";

/** What belongs to a Kubernetes minor. */
export interface KubernetesRow {
  /** Newest patch on that date. */
  readonly lastPatch: number;
  /** Month of the minor's last patch, such as 2026-10; missing for a minor that still gets patches. */
  readonly ended?: string;
  /**
   * Patch of the examples, whose reference images are taken to exist: they appear days to weeks after a release, those for
   * Windows last. Of older minors the last one in the Azure Marketplace (older/platform/marketplace.ts).
   */
  readonly withImages?: number;
  /** Image tag of cloud-provider-azure; none for a cluster with the in-tree provider, or as `gaps` says. */
  readonly cloudProviderAzure?: string;
  readonly calico: string;
  readonly clusterAutoscaler: string;
  readonly metricsServer: string;
  /** Why a column of a supported minor is empty. */
  readonly gaps?: Readonly<Partial<Record<"cloudProviderAzure", string>>>;
}

/** By minor. Of 1.22 to 1.25 the cloud provider is in-tree, and Calico comes by manifests (cluster/platform.ts). */
export const kubernetesRows: Readonly<Record<number, KubernetesRow>> = rows;

/** Sources of the columns. */
export const kubernetesSources = {
  lastPatch:
    "kubernetes/website data/releases/eol.yaml for minors up to 1.28, the tags v0.MINOR.PATCH of k8s.io/api for later ones",
  ended: "the same: eol.yaml with its notes up to 1.26, the times of the tags for later ones",
  withImages:
    "the patch of the examples, two months old or more, for which image-builder publishes images; nobody asked the gallery itself. The Azure Marketplace for older ones",
  cloudProviderAzure:
    "helm/cloud-provider-azure of kubernetes-sigs/cloud-provider-azure at 7b31c76c, which pairs each minor with the release that was tested on it",
  calico:
    "K8S_VERSION in metadata.mk of projectcalico/calico: v3.32 is built with 1.35, v3.31 with 1.33; v3.24.5 is the last release that was tested with 1.22 to 1.25 and for which sig-windows-tools built HostProcess images (CAPZ v1.7 installed it)",
  clusterAutoscaler:
    "tags of kubernetes/autoscaler: the newest of the minor, or the nearest; no release before v1.30.6 reads the references of Cluster API's v1beta2",
  metricsServer: "compatibility matrix in the README of kubernetes-sigs/metrics-server at v0.9.0",
} as const satisfies Record<Exclude<keyof KubernetesRow, "gaps">, string>;

/** Versions that are the same for every Kubernetes minor, each with its source. */
export const components = {
  clusterApi: {
    version: "v1.14.2",
    source:
      "newest release of kubernetes-sigs/cluster-api whose managers were run against this program; v1.14.3 of 2026-10-06 was not judged here",
  },
  capz: {
    version: "v1.27.0",
    source:
      "newest release of kubernetes-sigs/cluster-api-provider-azure; it is built on Cluster API 1.14 and implements contract v1beta1, which 1.14 accepts",
  },
  clusterApiOperator: {
    version: "0.29.0",
    source: "Helm chart of kubernetes-sigs/cluster-api-operator",
  },
  certManager: { version: "v1.21.2", source: "Helm chart of cert-manager/cert-manager" },
  azureDisk: {
    version: "v1.34.5",
    source: "kubernetes-sigs/azuredisk-csi-driver: for Kubernetes 1.21 and newer (its README)",
  },
  azureFile: {
    version: "v1.35.7",
    source: "kubernetes-sigs/azurefile-csi-driver: for Kubernetes 1.21 and newer (its README)",
  },
  windowsExporter: {
    version: "0.31.8",
    source: "newest release of prometheus-community/windows_exporter",
  },
  gmsa: {
    version: "v0.13.0",
    source: "newest release of kubernetes-sigs/windows-gmsa: CRD and admission webhook",
  },
  webhookCertgen: {
    version: "1.8.5",
    source:
      "jkroepke/kube-webhook-certgen, the successor of ingress-nginx's: the release that kube-prometheus-stack installs",
  },
  kubeletCsrApprover: {
    version: "v1.2.14",
    source:
      "postfinance/kubelet-csr-approver: built on the libraries of Kubernetes 1.35; its source was read, and this release was run against an API server of 1.36",
  },
  azureKms: {
    version: "v0.11.0",
    source: "newest release of Azure/kubernetes-kms, the plugin for keys in Key Vault",
  },
  hostProcessBase: {
    version: "v1.0.0",
    source:
      "microsoft/windows-host-process-containers-base-image: an image for HostProcess containers on every Windows release; 2.0.0 only changes how images are built from it on Windows Server 2025 (its #15)",
  },
} as const;

/** Kubernetes minors that the pinned Cluster API supports (CAPI v1.14.2 book, version support). */
export const supported = {
  workload: { oldest: 31, newest: 37 },
  management: { oldest: 33, newest: 37 },
} as const;

/**
 * The minor after those: it is accepted, and not checked until a Cluster API that supports it is pinned. What this program
 * passes to its programs was held against the sources of a pre-release (test/nodes/arguments.test.ts).
 */
export const upcoming = {
  minor: 38,
  preRelease: "v1.38.0-beta.0",
  clusterApi: "v1.15.1",
  planned: "2026-12-15",
  source: "kubernetes-sigs/cluster-api docs/release/releases/release-1.15.md",
  /** What the minor of Cluster API itself changes for clusters of this program, as known on `knownOn`. */
  changes: [
    "v1.15.0, planned for 2026-12-08: PriorityQueue and ReconcilerRateLimiting are always on (cf9eba4e1f); ClusterResourceSets have other times",
    "the same release: KubeadmControlPlane drops the binding kubeadm:cluster-admins (a5c0356810), which nothing here uses",
    "a proposal of 2026-08-18 (#13892) pins the version of a MachinePool; until then `kubernetesVersion` of a pool does",
  ],
} as const;

const minors = Object.keys(kubernetesRows).map(Number);

/** The row of a minor, or the nearest row if the minor is not in the table. */
export function rowOf(kubernetesMinor: number): KubernetesRow {
  const nearest = Math.min(Math.max(kubernetesMinor, Math.min(...minors)), Math.max(...minors));
  const row = kubernetesRows[nearest];
  if (row === undefined) {
    throw new Error(`the table of versions has no row for Kubernetes 1.${nearest}`);
  }
  return row;
}
