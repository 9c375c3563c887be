/** Disk encryption sets, by their ARM IDs. */

/** The parts of an ID in lowercase, because Azure does not distinguish them. */
export const diskEncryptionSet = (id: string) => {
  const [, , subscription = "", , , , , , set = ""] = id.toLowerCase().split("/");
  return { subscription, set };
};

/** The sets of pools, each once. */
export const distinctSets = (ids: readonly (string | undefined)[]): string[] => [
  ...new Map(ids.flatMap((id) => (id === undefined ? [] : [[id.toLowerCase(), id] as const]))).values(),
];
