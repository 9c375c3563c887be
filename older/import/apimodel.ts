import { fixedVersion, poolName, publicKeyOf, windowsServerOf } from "../../commands/import/values";
import { uuid } from "../../config/schema/scalars";
import type { Path, Step } from "../../config/steps";
import { at, isRecord, list, ownValue, text, textAt, type Plain } from "capz-windows-kit/untyped";
import { omitted, Refused, unlessEmpty, type Draft } from "../../commands/import/findings";
import { Carrier, type OwnKeys } from "./carrier";
import { featureReasons, masterReasons, reasons } from "./leftOut";
import { kubeletOf } from "../../commands/import/capz/kubelet";
import { unknownRanges } from "../../commands/import/capz/network";
import { subnetParts } from "capz-windows-platform/company-network/existingNetwork";
import { missingIn } from "../../commands/import/variables";
import { withoutUndefined } from "capz-windows-kit/without";
import { newestRelease } from "../../commands/import/complete";

/** Apimodels of acs-engine and aks-engine: the files from which these tools created clusters. */

export const isApimodel = (value: unknown): value is Plain =>
  isRecord(value) &&
  (isRecord(at(value, "properties", "masterProfile")) ||
    isRecord(at(value, "properties", "orchestratorProfile")));

const isWindows = (pool: Plain): boolean => /^windows$/i.test(text(pool.osType));

/** Machines are in the subscription of their network. Examples have a word in its place. */
function subscriptionOf(subnetId: string): Step[] {
  const { subscription } = subnetParts(subnetId);
  return uuid.safeParse(subscription).success
    ? [{ set: ["azure", "subscriptionId"], value: subscription }]
    : [];
}

/** The gallery image or managed image of an `imageReference`, which pools and the Windows profile have. */
function imageOf(reference: unknown): Plain | undefined {
  const { name, resourceGroup, subscriptionID, gallery, version } = isRecord(reference) ? reference : {};
  if (name === undefined) {
    return undefined;
  }
  return gallery === undefined
    ? {
        id: `/subscriptions/${text(subscriptionID)}/resourceGroups/${text(resourceGroup)}/providers/Microsoft.Compute/images/${text(name)}`,
      }
    : {
        computeGallery: {
          ...{ gallery, name, version: fixedVersion(version) },
          ...(subscriptionID === undefined ? {} : { subscriptionId: subscriptionID, resourceGroup }),
        },
      };
}

/** Flags that have a key, or a field of kubelet's configuration. */
const kubeletFlags = new Set([
  ...["max-pods", "system-reserved", "image-gc-high-threshold", "image-gc-low-threshold"],
  ...["eviction-hard", "container-log-max-size", "container-log-max-files"],
]);

/** `memory.available<1Gi,nodefs.available<10%`; `undefined` without any. */
const thresholds = (text = ""): Plain | undefined =>
  unlessEmpty(
    Object.fromEntries(
      text
        .split(",")
        .flatMap((one) =>
          [...one.matchAll(/^([\w.]+)<(.+)$/g)].map(([, signal = "", value]) => [signal, value]),
        ),
    ),
  );

/** `kubeletConfig` as `kubelet` of a pool or of all; its values are texts (aks-engine docs/topics/clusterdefinitions.md). */
function kubeletIn(value: unknown, place: Path, os: "linux" | "windows") {
  const given = Object.entries(isRecord(value) ? value : {}).map(([flag, one]) => ({
    flag,
    name: flag.replace(/^--?/, ""),
    value: String(one),
  }));
  const flags = Object.fromEntries(given.map((one) => [one.name, one.value]));
  const files = flags["container-log-max-files"];
  const configuration = {
    evictionHard: thresholds(flags["eviction-hard"]),
    containerLogMaxSize: flags["container-log-max-size"],
    containerLogMaxFiles: files === undefined ? undefined : Number(files),
  };
  const kubelet = kubeletOf(withoutUndefined(configuration), flags, os);
  return {
    set: kubelet === undefined ? [] : [{ set: [...place, "kubelet"], value: kubelet }],
    leftOut: given
      .filter(({ name }) => !kubeletFlags.has(name))
      .map(({ flag }) => ({
        from: `kubeletConfig ${flag}`,
        why: "the program, kubeadm and the defaults of kubelet set its flags",
        instead: "kubelet.configuration of a pool, where kubelet has a field for it",
      })),
  };
}

/** How machines are created: one by one, or in a scale set. */
const kindOf = (value: unknown): string =>
  /^availabilityset$/i.test(text(value)) ? "MachineDeployment" : "MachinePool";

/** Both fields are written for pools of either system, and one of them counts. */
const accelerated =
  (of: string): OwnKeys[string] =>
  (value, pool) => ({ set: pool[0] === of ? [{ set: [...pool, "acceleratedNetworking"], value }] : [] });

