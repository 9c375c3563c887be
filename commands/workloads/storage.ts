import { storageClasses } from "../../addons/storage/csi";
import type { Settings } from "../../config/settings";
import { affinityText, hostname, labelsFor, unmetAffinity } from "../../platform/workloads/nodeAffinity";
import { missingVolumes } from "../../platform/workloads/podFacts";
import { present } from "../../tools/present";
import { at, isRecord, list, strings, text, textAt, texts } from "../../tools/untyped";
import { ofCluster, type NodePool, type StorageClass, type Workload, type WorkloadManifest } from "./types";

/** Whether the volumes of a workload are bound, and can be mounted where its pods are scheduled. */

const provisioners = { azureDisk: "disk.csi.azure.com", azureFile: "file.csi.azure.com" } as const;
const addons = ["azureDisk", "azureFile"] as const;

/** The storage classes that the add-ons of a stack create. */
export const stackClasses = ({ addons: settings }: Settings): StorageClass[] =>
  addons
    .filter((key) => settings[key].enabled)
    .flatMap((key) =>
      storageClasses[key].map((name) => {
        const isDefault = settings.defaultStorageClass === name;
        return { name, provisioner: provisioners[key], isDefault, fsType: "", protocol: "", isThere: true };
      }),
    );

/** The provisioners before CSI, whose claims the drivers of CSI take (kubernetes v1.36.3 pkg/volume/csimigration). */
const csiName = (provisioner: string): string =>
  ({
    "kubernetes.io/azure-disk": provisioners.azureDisk,
    "kubernetes.io/azure-file": provisioners.azureFile,
  })[provisioner] ?? provisioner;

const defaultClass = "storageclass.kubernetes.io/is-default-class";

export const classesOf = (manifests: readonly WorkloadManifest[]): StorageClass[] =>
  manifests
    .filter(({ kind }) => kind === "StorageClass")
    .map(({ name, object, source }) => ({
      name,
      provisioner: csiName(textAt(object, "provisioner")),
      isThere: source === ofCluster,
      isDefault: textAt(object, "metadata", "annotations", defaultClass) === "true",
      fsType:
        textAt(object, "parameters", "csi.storage.k8s.io/fstype") || textAt(object, "parameters", "fsType"),
      protocol: textAt(object, "parameters", "protocol"),
    }));

/** What Windows nodes do not mount of a volume, or of one that a class makes. */
const mountFaults = (what: string, fsType: string, protocol: string, volumeMode: string): string[] =>
  present(
    /^(?:ext\d|xfs|btrfs)$/.test(fsType) && `${what} has ${fsType}, which Windows cannot read: use ntfs`,
    protocol.toLowerCase() === "nfs" && `${what} uses NFS, which Windows nodes do not mount: use SMB`,
    volumeMode === "Block" && "Windows has no raw block devices (volumeMode: Block)",
  );

// The API server and kubelet hand volumes of the former drivers to those of CSI (kubernetes v1.36.3 pkg/volume/csimigration).
const driverOf = (source: unknown): string => {
  const former = addons.find((kind) => isRecord(at(source, kind)));
  return former === undefined ? textAt(source, "csi", "driver") : provisioners[former];
};

function missingDriver(driver: string, drivers: readonly string[]): string {
  const key = addons.find((addon) => provisioners[addon] === driver);
  const instead =
    key === undefined ? `it has ${drivers.join(", ") || "none"}` : `addons.${key}.enabled: true`;
  return `the cluster does not have the driver ${driver} (${instead})`;
}

