import type { StackFacts } from "capz-windows-contract";
import {
  affinityText,
  hostname,
  labelsFor,
  unmetAffinity,
} from "capz-windows-platform/workloads/nodeAffinity";
import { missingVolumes } from "capz-windows-platform/workloads/podFacts";
import { present } from "capz-windows-kit/present";
import { at, isRecord, list, ownValue, strings, text, textAt, texts } from "capz-windows-kit/untyped";
import {
  type Manifests,
  ofCluster,
  type NodePool,
  type StorageClass,
  type Workload,
  type WorkloadManifest,
} from "./types";

/** Whether the volumes of a workload are bound, and can be mounted where its pods are scheduled. */

const addons = ["azureDisk", "azureFile"] as const;
const drivers = { azureDisk: "disk.csi.azure.com", azureFile: "file.csi.azure.com" } as const;

/** Names before CSI; the API server, kubelet and controllers hand over to CSI (kubernetes v1.36.3 pkg/volume/csimigration). */
const formerly: Readonly<Record<string, string>> = {
  "kubernetes.io/azure-disk": drivers.azureDisk,
  "kubernetes.io/azure-file": drivers.azureFile,
};

/** The storage classes that the add-ons of a stack create. */
export const stackClasses = ({ addons: { storageClasses } }: StackFacts): StorageClass[] =>
  storageClasses.map(({ addon, name, isDefault }) => ({
    ...{ name, provisioner: drivers[addon], isDefault, fsType: "", protocol: "", isThere: true },
  }));

const defaultClass = "storageclass.kubernetes.io/is-default-class";

export const classesOf = (manifests: readonly WorkloadManifest[]): StorageClass[] =>
  manifests
    .filter(({ kind }) => kind === "StorageClass")
    .map(({ name, object, source }) => ({
      name,
      provisioner: ownValue(formerly, textAt(object, "provisioner")) ?? textAt(object, "provisioner"),
      isDefault: textAt(object, "metadata", "annotations", defaultClass) === "true",
      fsType:
        textAt(object, "parameters", "csi.storage.k8s.io/fstype") || textAt(object, "parameters", "fsType"),
      protocol: textAt(object, "parameters", "protocol"),
      isThere: source === ofCluster,
    }));

export interface StorageFacts {
  readonly manifests: Manifests;
  readonly storageClasses: readonly StorageClass[];
}

const driversIn = ({ manifests, storageClasses: classes }: StorageFacts): string[] => [
  ...new Set([
    ...manifests.ofKind("CSIDriver").map(({ name }) => name),
    ...classes.filter(({ isThere }) => isThere).map(({ provisioner }) => provisioner),
  ]),
];

/** Whether only the user knows whether a driver runs: the stack installs none of others, and no cluster was read. */
const isOpenDriver = (driver: string, facts: StorageFacts): boolean =>
  driver !== "" && !driversIn(facts).includes(driver) && !isOfAzure(driver) && !facts.manifests.areOfCluster;

function missingDriver(driver: string, facts: StorageFacts): string | false {
  const known = driversIn(facts);
  const key = addons.find((addon) => drivers[addon] === driver);
  const instead = key === undefined ? `it has ${known.join(", ") || "none"}` : `addons.${key}.enabled: true`;
  const isThere = driver === "" || known.includes(driver) || isOpenDriver(driver, facts);
  return !isThere && `the cluster does not have the driver ${driver} (${instead})`;
}

const linuxFormats = /^(?:ext\d|xfs|btrfs)$/;

/** What Windows nodes do not mount of a volume, or of one that a class makes. */
const mountFaults = (what: string, fsType: string, protocol: string, volumeMode: string): string[] =>
  present(
    linuxFormats.test(fsType) && `${what} has ${fsType}, which Windows cannot read: use ntfs`,
    protocol.toLowerCase() === "nfs" && `${what} uses NFS, which Windows nodes do not mount: use SMB`,
    volumeMode === "Block" && "Windows has no raw block devices (volumeMode: Block)",
  );

/** What a disk has that was not made for its claim: a new one gets NTFS (see claimFaults), and one with data keeps its own. */
function formatUnknown(what: string, source: unknown): string | false {
  const isDisk = isRecord(at(source, "azureDisk")) || textAt(source, "csi", "driver") === drivers.azureDisk;
  const fsType = textAt(source, "csi", "fsType") || textAt(source, "azureDisk", "fsType");
  return (
    isDisk &&
    linuxFormats.test(fsType) &&
    `${what}: whether its disk has ${fsType}, which Windows cannot read`
  );
}