/** Keys whose values the table of aliases cannot translate. */
const poolKeys: OwnKeys = {
  ...reasons,
  kubernetesConfig: (value, pool) => {
    const { kubeletConfig, ...others } = isRecord(value) ? value : {};
    const found = kubeletIn(kubeletConfig, pool, pool[0] === "windowsPools" ? "windows" : "linux");
    const left = Object.keys(others).map((key) => ({
      from: `kubernetesConfig.${key} of ${String(pool[1])}`,
      why: "it is one value for the whole cluster here",
      instead: "kubernetesVersion, network and controlPlane",
    }));
    return { ...found, leftOut: [...found.leftOut, ...left] };
  },
  name: (value, pool) =>
    missingIn(text(value)).length === 0
      ? { set: [] }
      : { why: "the name of a pool is a key of the stack file, and no variable", instead: pool.join(".") },
  osType: () => ({ set: [] }),
  availabilityProfile: (value, pool) =>
    pool[0] === "windowsPools"
      ? { set: [{ set: [...pool, "kind"], value: kindOf(value) }] }
      : { why: "Linux pools are always scale sets" },
  acceleratedNetworkingEnabled: accelerated("linuxPools"),
  acceleratedNetworkingEnabledWindows: accelerated("windowsPools"),
  diskEncryptionSetID: (value, pool) => ({ set: [{ set: [...pool, "diskEncryptionSetId"], value }] }),
  scaleSetPriority: (value, pool) => ({
    set: /^(low|spot)$/i.test(text(value)) ? [{ set: [...pool, "spot"], value: {} }] : [],
  }),
  diskSizesGB: () => ({
    why: "a data disk has a size, a place and a file system here",
    instead: "dataDisks of the pool",
  }),
  imageReference: (value, pool) => ({ set: [{ set: [...pool, "image"], value: imageOf(value) }] }),
};

/** aks-engine gives an OS disk without a size that of its image; the stack's own sizes are larger than many caches. */
const storageOf =
  ({ storageProfile, osDiskSizeGB }: Plain): OwnKeys[string] =>
  (_, pool) => {
    if (storageProfile !== "Ephemeral") {
      return { why: "OS disks are always managed disks", instead: "osDiskType of the pool" };
    }
    return Number(osDiskSizeGB) > 0
      ? { set: [{ set: [...pool, "ephemeralOsDisk"], value: "CacheDisk" }] }
      : {
          why: "its OS disk had the size of its image, and the cache of the VM size may not hold the one of this stack",
          instead:
            "ephemeralOsDisk: CacheDisk of the pool, with an osDiskGB that fits (npm run preflight compares them)",
        };
  };

/** kubeletConfig of the cluster is of its masters, too (aks-engine docs/topics/clusterdefinitions.md). */
function kubeletOfAll(value: unknown) {
  const { set, leftOut } = kubeletIn(value, ["poolDefaults"], "linux");
  const ofMasters = {
    from: "kubeletConfig, of the control plane",
    why: "only pools have keys for kubelet: that of the control plane has none of these flags",
    instead: "controlPlane.overrides, with kubeletExtraArgs",
  };
  return { set, leftOut: set.length === 0 ? leftOut : [...leftOut, ofMasters] };
}

/** A flag of the tool's own, or what it did with the network. */
function featureFlags(value: unknown) {
  const flags = Object.entries(isRecord(value) ? value : {}).filter(([, isOn]) => isOn === true);
  return {
    set: [],
    leftOut: flags.map(([flag]) => ({
      from: `featureFlags.${flag}`,
      ...(ownValue(featureReasons, flag) ?? { why: "this import knows no key for it" }),
    })),
  };
}

const clusterKeys: OwnKeys = {
  ...reasons,
  featureFlags,
  kubeletConfig: kubeletOfAll,
  containerRuntime: (value) =>
    value === "containerd"
      ? { set: [] }
      : {
          why: "nodes run containerd, and Docker only with the flavor dockershim and its Kubernetes",
          instead: "flavor",
        },
  privateCluster: (value) => ({
    set: at(value, "enabled") === true ? [{ set: ["network", "apiServer", "private"], value: true }] : [],
    leftOut: Object.keys(omitted(value, "enabled")).map((key) => ({
      from: `kubernetesConfig.privateCluster.${key}`,
      why: "a way into the network of the cluster is made by other means here",
      instead: "network.bastion, network.peerings",
    })),
  }),
  etcdDiskSizeGB: (value) => ({
    set: [{ set: ["controlPlane", "etcdDiskGB"], value: Number(value) }],
  }),
};

const profileKeys: OwnKeys = {
  ...reasons,
  enableAHUB: () => ({ set: [] }),
  enableAutomaticUpdates: (value) =>
    value === false
      ? { set: [] }
      : {
          why: "CAPZ turns the automatic updates of each Windows machine off",
          instead: "newer images, with which pools roll (docs/images.md)",
        },
};

/** @throws Refused for other clouds and orchestrators */
function refuseOthers(properties: Plain): void {
  const type = textAt(properties, "orchestratorProfile", "orchestratorType");
  if (properties.customCloudProfile !== undefined) {
    throw new Refused(
      "customCloudProfile: this cluster is on Azure Stack or in another cloud; CAPZ's machines here are in Azure's public cloud only.",
    );
  }
  if (!["", "kubernetes"].includes(type.toLowerCase())) {
    throw new Refused(`orchestratorType ${type}: every cluster here is one of Kubernetes.`);
  }
  if (list(properties.agentPoolProfiles).length === 0) {
    throw new Refused(
      "agentPoolProfiles: the apimodel has no pool, so that there is nothing for Windows in it.",
    );
  }
}

