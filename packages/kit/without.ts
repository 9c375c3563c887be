type Filled<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Leaves out keys whose value is `undefined`. */
export const withoutUndefined = <T extends object>(fields: T): Filled<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Filled<T>;

/** Leaves out keys without a value, so that they add nothing to the state. */
export const withoutEmpty = <T extends object>(args: T): Filled<T> =>
  Object.fromEntries(
    Object.entries(withoutUndefined(args)).filter(
      ([, value]) => !["[]", "{}"].includes(JSON.stringify(value)),
    ),
  ) as Filled<T>;

/** Fields of a type that it does not require; those without a value are left out, and other names are errors. */
export const optionalFields = <T>(fields: { readonly [K in keyof T]?: T[K] | undefined }): Partial<T> =>
  withoutEmpty(fields);

/** Some fields of an object. */
export const pick = <T, Key extends keyof T>(from: T, ...keys: readonly Key[]): Pick<T, Key> =>
  Object.fromEntries(keys.map((key) => [key, from[key]])) as Pick<T, Key>;
