import type { StackFacts } from "capz-windows-contract";
import { present } from "capz-windows-kit/present";
import { at, isRecord, list, ownValue, strings, text, textAt } from "capz-windows-kit/untyped";
import { ofCluster, type Manifests, type StorageClass, type Workload, type WorkloadManifest } from "./types";

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

interface StorageFacts {
  readonly manifests: Manifests;
  readonly storageClasses: readonly StorageClass[];
  /** Whether there are no more classes and drivers than those that are known. */
  readonly knowsObjects: boolean;
}

/** What is wrong with volumes, and what was not looked at. */
interface StorageFindings {
  readonly errors: readonly string[];
  readonly unknowns: readonly string[];
}

const unknown = (...unknowns: readonly string[]): StorageFindings => ({ errors: [], unknowns });
const error = (...errors: readonly string[]): StorageFindings => ({ errors, unknowns: [] });

const prefixed = (prefix: string, { errors, unknowns }: StorageFindings): StorageFindings => ({
  errors: errors.map((each) => `${prefix}: ${each}`),
  unknowns: unknowns.map((each) => `${prefix}: ${each}`),
});

const isOfAzure = (driver: string): boolean => Object.values<string>(drivers).includes(driver);

/** Only the user knows whether a driver of others runs: the stack installs none, unless a cluster was read. */
function driverFindings(
  driver: string,
  { manifests, storageClasses: classes, knowsObjects }: StorageFacts,
): StorageFindings {
  const known = new Set([
    ...manifests.ofKind("CSIDriver").map(({ name }) => name),
    ...classes.filter(({ isThere }) => isThere).map(({ provisioner }) => provisioner),
  ]);
  if (driver === "" || known.has(driver)) {
    return unknown();
  }
  if (!knowsObjects || (!isOfAzure(driver) && !manifests.areOfCluster)) {
    return unknown(`whether the driver ${driver} runs`);
  }
  const key = addons.find((addon) => drivers[addon] === driver);
  const instead =
    key === undefined ? `it has ${[...known].join(", ") || "none"}` : `addons.${key}.enabled: true`;
  return error(`the cluster does not have the driver ${driver} (${instead})`);
}

const linuxFormats = /^(?:ext\d|xfs|btrfs)$/;

/** What Windows nodes do not mount of a volume, or of one that a class makes. */
const mountFaults = (what: string, fsType: string, protocol: string, volumeMode: string): string[] =>
  present(
    linuxFormats.test(fsType) && `${what} has ${fsType}, which Windows cannot read: use ntfs`,
    protocol.toLowerCase() === "nfs" && `${what} uses NFS, which Windows nodes do not mount: use SMB`,
    volumeMode === "Block" && "Windows has no raw block devices (volumeMode: Block)",
  );

/** What is known of a volume of a pod, or of a PersistentVolume, whatever claims it. */
function sourceFindings(source: unknown, facts: StorageFacts, onWindows: boolean): StorageFindings {
  const former = addons.find((kind) => isRecord(at(source, kind)));
  const driver = former === undefined ? textAt(source, "csi", "driver") : drivers[former];
  const ofDriver = driverFindings(driver, facts);
  if (!onWindows) {
    return ofDriver;
  }
  const isDisk = driver === drivers.azureDisk;
  const fsType = textAt(source, "csi", "fsType") || textAt(source, "azureDisk", "fsType");
  const share = at(source, "csi", "volumeAttributes");
  return {
    errors: present(
      ...ofDriver.errors,
      ...mountFaults("it", isDisk ? "" : fsType, textAt(share, "protocol"), textAt(source, "volumeMode")),
      // csi-driver-smb #453: New-SmbGlobalMapping says that the parameter is incorrect.
      driver === "smb.csi.k8s.io" &&
        /[\\/]$/.test(textAt(share, "source")) &&
        "its source ends with a slash, which Windows does not take: write it without",
    ),
    unknowns: present(
      ...ofDriver.unknowns,
      // A new disk gets NTFS (see classFindings), and one with data keeps its own.
      isDisk && linuxFormats.test(fsType) && `whether its disk has ${fsType}, which Windows cannot read`,
    ),
  };
}

/** Volumes that no Windows node mounts, and what to write instead. */
export const missingVolumes: Readonly<Record<string, string>> = {
  // Their drivers exist only in the Linux kernel (Kubernetes documentation, Windows storage).
  ...Object.fromEntries(
    ["nfs", "cephfs", "fc", "glusterfs", "iscsi", "rbd"].map((kind) => [
      kind,
      `Windows nodes have no ${kind}; use disk.csi.azure.com or file.csi.azure.com (SMB)`,
    ]),
  ),
  // kubelet looks for a program of each driver on the node, and image-builder v0.1.55 installs none.
  flexVolume:
    "the images of Windows nodes have no drivers for flexVolume; use disk.csi.azure.com or file.csi.azure.com (SMB)",
  // pkg/features/kube_features.go, GitRepoVolumeDriver; before that the node needs git.
  gitRepo:
    "Windows nodes have no git, and Kubernetes no gitRepo since 1.33; clone in an init container to an emptyDir",
};

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

