import { nodeAt } from "../jsonSchema";
import { corrections } from "./corrections";
import { type Path, type Step, valueAt } from "./steps";

/** A key moved to its place, with its value unchanged or corrected. */
export function movesTo(path: Path, target: Path, root: unknown): (readonly Step[])[] {
  const node = nodeAt(target, root);
  const values =
    node === undefined || node.secret === true ? [] : corrections(valueAt(root, path), node, target.at(-1));
  return [
    [{ move: path, to: target }],
    ...values.map((value): Step[] => [{ remove: path }, { set: target, value }]),
  ];
}
