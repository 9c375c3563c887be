import { isRecord } from "../../tools/untyped";
import { type Path, valueAt } from "./steps";

/** Values that no two data disks of a pool can share, and free ones for another disk. */

/** The keys that a disk cannot share with another one. */
export const uniqueKeys = ["name", "mountPath", "letter"] as const;

type UniqueKey = (typeof uniqueKeys)[number];

/** Proposed values by key; the first is for the first disk. */
const choices: Readonly<Record<UniqueKey, readonly string[]>> = {
  name: ["data", ...Array.from({ length: 31 }, (_, index) => `data${index + 2}`)],
  letter: Array.from("FGHIJKLMNOPQRSTUVWXYZ"),
  mountPath: ["/data", ...Array.from({ length: 31 }, (_, index) => `/data${index + 2}`)],
};

const has = (disk: unknown, key: UniqueKey): boolean =>
  isRecord(disk) && typeof disk[key] === "string" && (key !== "letter" || choices.letter.includes(disk[key]));

/** A value that no disk has, and that is not proposed for an earlier disk. */
export function freeValue(disks: readonly unknown[], index: number, key: UniqueKey): string {
  const used = disks.flatMap((disk) => (isRecord(disk) && has(disk, key) ? [String(disk[key])] : []));
  const free = choices[key].filter((choice) => !used.includes(choice));
  const before = disks.slice(0, index).filter((disk, at) => !has(disk, key) || isRepeated(disks, at, key));
  return free[before.length] ?? free[0] ?? "";
}

/** Whether a disk before this one has the same value. */
export const isRepeated = (disks: readonly unknown[], index: number, key: UniqueKey): boolean => {
  const own = valueAt(disks, [index, key]);
  return own !== undefined && disks.findIndex((disk) => valueAt(disk, [key]) === own) < index;
};

const isUnique = (key: PropertyKey | undefined): key is UniqueKey => uniqueKeys.includes(key as UniqueKey);

/** The list that a path leads into, and the place in it. */
function listAt(
  path: Path,
  root: unknown,
): { readonly disks: readonly unknown[]; readonly index: number } | undefined {
  const index = path.at(-1);
  const disks = valueAt(root, path.slice(0, -1));
  return path.at(-2) === "dataDisks" && typeof index === "number" && Array.isArray(disks)
    ? { disks, index }
    : undefined;
}

/** A disk that was written as its size alone: `dataDisks: [128, 256]`. */
export function diskOfSize(path: Path, root: unknown): object | undefined {
  const found = listAt(path, root);
  const size = /^\s*(\d+)\s*(?:Gi?B?)?\s*$/i.exec(String(valueAt(root, path)))?.[1];
  if (found === undefined || size === undefined) {
    return undefined;
  }
  const place = path[0] === "windowsPools" ? "letter" : "mountPath";
  return {
    name: freeValue(found.disks, found.index, "name"),
    sizeGB: Math.min(32_767, Math.max(4, Number(size))),
    [place]: freeValue(found.disks, found.index, place),
  };
}

/** A free value for a disk that lacks one of these keys, or has a wrong value. */
export function diskValue(path: Path, root: unknown): string[] {
  const key = path.at(-1);
  const found = listAt(path.slice(0, -1), root);
  return found === undefined || !isUnique(key) ? [] : [freeValue(found.disks, found.index, key)];
}
