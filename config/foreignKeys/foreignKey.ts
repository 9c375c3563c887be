/** A key of another tool, or one that users may expect, with what to write instead. */
export interface ForeignKey {
  /** Names, separated by spaces. Case, hyphens and underscores are ignored. */
  readonly names: string;
  /** Names of the mappings in which the key means this; `pool` stands for a pool of either kind. Default: all. */
  readonly in?: readonly string[];
  readonly meaning: Moved | Absent;
}

/** The key has another name or another place here. */
export interface Moved {
  /** What the key sets, as in "write the number of nodes as replicas". */
  readonly subject: string;
  /**
   * Keys that have its meaning, as paths; `pool.replicas` is a key of each pool, `windowsPool.replicas` of each Windows
   * pool.
   */
  readonly here: readonly string[];
  /**
   * The value here for a value there; `undefined` where there is none. `translated` is for mappings with keys of their
   * own. Default: the same value.
   */
  readonly as?: "translated" | ((value: unknown) => unknown);
}

/** The key does not exist here. */
export interface Absent {
  /** Why it does not exist. */
  readonly problem: string;
  /** What exists instead. */
  readonly allowed: string;
  /** What else can be done. */
  readonly note?: string;
  /** The part of the value that can be kept: pools with names, or keys that belong beside this one. */
  readonly holds?: "pools" | "siblings";
  /** Whether the value false means that the mapping around the key is removed. */
  readonly isSwitch?: boolean;
}

/** A key with another name or place here. */
export const moved = (
  names: string,
  subject: string,
  here: readonly string[],
  { as, within }: { readonly as?: Moved["as"]; readonly within?: readonly string[] } = {},
): ForeignKey => ({
  names,
  ...(within === undefined ? {} : { in: within }),
  meaning: { subject, here, ...(as === undefined ? {} : { as }) },
});

/** A key that does not exist here. */
export const absent = (
  names: string,
  problem: string,
  allowed: string,
  {
    within,
    ...others
  }: Pick<Absent, "note" | "holds" | "isSwitch"> & { readonly within?: readonly string[] } = {},
): ForeignKey => ({
  names,
  ...(within === undefined ? {} : { in: within }),
  meaning: { problem, allowed, ...others },
});
