import type { Settings } from "../../config/settings";
import { storageClasses } from "../../addons/storage/csi";
import { at, isRecord, list, strings, text, textAt } from "../../tools/untyped";
import type { WorkloadManifest, StorageClass, Workload } from "./types";
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

/** Why a claim stays pending, or its volume cannot be mounted on Windows. */
function claimErrors({ name, spec }: Claim, classes: readonly StorageClass[], onWindows: boolean): string[] {
  const wanted = at(spec, "storageClassName");
  // An empty class name, like volumeName, asks for a volume that was created by hand.
  if (wanted === "" || textAt(spec, "volumeName") !== "") {
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
      /^(?:ext\d|xfs|btrfs)$/.test(found.fsType) &&
      `claim ${name}: the class ${found.name} formats with ${found.fsType}, which Windows cannot read: use ntfs`,
    onWindows &&
      found.protocol.toLowerCase() === "nfs" &&
      `claim ${name}: the class ${found.name} shares by NFS, which Windows nodes do not mount: use SMB`,
    onWindows &&
      textAt(spec, "volumeMode") === "Block" &&
      `claim ${name}: Windows has no raw block devices (volumeMode: Block)`,
  );
}

/** Volumes in a pod itself whose driver the cluster does not have. */
function driverErrors({ podSpec }: Workload, { manifests, storageClasses: classes }: StorageFacts): string[] {
  const drivers = [
    ...new Set([
      ...manifests.filter(({ kind }) => kind === "CSIDriver").map(({ name }) => name),
      ...classes.map(({ provisioner }) => provisioner),
    ]),
  ];
  return list(at(podSpec, "volumes")).flatMap((volume) => {
    // The API server and kubelet hand volumes of the former drivers to those of CSI (kubernetes v1.36.3 pkg/volume/csimigration).
    const former = Object.entries(provisioners).find(([kind]) => isRecord(volume[kind]));
    const driver = former?.[1] ?? textAt(volume, "csi", "driver");
    if (driver === "" || drivers.includes(driver)) {
      return [];
    }
    const key = Object.entries(provisioners).find(([, name]) => name === driver)?.[0];
    const instead =
      key === undefined ? `it has ${drivers.join(", ") || "none"}` : `addons.${key}.enabled: true`;
    return [`volume ${textAt(volume, "name")}: the cluster does not have the driver ${driver} (${instead})`];
  });
}

export interface StorageFacts {
  readonly manifests: readonly WorkloadManifest[];
  readonly storageClasses: readonly StorageClass[];
}

export function storageErrors(workload: Workload, facts: StorageFacts, onWindows: boolean): string[] {
  const claims = claimsOf(workload, facts.manifests)
    .claims.filter(({ isBound }) => !isBound)
    .flatMap((claim) => claimErrors(claim, facts.storageClasses, onWindows));
  return [...claims, ...driverErrors(workload, facts)];
}

export const storageNotes = (workload: Workload, { manifests }: StorageFacts): string[] =>
  claimsOf(workload, manifests).unknown.map(
    (name) => `claim ${name} is not among the manifests, so its storage class was not checked`,
  );
