import type { Settings } from "../../config/settings";
import { storageClasses } from "../../addons/storage/csi";
import { at, isRecord, list, strings, text, textAt, texts } from "../../tools/untyped";
import { affinityText, unmetAffinity } from "../../platform/workloads/nodeAffinity";
import { missingVolumes } from "../../platform/workloads/podFacts";
import type { NodePool, WorkloadManifest, StorageClass, Workload } from "./types";
import { present } from "../../tools/present";

/** Whether the volume claims of a workload will be bound. */

const provisioners = { azureDisk: "disk.csi.azure.com", azureFile: "file.csi.azure.com" } as const;

/** The storage classes that the add-ons of a stack create. */
export const stackClasses = ({ addons }: Settings): StorageClass[] =>
  (["azureDisk", "azureFile"] as const)
    .filter((key) => addons[key].enabled)
    .flatMap((key) =>
      storageClasses[key].map((name) => ({
        name,
        provisioner: provisioners[key],
        isDefault: addons.defaultStorageClass === name,
        fsType: "",
        protocol: "",
      })),
    );

export const classesOf = (manifests: readonly WorkloadManifest[]): StorageClass[] =>
  manifests
    .filter(({ kind }) => kind === "StorageClass")
    .map(({ name, object }) => ({
      name,
      provisioner: textAt(object, "provisioner"),
      isDefault:
        text(at(object, "metadata", "annotations", "storageclass.kubernetes.io/is-default-class")) === "true",
      fsType:
        textAt(object, "parameters", "csi.storage.k8s.io/fstype") || textAt(object, "parameters", "fsType"),
      protocol: textAt(object, "parameters", "protocol"),
    }));

type Claim = ReturnType<typeof claimsOf>["claims"][number];

function claimsOf(workload: Workload, manifests: readonly WorkloadManifest[]) {
  const named = list(at(workload.podSpec, "volumes"))
    .map((volume) => textAt(volume, "persistentVolumeClaim", "claimName"))
    .filter((name) => name !== "");
  const found = named.map((name) => ({
    name,
    manifest: manifests.find(
      (each) =>
        each.kind === "PersistentVolumeClaim" && each.name === name && each.namespace === workload.namespace,
    ),
  }));
  return {
    unknown: found.filter(({ manifest }) => manifest === undefined).map(({ name }) => name),
    claims: [
      ...list(at(workload.object, "spec", "volumeClaimTemplates")).map((claim) => ({
        name: textAt(claim, "metadata", "name"),
        spec: claim.spec,
        isBound: false,
      })),
      ...list(at(workload.podSpec, "volumes"))
        .filter((volume) => at(volume, "ephemeral", "volumeClaimTemplate") !== undefined)
        .map((volume) => ({
          name: textAt(volume, "name"),
          spec: at(volume, "ephemeral", "volumeClaimTemplate", "spec"),
          isBound: false,
        })),
      ...found.flatMap(({ name, manifest }) =>
        present(
          manifest !== undefined && {
            name,
            spec: at(manifest.object, "spec"),
            isBound: textAt(manifest.object, "status", "phase") === "Bound",
          },
        ),
      ),
    ],
  };
}

/** An empty class name, like volumeName, asks for a volume that was created by hand. */
const isByHand = (spec: unknown): boolean =>
  at(spec, "storageClassName") === "" || textAt(spec, "volumeName") !== "";

/** The PersistentVolumes that a claim can mean: the one that it names, or those that its selector fits. */
function volumesFor(spec: unknown, manifests: readonly WorkloadManifest[]): WorkloadManifest[] {
  const name = textAt(spec, "volumeName");
  const labels = Object.entries(texts(at(spec, "selector", "matchLabels")));
  return manifests
    .filter(({ kind }) => kind === "PersistentVolume")
    .filter(({ name: own, object }) =>
      name === ""
        ? labels.every(([key, value]) => textAt(object, "metadata", "labels", key) === value)
        : own === name,
    );
}

const kernelFileSystems = /^(?:ext\d|xfs|btrfs)$/;

/** Why a PersistentVolume cannot be mounted where the pods are scheduled. */
function volumeFaults(
  { name, object }: WorkloadManifest,
  drivers: readonly string[],
  scheduled: readonly NodePool[],
): string[] {
  const spec = at(object, "spec");
  const driver = driverOf(spec);
  const fsType = textAt(spec, "csi", "fsType") || textAt(spec, "azureDisk", "fsType");
  const required = at(spec, "nodeAffinity", "required");
  const affinity = {
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } },
  };
  const [unmet = []] = scheduled.map(({ labels }) => unmetAffinity(affinity, labels));
  const fits = scheduled.some(({ labels }) => unmetAffinity(affinity, labels).length === 0);
  const onWindows = scheduled.some(({ os }) => os === "windows");
  return present(
    driver !== "" && !drivers.includes(driver) && missingDriver(driver, drivers),
    scheduled.length > 0 &&
      !fits &&
      `it is on nodes with ${affinityText(unmet)}, where its pods are not scheduled`,
    ...(onWindows
      ? present(
          ...Object.entries(missingVolumes)
            .filter(([kind]) => isRecord(at(spec, kind)))
            .map(([, why]) => why),
          kernelFileSystems.test(fsType) && `it has ${fsType}, which Windows cannot read: use ntfs`,
          textAt(spec, "csi", "volumeAttributes", "protocol").toLowerCase() === "nfs" &&
            "it is shared by NFS, which Windows nodes do not mount: use SMB",
          // csi-driver-smb #453: New-SmbGlobalMapping says that the parameter is incorrect.
          driver === "smb.csi.k8s.io" &&
            /[\\/]$/.test(textAt(spec, "csi", "volumeAttributes", "source")) &&
            "its source ends with a slash, which Windows does not take: write it without",
          textAt(spec, "volumeMode") === "Block" && "Windows has no raw block devices (volumeMode: Block)",
        )
      : []),
  ).map((fault) => `PersistentVolume ${name}: ${fault}`);
}

