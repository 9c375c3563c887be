import { isFormerType } from "./formerTypes";

/** The parts of the SDK that are replaced while a program runs in this process. */
export interface SparedSdk {
  readonly root: { mergeOptions: (...args: unknown[]) => { aliases?: unknown } };
  readonly state: {
    readonly getStore: () => {
      readonly settings: { monitor?: object; engine?: object };
      readonly leakCandidates: Set<unknown>;
      callbacks?: unknown;
    };
  };
  readonly debuggable: {
    debuggablePromise: <T>(promise: Promise<T>, context: unknown) => Promise<T>;
    readonly leakedPromises: () => [ReadonlySet<unknown>, string];
  };
}

/**
 * Replaces the functions of the SDK that take most of a program's time and whose results no recording contains: a stack
 * trace for each promise, which only PULUMI_DEBUG_PROMISE_LEAKS prints, and a URN for each former type of a resource,
 * because azure-native declares so many of them and each takes a hundred promises. README.md has the figures.
 * @returns restores the SDK's own functions
 */
export function spare({ debuggable, root, state }: SparedSdk): () => void {
  const { debuggablePromise } = debuggable;
  const { mergeOptions } = root;
  debuggable.debuggablePromise = async (promise) => {
    const { leakCandidates } = state.getStore();
    leakCandidates.add(promise);
    try {
      return await promise;
    } finally {
      leakCandidates.delete(promise);
    }
  };
  root.mergeOptions = (...args) => {
    const options = mergeOptions(...args);
    return Array.isArray(options.aliases)
      ? { ...options, aliases: options.aliases.filter((alias) => !isFormerType(alias)) }
      : options;
  };
  return () => {
    Object.assign(debuggable, { debuggablePromise });
    Object.assign(root, { mergeOptions });
  };
}
