import { withoutUndefined } from "capz-windows-kit/without";
import { adapterMtu } from "../network/mtu";

/**
 * What the name of an Azure VM size says. Sources: Azure documentation, "VM size naming conventions", the pages of the
 * series, and "Support for generation 2 VMs on Azure"; looked up in November 2026 for v6, Arm and generation 2, otherwise as
 * known in 2025.
 */

/** Family, CPUs, constrained CPUs, features, accelerator and version. */
const sizeName =
  /^(?:Standard|Basic)_(?<letters>[A-Z]+)(?<number>\d+)(?:-(?<constrained>\d+))?(?<features>[a-z]*)(?:_(?<accelerator>[A-Z][A-Za-z0-9]*))?(?:_v(?<version>\d+))?(?:_Promo)?$/;

export interface SizeName {
  readonly letters: string;
  readonly number: string;
  readonly constrained?: string;
  readonly features: string;
  readonly accelerator?: string;
  /** 1 if the name has none. */
  readonly version: number;
}

/** The parts of the name of a VM size; `undefined` for names that are built in another way. */
export function parseVmSize(vmSize: string): SizeName | undefined {
  const {
    letters,
    number,
    constrained,
    features = "",
    accelerator,
    version,
  } = sizeName.exec(vmSize)?.groups ?? {};
  return letters === undefined || number === undefined
    ? undefined
    : {
        ...{ letters, number, features, version: Number(version ?? 1) },
        ...withoutUndefined({ constrained, accelerator }),
      };
}

/** What a machine of a size can do; unknown names can do everything. */
export interface VmTraits {
  /** Boots images of Hyper-V generation 1. */
  readonly firstGeneration: boolean;
  /** Has its disks on a SCSI controller, so that they have the paths of /dev/disk/azure/scsi1. */
  readonly scsi: boolean;
  readonly arm: boolean;
  /** Takes disks of the type Premium_LRS. */
  readonly premium: boolean;
}

/** Families without the letter s whose disks may be premium: the letter is in the family, or the page says so. */
const premiumFamilies = /^(DS|GS|LS|M|HB|HC|HX|ND|NG)$/;

/** Families that never had generation 1, by their first version without it. */
const secondGenerationFrom: Readonly<Record<string, number>> = { DC: 2, EC: 1, M: 2 };

/** Accelerators whose sizes boot generation 2 only. */
const secondGenerationAccelerators = /^(A100|H100|H200|MI300X|GB200)$/;

/**
 * From version 6 on sizes have NVMe disks and boot generation 2 only, as do those with Arm processors ("cannot boot
 * Hypervisor Generation '1'": hashicorp/terraform-provider-azurerm#28252, kubermatic/kubermatic#13184).
 */
export function vmTraits(vmSize: string): VmTraits | undefined {
  const size = parseVmSize(vmSize);
  if (size === undefined) {
    return undefined;
  }
  const { letters, features, accelerator, version } = size;
  const arm = features.includes("p");
  return {
    firstGeneration:
      !arm &&
      version < 6 &&
      version < (secondGenerationFrom[letters] ?? Infinity) &&
      !secondGenerationAccelerators.test(accelerator ?? ""),
    scsi: version < 6,
    arm,
    premium: features.includes("s") || premiumFamilies.test(letters),
  };
}

/** Largest number of CPUs of the families D and E in version 5. */
const mostCpus = 96;

/**
 * The nearest size that boots generation 1 from premium disks on amd64: D and E of version 5, or F of version 2, with
 * as many CPUs. `undefined` for other families.
 */
export function plainSize(vmSize: string): string | undefined {
  const { letters = "", number = "", features = "", version = 1 } = parseVmSize(vmSize) ?? {};
  if (letters === "F") {
    return Number(number) <= 64 && Number(number) > 1 ? `Standard_F${number}s_v2` : undefined;
  }
  const cpus = version === 2 ? vcpusByOrdinal[number] : Number(number);
  const kept = ["a", "d"].filter((feature) => features.includes(feature)).join("");
  return /^(D|DS|E)$/.test(letters) && cpus !== undefined && cpus > 1 && cpus <= mostCpus
    ? `Standard_${letters.charAt(0)}${cpus}${version < 3 ? "" : kept}s_v5`
    : undefined;
}

/** Whether machines of a size have a GPU or another accelerator, for which a pool exists: the family N. */
export const hasGpu = (vmSize: string): boolean => parseVmSize(vmSize)?.letters.startsWith("N") === true;

/** A size with a GPU that boots generation 1 from premium disks on amd64. */
export const gpuSize = "Standard_NC4as_T4_v3";

/** The share of a VM in the vCPU quota of its region. */
export interface VmCores {
  readonly vcpus: number;
  /** As the quota of Azure has it, between "Standard" and "Family vCPUs": `DSv5`. */
  readonly family: string;
}

/** vCPUs of the second version of D, whose names have an ordinal instead ("Dv2 and DSv2-series sizes"). */
const vcpusByOrdinal: Readonly<Record<string, number>> = {
  ...{ "1": 1, "2": 2, "3": 4, "4": 8, "5": 16 },
  ...{ "11": 2, "12": 4, "13": 8, "14": 16, "15": 20 },
};

/**
 * The vCPUs of a VM size, which its name says, and the family whose quota they count against.
 * @returns `undefined` for names that say less: sizes without a version, with constrained vCPUs or an accelerator
 */