/** Why a claim stays pending, or its volume cannot be mounted on Windows. */
function claimErrors({ name, spec }: Claim, classes: readonly StorageClass[], onWindows: boolean): string[] {
  const wanted = at(spec, "storageClassName");
  if (isByHand(spec)) {
    return [];
  }
  const asked = text(wanted);
  const found = classes.find((each) => (asked === "" ? each.isDefault : each.name === asked));
  const names = classes.map((each) => each.name).join(", ") || "none";
  if (found === undefined) {
    return [
      asked === ""
        ? `claim ${name}: it names no storage class and the cluster has no default one (it has ${names})`
        : `claim ${name}: there is no storage class ${asked}; the cluster has ${names}`,
    ];
  }
  const modes = strings(at(spec, "accessModes"));
  const isDisk = found.provisioner === provisioners.azureDisk;
  const shared = modes.find((mode) => mode === "ReadWriteMany" || mode === "ReadOnlyMany");
  return present(
    isDisk &&
      shared !== undefined &&
      textAt(spec, "volumeMode") !== "Block" &&
      `claim ${name}: a disk (${found.name}) has no ${shared}; use a class of file.csi.azure.com (addons.azureFile)`,
    onWindows &&
      kernelFileSystems.test(found.fsType) &&
      `claim ${name}: the class ${found.name} formats with ${found.fsType}, which Windows cannot read: use ntfs`,
    onWindows &&
      found.protocol.toLowerCase() === "nfs" &&
      `claim ${name}: the class ${found.name} shares by NFS, which Windows nodes do not mount: use SMB`,
    onWindows &&
      textAt(spec, "volumeMode") === "Block" &&
      `claim ${name}: Windows has no raw block devices (volumeMode: Block)`,
  );
}

// The API server and kubelet hand volumes of the former drivers to those of CSI (kubernetes v1.36.3 pkg/volume/csimigration).
const driverOf = (source: unknown): string =>
  Object.entries(provisioners).find(([kind]) => isRecord(at(source, kind)))?.[1] ??
  textAt(source, "csi", "driver");

function missingDriver(driver: string, drivers: readonly string[]): string {
  const key = Object.entries(provisioners).find(([, name]) => name === driver)?.[0];
  const instead =
    key === undefined ? `it has ${drivers.join(", ") || "none"}` : `addons.${key}.enabled: true`;
  return `the cluster does not have the driver ${driver} (${instead})`;
}

const driversOf = ({ manifests, storageClasses: classes }: StorageFacts): string[] => [
  ...new Set([
    ...manifests.filter(({ kind }) => kind === "CSIDriver").map(({ name }) => name),
    ...classes.map(({ provisioner }) => provisioner),
  ]),
];

/** Volumes in a pod itself whose driver the cluster does not have. */
const driverErrors = ({ podSpec }: Workload, drivers: readonly string[]): string[] =>
  list(at(podSpec, "volumes")).flatMap((volume) => {
    const driver = driverOf(volume);
    return driver === "" || drivers.includes(driver)
      ? []
      : [`volume ${textAt(volume, "name")}: ${missingDriver(driver, drivers)}`];
  });

export interface StorageFacts {
  readonly manifests: readonly WorkloadManifest[];
  readonly storageClasses: readonly StorageClass[];
}

/** @param scheduled - the pools where the scheduler may place the pods */
export function storageErrors(
  workload: Workload,
  facts: StorageFacts,
  scheduled: readonly NodePool[],
): string[] {
  const drivers = driversOf(facts);
  const onWindows = scheduled.some(({ os }) => os === "windows");
  const claims = claimsOf(workload, facts.manifests).claims.filter(({ isBound }) => !isBound);
  const byHand = claims
    .filter(({ spec }) => isByHand(spec))
    .map(({ spec }) =>
      volumesFor(spec, facts.manifests).map((each) => volumeFaults(each, drivers, scheduled)),
    )
    // Kubernetes binds a claim to any volume that fits, so that one without a fault is enough.
    .filter((faults) => faults.every((each) => each.length > 0))
    .flat(2);
  return [
    ...claims.flatMap((claim) => claimErrors(claim, facts.storageClasses, onWindows)),
    ...byHand,
    ...driverErrors(workload, drivers),
  ];
}

/** Claims and volumes that are not among the manifests. */
export function storageUnknowns(workload: Workload, { manifests }: StorageFacts): string[] {
  const { claims, unknown } = claimsOf(workload, manifests);
  return [
    ...unknown.map((name) => `claim ${name}, which is not among the manifests, and its storage class`),
    ...claims
      .filter(({ spec, isBound }) => !isBound && isByHand(spec) && volumesFor(spec, manifests).length === 0)
      .map(({ name, spec }) => {
        const volume = textAt(spec, "volumeName");
        return `claim ${name}: ${volume === "" ? "its PersistentVolume" : `PersistentVolume ${volume}`}, which is not among the manifests`;
      }),
  ];
}