/** Why a volume of a pod, or a PersistentVolume, cannot be mounted, whatever claims it. */
function sourceFaults(source: unknown, drivers: readonly string[], onWindows: boolean): string[] {
  const driver = driverOf(source);
  const fsType = textAt(source, "csi", "fsType") || textAt(source, "azureDisk", "fsType");
  const share = at(source, "csi", "volumeAttributes");
  return present(
    driver !== "" && !drivers.includes(driver) && missingDriver(driver, drivers),
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
  readonly spec: unknown;
  readonly isBound: boolean;
  /** Whether it is among the manifests, or made for the pod. */
  readonly isKnown: boolean;
}

function claimsOf({ object, podSpec, namespace }: Workload, manifests: readonly WorkloadManifest[]): Claim[] {
  const volumes = list(at(podSpec, "volumes"));
  const made = [
    ...list(at(object, "spec", "volumeClaimTemplates")).map((claim) => ({
      name: textAt(claim, "metadata", "name"),
      spec: claim.spec,
    })),
    ...volumes
      .filter(({ ephemeral }) => isRecord(ephemeral))
      .map((volume) => ({
        name: textAt(volume, "name"),
        spec: at(volume, "ephemeral", "volumeClaimTemplate", "spec"),
      })),
  ].map((claim): Claim => ({ ...claim, isBound: false, isKnown: true }));
  const named = volumes
    .map((volume) => textAt(volume, "persistentVolumeClaim", "claimName"))
    .filter((name) => name !== "")
    .map((name): Claim => {
      const found = manifests.find(
        (each) => each.kind === "PersistentVolumeClaim" && each.name === name && each.namespace === namespace,
      )?.object;
      const isBound = textAt(found, "status", "phase") === "Bound";
      return { name, spec: at(found, "spec"), isBound, isKnown: found !== undefined };
    });
  return [...made, ...named];
}

/** An empty class name, like volumeName, asks for a volume that was created by hand. */
const isByHand = ({ spec }: Claim): boolean =>
  at(spec, "storageClassName") === "" || textAt(spec, "volumeName") !== "";

/** The PersistentVolumes that a claim can mean: the one that it names, or those that its selector fits. */
function volumesFor({ spec }: Claim, manifests: readonly WorkloadManifest[]): WorkloadManifest[] {
  const named = textAt(spec, "volumeName");
  const labels = Object.entries(texts(at(spec, "selector", "matchLabels")));
  return manifests.filter(
    ({ kind, name, object }) =>
      kind === "PersistentVolume" &&
      (named === ""
        ? labels.every(([key, value]) => textAt(object, "metadata", "labels", key) === value)
        : name === named),
  );
}

/** Why a PersistentVolume cannot be mounted where the pods are scheduled. */
function volumeFaults(
  { name, object }: WorkloadManifest,
  drivers: readonly string[],
  scheduled: readonly NodePool[],
): string[] {
  const spec = at(object, "spec");
  const required = at(spec, "nodeAffinity", "required");
  const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } };
  const unmet = scheduled.map(({ labels }) => unmetAffinity({ affinity }, labelsFor({ affinity }, labels)));
  const onWindows = scheduled.some(({ os }) => os === "windows");
  return present(
    ...sourceFaults(spec, drivers, onWindows),
    unmet.length > 0 &&
      unmet.every((terms) => terms.length > 0) &&
      `it is on nodes with ${affinityText(unmet[0] ?? [])}, where its pods are not scheduled`,
    ...Object.entries(missingVolumes).map(([kind, why]) => onWindows && isRecord(at(spec, kind)) && why),
  ).map((fault) => `PersistentVolume ${name}: ${fault}`);
}

const classFor = (spec: unknown, classes: readonly StorageClass[]): StorageClass | undefined => {
  const asked = textAt(spec, "storageClassName");
  return classes.find(({ name, isDefault }) => (asked === "" ? isDefault : name === asked));
};

