import type { UntypedServiceImplementation } from "@grpc/grpc-js";
import { inspect } from "node:util";
import { isFormerType } from "./formerTypes";
import { withoutSeldomUsed } from "./lazyModules";
import { parallel } from "./hostEnvironment";
import type { RunOptions } from "./options";
import type { Services } from "./server";

/** The parts of the SDK by which Pulumi's Automation API runs an inline program. Internal ones have no types. */
interface Sdk {
  readonly root: { mergeOptions: (...args: unknown[]) => { aliases?: unknown } };
  readonly state: {
    readonly withLocalStorage: <T>(run: () => Promise<T>) => Promise<T>;
    readonly getStore: () => { readonly settings: { monitor?: object; engine?: object } };
  };
  readonly settings: {
    readonly resetOptions: (
      project: string,
      stack: string,
      parallel: number,
      engine: string,
      monitor: string,
      preview: boolean,
      organization: string,
    ) => void;
    readonly disconnect: (signalShutdown?: boolean) => Promise<void>;
    readonly waitForRPCs: () => Promise<void>;
  };
  readonly config: {
    readonly setAllConfig: (config: Record<string, string>, secretKeys: string[]) => void;
  };
  readonly stack: { readonly runInPulumiStack: (program: () => unknown) => Promise<unknown> };
  readonly debuggable: {
    debuggablePromise: (...args: unknown[]) => unknown;
    readonly leakedPromises: () => [ReadonlySet<unknown>, string];
  };
}

const loadSdk = (load: NodeJS.Require): Sdk => {
  return {
    // Every provider imports all of it.
    root: load("@pulumi/pulumi") as Sdk["root"],
    state: load("@pulumi/pulumi/runtime/state") as Sdk["state"],
    settings: load("@pulumi/pulumi/runtime/settings") as Sdk["settings"],
    config: load("@pulumi/pulumi/runtime/config") as Sdk["config"],
    stack: load("@pulumi/pulumi/runtime/stack") as Sdk["stack"],
    debuggable: load("@pulumi/pulumi/runtime/debuggable") as Sdk["debuggable"],
  };
};

/**
 * Spares a program the two things that take most of its time and that no recording has. For every promise the SDK notes
 * a stack trace, which only PULUMI_DEBUG_PROMISE_LEAKS would show: a third. And of each former type of a resource it
 * makes a URN, by a hundred promises: azure-native names so many that this is half of what is left.
 * @returns puts back what was there
 */
function spare({ debuggable, root }: Sdk): () => void {
  const { debuggablePromise } = debuggable;
  const { mergeOptions } = root;
  debuggable.debuggablePromise = (...args) => {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    try {
      return debuggablePromise(...args);
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
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

type Handler = (call: { readonly request: unknown }, reply: unknown) => void;

/** A client of a service without a connection. */
const directly = (service: UntypedServiceImplementation): object =>
  Object.fromEntries(
    Object.entries(service).map(([name, handler]) => [
      name,
      (request: unknown, ...rest: readonly unknown[]) => {
        (handler as Handler)({ request }, rest.at(-1));
      },
    ]),
  );

/** Programs throw errors, and anything else. The SDK's own that are for people say all in their message. */
export function textOfError(error: unknown): string {
  const { stack, message, __pulumiRunError } = (error ?? {}) as Partial<Error> & {
    readonly __pulumiRunError?: boolean;
  };
  return (__pulumiRunError === true ? message : stack) ?? inspect(error);
}

/** There is no address: nothing is connected to. */
const nowhere = "in-process";

/**
 * Runs a program with the SDK of this process, in a state of the SDK's own.
 * @param settled - waits until the program, which has returned, does nothing more; false when it still does
 * @returns why it did not come to a good end, unless the program reported it to the engine
 */
export async function runWithSdk(
  load: NodeJS.Require,
  program: () => unknown,
  { mode, project, stack, config, secretKeys, organization }: RunOptions & { readonly organization: string },
  services: Services,
  settled: () => Promise<boolean>,
): Promise<string | undefined> {
  const sdk = withoutSeldomUsed(() => loadSdk(load));
  return sdk.state.withLocalStorage(async () => {
    sdk.settings.resetOptions(
      project,
      stack,
      Number(parallel),
      nowhere,
      nowhere,
      mode === "preview",
      organization,
    );
    const { settings } = sdk.state.getStore();
    settings.monitor = directly(services.monitor);
    settings.engine = directly(services.engine);
    const putBack = spare(sdk);
    sdk.config.setAllConfig({ ...config }, [...secretKeys]);
    try {
      await sdk.stack.runInPulumiStack(program);
      await sdk.settings.waitForRPCs();
      if (!(await settled())) {
        return "The program returned, and left something open.";
      }
      await sdk.settings.disconnect(true);
      const [leaked, message] = sdk.debuggable.leakedPromises();
      return leaked.size > 0 ? message : undefined;
    } catch (error) {
      await sdk.settings.disconnect();
      return textOfError(error);
    } finally {
      putBack();
    }
  });
}
