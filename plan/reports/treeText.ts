import type { TreeNode } from "../model/tree";
import { shortType } from "../model/resourceTypes";
import { inLine } from "./layout";

/** The resources of a stack as a tree of text. */

interface TreeLine {
  readonly branch: string;
  readonly name: string;
  readonly type: string;
  readonly note: string;
}

const lineOf = ({ resource }: TreeNode, branch: string): TreeLine => ({
  ...{ branch, name: inLine(resource.name), type: shortType(resource.type) },
  note: resource.options.protect === true ? "protected" : "",
});

const unfolded = (nodes: readonly TreeNode[], indent = "  "): TreeLine[] =>
  nodes.flatMap((node, index) => {
    const last = index === nodes.length - 1;
    return [
      lineOf(node, `${indent}${last ? "└─ " : "├─ "}`),
      ...unfolded(node.children, `${indent}${last ? "   " : "│  "}`),
    ];
  });

export function treeLines(nodes: readonly TreeNode[]): string[] {
  const lines = unfolded(nodes);
  const width = Math.max(0, ...lines.map(({ branch, name }) => branch.length + name.length));
  return lines.map(({ branch, name, type, note }) =>
    `${(branch + name).padEnd(width)}  ${type}${note === "" ? "" : `  (${note})`}`.trimEnd(),
  );
}