/** What is known of the PersistentVolume that a claim names. */
function volumeFindings(name: string, facts: StorageFacts, onWindows: boolean): StorageFindings {
  const [found] = facts.manifests.named("PersistentVolume", name);
  if (found === undefined) {
    return unknown("it is not among the manifests");
  }
  const spec = at(found.object, "spec");
  const { errors, unknowns } = sourceFindings(spec, facts, onWindows);
  return {
    errors: present(
      ...errors,
      ...Object.entries(missingVolumes).map(([kind, why]) => onWindows && isRecord(at(spec, kind)) && why),
    ),
    unknowns: present(
      ...unknowns,
      at(spec, "nodeAffinity") !== undefined && "whether its pods are on the nodes of its nodeAffinity",
    ),
  };
}

/** Kinds whose pods share their claims. */
const sharing = ["Deployment", "ReplicaSet", "ReplicationController"];

/** Why a claim stays pending, or the volume that its class makes cannot be mounted. */
function classFindings(
  spec: unknown,
  { kind, object, podSpec }: Workload,
  facts: StorageFacts,
  onWindows: boolean,
): StorageFindings {
  const asked = textAt(spec, "storageClassName");
  const names = facts.storageClasses.map(({ name }) => name).join(", ") || "none";
  const found = facts.storageClasses.find(({ name, isDefault }) =>
    asked === "" ? isDefault : name === asked,
  );
  if (found === undefined && !facts.knowsObjects) {
    const which = asked === "" ? "a default storage class" : `a storage class ${asked}`;
    return unknown(
      `whether there is ${which}, and ${onWindows ? "Windows nodes mount" : "nodes mount"} its volumes`,
    );
  }
  if (found === undefined) {
    return error(
      asked === ""
        ? `it names no storage class and the cluster has no default one (it has ${names})`
        : `there is no storage class ${asked}; the cluster has ${names}`,
    );
  }
  const { name, provisioner, fsType, protocol } = found;
  const isDisk = provisioner === drivers.azureDisk;
  const mode = textAt(spec, "volumeMode");
  // azuredisk-csi-driver pkg/mounter/safe_mounter_host_process_windows.go, FormatAndMount: a new disk gets NTFS, whatever is asked.
  const format = isDisk ? "" : fsType;
  const shared = strings(at(spec, "accessModes")).find((each) => /^Read(?:Write|Only)Many$/.test(each));
  const replicas = sharing.includes(kind) ? Number(at(object, "spec", "replicas") ?? 1) : 1;
  const isShared = list(at(podSpec, "volumes")).some((volume) =>
    isRecord(at(volume, "persistentVolumeClaim")),
  );
  const ofDriver = driverFindings(provisioner, facts);
  return {
    errors: present(
      ...ofDriver.errors,
      isDisk &&
        shared !== undefined &&
        mode !== "Block" &&
        `a disk (${name}) has no ${shared}; use a class of file.csi.azure.com (addons.azureFile)`,
      ...(onWindows ? mountFaults(`its class ${name}`, format, protocol, mode) : []),
    ),
    unknowns: present(
      ...ofDriver.unknowns,
      isDisk &&
        isShared &&
        replicas > 1 &&
        `whether all ${replicas} pods are on one node, because a disk is attached to one at a time`,
    ),
  };
}

function claimFindings(
  { name, spec }: Claim,
  workload: Workload,
  facts: StorageFacts,
  onWindows: boolean,
): StorageFindings {
  const volume = textAt(spec, "volumeName");
  const claim = `claim ${name}`;
  if (spec === undefined) {
    return prefixed(claim, unknown("it is not among the manifests"));
  }
  if (volume !== "") {
    return prefixed(`PersistentVolume ${volume}`, volumeFindings(volume, facts, onWindows));
  }
  // An empty class name asks for a volume that was created by hand.
  return prefixed(
    claim,
    at(spec, "storageClassName") === ""
      ? unknown("which PersistentVolume it gets")
      : classFindings(spec, workload, facts, onWindows),
  );
}

/** @param onWindows - whether the scheduler may place its pods on Windows nodes */
export function storageFindings(
  workload: Workload,
  facts: StorageFacts,
  onWindows: boolean,
): StorageFindings {
  const found = [
    ...claimsOf(workload, facts).map((claim) => claimFindings(claim, workload, facts, onWindows)),
    ...list(at(workload.podSpec, "volumes")).map((volume) =>
      prefixed(`volume ${text(volume.name)}`, sourceFindings(volume, facts, onWindows)),
    ),
  ];
  return {
    errors: found.flatMap(({ errors }) => errors),
    unknowns: found.flatMap(({ unknowns }) => unknowns),
  };
}
