import type { Box } from "./box";
import type { Picture } from "./boxes";

/** Marks the differences in the pictures of two plans. */

export type Side = "base" | "head";

/** A text, with the text of the other side. */
export interface MarkedText {
  readonly text: string;
  /** The other side has it, but with another text. */
  readonly other?: string;
  /** The other side does not have it at all. */
  readonly alone?: boolean;
}

export interface MarkedBox {
  readonly tone: Box["tone"];
  readonly title: MarkedText;
  readonly badge?: MarkedText;
  readonly lines: readonly MarkedText[];
  readonly boxes: readonly MarkedBox[];
  readonly mark?: "added" | "removed" | "changed";
}

/** @param other missing where nothing is compared, `null` where the other side lacks the text */
function markText(text: string, other: string | null | undefined): MarkedText {
  if (other === undefined || other === text) {
    return { text };
  }
  return other === null ? { text, alone: true } : { text, other };
}

const differs = ({ other, alone }: MarkedText): boolean => other !== undefined || alone === true;

/** @param other missing where nothing is compared: also inside of a box that is on one side only */
function markBox(box: Box, other: Box | undefined, mark: MarkedBox["mark"], side: Side): MarkedBox {
  const { tone, badge, boxes = [] } = box;
  const title = markText(box.title, other?.title);
  const markedBadge = badge === undefined ? undefined : markText(badge, other?.badge);
  const lines = Object.entries(box.lines).map(([name, line]) =>
    markText(line, other && (other.lines[name] ?? null)),
  );
  const missesLine = Object.keys(other?.lines ?? {}).some((name) => !(name in box.lines));
  const changed = missesLine || [title, ...(markedBadge ? [markedBadge] : []), ...lines].some(differs);
  return {
    tone,
    title,
    ...(markedBadge === undefined ? {} : { badge: markedBadge }),
    lines,
    boxes: markBoxes(boxes, other && (other.boxes ?? []), side),
    ...(mark !== undefined ? { mark } : changed ? { mark: "changed" } : {}),
  };
}

function markBoxes(boxes: readonly Box[], others: readonly Box[] | undefined, side: Side): MarkedBox[] {
  return boxes.map((box) => {
    const other = others?.find(({ id }) => id === box.id);
    const alone = others !== undefined && other === undefined;
    return markBox(box, other, alone ? (side === "base" ? "removed" : "added") : undefined, side);
  });
}

export type MarkedPicture = Readonly<Record<keyof Picture, readonly MarkedBox[]>>;

/**
 * One of two pictures with its marks.
 * @param other missing where there is nothing to compare with
 */
export const markPicture = (picture: Picture, other: Picture | undefined, side: Side): MarkedPicture => ({
  creators: markBoxes(picture.creators, other?.creators, side),
  created: markBoxes(picture.created, other?.created, side),
  path: markBoxes(picture.path, other?.path, side),
});

const hasMark = ({ mark, boxes }: MarkedBox): boolean => mark !== undefined || boxes.some(hasMark);

export const isMarked = (picture: MarkedPicture): boolean =>
  [...picture.creators, ...picture.created, ...picture.path].some(hasMark);
