import { present } from "../../tools/present";
import { localDisk } from "../../platform/machines/localDisk";
import type { Problem } from "../../tools/problem";
import { isDeployment, type Pool, poolsOf } from "../pools";
import type { Settings } from "../settings";

/** OS disks on the host: options that exclude them, and VM sizes without enough space for them. */
function ephemeralProblems(path: string, pool: Pool): Problem[] {
  const { ephemeralOsDisk: placement, osDiskGB, vmSize, spot, osDiskType, diskEncryptionSetId } = pool;
  if (placement === undefined) {
    return [];
  }
  const disk = localDisk(vmSize);
  const common = { path: `${path}.ephemeralOsDisk`, value: placement, uses: [path] };
  const remove = "remove ephemeralOsDisk";
  return present(
    spot?.evictionPolicy === "Deallocate" && {
      ...common,
      path: `${path}.spot.evictionPolicy`,
      value: spot.evictionPolicy,
      problem: "a machine with an ephemeral OS disk cannot be deallocated: the disk would be lost",
      allowed: "Delete",
      write: "evictionPolicy: Delete",
    },
    osDiskType !== undefined && {
      ...common,
      path: `${path}.osDiskType`,
      value: osDiskType,
      problem: "an ephemeral OS disk has no type: it is on the machine's host",
      allowed: "ephemeralOsDisk or osDiskType",
      write: "remove osDiskType",
    },
    diskEncryptionSetId !== undefined && {
      ...common,
      path: `${path}.diskEncryptionSetId`,
      value: diskEncryptionSetId,
      problem: "CAPZ refuses a disk encryption set for an ephemeral OS disk",
      allowed: "ephemeralOsDisk or diskEncryptionSetId",
      write: "remove diskEncryptionSetId",
    },
    disk === "none" && {
      ...common,
      problem: `${vmSize} has no local disk, so CAPZ creates no machine of this size with an ephemeral OS disk`,
      allowed: "a size with a local disk, such as Standard_D4ds_v5",
      write: remove,
    },
    placement === "ResourceDisk" &&
      typeof disk === "number" &&
      osDiskGB > disk && {
        ...common,
        problem: `the temporary disk of ${vmSize} has ${disk} GiB, and the OS disk ${osDiskGB}`,
        allowed: `an osDiskGB of at most ${disk}, or a larger size`,
        write: remove,
      },
  );
}

/** Scale sets give notice, single machines do not. */
const noticeProblems = (path: string, pool: Pool): Problem[] =>
  present(
    pool.terminationNoticeMinutes !== undefined &&
      isDeployment(pool) && {
        path: `${path}.terminationNoticeMinutes`,
        value: pool.terminationNoticeMinutes,
        uses: [path],
        problem: "only machines of a scale set get notice; CAPZ has no such field for single machines",
        allowed: "kind: MachinePool",
        write: "remove terminationNoticeMinutes",
      },
  );

/** Options of machines that Azure or CAPZ refuse together. */
export const machineOptionRules = (settings: Settings): Problem[] =>
  poolsOf(settings).flatMap(({ path, pool }) => [
    ...ephemeralProblems(path, pool),
    ...noticeProblems(path, pool),
  ]);
