import { present } from "capz-windows-kit/present";
import { defaultPool } from "capz-windows-platform/machines/defaults";
import {
  gpuSize,
  hasSingleCpu,
  type VmTraits,
  vmResources,
  vmTraits,
} from "capz-windows-platform/machines/vmSizes";
import type { Problem } from "capz-windows-kit/problem";
import { isReference, type NodeImage, nodeImages } from "../nodeImages";
import { isDeployment, type Pool, poolsOf } from "../pools";
import type { Settings } from "../settings";

/** VM sizes against what runs on them: images, disks, processors and the autoscaler. */

interface Machine extends NodeImage {
  readonly vmSize: string;
  readonly traits: VmTraits;
  /** Whether the image is one of the Cluster API projects, which are for generation 1 and amd64. */
  readonly isReference: boolean;
  /** Whether its OS disk has a type other than the premium ones. */
  readonly hasOtherDisk: boolean;
}

type Sized = Pick<Pool, "vmSize" | "ephemeralOsDisk" | "osDiskType">;

const hasOtherDisk = ({ ephemeralOsDisk, osDiskType }: Sized): boolean =>
  ephemeralOsDisk !== undefined || (osDiskType !== undefined && !osDiskType.startsWith("Premium"));

/** The machines whose VM sizes are checked. */
function machinesOf(settings: Settings): Machine[] {
  const pools = new Map<string, Sized>(poolsOf(settings).map(({ path, pool }) => [path, pool]));
  return nodeImages(settings).flatMap((nodeImage) => {
    const machine = pools.get(nodeImage.path) ?? settings.controlPlane;
    const { vmSize } = machine;
    const traits = vmTraits(vmSize);
    return present(
      traits !== undefined &&
        !hasSingleCpu(vmSize) && {
          ...nodeImage,
          vmSize,
          traits,
          isReference: isReference(nodeImage),
          hasOtherDisk: hasOtherDisk(machine),
        },
    );
  });
}

const example = `${defaultPool.vmSize}, or ${gpuSize} with a GPU`;

function reasonOf({
  path,
  node,
  traits,
  isReference: reference,
  hasOtherDisk,
}: Machine): Pick<Problem, "problem" | "allowed"> | undefined {
  if (traits.arm && node.os === "windows") {
    return {
      problem: "a size with Arm processors, and Windows nodes of Kubernetes exist for amd64 only",
      allowed: `a size without the letter p, such as ${example}`,
    };
  }
  if (traits.arm && reference) {
    return {
      problem:
        "a size with Arm processors, and the reference images of the Cluster API projects are for amd64",
      allowed: `a size without the letter p, such as ${example}, or an image of your own for Arm`,
    };
  }
  if (!traits.firstGeneration && reference) {
    return {
      problem:
        "a size that boots images of Hyper-V generation 2 only, and the reference images of the Cluster API projects are of generation 1",
      allowed: `a size up to version 5, such as ${example}, or an image of your own of generation 2`,
    };
  }
  if (!traits.scsi && path === "controlPlane") {
    return {
      problem:
        "a size with NVMe disks: the control plane finds etcd's disk by a path that exists with SCSI only, so etcd would end up on the OS disk",
      allowed: `a size up to version 5, such as ${example}`,
    };
  }
  return traits.premium || hasOtherDisk
    ? undefined
    : {
        problem: "a size that takes no premium disks, and the OS disk of each node is one (Premium_LRS)",
        allowed: `a size with the letter s, such as ${example}`,
      };
}

const traitProblems = (settings: Settings): Problem[] =>
  machinesOf(settings).flatMap((machine) => {
    const { path, vmSize } = machine;
    const reason = reasonOf(machine);
    return present(
      reason && {
        ...reason,
        path: `${path}.vmSize`,
        value: vmSize,
        uses: [`${path}.vmSize`, `${path}.image`],
      },
    );
  });

const singleCpuProblems = (settings: Settings): Problem[] =>
  [{ path: "controlPlane", pool: settings.controlPlane }, ...poolsOf(settings)]
    .filter(({ pool }) => hasSingleCpu(pool.vmSize))
    .map(({ path, pool: { vmSize } }) => ({
      path: `${path}.vmSize`,
      value: vmSize,
      problem: "a size with one vCPU, and CAPZ creates no machines of such sizes",
      allowed: "a size with at least 2 vCPUs and 2 GiB",
    }));

/** Pools that the autoscaler could never scale up from zero, because nothing says which resources their nodes would have. */
const emptyProblems = (settings: Settings): Problem[] =>
  poolsOf(settings).flatMap(({ path, pool, pool: { autoscale, vmSize } }) =>
    // CAPZ itself reports the resources of the machines of an AzureMachineTemplate.
    present(
      autoscale?.min === 0 &&
        !isDeployment(pool) &&
        vmResources(vmSize) === undefined && {
          path: `${path}.autoscale`,
          value: autoscale,
          uses: [`${path}.autoscale`, `${path}.vmSize`],
          problem: `the cluster autoscaler can start a pool without nodes only if it knows the CPUs and the memory of a node, and this program does not know those of ${vmSize}`,
          allowed: "a min of at least 1, or a size of the families D or E from v3 on, or F from v2 on",
        },
    ),
  );

/** Machines that would never be created. */
export const machineRules = (settings: Settings): Problem[] => [
  ...singleCpuProblems(settings),
  ...traitProblems(settings),
  ...emptyProblems(settings),
];
