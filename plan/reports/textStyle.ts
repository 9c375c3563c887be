/** How a report is written as text. */
export interface TextStyle {
  readonly color: boolean;
  /** Characters of a line. */
  readonly width: number;
  /** Shows everything: every resource, and long texts in full. */
  readonly verbose: boolean;
}
