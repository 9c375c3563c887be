import { present } from "capz-windows-kit/present";
import { minor } from "semver";
import { switchedKeys } from "../../addons/optionalAddons";
import { storageClasses } from "../../addons/storage/csi";
import { firstWithGmsa } from "../../addons/gmsa";
import type { Problem, Warning } from "capz-windows-kit/problem";
import { isReference, nodeImages } from "../nodeImages";
import type { Settings } from "../settings";

/** Add-ons without the external cloud provider, whose control plane machines have an identity for them. */
function tooOld({ addons, platform, kubernetesVersion }: Settings): Problem[] {
  return switchedKeys
    .filter((key) => addons[key].enabled && platform.cloudProvider !== "external")
    .map((key) => ({
      path: `addons.${key}.enabled`,
      value: true,
      uses: [`addons.${key}`, "flavor", "kubernetesVersion"],
      problem: `with Kubernetes ${kubernetesVersion}, volumes and the cloud provider are in-tree, and the add-on has not been tested with them`,
      allowed: "false; the add-on needs Kubernetes 1.26 or newer and the flavor containerd",
      write: "enabled: false",
    }));
}

/** A default class whose driver is not installed: each claim without a class would wait forever. */
function classWithoutDriver({ addons }: Settings): Problem[] {
  const { defaultStorageClass: chosen } = addons;
  const drivers = ["azureDisk", "azureFile"] as const;
  const served = drivers.filter((key) => addons[key].enabled).flatMap((key) => [...storageClasses[key]]);
  if (chosen === "none" || served.some((name) => name === chosen)) {
    return [];
  }
  return [
    {
      path: "addons.defaultStorageClass",
      value: chosen,
      uses: ["addons", "flavor", "kubernetesVersion"],
      problem: "its CSI driver is not installed, so claims that name no class would stay Pending",
      allowed: [...served, "none"].join(", "),
    },
  ];
}

function gmsaProblems({ addons: { gmsa }, kubernetesVersion, platform }: Settings): Problem[] {
  const version = minor(kubernetesVersion);
  if (gmsa.enabled && platform.cloudProvider === "external" && version < firstWithGmsa) {
    return [
      {
        path: "addons.gmsa.enabled",
        value: true,
        uses: ["addons.gmsa", "kubernetesVersion"],
        problem: `the API server of ${kubernetesVersion} reads no matchConditions, so no pod of the cluster would start while the webhook is down`,
        allowed: `false; the add-on needs Kubernetes 1.${firstWithGmsa} or newer`,
        write: "enabled: false",
      },
    ];
  }
  return present(
    gmsa.keyVaultIdentity !== undefined &&
      !gmsa.enabled && {
        path: "addons.gmsa.keyVaultIdentity",
        value: gmsa.keyVaultIdentity,
        uses: ["addons.gmsa"],
        problem: "the add-on is off, so no pool gets the identity",
        allowed: "an identity with enabled: true; identityIds of a pool without the add-on",
        write: "enabled: true # in addons.gmsa, or remove keyVaultIdentity",
      },
  );
}

function metadataProblems({ addons, platform, flavor, kubernetesVersion }: Settings): Problem[] {
  const { blocked, allowedNamespaces } = addons.azureMetadata;
  const path = "addons.azureMetadata";
  const uses = [path, "addons.cni", "flavor", "kubernetesVersion"];
  if (blocked && platform.cni !== "calico") {
    return [
      {
        path: `${path}.blocked`,
        value: true,
        uses,
        problem:
          platform.cni === "none"
            ? "the policy is one of Calico's, and with addons.cni: none the network is yours"
            : `the policy is one of Calico's operator, which is not installed with the flavor ${flavor} and Kubernetes ${kubernetesVersion}`,
        allowed: "true with addons.cni: calico, the flavor containerd and Kubernetes 1.26 or newer",
      },
    ];
  }
  return present(
    !blocked &&
      allowedNamespaces.length !== 0 && {
        path: `${path}.allowedNamespaces`,
        value: allowedNamespaces,
        uses,
        problem: "nothing denies the addresses to any pod",
        allowed: "namespaces only where blocked is true",
      },
  );
}

/** Add-ons that cannot work as they are set. */
export const addonRules = (settings: Settings): Problem[] => [
  ...tooOld(settings),
  ...gmsaProblems(settings),
  ...classWithoutDriver(settings),
  ...metadataProblems(settings),
];

/** Pods that can act as their node in Azure. */
export function metadataWarnings({ addons, platform }: Settings): Warning[] {
  const { blocked, allowedNamespaces } = addons.azureMetadata;
  const { enabled, keyVaultIdentity } = addons.gmsa;
  const who = blocked
    ? `pods of ${allowedNamespaces.join(", ")} (addons.azureMetadata.allowedNamespaces)`
    : "all pods";
  return present<Warning>(
    !blocked &&
      platform.cni === "calico" && {
        path: "addons.azureMetadata.blocked",
        message:
          "every pod can get tokens of the identities of its node from 169.254.169.254, on the control plane of one that may run commands on every machine, and read at 168.63.129.16 what Azure tells the machine's agent (CVE-2021-27075); `allowedNamespaces` opens both to single namespaces",
      },
    enabled &&
      keyVaultIdentity !== undefined &&
      (!blocked || allowedNamespaces.length > 0) && {
        path: "addons.gmsa.keyVaultIdentity",
        message: `${who} on Windows nodes can get tokens of this identity from 169.254.169.254, and with them what it reads in the key vault: the account that fetches the passwords of the gMSAs`,
      },
  );
}

/** Custom images that may lack the plug-in for key vaults; their contents are not known here. */
export const gmsaWarnings = (settings: Settings): Warning[] =>
  !settings.addons.gmsa.enabled || settings.addons.gmsa.keyVaultIdentity === undefined
    ? []
    : nodeImages(settings)
        .filter((image) => image.path.startsWith("windowsPools.") && !isReference(image))
        .map(({ path }) => ({
          path: `${path}.image`,
          message:
            "addons.gmsa.keyVaultIdentity needs the plug-in CCGAKVPlugin.dll in the image: image-builder puts it into images for Azure (gmsa_keyvault_url), check that this one has it",
        }));