/** Why a claim stays pending, or its volume cannot be mounted on Windows. */
function claimFaults(
  { spec }: Claim,
  { storageClasses: classes }: StorageFacts,
  drivers: readonly string[],
  onWindows: boolean,
): string[] {
  const asked = textAt(spec, "storageClassName");
  const found = classFor(spec, classes);
  const names = classes.map(({ name }) => name).join(", ") || "none";
  if (found === undefined) {
    return [
      asked === ""
        ? `it names no storage class and the cluster has no default one (it has ${names})`
        : `there is no storage class ${asked}; the cluster has ${names}`,
    ];
  }
  const mode = textAt(spec, "volumeMode");
  const shared = strings(at(spec, "accessModes")).find((each) => /^Read(?:Write|Only)Many$/.test(each));
  const { provisioner } = found;
  return present(
    Object.values<string>(provisioners).includes(provisioner) &&
      !drivers.includes(provisioner) &&
      missingDriver(provisioner, drivers),
    provisioner === provisioners.azureDisk &&
      shared !== undefined &&
      mode !== "Block" &&
      `a disk (${found.name}) has no ${shared}; use a class of file.csi.azure.com (addons.azureFile)`,
    ...(onWindows ? mountFaults(`its class ${found.name}`, found.fsType, found.protocol, mode) : []),
  );
}

export interface StorageFacts {
  readonly manifests: readonly WorkloadManifest[];
  readonly storageClasses: readonly StorageClass[];
}

const driversOf = ({ manifests, storageClasses: classes }: StorageFacts): string[] => [
  ...new Set([
    ...manifests.filter(({ kind }) => kind === "CSIDriver").map(({ name }) => name),
    ...classes.filter(({ isThere }) => isThere).map(({ provisioner }) => provisioner),
  ]),
];

/** @param scheduled - the pools where the scheduler may place the pods */
export function storageErrors(
  workload: Workload,
  facts: StorageFacts,
  scheduled: readonly NodePool[],
): string[] {
  const drivers = driversOf(facts);
  const { manifests } = facts;
  const onWindows = scheduled.some(({ os }) => os === "windows");
  const open = claimsOf(workload, manifests).filter(({ isBound, isKnown }) => isKnown && !isBound);
  const byHand = open
    .filter(isByHand)
    .map((claim) => volumesFor(claim, manifests).map((each) => volumeFaults(each, drivers, scheduled)))
    // Kubernetes binds a claim to any volume that fits, so that one without a fault is enough.
    .filter((faults) => faults.every((each) => each.length > 0));
  return [
    ...open
      .filter((claim) => !isByHand(claim))
      .flatMap((claim) =>
        claimFaults(claim, facts, drivers, onWindows).map((fault) => `claim ${claim.name}: ${fault}`),
      ),
    ...byHand.flat(2),
    ...list(at(workload.podSpec, "volumes")).flatMap((volume) =>
      sourceFaults(volume, drivers, onWindows).map((fault) => `volume ${text(volume.name)}: ${fault}`),
    ),
  ];
}

/** What is not known of its claims and volumes. */
export const storageUnknowns = (workload: Workload, facts: StorageFacts): string[] => {
  const drivers = driversOf(facts);
  return claimsOf(workload, facts.manifests).flatMap((claim) => {
    const { name, spec, isBound, isKnown } = claim;
    if (!isKnown) {
      return [`claim ${name}, which is not among the manifests, and its storage class`];
    }
    if (isBound) {
      return [];
    }
    if (!isByHand(claim)) {
      const provisioner = classFor(spec, facts.storageClasses)?.provisioner;
      const isOpen =
        provisioner !== undefined &&
        !drivers.includes(provisioner) &&
        !Object.values<string>(provisioners).includes(provisioner);
      return isOpen ? [`claim ${name}: whether its provisioner ${provisioner} runs`] : [];
    }
    const volumes = volumesFor(claim, facts.manifests);
    const named = textAt(spec, "volumeName");
    const volume = named === "" ? "its PersistentVolume" : `PersistentVolume ${named}`;
    return present(
      volumes.length === 0 && `claim ${name}: ${volume}, which is not among the manifests`,
      volumes.some(({ object }) =>
        JSON.stringify(at(object, "spec", "nodeAffinity") ?? "").includes(hostname),
      ) && `claim ${name}: whether there is the node that ${volume} names`,
    );
  });
};
