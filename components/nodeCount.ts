/** A number of nodes or a percentage such as "25%". */
export type NodeCount = number | string;

/** "1" is a number for Cluster API, "25%" a text. */
export const nodeCount = (text: string | undefined, byDefault: NodeCount): NodeCount =>
  text === undefined ? byDefault : /^\d+$/.test(text) ? Number(text) : text;
