import { fixedVersion, poolName, publicKeyOf, windowsServerOf } from "../../commands/import/values";
import type { Path } from "../../config/steps";
import { at, isRecord, list, text, textAt, type Plain } from "../../tools/untyped";
import { omitted, Refused, unlessEmpty, type Draft } from "../../commands/import/findings";
import { Carrier, type OwnKeys } from "./carrier";
import { kubeletOf } from "../../commands/import/capz/kubelet";
import { unknownRanges } from "../../commands/import/capz/network";
import { subnetParts } from "../../platform/company-network/existingNetwork";
import { withoutUndefined } from "../../tools/without";
import { newestRelease } from "../../commands/import/complete";

/** Apimodels of acs-engine and aks-engine: the files from which these tools created clusters. */

export const isApimodel = (value: unknown): value is Plain =>
  isRecord(value) &&
  (isRecord(at(value, "properties", "masterProfile")) ||
    isRecord(at(value, "properties", "orchestratorProfile")));

const isWindows = (pool: Plain): boolean => /^windows$/i.test(text(pool.osType));

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

const ofTheTool = {
  why: "it is of the tool itself, or of the cloud provider inside Kubernetes, which is gone",
};

const bakedIn = {
  why: "images of this program have kubelet, containerd and their tools in them",
  instead: "windowsServer and image of a pool in windowsPools (docs/images.md)",
};

const caching: OwnKeys = Object.fromEntries(
  ["osDiskCachingType", "dataDiskCachingType"].map((key) => [
    key,
    () => ({ why: "Azure chooses how a disk is cached", instead: "ephemeralOsDisk of a pool" }),
  ]),
);

const ofImage = {
  why: "it is a property of the VM image and of its updates",
  instead: "image of a pool (docs/images.md)",
};

const scripts = {
  why: "extensions of aks-engine are scripts that it runs on machines",
  instead: "preKubeadmCommands and files of a pool, or vmExtensions with their publisher",
};

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
  const flags = Object.fromEntries(
    Object.entries(isRecord(value) ? value : {}).map(([flag, one]) => [flag.replace(/^--/, ""), String(one)]),
  );
  const files = flags["container-log-max-files"];
  const configuration = {
    evictionHard: thresholds(flags["eviction-hard"]),
    containerLogMaxSize: flags["container-log-max-size"],
    containerLogMaxFiles: files === undefined ? undefined : Number(files),
  };
  const kubelet = kubeletOf(withoutUndefined(configuration), flags, os);
  return {
    set: kubelet === undefined ? [] : [{ set: [...place, "kubelet"], value: kubelet }],
    leftOut: Object.keys(flags)
      .filter((flag) => !kubeletFlags.has(flag))
      .map((flag) => ({
        from: `kubeletConfig --${flag}`,
        why: "the program, kubeadm and the defaults of kubelet set its flags",
        instead: "kubelet.configuration of a pool, where kubelet has a field for it",
      })),
  };
}

/** How machines are created: one by one, or in a scale set. */
const kindOf = (value: unknown): string =>
  /^availabilityset$/i.test(text(value)) ? "MachineDeployment" : "MachinePool";

/** Keys whose values the table of aliases cannot translate. */
const poolKeys: OwnKeys = {
  extensions: () => scripts,
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
  name: () => ({ set: [] }),
  osType: () => ({ set: [] }),
  availabilityProfile: (value, pool) =>
    pool[0] === "windowsPools"
      ? { set: [{ set: [...pool, "kind"], value: kindOf(value) }] }
      : { why: "Linux pools are always scale sets" },
  storageProfile: (value, pool) =>
    value === "Ephemeral"
      ? { set: [{ set: [...pool, "ephemeralOsDisk"], value: "CacheDisk" }] }
      : { why: "OS disks are always managed disks", instead: "osDiskType of the pool" },
  diskSizesGB: () => ({
    why: "a data disk has a size, a place and a file system here",
    instead: "dataDisks of the pool",
  }),
  ...caching,
  imageReference: (value, pool) => ({ set: [{ set: [...pool, "image"], value: imageOf(value) }] }),
};

const login = {
  why: "CAPZ names the administrator of machines capi, and gives Windows machines a password that nobody knows",
  instead: "access.sshPublicKey",
};

const isolation = {
  why: "nodes run containers in process isolation, and in Hyper-V isolation where a pod asks for it by its RuntimeClass",
  instead: "workloads.hyperV, and runtimeClassName of the pods",
};

