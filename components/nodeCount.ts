/** A number of nodes or a percentage such as "25%". */
export type NodeCount = number | string;

/** Cluster API takes "1" as a number and "25%" as a text. */
export const nodeCount = (text: string | undefined, byDefault: NodeCount): NodeCount =>
  text === undefined ? byDefault : /^\d+$/.test(text) ? Number(text) : text;
