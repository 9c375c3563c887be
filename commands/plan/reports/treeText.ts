import type { TreeNode } from "../model/tree";
import { shortType } from "../model/resourceTypes";

/** The resources of a stack as a tree of text. */

interface TreeLine {
  readonly branch: string;
  readonly name: string;
  readonly type: string;
  readonly note: string;
}

const isProtected = ({ resource, children }: TreeNode): boolean =>
  resource.options.protect === true || children.some(isProtected);

function lineOf(node: TreeNode, branch: string, folded: boolean): TreeLine {
  const { resource, below } = node;
  const notes = [
    folded && below > 0 ? `${below} below it` : "",
    (folded ? isProtected(node) : resource.options.protect === true) ? "protected" : "",
  ].filter((note) => note !== "");
  return { branch, name: resource.name, type: shortType(resource.type), note: notes.join(", ") };
}

const unfolded = (nodes: readonly TreeNode[], indent = "  "): TreeLine[] =>
  nodes.flatMap((node, index) => {
    const last = index === nodes.length - 1;
    return [
      lineOf(node, `${indent}${last ? "└─ " : "├─ "}`, false),
      ...unfolded(node.children, `${indent}${last ? "   " : "│  "}`),
    ];
  });

/** @param verbose - every resource instead of the outermost ones */
export function treeLines(nodes: readonly TreeNode[], verbose: boolean): string[] {
  const lines = verbose ? unfolded(nodes) : nodes.map((node) => lineOf(node, "  ", true));
  const width = Math.max(0, ...lines.map(({ branch, name }) => branch.length + name.length));
  return lines.map(({ branch, name, type, note }) =>
    `${(branch + name).padEnd(width)}  ${type}${note === "" ? "" : `  (${note})`}`.trimEnd(),
  );
}