const clusterKeys: OwnKeys = {
  extensionProfiles: () => scripts,
  kubeletConfig: (value) => kubeletIn(value, ["poolDefaults"], "linux"),
  addons: () => ({
    why: "the stack brings its own add-ons: network, cloud provider, storage and metrics",
    instead: "addons, and helm with the output workloadKubeconfig for others",
  }),
  networkPlugin: () => ({
    why: "CAPZ has no Azure CNI and no kubenet for Windows nodes: the stack installs Calico with VXLAN",
    instead: "addons.cni: none, and extraManifests for a CNI of your own (docs/own-cni.md)",
  }),
  containerRuntime: (value) =>
    value === "containerd"
      ? { set: [] }
      : {
          why: "nodes run containerd, and Docker only with the flavor dockershim and its Kubernetes",
          instead: "flavor",
        },
  useManagedIdentity: () => ({
    why: "machines have managed identities, and no password of a service principal",
    instead: "identityIds of pools",
  }),
  kubeProxyMode: () => ({ why: "kube-proxy runs with iptables on Linux and in kernelspace on Windows" }),
  ...Object.fromEntries(
    [
      ...["featureFlags", "telemetryProfile", "useInstanceMetadata", "useCloudControllerManager"],
      ...["cloudProviderBackoff", "cloudProviderBackoffRetries", "cloudProviderBackoffDuration"],
      ...["cloudProviderRateLimit", "cloudProviderRateLimitQPS", "cloudProviderRateLimitBucket"],
      ...["cloudProviderRateLimitQPSWrite", "cloudProviderRateLimitBucketWrite"],
    ].map((key) => [key, () => ofTheTool]),
  ),
};

const windowsKeys: OwnKeys = Object.fromEntries(
  [
    ...["windowsPublisher", "windowsOffer", "imageVersion", "windowsImageSourceURL", "windowsImageSourceUrl"],
    ...["windowsPauseImageURL", "alwaysPullWindowsPauseImage", "windowsContainerdURL", "windowsSdnPluginURL"],
    ...["windowsDockerVersion", "provisioningScriptsPackageURL", "csiProxyURL", "cniPluginsURL"],
  ].map((key) => [key, () => bakedIn]),
);

const loginKeys: OwnKeys = {
  windowsRuntimes: () => isolation,
  enableAHUB: () => ({ set: [] }),
  windowsSku: () => ({
    why: `${bakedIn.why}; containers for another release of Windows are rebuilt (npm run workloads says which)`,
    instead: bakedIn.instead,
  }),
  ...Object.fromEntries(["adminUsername", "adminPassword", "sshEnabled"].map((key) => [key, () => login])),
  ...Object.fromEntries(
    [
      "enableAutomaticUpdates",
      "enableUnattendedUpgrades",
      "runUnattendedUpgradesOnBootstrap",
      "windowsSecureTLSEnabled",
      "windowsSecureTlsEnabled",
    ].map((key) => [key, () => ofImage]),
  ),
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
  carrier.carry(omitted(profile, "imageReference"), from, [], { ...windowsKeys, ...loginKeys });
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
  carrier.set(["kubernetesVersion"], version === "" ? newestRelease() : version);
  if (version === "") {
    carrier.leaveOut(
      "orchestratorVersion",
      "the apimodel names none, and left it to the tool",
      `kubernetesVersion: ${newestRelease()}`,
    );
  }
  carrier.carry(orchestrator, "orchestratorProfile", []);
  carrier.carry(kubernetesConfig, "kubernetesConfig", [], { ...clusterKeys, ...windowsKeys });
  const isOfOthers = textAt(inLowerCase(masterProfile), "vnetSubnetId").startsWith("/subscriptions/");
  carrier.carry(omitted(inLowerCase(masterProfile), "dnsPrefix"), "masterProfile", ["controlPlane"], {
    ...caching,
    imageReference: (value, place) => ({ set: [{ set: [...place, "image"], value: imageOf(value) }] }),
    // Machines are in the subscription of their network.
    vnetSubnetId: (value) => ({
      set: [
        { set: ["network", "existing", "controlPlaneSubnetId"], value },
        { set: ["azure", "subscriptionId"], value: subnetParts(text(value)).subscription },
      ],
    }),
    vnetCidr: (value) =>
      isOfOthers
        ? { set: [{ set: ["network", "vnetCidr"], value }] }
        : {
            why: "it is for a VNET of others only, and the apimodel names none",
            instead: "network.vnetCidr",
          },
    firstConsecutiveStaticIP: () => ({
      why: "Azure chooses the addresses of machines; the API server has a load balancer",
      instead: "network.apiServer.ip, for the address of a private API server",
    }),
  });
  if (isOfOthers) {
    carrier.ask("network", unknownRanges);
  }
  profiles.forEach(({ profile, path }, index) => {
    carrier.carry(profile, `agentPoolProfiles[${index}]`, path, poolKeys);
  });
  windowsProfile(carrier, inLowerCase(windows), "windowsProfile");
  const key = publicKeyOf(linux);
  if (key !== undefined) {
    carrier.set(["access"], { sshPublicKey: key });
  }
  carrier.carry(omitted(linux, "ssh"), "linuxProfile", [], loginKeys);
  carrier.carry(others, "", [], clusterKeys);
  return carrier.draft();
}
