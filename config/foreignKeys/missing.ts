import type { ForeignKey } from "./foreignKey";
import { absent } from "./foreignKey";

/**
 * What CAPZ or Kubernetes can do and a stack file cannot say. A line goes when its key comes; its other names then lead
 * to the key, by a line in another file of this folder.
 */
export const missingKeys: readonly ForeignKey[] = [
  absent(
    "dataDisks dataDisk diskSizesGB storageProfile disks volumes additionalCapabilities enableUltraSsd enableUltraSSD ultraSSDEnabled",
    "machines have no data disks",
    "PersistentVolumes, for the data of pods",
    { within: ["pool", "controlPlane", "cluster", "management"] },
  ),
  absent("subnet subnetName subnetId", "all pools share one subnet", "network.nodeSubnetCidr", {
    within: ["pool", "controlPlane", "azure", "cluster"],
  }),
  absent(
    "networkInterfaces networkInterface acceleratedNetworking enableAcceleratedNetworking",
    "a machine has one network interface, and CAPZ turns accelerated networking on wherever the VM size can",
    "vmSize, for a size that can",
  ),
  absent(
    "vmExtensions vmExtension extensions extensionProfiles preProvisionExtension",
    "no key adds VM extensions",
    "preKubeadmCommands and files of each pool",
  ),
  absent(
    "proximityPlacementGroup proximityPlacementGroupId proximityPlacementGroupID ppg",
    "no key puts machines into a proximity placement group",
    "zones, for the availability zones of a pool",
  ),
  absent(
    "nodeDrainTimeout nodeDrainTimeoutSeconds nodeVolumeDetachTimeout nodeDeletionTimeout drainTimeout nodeSoakDuration",
    "no key sets how long a node is drained",
    "PodDisruptionBudgets, which a drain respects",
  ),
  absent(
    "healthCheck healthChecks unhealthyConditions maxUnhealthy nodeStartupTimeout autoRepair",
    "health checks of the control plane and of single machines are made with fixed times",
    "kind: MachineDeployment, for Windows nodes with a health check",
  ),
  absent(
    "autoscaler clusterAutoscaler",
    "no key installs a cluster autoscaler",
    "autoscale of each pool, for the range that one reads",
    { within: ["cluster", "addons"] },
  ),
  absent(
    "windowsExporter nodeExporter nodeProblemDetector snapshotController gmsa gmsaProfile windowsGmsa secretsStore secretsStoreCsi keyVault",
    "no key installs this",
    "helm with the output workloadKubeconfig",
  ),
  absent(
    "acr attachAcr imageCredentialProvider imagePullSecrets credentialProvider",
    "no key lets nodes pull from a registry with a login",
    "imagePullSecrets of pods",
  ),
  absent(
    "secrets",
    "no key installs certificates out of a key vault",
    "trustedCertificates, for certificate authorities; secrets of pods for the rest",
  ),
  absent(
    "manifests extraManifests additionalManifests extraObjects",
    "no key delivers manifests of your own",
    "kubectl apply with the output workloadKubeconfig",
  ),
  absent(
    "cni cniPlugin kubeProxy disableKubeProxy",
    "Calico and kube-proxy for Windows are always installed",
    "addons.calicoVersion and addons.kubeProxyWindowsImage",
  ),
];
