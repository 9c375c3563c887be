import type {
  Callback,
  CallbackInvokeRequest,
  CallbackInvokeResponse,
} from "@pulumi/pulumi/proto/callback_pb";

/** Functions of a program that the engine calls: its transforms and hooks. */

/** Calls such a function; `reply` gets gRPC's error, or the response. */
export type CallBack = (
  callback: Callback,
  request: CallbackInvokeRequest,
  reply: (error: { readonly details?: string } | null, response: CallbackInvokeResponse) => void,
) => void;

/** The SDK's server of these functions, as far as it is used here. */
export interface CallbacksModule {
  readonly CallbackServer: {
    readonly prototype: {
      invoke: (
        call: { readonly request: CallbackInvokeRequest },
        reply: Parameters<CallBack>[2],
      ) => Promise<void>;
    };
  };
}

/** Stands for the address of a server where the SDK needs one; nothing ever connects to it. */
export const nowhere = "in-process";

/**
 * The SDK's callback server without a socket. For the first transform or hook of a program, the SDK's own would listen
 * on a port and connect to itself. The fields are those that its constructor sets.
 */
export function callbacksHere(
  { CallbackServer }: CallbacksModule,
  monitor: object,
): { readonly call: CallBack } {
  const server = Object.assign(
    Object.create(CallbackServer.prototype) as CallbacksModule["CallbackServer"]["prototype"],
    {
      _callbacks: new Map(),
      _pendingRegistrations: 0,
      _awaitQueue: [],
      _monitor: monitor,
      _server: { forceShutdown: () => undefined },
      _target: Promise.resolve(nowhere),
    },
  );
  return Object.assign(server, {
    call: ((_, request, reply) => {
      void server.invoke({ request }, reply);
    }) satisfies CallBack,
  });
}
