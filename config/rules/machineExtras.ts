import { present } from "capz-windows-kit/present";
import { mostDataDisks, vmTraits } from "capz-windows-platform/machines/vmSizes";
import type { Problem } from "capz-windows-kit/problem";
import { at } from "capz-windows-kit/untyped";
import { isReference, nodeImages } from "../nodeImages";
import { type Pool, poolsOf, windowsPoolsOf } from "../pools";
import type { Settings } from "../settings";

/**
 * Folders that are in use before a data disk is mounted, and folders below them in which a node keeps its own files.
 */
const systemFolders =
  /^\/(bin|boot|dev|etc|home|lib|lib64|mnt|opt|proc|root|run|sbin|snap|srv|sys|tmp|usr|var|var\/(lib|log|run|tmp|cache)|var\/lib\/(cloud|containerd|dpkg|waagent|systemd)(\/.*)?|(bin|boot|dev|etc|lib|lib64|proc|run|sbin|sys|usr)\/.*)$/;

/** Keys that a disk cannot share with another one. */
const uniqueKeys = ["name", "mountPath", "letter"] as const;

function diskProblems(path: string, pool: Pool): Problem[] {
  const { dataDisks, vmSize } = pool;
  const traits = vmTraits(vmSize);
  const most = mostDataDisks(vmSize);
  const common = { path: `${path}.dataDisks`, value: dataDisks.map(({ name }) => name) };
  const uses = [`${path}.dataDisks`, `${path}.vmSize`];
  const inUse = dataDisks.flatMap((disk, index): Problem[] => {
    const same = uniqueKeys.filter(
      (key) => disk[key] !== undefined && dataDisks.findIndex((other) => other[key] === disk[key]) < index,
    );
    const item = { path: `${path}.dataDisks[${index}]`, value: disk, uses };
    const isPremium = disk.type?.startsWith("Premium") ?? true;
    return present<Problem>(
      same.length > 0 && {
        ...item,
        problem: `another disk has the same ${same.join(" and ")}`,
        allowed: `each ${same.join(" and ")} once`,
      },
      disk.mountPath !== undefined &&
        systemFolders.test(disk.mountPath) && {
          ...item,
          problem: `${disk.mountPath} is in use before the disk is mounted, and the mount would hide its contents`,
          allowed: "a separate folder, such as /data, or /var/lib/kubelet",
        },
      isPremium &&
        traits?.premium === false && {
          ...item,
          problem: `${vmSize} takes no premium disks`,
          allowed: "a type that begins with Standard, or a size with the letter s, such as Standard_D4s_v5",
        },
    ).slice(0, 1);
  });
  return present(
    ...inUse,
    dataDisks.length > 0 &&
      traits?.scsi === false && {
        ...common,
        uses,
        problem: `${vmSize} has NVMe disks, and nodes find their data disks by SCSI LUN`,
        allowed: "a size up to version 5, such as Standard_D4s_v5",
      },
    most !== undefined &&
      dataDisks.length > most && {
        ...common,
        uses,
        problem: `${vmSize} takes at most ${most} data disks`,
        allowed: `at most ${most} of them, or a larger size`,
      },
  );
}

const olderGeneration = (what: string): string =>
  `${what} needs an image of Hyper-V generation 2, and the reference images are of generation 1`;

/** The same for machines that an override gives a security type, confidential ones too. */
const profileProblems = (settings: Settings, references: readonly string[]): Problem[] =>
  [
    { path: "controlPlane", overrides: settings.controlPlane.overrides },
    ...windowsPoolsOf(settings).map(({ path, pool: { overrides } }) => ({ path, overrides })),
  ].flatMap(({ path, overrides }) => {
    const place = ["AzureMachineTemplate", "spec", "template", "spec", "securityProfile"];
    const given = at(overrides, ...place, "securityType");
    const holder = `${path}.overrides.${place.join(".")}`;
    return present(
      typeof given === "string" &&
        references.includes(path) && {
          ...{ path: `${holder}.securityType`, value: given, uses: [path] },
          problem: olderGeneration(given),
          allowed: "image, with an image of your own for this security type",
        },
    );
  });

function launchProblems(settings: Settings): Problem[] {
  const references = nodeImages(settings)
    .filter(isReference)
    .map(({ path }) => path);
  const ofPools = windowsPoolsOf(settings).flatMap(({ path, pool: { trustedLaunch, kind } }) => {
    if (trustedLaunch === undefined) {
      return [];
    }
    const wrong = (problem: string, allowed: string): Problem[] => [
      {
        path: `${path}.trustedLaunch`,
        value: trustedLaunch,
        uses: [path],
        problem,
        allowed,
      },
    ];
    if (kind !== "MachineDeployment") {
      return wrong(
        "CAPZ v1.27 sends Trusted Launch for single machines only, and not for scale sets",
        "kind: MachineDeployment",
      );
    }
    if (references.includes(path)) {
      return wrong(
        olderGeneration("Trusted Launch"),
        "image, with an image of your own that has the security type TrustedLaunchSupported",
      );
    }
    return !trustedLaunch.secureBoot && !trustedLaunch.vTpm
      ? wrong("Trusted Launch needs secureBoot, vTpm or both", "secureBoot or vTpm, or both")
      : [];
  });
  return [...ofPools, ...profileProblems(settings, references)];
}

/** Data disks and Trusted Launch that Azure, CAPZ or a node does not support. */
export const machineExtraRules = (settings: Settings): Problem[] => [
  ...poolsOf(settings).flatMap(({ path, pool }) => diskProblems(path, pool)),
  ...launchProblems(settings),
];
