import type { ForeignKey } from "./foreignKey";
import { absent } from "./foreignKey";

/**
 * Features of CAPZ or Kubernetes for which the stack file has no key. When a key is added, remove its line here, and
 * let its other names lead to the key by a line in another file of this folder.
 */
export const missingKeys: readonly ForeignKey[] = [
  absent(
    "additionalCapabilities enableUltraSsd ultraSSDEnabled volumes storageProfile",
    "machines have no ultra disks",
    "dataDisks of each pool, PersistentVolumes for the data of pods, or overrides with a patch of AzureMachinePool",
    { within: ["pool", "controlPlane", "cluster"] },
  ),
  absent(
    "networkInterfaces networkInterface",
    "the first network interface of a machine needs no entry",
    "subnet and acceleratedNetworking for it, additionalNetworkInterfaces for others; or overrides with a patch of AzureMachinePool (networkInterfaces)",
  ),
  absent(
    "proximityPlacementGroup proximityPlacementGroupId ppg",
    "CAPZ has no field for a proximity placement group, for scale sets or for single machines",
    "zones, for the availability zones of a pool",
  ),
  absent(
    "nodeSoakDuration nodeSoakDurationInMinutes",
    "no key lets a rollout wait after each node",
    "rollout.maxSurge and rollout.maxUnavailable of each pool",
  ),
  absent(
    "nodeExporter snapshotController secretsStore secretsStoreCsi keyVault",
    "no key installs this",
    "helm with the output workloadKubeconfig",
  ),
  absent(
    "secrets",
    "no key installs certificates out of a key vault",
    "trustedCertificates, for certificate authorities; secrets of pods for the rest",
  ),
];
