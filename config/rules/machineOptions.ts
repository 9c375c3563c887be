import { present } from "capz-windows-kit/present";
import { localDisk } from "capz-windows-platform/machines/localDisk";
import type { Problem, Warning } from "capz-windows-kit/problem";
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
    },
    diskEncryptionSetId !== undefined && {
      ...common,
      path: `${path}.diskEncryptionSetId`,
      value: diskEncryptionSetId,
      problem: "CAPZ refuses a disk encryption set for an ephemeral OS disk",
      allowed: "ephemeralOsDisk or diskEncryptionSetId",
    },
    disk === "none" && {
      ...common,
      problem: `${vmSize} has no local disk, so CAPZ creates no machine of this size with an ephemeral OS disk`,
      allowed: "a size with a local disk, such as Standard_D4ds_v5",
    },
    placement === "ResourceDisk" &&
      typeof disk === "number" &&
      osDiskGB > disk && {
        ...common,
        problem: `the temporary disk of ${vmSize} has ${disk} GiB, and the OS disk ${osDiskGB}`,
        allowed: `an osDiskGB of at most ${disk}, or a larger size`,
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
      },
  );

/** OS disks on a host whose room the name of the size does not say. */
export const diskWarnings = (settings: Settings): Warning[] =>
  poolsOf(settings).flatMap(({ path, pool: { ephemeralOsDisk: placement, vmSize, osDiskGB } }) => {
    const disk = localDisk(vmSize);
    return present(
      placement !== undefined &&
        disk !== "none" &&
        (placement !== "ResourceDisk" || disk === undefined) && {
          path: `${path}.ephemeralOsDisk`,
          message: `not checked: whether the ${placement} of ${vmSize} holds an OS disk of ${osDiskGB} GB, without which Azure creates no machine (npm run preflight asks Azure)`,
        },
    );
  });

/** Options of machines that Azure or CAPZ refuse together. */
export const machineOptionRules = (settings: Settings): Problem[] =>
  poolsOf(settings).flatMap(({ path, pool }) => [
    ...ephemeralProblems(path, pool),
    ...noticeProblems(path, pool),
  ]);
