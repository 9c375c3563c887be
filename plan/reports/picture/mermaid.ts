import { clip, visibleText as visible } from "capz-windows-kit/visible";
import { type Box, type Picture } from "./boxes";

/** The picture as a diagram of Mermaid, which GitHub, GitLab and Azure DevOps draw in Markdown (mermaid.js.org/syntax/flowchart). */

/** Every other character is written by its number, so that no name has a meaning in the diagram. */
const label = (text: string): string =>
  clip(visible(text), 200).replace(/[^\w .,:/×·–-]/gu, (character) => `#${character.codePointAt(0) ?? 0};`);

function labelOf({ title, badge = "", lines, change }: Box): string {
  const head = badge === "" ? title : `${title} · ${badge}`;
  return [change === undefined ? head : `${change}: ${head}`, ...lines].map(label).join("<br/>");
}

/** The word says it, too: not everybody sees colors. */
const styles = [
  "  classDef new stroke:#1a7f37,stroke-width:3px",
  "  classDef changed stroke:#9a6700,stroke-width:3px",
  "  classDef removed stroke:#cf222e,stroke-width:3px,stroke-dasharray:6",
];

export function mermaid({ management, cluster }: Picture): string[] {
  const lines = ["flowchart TB"];
  const marks: string[] = [];
  let count = 0;
  const draw = (box: Box, indent: string): string => {
    const id = `b${count++}`;
    const inner = box.boxes ?? [];
    if (box.change !== undefined) {
      marks.push(`  class ${id} ${box.change}`);
    }
    if (inner.length === 0) {
      lines.push(`${indent}${id}["${labelOf(box)}"]`);
      return id;
    }
    lines.push(`${indent}subgraph ${id}["${labelOf(box)}"]`);
    inner.forEach((each) => draw(each, `${indent}  `));
    lines.push(`${indent}end`);
    return id;
  };
  const from = draw(management, "  ");
  if (cluster !== undefined) {
    const to = draw(cluster, "  ");
    lines.push(`  ${from} -->|creates| ${to}`);
  }
  return marks.length === 0 ? lines : [...lines, ...styles, ...marks];
}
