import { clip, visible } from "../values";
import { type Box, type Picture } from "./boxes";

/** The picture as a diagram of Mermaid, which GitHub, GitLab and Azure DevOps draw in Markdown (mermaid.js.org/syntax/flowchart). */

/** Every other character is written by its number, so that no name has a meaning in the diagram. */
const label = (text: string): string =>
  clip(visible(text), 200).replace(/[^\w .,:/×·–-]/gu, (character) => `#${character.codePointAt(0) ?? 0};`);

const labelOf = ({ title, badge = "", lines }: Box): string =>
  [badge === "" ? title : `${title} · ${badge}`, ...lines].map(label).join("<br/>");

export function mermaid({ management, cluster }: Picture): string[] {
  const lines = ["flowchart TB"];
  let count = 0;
  const draw = (box: Box, indent: string): string => {
    const id = `b${count++}`;
    const inner = box.boxes ?? [];
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
  return lines;
}