/** Why a volume of a pod, or a PersistentVolume, cannot be mounted, whatever claims it. */
function sourceFaults(source: unknown, facts: StorageFacts, onWindows: boolean): string[] {
  const former = addons.find((kind) => isRecord(at(source, kind)));
  const driver = former === undefined ? textAt(source, "csi", "driver") : drivers[former];
  const fsType = driver === drivers.azureDisk ? "" : textAt(source, "csi", "fsType");
  const share = at(source, "csi", "volumeAttributes");
  return present(
    missingDriver(driver, facts),
    ...(onWindows ? mountFaults("it", fsType, textAt(share, "protocol"), textAt(source, "volumeMode")) : []),
    // csi-driver-smb #453: New-SmbGlobalMapping says that the parameter is incorrect.
    onWindows &&
      driver === "smb.csi.k8s.io" &&
      /[\\/]$/.test(textAt(share, "source")) &&
      "its source ends with a slash, which Windows does not take: write it without",
  );
}

interface Claim {
  readonly name: string;
  /** `undefined`: it is not among the manifests. */
  readonly spec: unknown;
}

/** Claims of a workload that no volume is bound to. */
function claimsOf({ object, podSpec, namespace }: Workload, { manifests }: StorageFacts): Claim[] {
  return [
    ...list(at(object, "spec", "volumeClaimTemplates")).map(({ metadata, spec }) => ({
      name: textAt(metadata, "name"),
      spec,
    })),
    ...list(at(podSpec, "volumes")).flatMap((volume) => {
      const name = textAt(volume, "persistentVolumeClaim", "claimName");
      const made = at(volume, "ephemeral", "volumeClaimTemplate", "spec");
      if (name === "") {
        return made === undefined ? [] : [{ name: text(volume.name), spec: made }];
      }
      const found = manifests
        .named("PersistentVolumeClaim", name)
        .find((each) => each.namespace === namespace)?.object;
      return textAt(found, "status", "phase") === "Bound" ? [] : [{ name, spec: at(found, "spec") }];
    }),
  ];
}

/** An empty class name, like volumeName, asks for a volume that was created by hand. */
const isByHand = ({ spec }: Claim): boolean =>
  at(spec, "storageClassName") === "" || textAt(spec, "volumeName") !== "";

/** The PersistentVolumes that a claim can mean: the one that it names, or those that its selector fits. */
function volumesFor({ spec }: Claim, { manifests }: StorageFacts): WorkloadManifest[] {
  const named = textAt(spec, "volumeName");
  const labels = Object.entries(texts(at(spec, "selector", "matchLabels")));
  if (named !== "") {
    return [...manifests.named("PersistentVolume", named)];
  }
  return manifests
    .ofKind("PersistentVolume")
    .filter(({ object }) =>
      labels.every(([key, value]) => textAt(object, "metadata", "labels", key) === value),
    );
}

/** Why a PersistentVolume cannot be mounted where the pods are scheduled. */
function volumeFaults(
  { name, object }: WorkloadManifest,
  facts: StorageFacts,
  scheduled: readonly NodePool[],
): string[] {
  const spec = at(object, "spec");
  const required = at(spec, "nodeAffinity", "required");
  const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } };
  const unmet = scheduled.map(({ labels }) => unmetAffinity({ affinity }, labelsFor({ affinity }, labels)));
  const onWindows = scheduled.some(({ os }) => os === "windows");
  return present(
    ...sourceFaults(spec, facts, onWindows),
    unmet.length > 0 &&
      unmet.every((terms) => terms.length > 0) &&
      `it is on nodes with ${affinityText(unmet[0] ?? [])}, where its pods are not scheduled`,
    ...Object.entries(missingVolumes).map(([kind, why]) => onWindows && isRecord(at(spec, kind)) && why),
  ).map((fault) => `PersistentVolume ${name}: ${fault}`);
}

const classFor = ({ spec }: Claim, { storageClasses: classes }: StorageFacts): StorageClass | undefined => {
  const asked = textAt(spec, "storageClassName");
  return classes.find(({ name, isDefault }) => (asked === "" ? isDefault : name === asked));
};

/** Why a claim stays pending, or its volume cannot be mounted on Windows. */
function claimFaults(claim: Claim, facts: StorageFacts, onWindows: boolean): string[] {
  const { spec } = claim;
  const asked = textAt(spec, "storageClassName");
  const names = facts.storageClasses.map(({ name }) => name).join(", ") || "none";
  const found = classFor(claim, facts);
  if (found === undefined) {
    return [
      asked === ""
        ? `it names no storage class and the cluster has no default one (it has ${names})`
        : `there is no storage class ${asked}; the cluster has ${names}`,
    ];
  }
  const { name, provisioner, fsType, protocol } = found;
  const mode = textAt(spec, "volumeMode");
  // azuredisk-csi-driver pkg/mounter/safe_mounter_host_process_windows.go, FormatAndMount: a new disk gets NTFS, whatever is asked.
  const format = provisioner === drivers.azureDisk ? "" : fsType;
  const shared = strings(at(spec, "accessModes")).find((each) => /^Read(?:Write|Only)Many$/.test(each));
  return present(
    isOfAzure(provisioner) && missingDriver(provisioner, facts),
    provisioner === drivers.azureDisk &&
      shared !== undefined &&
      mode !== "Block" &&
      `a disk (${name}) has no ${shared}; use a class of file.csi.azure.com (addons.azureFile)`,
    ...(onWindows ? mountFaults(`its class ${name}`, format, protocol, mode) : []),
  );
}

