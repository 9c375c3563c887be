/** A number of nodes or a percentage such as "25%". */
export type NodeCount = number | string;

/** Cluster API takes "1" as a number and "25%" as a text. */
export function nodeCount(text: string | undefined, byDefault: NodeCount): NodeCount {
  if (text === undefined) {
    return byDefault;
  }
  return /^\d+$/.test(text) ? Number(text) : text;
}
