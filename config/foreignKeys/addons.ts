import { hnsInterval } from "../../addons/hnsRemediation";
import type { ForeignKey } from "./foreignKey";
import { absent, moved } from "./foreignKey";
import { enabledOf, isOff, switchOf } from "./values";

/** Keys of add-ons and of what runs in a cluster. */
export const addonKeys: readonly ForeignKey[] = [
  moved(
    "manifests additionalManifests extraObjects extraDeploy",
    "manifests of your own",
    ["extraManifests"],
    {
      as: "translated",
      within: ["cluster", "addons"],
    },
  ),
  moved("calico calicoRelease tigeraOperatorVersion", "the release of Calico", ["addons.calicoVersion"], {
    as: (value) => (typeof value === "string" ? value : undefined),
    within: ["addons"],
  }),
  moved("kubeProxyImage", "the image of kube-proxy", ["addons.kubeProxyWindowsImage"], {
    as: (value) => (typeof value === "string" ? value : undefined),
  }),
  moved("kubeProxy enableKubeProxy", "kube-proxy for Windows", ["addons.kubeProxyWindows"], { as: switchOf }),
  moved("kubeProxyWindows", "kube-proxy for Windows", ["addons.kubeProxyWindows"], {
    as: switchOf,
    within: ["cluster", "network"],
  }),
  moved(
    "disableKubeProxy skipKubeProxy kubeProxyReplacement",
    "kube-proxy for Windows",
    ["addons.kubeProxyWindows"],
    { as: isOff },
  ),
  moved(
    "cloudProviderAzure cloudProviderAzureVersion ccmVersion cloudControllerManagerVersion",
    "the tag of the cloud provider",
    ["addons.cloudProviderAzureTag"],
    { as: (value) => (typeof value === "string" ? value : undefined) },
  ),
  moved("capiVersion clusterApiVersion coreProviderVersion core", "the version of Cluster API", [
    "clusterApi.coreVersion",
  ]),
  moved("capzVersion azureProviderVersion infrastructureVersion", "the version of CAPZ", [
    "clusterApi.azureVersion",
  ]),
  moved("certManager", "the version of cert-manager", ["clusterApi.certManagerVersion"], {
    as: (value) => (typeof value === "string" ? value : undefined),
    within: ["clusterApi"],
  }),
  moved(
    "csi csiDriver csiDrivers azureDiskCsi diskCsiDriver storage",
    "the CSI driver of Azure disks",
    ["addons.azureDisk"],
    { as: enabledOf, within: ["cluster", "addons"] },
  ),
  moved("azureFileCsi fileCsiDriver", "the CSI driver of Azure Files", ["addons.azureFile"], {
    as: enabledOf,
    within: ["cluster", "addons"],
  }),
  moved(
    "storageClass storageClasses",
    "the storage class of claims that name none",
    ["addons.defaultStorageClass"],
    {
      as: (value) => (typeof value === "string" ? value : undefined),
      within: ["cluster", "addons"],
    },
  ),
  moved("autoscaler", "the cluster autoscaler", ["addons.clusterAutoscaler"], {
    as: enabledOf,
    within: ["cluster", "addons"],
  }),
  moved("clusterAutoscaler", "the cluster autoscaler", ["addons.clusterAutoscaler"], {
    as: enabledOf,
    within: ["cluster"],
  }),
  moved("autoScalerProfile", "how the cluster autoscaler decides", ["addons.clusterAutoscaler"], {
    as: () => undefined,
    within: ["cluster", "addons"],
  }),
  moved("metrics", "metrics-server", ["addons.metricsServer"], {
    as: enabledOf,
    within: ["cluster", "addons"],
  }),
  moved(
    "gmsa gmsaProfile windowsGmsa windowsGmsaProfile",
    "group managed service accounts",
    ["addons.gmsa"],
    { as: enabledOf },
  ),
  moved(
    "nodeProblemDetector hnsRemediator hnsRemediatorIntervalInMinutes",
    "the repair of nodes whose HNS crashed",
    ["addons.hnsRemediation"],
    {
      as: (value) =>
        typeof value === "number"
          ? {
              enabled: value > 0,
              ...(value > 0 ? { intervalSeconds: Math.min(value * 60, hnsInterval.max) } : {}),
            }
          : enabledOf(value),
    },
  ),
  absent(
    "csiProxy enableCSIProxy",
    "CSI drivers for Windows run as HostProcess containers and need no CSI proxy",
    "addons.azureDisk and addons.azureFile, for the drivers",
  ),
  absent(
    "containerRuntime runtime containerdVersion mobyVersion dockerVersion windowsDockerVersion containerd docker",
    "the VM image has the container runtime: containerd, or Docker with flavor dockershim",
    "flavor, and image of a pool",
  ),
  absent(
    "customWindowsPackageURL windowsNodeBinariesURL kubernetesImageBase kubernetesImageBaseType customHyperkubeImage customKubeProxyImage hyperkubeImage kubeBinaryUrl",
    "the binaries of Kubernetes are part of the VM image",
    "image of a pool (docs/images.md)",
  ),
  absent(
    "addonProfiles helm helmCharts charts gitops flux argocd ingress ingressProfile ingressController applicationGateway",
    "the program installs what nodes and volumes need, and metrics-server; you install everything else",
    "addons, for what is installed; helm or a GitOps tool with the output workloadKubeconfig for the rest",
  ),
  absent(
    "monitoring prometheus grafana logging logs containerInsights azureMonitor omsAgent logAnalytics",
    "the program installs no monitoring and no logging except metrics-server",
    "helm or a GitOps tool with the output workloadKubeconfig",
  ),
  absent(
    "serviceMesh serviceMeshProfile istio linkerd",
    "the program installs no service mesh, and no mesh runs its proxies on Windows nodes",
    "helm with the output workloadKubeconfig, for a mesh on Linux nodes",
  ),
  absent(
    "etcd etcdVersion externalEtcd",
    "etcd runs on the control plane in the version of kubeadm",
    "controlPlane.etcdDiskGB, for its disk",
    {
      within: ["cluster", "controlPlane"],
    },
  ),
  absent(
    "port ports targetPort containerPort",
    "the sample is IIS on port 80",
    "access.allowedCidrs, for who may reach it",
    { within: ["sampleWorkload"] },
  ),
  absent(
    "enabled enable",
    "sampleWorkload: {} deploys the sample, and without the key sampleWorkload there is none",
    "sampleWorkload: {}",
    { within: ["sampleWorkload"], isSwitch: true },
  ),
  moved("resources", "what a pod may take", ["sampleWorkload.limits", "sampleWorkload.requests"], {
    as: () => undefined,
    within: ["sampleWorkload"],
  }),
];
