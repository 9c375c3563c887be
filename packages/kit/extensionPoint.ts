/**
 * A place that a room further up fills, so that this one need not import it. Where nothing was filled in, reading fails: what
 * is missing must not look like nothing to do.
 */
export interface ExtensionPoint<T> {
  /** @param load - called at each reading, so that filling in loads nothing yet */
  readonly fill: (load: () => T) => void;
  /** @throws Error when nothing was filled in */
  readonly read: () => T;
}

/** @param from - the module that fills it in, for the message */
export function extensionPoint<T>(from: string): ExtensionPoint<T> {
  let filled: (() => T) | undefined;
  return {
    fill: (load) => {
      filled = load;
    },
    read: () => {
      if (filled === undefined) {
        throw new Error(`${from} is not loaded: import it where the program or the command begins`);
      }
      return filled();
    },
  };
}
