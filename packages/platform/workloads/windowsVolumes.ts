import type { WindowsVolumeArgs } from "./windowsArgs";
import { mountPathProblem, windowsPathProblem } from "./windowsPaths";

/** The sources that a volume of a pod can have; a storage class makes a claim of the StatefulSet's own. */
const sources = ["configMap", "secret", "hostPath", "claim", "storageClass"] as const;

export interface VolumeObjects {
  readonly mounts: readonly { name: string; mountPath: string; readOnly?: boolean }[];
  readonly volumes: readonly { name: string }[];
  /** Templates of claims, for a StatefulSet. */
  readonly claims: readonly { metadata: { name: string } }[];
}

/** Path for an error, as the user wrote it. */
function checkPath(volume: string, field: "mountPath" | "hostPath", path: string): string {
  const problem = field === "mountPath" ? mountPathProblem(path) : windowsPathProblem(path);
  if (problem !== undefined) {
    throw new RangeError(`volume ${volume}: ${field} ${path} ${problem}`);
  }
  return path;
}

function sourceOf({ name, configMap, secret, hostPath, claim }: WindowsVolumeArgs): object {
  if (configMap !== undefined) return { configMap: { name: configMap } };
  if (secret !== undefined) return { secret: { secretName: secret } };
  if (claim !== undefined) return { persistentVolumeClaim: { claimName: claim } };
  return hostPath === undefined
    ? { emptyDir: {} }
    : // The kubelet looks whether it is there, so that a wrong path shows in the events of the pod.
      { hostPath: { path: checkPath(name, "hostPath", hostPath), type: "Directory" } };
}

/**
 * The volumes of a pod and their mounts.
 * @param disks - whether each pod may have its own disks, as in a StatefulSet
 * @throws RangeError for a path that is not valid on Windows, for several sources, and for a disk that cannot be
 */
export function volumeObjects(args: readonly WindowsVolumeArgs[], disks: boolean): VolumeObjects {
  for (const volume of args) {
    const given = sources.filter((source) => volume[source] !== undefined);
    const { name, storageClass, sizeGiB } = volume;
    if (given.length > 1) {
      throw new RangeError(`volume ${name}: give one of ${given.join(" and ")}`);
    }
    if (storageClass !== undefined && !disks) {
      throw new RangeError(
        `volume ${name}: a disk belongs to one pod, so storageClass needs a StatefulSet; else name a claim`,
      );
    }
    if ((storageClass === undefined) !== (sizeGiB === undefined)) {
      throw new RangeError(`volume ${name}: storageClass and sizeGiB belong together`);
    }
    if (sizeGiB !== undefined && !(Number.isInteger(sizeGiB) && sizeGiB >= 1)) {
      throw new RangeError(`volume ${name}: sizeGiB is a whole number from 1 on`);
    }
  }
  return {
    mounts: args.map(({ name, mountPath, readOnly }) => ({
      name,
      mountPath: checkPath(name, "mountPath", mountPath),
      ...(readOnly === true ? { readOnly } : {}),
    })),
    volumes: args
      .filter(({ storageClass }) => storageClass === undefined)
      .map((volume) => ({ name: volume.name, ...sourceOf(volume) })),
    claims: args
      .filter(({ storageClass }) => storageClass !== undefined)
      .map(({ name, storageClass, sizeGiB }) => ({
        metadata: { name },
        spec: {
          // A disk of Azure is attached to one node at a time.
          accessModes: ["ReadWriteOnce"],
          storageClassName: storageClass,
          resources: { requests: { storage: `${sizeGiB ?? 0}Gi` } },
        },
      })),
  };
}