const isOfAzure = (provisioner: string): boolean => Object.values<string>(drivers).includes(provisioner);

/** What the API server asks of a claim (kubernetes v1.36.3 pkg/apis/core/validation, ValidatePersistentVolumeClaimSpec). */
const claimFields = [["accessModes"], ["resources", "requests", "storage"]] as const;

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);

/** @param scheduled - the pools where the scheduler may place the pods */
export function storageErrors(
  workload: Workload,
  facts: StorageFacts,
  scheduled: readonly NodePool[],
): string[] {
  const onWindows = scheduled.some(({ os }) => os === "windows");
  const ofClaims = claimsOf(workload, facts).flatMap((claim) => {
    if (claim.spec === undefined) {
      return [];
    }
    const missing = claimFields.find((path) => isEmpty(at(claim.spec, ...path)));
    if (missing !== undefined) {
      return [`claim ${claim.name}: spec.${missing.join(".")} is missing`];
    }
    if (!isByHand(claim)) {
      return claimFaults(claim, facts, onWindows).map((fault) => `claim ${claim.name}: ${fault}`);
    }
    // Kubernetes binds a claim to any volume that fits, so that one without a fault is enough.
    const faults = volumesFor(claim, facts).map((volume) => volumeFaults(volume, facts, scheduled));
    return faults.every((each) => each.length > 0) ? faults.flat() : [];
  });
  const ofVolumes = list(at(workload.podSpec, "volumes")).flatMap((volume) =>
    sourceFaults(volume, facts, onWindows).map((fault) => `volume ${text(volume.name)}: ${fault}`),
  );
  return [...ofClaims, ...ofVolumes];
}

/** Kinds whose pods share their claims. */
const sharing = ["Deployment", "ReplicaSet", "ReplicationController"];

/** What is not known of a claim. */
function unknownOf(claim: Claim, { kind, object, podSpec }: Workload, facts: StorageFacts): string | false {
  if (claim.spec === undefined) {
    return `claim ${claim.name}, which is not among the manifests, and its storage class`;
  }
  if (!isByHand(claim)) {
    const { provisioner = "" } = classFor(claim, facts) ?? {};
    const isKnown = provisioner === "" || isOfAzure(provisioner) || driversIn(facts).includes(provisioner);
    const replicas = sharing.includes(kind) ? Number(at(object, "spec", "replicas") ?? 1) : 1;
    const isShared = list(at(podSpec, "volumes")).some((volume) =>
      isRecord(at(volume, "persistentVolumeClaim")),
    );
    if (provisioner === drivers.azureDisk && replicas > 1 && isShared) {
      return `claim ${claim.name}: whether all ${replicas} pods are on one node, because a disk is attached to one at a time`;
    }
    return !isKnown && `claim ${claim.name}: whether its provisioner ${provisioner} runs`;
  }
  const volumes = volumesFor(claim, facts);
  const named = textAt(claim.spec, "volumeName");
  const volume = named === "" ? "its PersistentVolume" : `PersistentVolume ${named}`;
  if (volumes.length === 0) {
    return `claim ${claim.name}: ${volume}, which is not among the manifests`;
  }
  const driver = volumes
    .map(({ object }) => textAt(object, "spec", "csi", "driver"))
    .find((each) => isOpenDriver(each, facts));
  if (driver !== undefined) {
    return `claim ${claim.name}: whether the driver ${driver} of ${volume} runs`;
  }
  return (
    volumes.some(({ object }) =>
      JSON.stringify(at(object, "spec", "nodeAffinity") ?? "").includes(hostname),
    ) && `claim ${claim.name}: whether there is the node that ${volume} names`
  );
}

export const storageUnknowns = (workload: Workload, facts: StorageFacts): string[] =>
  present(
    ...claimsOf(workload, facts).map((claim) => unknownOf(claim, workload, facts)),
    ...list(at(workload.podSpec, "volumes")).map((volume) => {
      const driver = textAt(volume, "csi", "driver");
      return isOpenDriver(driver, facts) && `volume ${text(volume.name)}: whether the driver ${driver} runs`;
    }),
  );

/** What is not known of volumes on Windows nodes alone. */
export const formatUnknowns = (workload: Workload, facts: StorageFacts): string[] =>
  present(
    ...claimsOf(workload, facts)
      .filter((claim) => claim.spec !== undefined && isByHand(claim))
      .flatMap((claim) => volumesFor(claim, facts))
      .map(({ name, object }) => formatUnknown(`PersistentVolume ${name}`, at(object, "spec"))),
    ...list(at(workload.podSpec, "volumes")).map((volume) =>
      formatUnknown(`volume ${text(volume.name)}`, volume),
    ),
  );
