/**
 * Cuts a report to a size: the least important blocks are dropped first and as a whole, and a line says what is
 * missing.
 */

/** A piece that is shown as a whole or not at all; its Markdown is balanced. */
export interface Block {
  /** Called only when there is room for it. */
  readonly text: () => string;
  /** Smaller is more important. */
  readonly rank: number;
  /** How it is counted when it is cut: "change", "warning". */
  readonly noun: string;
}

/** A section, which is shown if one of its parts is. */
export interface Section {
  readonly open: string;
  readonly close: string;
  readonly parts: readonly (Block | Section)[];
}

/**
 * GitHub refuses bodies over 65,536 characters, of comments those over 262,144 bytes. UTF-16 units are never fewer
 * than characters and never less than a quarter of the bytes, so this number respects both; the rest is for a
 * marker and the words around it.
 */
export const commentLimit = 65_536 - 1_536;

const isBlock = (part: Block | Section): part is Block => "rank" in part;

interface Placed {
  readonly block: Block;
  readonly within: readonly Section[];
}

const placedBlocks = (section: Section, within: readonly Section[] = []): Placed[] =>
  section.parts.flatMap((part) =>
    isBlock(part)
      ? [{ block: part, within: [...within, section] }]
      : placedBlocks(part, [...within, section]),
  );

/** "3 changes, 1 warning" */
function countNouns(blocks: readonly Block[]): string {
  const counts = new Map<string, number>();
  for (const { noun } of blocks) {
    counts.set(noun, (counts.get(noun) ?? 0) + 1);
  }
  return [...counts].map(([noun, count]) => `${count} ${noun}${count === 1 ? "" : "s"}`).join(", ");
}

/** Longer than any notice: there are few nouns. */
const noticeLength = 500;

/**
 * @param limit - of UTF-16 units
 * @param notice - the line for what is missing, from "3 changes, 1 warning"
 */
export function fit(document: Section, limit: number, notice: (missing: string) => string): string {
  const placed = placedBlocks(document);
  // Sorting keeps the order of what is equally important.
  const byRank = [...placed].sort((a, b) => a.block.rank - b.block.rank);
  const texts = new Map<Block, string>();
  const opened = new Set<Section>();
  let used = 0;
  /** How many blocks fit together with a notice. */
  let beforeNotice = 0;
  for (const { block, within } of byRank) {
    const text = block.text();
    const unopened = within.filter((section) => !opened.has(section));
    used += unopened.reduce((sum, { open, close }) => sum + open.length + close.length, text.length);
    if (used > limit) {
      // The first block that does not fit ends the report, so that nothing less important is shown in its place.
      break;
    }
    texts.set(block, text);
    unopened.forEach((section) => opened.add(section));
    beforeNotice = used <= limit - noticeLength ? texts.size : beforeNotice;
  }
  if (texts.size === placed.length) {
    return render(document, texts);
  }
  const kept = new Map([...texts].slice(0, beforeNotice));
  const missing = placed.map(({ block }) => block).filter((block) => !kept.has(block));
  return render(document, kept) + notice(countNouns(missing));
}

function render(section: Section, kept: ReadonlyMap<Block, string>): string {
  const inner = section.parts
    .map((part) => (isBlock(part) ? (kept.get(part) ?? "") : render(part, kept)))
    .join("");
  return inner === "" ? "" : section.open + inner + section.close;
}
