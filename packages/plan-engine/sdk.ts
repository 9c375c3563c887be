import type { UntypedServiceImplementation } from "@grpc/grpc-js";
import { inspect } from "node:util";
import { callbacksHere, nowhere, type CallbacksModule } from "./callbacks";
import { withoutSeldomUsed } from "./lazyModules";
import { parallel } from "./hostEnvironment";
import type { RunOptions } from "./options";
import type { Services } from "./server";
import { spare, type SparedSdk } from "./spare";

/** The parts of the SDK by which Pulumi's Automation API runs an inline program. Internal ones have no types. */
interface Sdk extends SparedSdk {
  readonly state: SparedSdk["state"] & {
    readonly withLocalStorage: <T>(run: () => Promise<T>) => Promise<T>;
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
  readonly callbacks: CallbacksModule;
  readonly stack: { readonly runInPulumiStack: (program: () => unknown) => Promise<unknown> };
}

const loadSdk = (load: NodeJS.Require): Sdk => {
  return {
    // The whole SDK, because every provider imports it anyway.
    root: load("@pulumi/pulumi") as Sdk["root"],
    state: load("@pulumi/pulumi/runtime/state") as Sdk["state"],
    settings: load("@pulumi/pulumi/runtime/settings") as Sdk["settings"],
    config: load("@pulumi/pulumi/runtime/config") as Sdk["config"],
    stack: load("@pulumi/pulumi/runtime/stack") as Sdk["stack"],
    debuggable: load("@pulumi/pulumi/runtime/debuggable") as Sdk["debuggable"],
    callbacks: load("@pulumi/pulumi/runtime/callbacks") as Sdk["callbacks"],
  };
};

type Handler = (call: { readonly request: unknown }, reply: unknown) => void;

/** A client that calls the handlers of a service directly. */
const directly = (service: UntypedServiceImplementation): object =>
  Object.fromEntries(
    Object.entries(service).map(([name, handler]) => [
      name,
      (request: unknown, ...rest: readonly unknown[]) => {
        (handler as Handler)({ request }, rest.at(-1));
      },
    ]),
  );

/** The text of a thrown value. Programs may throw anything; for the SDK's RunErrors the message is enough. */
export function textOfError(error: unknown): string {
  const { stack, message, __pulumiRunError } = (error ?? {}) as Partial<Error> & {
    readonly __pulumiRunError?: boolean;
  };
  return (__pulumiRunError === true ? message : stack) ?? inspect(error);
}

/**
 * Runs a program with the SDK of this process, with its own local storage of the SDK.
 * @param settled - waits until the program, which has returned, has nothing open; false if it still has after a time
 * @returns why the program failed, unless it reported that to the engine
 */
export async function runWithSdk(
  load: NodeJS.Require,
  program: () => unknown,
  { mode, project, stack, config, secretKeys, organization }: RunOptions,
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
    const store = sdk.state.getStore();
    store.settings.monitor = directly(services.monitor);
    store.settings.engine = directly(services.engine);
    const callbacks = callbacksHere(sdk.callbacks, store.settings.monitor);
    store.callbacks = callbacks;
    services.callHere(callbacks.call);
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
