import type { Problem } from "capz-windows-kit/problem";
import { type Path, pathText } from "../steps";
import { secretKeys } from "../schema/stack";
import type { Settings } from "../settings";

/** Mappings whose keys are names that the user has chosen. */
const named = ["labels", "linuxPools", "peerings", "poolSubnetIds", "poolSubnets", "tags", "windowsPools"];

/** Objects, contents of files and settings of extensions, which are the user's own texts and may mean what they say. */
const free = ["content", "file", "objects", "overrides", "reason", "settings", "values"];

/** What others write where there is no value, as a tag does, is a value. */
const unfilled = /^<(?!(?:none|nil|null|unknown|unset|empty)>)[A-Za-z][^<>@\r\n]{0,80}>$/i;

interface Unfilled {
  readonly path: Path;
  readonly value: string;
}

/** The texts of a value that nobody has filled in, as an import writes them. */
function unfilledIn(value: unknown, path: Path): Unfilled[] {
  if (typeof value === "string") {
    return unfilled.test(value) ? [{ path, value }] : [];
  }
  return typeof value === "object" && value !== null
    ? Object.entries(value)
        .filter(([key]) => named.includes(String(path.at(-1))) || !free.includes(key))
        .flatMap(([key, inner]) => unfilledIn(inner, [...path, Array.isArray(value) ? Number(key) : key]))
    : [];
}

/** A plan would carry them to Azure, which refuses them late, or takes them. */
export const placeholderRules = (settings: Settings): Problem[] =>
  Object.entries(settings)
    .filter(([key]) => !secretKeys.includes(key) && !free.includes(key))
    .flatMap(([key, value]) => unfilledIn(value, [key]))
    .map(({ path, value }) => ({
      path: pathText(path),
      value,
      problem: "a text in angle brackets, in whose place a value belongs: fill it in",
      allowed: "the value itself",
    }));
