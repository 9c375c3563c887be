/** How a report is written as text. */
export interface TextStyle {
  readonly color: boolean;
  /** Characters of a line. */
  readonly width: number;
  /** Leaves nothing out: every resource, long texts in full. */
  readonly verbose: boolean;
}
