/** How a report is written as text. */
export interface TextStyle {
  readonly color: boolean;
  /** Characters of a line. */
  readonly width: number;
  /** Leaves nothing out: every resource, long texts in full. */
  readonly verbose: boolean;
}

/** Of files, and of a terminal that does not say how wide it is. */
export const defaultWidth = 100;

/** Longer lines are hard to read. */
const widest = 120;

const narrowest = 60;

export const widthOf = ({ columns }: { readonly columns?: number | undefined }): number =>
  Math.min(widest, Math.max(narrowest, columns ?? defaultWidth));
