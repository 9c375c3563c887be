import { textWidth, wrap } from "./measure";

/** Boxes in boxes, placed so that nothing overlaps, whatever the names are. */

export type Tone =
  | "management"
  | "identity"
  | "group"
  | "network"
  | "subnet"
  | "linux"
  | "windows"
  | "edge"
  | "plain"
  | "step";

export interface Box {
  readonly tone: Tone;
  readonly title: string;
  /** A few characters at the end of the title's line. */
  readonly badge?: string;
  readonly lines?: readonly string[];
  /** What is in it, from top to bottom. */
  readonly rows?: readonly Row[];
}

/** Boxes beside each other while each gets so many pixels, then in further lines. Default: one below the other. */
export interface Row {
  readonly boxes: readonly Box[];
  readonly columnWidth?: number;
}

export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface PlacedText {
  readonly x: number;
  /** Of the baseline. */
  readonly y: number;
  readonly text: string;
  readonly role: "title" | "line" | "badge";
}

export interface PlacedBox extends Rect {
  readonly tone: Tone;
  /** What the box says in full, where lines are shortened. */
  readonly full: string;
  readonly texts: readonly PlacedText[];
  readonly badge: (Rect & { readonly text: string }) | undefined;
  readonly children: readonly PlacedBox[];
}

export const sizes = { title: 14, line: 12, badge: 11 } as const;

const padding = 12;
const gap = 12;
const titleHeight = 19;
const lineHeight = 16;
/** Of the mark of an operating system before the title. */
const markWidth = 18;

const hasMark = (tone: Tone): boolean => tone === "linux" || tone === "windows";

interface Head {
  readonly texts: readonly PlacedText[];
  readonly badge: (Rect & { readonly text: string }) | undefined;
  readonly bottom: number;
}

function head(box: Box, { x, y, width }: Omit<Rect, "height">): Head {
  const inner = width - 2 * padding;
  const badgeWidth = box.badge === undefined ? 0 : textWidth(box.badge, sizes.badge, true) + 14;
  const mark = hasMark(box.tone) ? markWidth : 0;
  const beside = inner - mark - badgeWidth - 8;
  // A badge for which the title's line has no room goes to a line of its own.
  const ownLine = badgeWidth > 0 && beside < Math.min(84, textWidth(box.title, sizes.title, true));
  const titles = wrap(box.title, ownLine || badgeWidth === 0 ? inner - mark : beside, sizes.title, {
    bold: true,
    max: 3,
  });
  let baseline = y + padding + 13;
  const texts: PlacedText[] = titles.map((text, index) => ({
    x: x + padding + mark,
    y: baseline + index * titleHeight,
    text,
    role: "title",
  }));
  baseline += (titles.length - 1) * titleHeight;
  if (ownLine) {
    baseline += titleHeight + 2;
  }
  const badge =
    box.badge === undefined
      ? undefined
      : {
          x: ownLine ? x + padding : x + width - padding - badgeWidth,
          y: (ownLine ? baseline : y + padding + 13) - 13,
          width: Math.min(badgeWidth, inner),
          height: 18,
          text: wrap(box.badge, inner - 14, sizes.badge, { bold: true, max: 1 })[0] ?? "",
        };
  const lines = (box.lines ?? []).flatMap((line) => wrap(line, inner, sizes.line));
  lines.forEach((text, index) => {
    texts.push({ x: x + padding, y: baseline + 4 + (index + 1) * lineHeight, text, role: "line" });
  });
  const bottom = baseline + (lines.length > 0 ? 4 + lines.length * lineHeight : 0) + 5;
  return { texts, badge, bottom };
}

/** Places a box with all that is in it; its height follows. */
export function layout(box: Box, x: number, y: number, width: number): PlacedBox {
  const { texts, badge, bottom } = head(box, { x, y, width });
  const placed: PlacedBox[] = [];
  let end = bottom;
  for (const row of (box.rows ?? []).filter(({ boxes }) => boxes.length > 0)) {
    const place = {
      x: x + padding,
      y: end + (placed.length > 0 ? gap : gap / 2),
      width: width - 2 * padding,
    };
    placed.push(...grid(row, place));
    end = Math.max(...placed.map((child) => child.y + child.height));
  }
  return {
    tone: box.tone,
    x,
    y,
    width,
    height: end - y + (placed.length > 0 ? padding : padding - 4),
    texts,
    badge,
    full: [box.title, ...(box.badge === undefined ? [] : [box.badge]), ...(box.lines ?? [])].join("\n"),
    children: placed,
  };
}

/** In rows of boxes of one width; those of a row are of one height. */
export function grid({ boxes, columnWidth }: Row, { x, y, width }: Omit<Rect, "height">): PlacedBox[] {
  const columns = Math.max(
    1,
    Math.min(boxes.length, Math.floor((width + gap) / ((columnWidth ?? width) + gap))),
  );
  const each = (width - (columns - 1) * gap) / columns;
  const placed: PlacedBox[] = [];
  let top = y;
  for (let row = 0; row < boxes.length; row += columns) {
    const line = boxes
      .slice(row, row + columns)
      .map((box, index) => layout(box, x + index * (each + gap), top, each));
    const height = Math.max(...line.map((box) => box.height));
    placed.push(...line.map((box) => ({ ...box, height })));
    top += height + gap;
  }
  return placed;
}
