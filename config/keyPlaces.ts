import { type Path, isWithin, pathText, valueAt } from "./advice/steps";
import { placeholder } from "../tools/writeLine";
import { isRecord } from "../tools/untyped";
import { nodeAt, requiredOf } from "./jsonSchema";

/** Where a key belongs that stands elsewhere. */

/** Beginnings of proposed names. */
export const stems: Readonly<Record<string, string>> = { linuxPools: "linux", windowsPools: "win" };

/**
 * A name for options that stand where names belong: the same for all of them. Names of pools are free; any other name is
 * in the cluster, and only the user knows it.
 */
function freeName(group: string, root: unknown): string {
  const taken = valueAt(root, [group]);
  const stem = stems[group];
  if (stem === undefined) {
    return placeholder("name");
  }
  const names = Array.from({ length: 50 }, (_, index) => `${stem}${index + 1}`);
  return names.find((name) => !isRecord(taken) || !(name in taken)) ?? "";
}

/** Those of some places that are one level below a mapping. */
export function placesBelow(parent: Path, places: readonly string[]): readonly string[] {
  const depth = parent.length + 2;
  const isNamed = stems[String(parent[0])] !== undefined && parent.length > 1;
  const [from, to] = isNamed ? [`${String(parent[0])}.<name>`, parent.slice(0, 2).join(".")] : ["", ""];
  // Directly among pools, the name of a new one is free, and freeName knows it.
  return parent.length === 0 || (parent.length === 1 && stems[String(parent[0])] !== undefined)
    ? []
    : places
        .map((place) => (isNamed ? place.replace(from, to) : place))
        .filter((place) => place.startsWith(`${pathText(parent)}.`) && place.split(".").length === depth);
}

/**
 * Whether a place is in a mapping that is not there and needs more than the key and what stands beside it: that is nothing
 * that one key asks for.
 */
function needsMore(place: string, path: Path, root: unknown): boolean {
  const keys = place.split(".");
  return keys.slice(1).some((own, index) => {
    const holder = keys.slice(0, index + 1);
    return (
      !holder.some((key) => key.startsWith("<")) &&
      valueAt(root, holder) === undefined &&
      requiredOf(nodeAt(holder)).some(
        (key) => key !== own && valueAt(root, [...path.slice(0, -1), key]) === undefined,
      )
    );
  });
}

/**
 * The places of the option that a name means: in the pool that has it, otherwise wherever there is only one such key. A
 * top-level key is for all pools, if they have this option.
 */
export function onlyPlace(path: Path, places: readonly string[], root: unknown): string | undefined {
  const [group, pool] = path.map(String);
  const shared = places.find((place) => /^poolDefaults\.[^.]+$/.test(place));
  if (path.length === 1 && shared !== undefined) {
    return shared;
  }
  const near = placesBelow(path.slice(0, -1), places);
  const [below = ""] = near;
  if (near.length === 1 && !needsMore(below, path, root)) {
    return below;
  }
  // A level too deep.
  const around = places.filter(
    (place) => place.includes(".") && isWithin(path, place.split(".").slice(0, -1)),
  );
  if (around.length === 1) {
    return around[0];
  }
  const own = places
    .filter((place) => place.startsWith(`${group ?? ""}.<name>.`))
    .map((place) => place.replace("<name>", path.length === 2 ? freeName(group ?? "", root) : (pool ?? "")));
  const meant = own.length > 0 ? own : places.filter((place) => !place.includes("<"));
  // A key of the stack's network is not that of the management cluster's.
  const [inner] = meant.filter((place) => places.every((other) => `.${other}`.endsWith(`.${place}`)));
  // Without its mapping, it is that of the only part of the stack file that has it itself.
  const [part, ...parts] = path.length === 1 ? meant.filter((place) => place.split(".").length === 2) : [];
  // Of mappings of one name, it is that of the same part.
  const holders = new Set(places.map((place) => place.split(".").at(-2)));
  const beside = places.find((place) => place.startsWith(`${group ?? ""}.`) && !place.includes("<"));
  const ofPart = holders.size === 1 && path.length > 1 ? beside : undefined;
  const likely =
    group === "management" ? undefined : (inner ?? ofPart ?? (parts.length === 0 ? part : undefined));
  const only = meant.length === 1 && (own.length > 0 || places.length === 1) ? meant[0] : undefined;
  const place = likely ?? only;
  return place !== undefined && needsMore(place, path, root) ? undefined : place;
}
