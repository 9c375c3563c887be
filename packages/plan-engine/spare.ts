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

/** The call sites of the current stack outside of `below`: the one that called `below` first. No limit applies. */
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
 * A replacement of the SDK's `Resource.stackTrace`. A recording needs only the innermost frame in the program's own
 * files, but the SDK formats the whole stack as text and parses it again; this formats and parses that frame alone. If
 * something else than `typeScriptStack` prepares stack traces, only the formatted text has the positions in TypeScript,
 * and the SDK's function runs.
 */
function ownLine({ Resource }: SparedSdk["root"], projectDir: string) {
  const { stackTrace, framePositionRegExp } = Resource;
  const ownFile = ownFiles(projectDir);
  const isOwn = (frame: NodeJS.CallSite): boolean => {
    const file = frame.getFileName() ?? "";
    // The same condition as in `sourceReader`: the engine's own files may be in the project folder, too.
    return !file.startsWith(__dirname) && ownFile(file) !== undefined;
  };
  return function stackTraceOf(this: unknown, skip: number): (Position | undefined)[] {
    if (Error.prepareStackTrace !== typeScriptStack) {
      return stackTrace.call(this, skip);
    }
    // In the SDK, `skip + 1` also covers its `callsites` and `stackTrace`, which are not among these frames.
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

/**
 * Tracks the open promises of a program without a stack trace for each, which only PULUMI_DEBUG_PROMISE_LEAKS prints.
 */
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
 * Replaces the functions of the SDK that take most of a program's time and whose results no recording contains: a stack
 * trace for each promise (a third of the time), a URN for each former type of a resource (half of the rest, because
 * azure-native declares so many of them and each takes a hundred promises), the whole stack of each resource, and debug
 * messages, which the engine drops.
 * @returns restores the SDK's own functions
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
