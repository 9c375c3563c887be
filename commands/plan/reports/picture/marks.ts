import type { Box, Picture } from "./boxes";

/** Marks the differences in the pictures of two plans. */

export type PlanSide = "base" | "head";

/** A text, with the text of the other side. */
export interface MarkedText {
  readonly text: string;
  /** The text of the other side; `null` where it has none, and missing where it is the same or nothing is compared. */
  readonly other?: string | null;
}

export interface MarkedBox extends Pick<Box, "tone"> {
  readonly title: MarkedText;
  readonly badge?: MarkedText;
  readonly lines: readonly MarkedText[];
  readonly boxes: readonly MarkedBox[];
  readonly mark?: "added" | "removed" | "changed";
}

const markText = (text: string, other: string | null | undefined): MarkedText =>
  other === undefined || other === text ? { text } : { text, other };

/** @param other missing where nothing is compared: also inside of a box that is on one side only */
function markBox(box: Box, other: Box | undefined, alone: MarkedBox["mark"], side: PlanSide): MarkedBox {
  const title = markText(box.title, other?.title);
  const badge = box.badge === undefined ? undefined : markText(box.badge, other?.badge);
  const lines = Object.entries(box.lines).map(([name, line]) =>
    markText(line, other && (other.lines[name] ?? null)),
  );
  const missesLine = Object.keys(other?.lines ?? {}).some((name) => !(name in box.lines));
  const isChanged = missesLine || [title, badge, ...lines].some((one) => one?.other !== undefined);
  const mark = alone ?? (isChanged ? "changed" : undefined);
  return {
    ...{
      tone: box.tone,
      title,
      lines,
      boxes: markBoxes(box.boxes ?? [], other && (other.boxes ?? []), side),
    },
    ...(badge && { badge }),
    ...(mark && { mark }),
  };
}

function markBoxes(boxes: readonly Box[], others: readonly Box[] | undefined, side: PlanSide): MarkedBox[] {
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
export const markPicture = (picture: Picture, other: Picture | undefined, side: PlanSide): MarkedPicture => ({
  creators: markBoxes(picture.creators, other?.creators, side),
  created: markBoxes(picture.created, other?.created, side),
  path: markBoxes(picture.path, other?.path, side),
});

const hasMark = ({ mark, boxes }: MarkedBox): boolean => mark !== undefined || boxes.some(hasMark);

export const isMarked = (picture: MarkedPicture): boolean => Object.values(picture).flat().some(hasMark);
