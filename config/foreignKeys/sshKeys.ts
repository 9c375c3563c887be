import { type Path, pathText, type Step, valueAt } from "../advice/steps";
import { publicKeyOf } from "./values";

/** Several public keys where one belongs: the others are further keys. Keys are moved, because a text may not repeat them. */
export function severalKeys(path: Path, target: Path, root: unknown): Step[][] {
  const keys = valueAt(root, path);
  const further = ["access", "additionalSshPublicKeys"];
  const inside = keyPaths(keys, path);
  if (
    pathText(target) !== "access.sshPublicKey" ||
    inside.length < 2 ||
    valueAt(root, further) !== undefined
  ) {
    return [];
  }
  return Array.isArray(keys) && keys.every((key) => publicKeyOf(key) === key)
    ? [
        [
          { move: path, to: further },
          { move: [...further, 0], to: target },
        ],
      ]
    : [
        [
          { set: further, value: [] },
          ...inside.map((key, index): Step => ({
            move: key,
            to: index === 0 ? target : [...further, index - 1],
          })),
          { remove: path },
        ],
      ];
}

/** The paths of public keys inside of lists and mappings. */
const keyPaths = (value: unknown, path: Path): Path[] =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, inner]) =>
        keyPaths(inner, [...path, Array.isArray(value) ? Number(key) : key]),
      )
    : publicKeyOf(value) === value
      ? [path]
      : [];
