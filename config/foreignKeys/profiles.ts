import { plainSize, vmTraits } from "../../domain/machines/vmSizes";
import { isRecord } from "../../domain/untyped";
import type { Path, Step } from "../advice/steps";
import { applySteps, valueAt } from "../advice/steps";
import { keysOf, nodeAt } from "../jsonSchema";
import { foreignKeyAt, isMoved } from "./lookup";

/** Whole mappings of other tools, such as a profile of an apimodel, with the keys that they have here. */

/** Where a key of another tool belongs within the same mapping. */
function withinOwn(path: Path): { readonly to: Path; readonly as: (value: unknown) => unknown } | undefined {
  const key = String(path.at(-1));
  const parent = path.slice(0, -1);
  if (keysOf(nodeAt(parent)).includes(key)) {
    return { to: [key], as: (value) => value };
  }
  const meaning = foreignKeyAt(path)?.meaning;
  if (meaning === undefined || !isMoved(meaning) || meaning.as === "translated") {
    return undefined;
  }
  const place = parent.length === 2 ? "pool." : `${String(parent[0])}.`;
  const here = meaning.here.find((one) => one.startsWith(place));
  const to = here?.slice(place.length).split(".");
  return to === undefined || nodeAt([...parent, ...to]) === undefined
    ? undefined
    : { to, as: meaning.as ?? ((value) => value) };
}

/** A VM size that boots today: those of old apimodels take no premium disks. */
const sizeOfToday = (value: unknown): unknown =>
  typeof value === "string" && vmTraits(value)?.premium === false ? plainSize(value) : value;

/** A mapping with the names that its keys have here; those without a meaning here are left out. */
export function translated(value: unknown, at: Path): unknown {
  if (!isRecord(value)) {
    return undefined;
  }
  const steps = Object.entries(value).flatMap(([key, inner]): Step[] => {
    const found = withinOwn([...at, key]);
    const own = found?.to.at(-1) === "vmSize" ? sizeOfToday(inner) : found?.as(inner);
    return found === undefined || own === undefined ? [] : [{ set: found.to, value: own }];
  });
  return applySteps({}, steps);
}

const isWindows = (pool: Readonly<Record<string, unknown>>): boolean =>
  /windows/i.test(`${String(pool.osType)} ${String(pool.osSku)} ${String(pool.os)}`);

/** Pools of a list with names, as AKS and apimodels have them, as steps that write each where it belongs. */
export function poolsFrom(value: unknown, root: unknown): Step[] {
  const list = Array.isArray(value) ? value.filter(isRecord) : [];
  return list.flatMap((pool): Step[] => {
    const name = String(pool.name).toLowerCase();
    const path = [isWindows(pool) ? "windowsPools" : "linuxPools", name];
    const isFree = typeof pool.name === "string" && valueAt(root, path) === undefined;
    return isFree ? [{ set: path, value: translated(pool, path) }] : [];
  });
}
