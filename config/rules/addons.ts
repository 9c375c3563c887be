import { storageClasses } from "../../domain/addons/csi";
import type { Problem } from "../../domain/problem";
import type { Settings } from "../settings";

/** Add-ons that need the external cloud provider, whose control plane machines have an identity for them. */
const currentOnly = [
  "azureDisk",
  "azureFile",
  "metricsServer",
  "clusterAutoscaler",
  "windowsExporter",
  "hnsRemediation",
] as const;

function tooOld({ addons, platform, kubernetesVersion }: Settings): Problem[] {
  return currentOnly
    .filter((key) => addons[key].enabled && platform.cloudProvider !== "external")
    .map((key) => ({
      path: `addons.${key}.enabled`,
      value: true,
      uses: [`addons.${key}`, "flavor", "kubernetesVersion"],
      problem: `Kubernetes ${kubernetesVersion} has volumes and the cloud provider in-tree here, and the add-on is not tried with it`,
      allowed: "false; the add-on needs Kubernetes 1.26 or newer and the flavor containerd",
      write: "enabled: false",
    }));
}

/** A default class that nobody serves: each claim without a class would wait for ever. */
function classWithoutDriver({ addons }: Settings): Problem[] {
  const { defaultStorageClass: chosen } = addons;
  const drivers = ["azureDisk", "azureFile"] as const;
  const served = drivers.filter((key) => addons[key].enabled).flatMap((key) => [...storageClasses[key]]);
  if (chosen === "none" || served.some((name) => name === chosen)) {
    return [];
  }
  const allowed = [...served, "none"];
  return [
    {
      path: "addons.defaultStorageClass",
      value: chosen,
      uses: ["addons", "flavor", "kubernetesVersion"],
      problem: "its CSI driver is not installed, so no claim that names no class would be bound",
      allowed: allowed.join(", "),
      write: `defaultStorageClass: ${allowed[0] ?? "none"}`,
    },
  ];
}

/** Add-ons that cannot work as they are set. */
export const addonRules = (settings: Settings): Problem[] => [
  ...tooOld(settings),
  ...classWithoutDriver(settings),
];
