import { present } from "capz-windows-kit/present";
import { defaultPool } from "capz-windows-platform/machines/defaults";
import { marketplacePublisher, parseUrn } from "capz-windows-platform/machines/marketplace";
import {
  gpuSize,
  hasGpu,
  hasSingleCpu,
  type VmTraits,
  vmTraits,
} from "capz-windows-platform/machines/vmSizes";
import type { Problem, Warning } from "capz-windows-kit/problem";
import { type NodeImage, nodeImages, usesCommunityGallery } from "../nodeImages";
import { type Pool, poolsOf } from "../pools";
import type { Settings } from "../settings";

/** VM sizes against what runs on them: images, disks, processors and zones. */

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

function isReference(nodeImage: NodeImage): boolean {
  const { marketplace } = nodeImage.image ?? {};
  const publisher =
    marketplace?.urn === undefined ? marketplace?.publisher : parseUrn(marketplace.urn)?.publisher;
  return (
    usesCommunityGallery(nodeImage) ||
    (marketplace !== undefined && (publisher ?? marketplacePublisher) === marketplacePublisher)
  );
}

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

/** The size that is named in place of one that does not fit. */
const sizeBeside = (vmSize: string): string => (hasGpu(vmSize) ? gpuSize : defaultPool.vmSize);

function reasonOf({
  vmSize,
  path,
  node,
  traits,
  isReference: reference,
  hasOtherDisk,
}: Machine): Pick<Problem, "problem" | "allowed"> | undefined {
  const beside = sizeBeside(vmSize);
  if (traits.arm && node.os === "windows") {
    return {
      problem: "a size with Arm processors, and Windows nodes of Kubernetes exist for amd64 only",
      allowed: `a size without the letter p, such as ${beside}`,
    };
  }
  if (traits.arm && reference) {
    return {
      problem:
        "a size with Arm processors, and the reference images of the Cluster API projects are for amd64",
      allowed: `a size without the letter p, such as ${beside}, or an image of your own for Arm`,
    };
  }
  if (!traits.firstGeneration && reference) {
    return {
      problem:
        "a size that boots images of Hyper-V generation 2 only, and the reference images of the Cluster API projects are of generation 1",
      allowed: `a size up to version 5, such as ${beside}, or an image of your own of generation 2`,
    };
  }
  if (!traits.scsi && path === "controlPlane") {
    return {
      problem:
        "a size with NVMe disks: the control plane finds etcd's disk by a path that exists with SCSI only, so etcd would end up on the OS disk",
      allowed: `a size up to version 5, such as ${beside}`,
    };
  }
  return traits.premium || hasOtherDisk
    ? undefined
    : {
        problem: "a size that takes no premium disks, and the OS disk of each node is one (Premium_LRS)",
        allowed: `a size with the letter s, such as ${beside}`,
      };
}

/** Sizes of which Azure would create no machine, or CAPZ no node. */
export const sizeTraitProblems = (settings: Settings): Problem[] =>
  machinesOf(settings).flatMap((machine) => {
    const { path, vmSize } = machine;
    const reason = reasonOf(machine);
    return present(
      reason !== undefined && {
        ...reason,
        path: `${path}.vmSize`,
        value: vmSize,
        uses: [`${path}.vmSize`, `${path}.image`],
      },
    );
  });

/**
 * Regions that had no availability zones (after Azure's "Azure regions list", as known in 2025 and not looked up
 * since). Regions get zones over time, so this is no more than a hint.
 */
const regionsWithoutZones: readonly string[] = [
  ...[
    "australiacentral",
    "australiasoutheast",
    "brazilsoutheast",
    "canadaeast",
    "francesouth",
    "germanynorth",
  ],
  ...["koreasouth", "northcentralus", "norwaywest", "southafricawest", "southindia", "switzerlandwest"],
  ...["uaecentral", "ukwest", "westcentralus", "westus"],
];

/** Possible problems of sizes and zones that only Azure can confirm. */
export function sizeWarnings(settings: Settings): Warning[] {
  const { location } = settings.azure;
  const isZoned = poolsOf(settings).some(({ pool }) => pool.zones.length > 0);
  const machines = machinesOf(settings).filter(({ isReference: reference }) => !reference);
  return present(
    ...machines.flatMap(({ path, vmSize, traits }): Warning[] =>
      present(
        traits.arm && {
          path: `${path}.vmSize`,
          message: `${vmSize} has Arm processors: the image must be for them, and so must those of your pods`,
        },
        !traits.firstGeneration && {
          path: `${path}.vmSize`,
          message: `${vmSize} boots images of Hyper-V generation 2 only${traits.scsi ? "" : ", with NVMe disks"}: the image definition must say V2${traits.scsi ? "" : " and DiskControllerTypes SCSI,NVMe"}`,
        },
      ),
    ),
    isZoned &&
      regionsWithoutZones.includes(location) && {
        path: "azure.location",
        message: `${location} had no availability zones when this was written, and pools have zones: az vm list-skus --location ${location} --zone --resource-type virtualMachines -o table lists sizes with zones, if there are any now`,
      },
  );
}
