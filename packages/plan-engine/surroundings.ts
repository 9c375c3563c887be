import { AsyncLocalStorage } from "node:async_hooks";

/**
 * What a program that runs in this process sees instead of the process's own environment, arguments and streams. It is
 * bound to the asynchronous context of the program, so everything else in this process keeps using the real ones.
 */
export interface Surroundings {
  env: NodeJS.ProcessEnv;
  argv: string[];
  readonly write: (stream: "stdout" | "stderr", text: string) => void;
  /** Called when the program would end this process; must not return. */
  readonly leave: () => never;
  /** Called when the program adds a listener to the process. */
  readonly listens: (event: string | symbol, listener: Listener) => void;
}

export type Listener = (...args: unknown[]) => void;

const inside = new AsyncLocalStorage<Surroundings>();

/** An environment like `process.env`, which converts every assigned value to a string. */
export const environment = (variables: Readonly<Record<string, string | undefined>>): NodeJS.ProcessEnv =>
  new Proxy({ ...variables } as Record<string, string>, {
    set: (own, key, value) => Reflect.set(own, key, String(value)),
  });

/** Replaces a property of an object. @returns restores the previous one */
function put(target: object, key: string, property: PropertyDescriptor): () => void {
  const before = Object.getOwnPropertyDescriptor(target, key);
  Object.defineProperty(target, key, { configurable: true, enumerable: true, ...property });
  return () => {
    if (before) {
      Object.defineProperty(target, key, before);
    } else {
      Reflect.deleteProperty(target, key);
    }
  };
}

/** Gives programs their own value of a property of `process`. @returns restores the previous property */
function putOwn(key: "env" | "argv"): () => void {
  let real: unknown = process[key];
  return put(process, key, {
    get: () => inside.getStore()?.[key] ?? real,
    set: (value: unknown) => {
      const own = inside.getStore();
      if (own) {
        Reflect.set(own, key, value);
      } else {
        real = value;
      }
    },
  });
}

type AnyFunction = (...args: unknown[]) => unknown;

/**
 * Replaces a function for programs. Where `own` returns `undefined`, and outside of programs, the real one is called.
 * @returns restores the real function
 */
function putFunction(
  target: object,
  key: string,
  own: (surroundings: Surroundings, args: readonly unknown[]) => { readonly result: unknown } | undefined,
): () => void {
  const real = Reflect.get(target, key) as AnyFunction;
  return put(target, key, {
    writable: true,
    value: function (this: unknown, ...args: unknown[]): unknown {
      const surroundings = inside.getStore();
      const answer = surroundings && own(surroundings, args);
      return answer ? answer.result : Reflect.apply(real, this, args);
    },
  });
}

const putStream = (name: "stdout" | "stderr"): (() => void) =>
  putFunction(process[name], "write", ({ write }, [chunk, ...rest]) => {
    write(name, typeof chunk === "string" ? chunk : Buffer.from(chunk as Uint8Array).toString("utf8"));
    const done = rest.at(-1);
    if (typeof done === "function") {
      process.nextTick(done);
    }
    return { result: true };
  });

function install(): () => void {
  const listened = (event: string | symbol, listener: Listener): void => {
    inside.getStore()?.listens(event, listener);
  };
  process.on("newListener", listened);
  const undo = [
    putOwn("env"),
    putOwn("argv"),
    putStream("stdout"),
    putStream("stderr"),
    putFunction(process, "exit", ({ leave }) => leave()),
    putFunction(process, "abort", ({ leave }) => leave()),
    putFunction(process, "kill", ({ leave }, [pid, signal]) =>
      signal !== 0 && [process.pid, -process.pid, 0].includes(Number(pid)) ? leave() : undefined,
    ),
  ];
  return () => {
    process.removeListener("newListener", listened);
    undo.reverse().forEach((each) => {
      each();
    });
  };
}

let inUse = 0;
let uninstall: (() => void) | undefined;

/**
 * Prepares to run a job in its own surroundings. Asynchronous work that the job starts stays in them. As soon as
 * every caller of `enter` has called `leave`, the properties of the process are the real ones again.
 */
export function enter(surroundings: Surroundings): {
  readonly run: <T>(job: () => T) => T;
  readonly leave: () => void;
} {
  inUse += 1;
  uninstall ??= install();
  return {
    run: (job) => inside.run(surroundings, job),
    leave: () => {
      inUse -= 1;
      if (inUse === 0) {
        uninstall?.();
        uninstall = undefined;
      }
    },
  };
}
