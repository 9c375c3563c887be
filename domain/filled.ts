/** Leaves out keys without a value, so that they add nothing to the state. */
export const filled = <T extends object>(args: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(
    Object.entries(args as Record<string, unknown>).filter(
      ([, value]) => value !== undefined && !["[]", "{}"].includes(JSON.stringify(value)),
    ),
  ) as { [K in keyof T]?: Exclude<T[K], undefined> };