/** Applies the profile of all Windows machines to each Windows pool. */
function windowsProfile(carrier: Carrier, profile: unknown, from: string): void {
  if (!isRecord(profile)) {
    return;
  }
  const release = windowsServerOf(`${text(profile.windowsSku)} ${text(profile.windowsOffer)}`);
  const image = imageOf(profile.imageReference);
  for (const pool of carrier.windowsPools()) {
    if (release !== undefined) {
      carrier.set([...pool, "windowsServer"], release);
    }
    if (image !== undefined) {
      carrier.set([...pool, "image"], image);
    }
    if (profile.enableAHUB === true) {
      carrier.set([...pool, "hybridBenefit"], true);
    }
  }
  carrier.carry(omitted(profile, "imageReference"), from, [], profileKeys);
}

/** Go reads the names of fields in any case, and aks-engine writes some with a capital: WindowsSku. */
const inLowerCase = (profile: unknown): unknown =>
  isRecord(profile)
    ? Object.fromEntries(
        Object.entries(profile).map(([key, value]) => [key.charAt(0).toLowerCase() + key.slice(1), value]),
      )
    : profile;

/** The draft of a stack like the cluster of an apimodel. @throws Refused for other clouds and orchestrators */
export function draftOfApimodel(model: Plain): Draft {
  const properties = at(model, "properties") as Plain;
  refuseOthers(properties);
  const {
    orchestratorProfile,
    masterProfile,
    agentPoolProfiles,
    windowsProfile: windows,
    linuxProfile: linux,
    ...others
  } = properties;
  const carrier = new Carrier();
  const name = textAt(masterProfile, "dnsPrefix").toLowerCase();
  if (textAt(masterProfile, "dnsPrefix") !== "") {
    carrier.set(["clusterName"], name);
  }
  carrier.set(["linuxPools"], {});
  carrier.set(["windowsPools"], {});
  const profiles = list(agentPoolProfiles).map((profile) => ({
    profile,
    path: [isWindows(profile) ? "windowsPools" : "linuxPools", poolName(profile.name)] as Path,
  }));
  profiles.forEach(({ path }) => {
    carrier.set(path, {});
  });
  carrier.carry(omitted(model, "apiVersion", "properties"), "", []);
  const { kubernetesConfig, orchestratorVersion, orchestratorRelease, ...orchestrator } = omitted(
    orchestratorProfile,
    "orchestratorType",
  );
  const version = text(orchestratorVersion) || text(orchestratorRelease);
  const isMinor = /^v?\d+\.\d+$/.test(version);
  carrier.set(["kubernetesVersion"], version === "" || isMinor ? newestRelease() : version);
  if (version === "" || isMinor) {
    carrier.leaveOut(
      isMinor ? `orchestratorProfile: Kubernetes ${version}` : "orchestratorVersion",
      isMinor
        ? "the tool chose the newest patch that it had of this minor version"
        : "the apimodel names none, and left it to the tool",
      `kubernetesVersion: ${newestRelease()}`,
    );
  }
  carrier.carry(orchestrator, "orchestratorProfile", []);
  carrier.carry(kubernetesConfig, "kubernetesConfig", [], clusterKeys);
  const isOfOthers = textAt(inLowerCase(masterProfile), "vnetSubnetId") !== "";
  carrier.carry(omitted(inLowerCase(masterProfile), "dnsPrefix"), "masterProfile", ["controlPlane"], {
    ...masterReasons,
    imageReference: (value, place) => ({ set: [{ set: [...place, "image"], value: imageOf(value) }] }),
    vnetSubnetId: (value) => ({
      set: [{ set: ["network", "existing", "controlPlaneSubnetId"], value }, ...subscriptionOf(text(value))],
    }),
    vnetCidr: (value) =>
      isOfOthers
        ? { set: [{ set: ["network", "vnetCidr"], value }] }
        : {
            why: "it is for a VNET of others only, and the apimodel names none",
            instead: "network.vnetCidr",
          },
  });
  if (isOfOthers) {
    carrier.ask("network", unknownRanges);
  }
  profiles.forEach(({ profile, path }, index) => {
    // First, since it makes the mapping into which the limits of its price go.
    const { scaleSetPriority, ...others } = profile;
    carrier.carry({ scaleSetPriority, ...others }, `agentPoolProfiles[${index}]`, path, {
      ...poolKeys,
      storageProfile: storageOf(profile),
    });
  });
  windowsProfile(carrier, inLowerCase(windows), "windowsProfile");
  const key = publicKeyOf(linux);
  if (key !== undefined) {
    carrier.set(["access"], { sshPublicKey: key });
  }
  carrier.carry(omitted(linux, "ssh"), "linuxProfile", [], profileKeys);
  carrier.carry(others, "", [], clusterKeys);
  return carrier.draft();
}