export function vmCores(vmSize: string): VmCores | undefined {
  const size = parseVmSize(vmSize);
  if (
    size === undefined ||
    size.constrained !== undefined ||
    size.accelerator !== undefined ||
    !/_v\d+$/.test(vmSize)
  ) {
    return undefined;
  }
  const { letters, number, features, version } = size;
  const vcpus = version === 2 && /^DS?$/.test(letters) ? vcpusByOrdinal[number] : Number(number);
  return vcpus === undefined
    ? undefined
    : { vcpus, family: `${letters}${features.toUpperCase()}v${version}` };
}

/**
 * Is it a VM size with one vCPU? CAPZ gives up on such machines for good ("vm size should be bigger or equal to at least
 * 2 vCPUs", CAPZ v1.27.0 azure/services/virtualmachines/spec.go, scalesets.go), and so does kubeadm for a control plane.
 * The number in the name is that of the vCPUs in these families; G1 has two.
 */
export const hasSingleCpu = (vmSize: string): boolean =>
  /^(Standard|Basic)_(A0|(A|B|D|DC|DS|F)1)(?!\d)/.test(vmSize);

/** CPUs and memory of an Azure VM size. */
export interface VmResources {
  readonly cpus: number;
  readonly memoryGiB: number;
}

/** GiB per CPU of the VM families whose names determine CPUs and memory, and the first version of which that is true. */
const memoryPerCpu: Readonly<Record<string, readonly [gib: number, since: number]>> = {
  D: [4, 3],
  E: [8, 3],
  F: [2, 2],
};

/**
 * CPUs and memory of a VM size of the families D and E from version 3 on, or F from version 2 on, derived from its
 * name. `undefined` for other sizes, and for constrained sizes with fewer CPUs (`Standard_E8-4s_v5`).
 */
export function vmResources(vmSize: string): VmResources | undefined {
  const { letters = "", number, constrained, accelerator, features, version = 0 } = parseVmSize(vmSize) ?? {};
  const [perCpu, since] = memoryPerCpu[letters] ?? [0, Infinity];
  // The feature l means low memory, which is half of the family's.
  const divisor = features?.includes("l") === true ? 2 : 1;
  return vmSize.startsWith("Basic") ||
    version < since ||
    constrained !== undefined ||
    accelerator !== undefined
    ? undefined
    : { cpus: Number(number), memoryGiB: (Number(number) * perCpu) / divisor };
}

/**
 * The most network interfaces of a machine, for sizes of the families D and E in the versions 3 to 5 (Azure documentation,
 * pages of the series): 2 up to 4 vCPUs, 4 up to 8, 8 from 16 on.
 */
export function mostInterfaces(vmSize: string): number | undefined {
  const { letters = "", number, constrained, accelerator, version = 0 } = parseVmSize(vmSize) ?? {};
  if (!/^[DE]$/.test(letters) || version < 3 || version > 5 || accelerator !== undefined) {
    return undefined;
  }
  const cpus = Number(number);
  if (constrained !== undefined || (cpus > 8 && cpus < 16)) {
    return undefined;
  }
  if (cpus <= 4) {
    return 2;
  }
  return cpus <= 8 ? 4 : 8;
}

/** Sizes of the first version of B that have accelerated networking ("B-series burstable sizes"). */
const acceleratedBurstable: readonly string[] = ["12", "16", "20"];

/**
 * Whether machines of a size have accelerated networking: from 2 vCPUs on, with two threads for each core from 4 on
 * ("Accelerated Networking overview"); from version 5 on each size of D and E has it (pages of the series).
 * @returns `undefined` where the name does not say it
 */
export function hasAcceleratedNetworking(vmSize: string): boolean | undefined {
  const { letters = "", number = "", accelerator, version = 0 } = parseVmSize(vmSize) ?? {};
  if (vmSize.startsWith("Basic_") || letters === "A" || hasSingleCpu(vmSize)) {
    return false;
  }
  if (letters === "B" && version === 1) {
    return acceleratedBurstable.includes(number);
  }
  const hasPlainName = accelerator === undefined && /^(D|DS|E|F)$/.test(letters);
  const cores = version === 2 && letters !== "F" ? vcpusByOrdinal[number] : Number(number);
  if (!hasPlainName || cores === undefined || (letters !== "F" && version === 1)) {
    return undefined;
  }
  const isThreaded = version === 3 || version === 4 || (letters === "F" && version === 2);
  return cores >= (isThreaded ? 4 : 2) ? true : undefined;
}

/**
 * Whether each host that Azure may choose for a size carries packets of so many bytes inside of one VNET. Sizes up to
 * version 5 are on hosts with Mellanox adapters, and since 2026 on hosts with MANA, too ("MANA support for existing VM
 * series"); newer ones may have MANA only.
 * @returns `undefined` where that is not known
 */
export function carriesPackets(vmSize: string, bytes: number): boolean | undefined {
  const accelerated = hasAcceleratedNetworking(vmSize);
  if (accelerated !== true || bytes <= adapterMtu.mellanox) {
    return accelerated;
  }
  return (parseVmSize(vmSize)?.version ?? 0) < 6 ? false : undefined;
}

/**
 * The most data disks of a machine, for sizes of the families D and E in the versions 3 to 5, and F in version 2 (Azure
 * documentation, pages of the series): 2 for each vCPU, 32 in all.
 */
export function mostDataDisks(vmSize: string): number | undefined {
  const { letters = "", number, constrained, accelerator, version = 0 } = parseVmSize(vmSize) ?? {};
  const isKnown = /^[DE]$/.test(letters) ? version >= 3 && version <= 5 : letters === "F" && version === 2;
  return !isKnown || constrained !== undefined || accelerator !== undefined
    ? undefined
    : Math.min(32, 2 * Number(number));
}
