import { pathToFileURL } from "node:url";
import { isFormerType } from "./formerTypes";
import { ownFiles } from "./place";
import { typeScriptFrame, typeScriptStack } from "./transpile.js";

interface Position {
  readonly uri: string;
  readonly line: number;
  readonly column: number;
}

/** The parts of the SDK that are replaced while a program runs in this process. */
export interface SparedSdk {
  readonly root: {
    mergeOptions: (...args: unknown[]) => { aliases?: unknown };
    readonly Resource: {
      stackTrace: (skip: number) => (Position | undefined)[];
      readonly framePositionRegExp: RegExp;
    };
  };
  readonly log: { debug: (...args: unknown[]) => Promise<void> };
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

/** The calls that lead to a place; the innermost, which is that of `below`, first. */
function framesBelow(below: (...args: never[]) => unknown): readonly NodeJS.CallSite[] {
  const before = Object.getOwnPropertyDescriptor(Error, "prepareStackTrace");
  const { stackTraceLimit } = Error;
  const holder: { stack?: unknown } = {};
  try {
    Error.stackTraceLimit = Number.POSITIVE_INFINITY;
    Error.prepareStackTrace = (_, frames) => frames;
    Error.captureStackTrace(holder, below);
    return holder.stack as NodeJS.CallSite[];
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    Object.defineProperty(Error, "prepareStackTrace", before ?? { configurable: true, writable: true });
  }
}

/**
 * Of the stack in which a resource is made, a recording has the innermost line of the program's own. The SDK makes a text
 * of the whole stack and takes it apart again; this does so with that line alone. Where somebody else translates stacks,
 * only the text is right.
 */
function ownLine({ Resource }: SparedSdk["root"], projectDir: string) {
  const { stackTrace, framePositionRegExp } = Resource;
  const ownFile = ownFiles(projectDir);
  const isOwn = (frame: NodeJS.CallSite): boolean => {
    const file = frame.getFileName() ?? "";
    // As the reader of requests sees it: the engine's own files may belong to the project.
    return !file.startsWith(__dirname) && ownFile(file) !== undefined;
  };
  return function stackTraceOf(this: unknown, skip: number): (Position | undefined)[] {
    if (Error.prepareStackTrace !== typeScriptStack) {
      return stackTrace.call(this, skip);
    }
    // The SDK counts two functions more: the one that this stands for, and the one that makes the text.
    const frames = framesBelow(stackTraceOf).slice(skip - 1);
    for (const [index, frame] of frames.entries()) {
      const { file, line, column } = isOwn(frame)
        ? (framePositionRegExp.exec(typeScriptFrame(frame, index, frames))?.groups ?? {})
        : {};
      if (file !== undefined) {
        return [{ uri: pathToFileURL(file).href, line: Number(line), column: Number(column) }];
      }
    }
    return [];
  };
}

/** The promises of a program that are still open, without a stack trace for each: only PULUMI_DEBUG_PROMISE_LEAKS shows it. */
const untraced =
  ({ getStore }: SparedSdk["state"]): SparedSdk["debuggable"]["debuggablePromise"] =>
  async (promise) => {
    const { leakCandidates } = getStore();
    leakCandidates.add(promise);
    try {
      return await promise;
    } finally {
      leakCandidates.delete(promise);
    }
  };

/**
 * Spares a program what takes most of its time and no recording has: a stack trace for each promise (a third), a URN for
 * each former type of a resource, made by a hundred promises (azure-native names so many that this is half of what is
 * left), the whole stack for each resource, and debug messages, which the engine drops.
 * @returns puts back what was there
 */
export function spare({ debuggable, log, root, state }: SparedSdk, projectDir: string): () => void {
  const { debuggablePromise } = debuggable;
  const { mergeOptions, Resource } = root;
  const { stackTrace } = Resource;
  const { debug } = log;
  debuggable.debuggablePromise = untraced(state);
  root.mergeOptions = (...args) => {
    const options = mergeOptions(...args);
    return Array.isArray(options.aliases)
      ? { ...options, aliases: options.aliases.filter((alias) => !isFormerType(alias)) }
      : options;
  };
  Resource.stackTrace = ownLine(root, projectDir);
  log.debug = () => Promise.resolve();
  return () => {
    Object.assign(debuggable, { debuggablePromise });
    Object.assign(root, { mergeOptions });
    Object.assign(Resource, { stackTrace });
    Object.assign(log, { debug });
  };
}
