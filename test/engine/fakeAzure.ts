import { setTimeout as sleep } from "node:timers/promises";
import type { handleUnaryCall, UntypedServiceImplementation } from "@grpc/grpc-js";
import { Server, ServerCredentials, status } from "@grpc/grpc-js";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import {
  SimulatedCloud,
  type SimulatedResource,
  type Simulation,
  reveal,
  type Values,
  decodeStruct,
  encodeStruct,
} from "../../packages/plan-engine";
import { clouds } from "../../commands/plan/simulation";

/**
 * A provider azure-native for the real Pulumi engine, on the simulated cloud of the plan. It creates and deletes
 * resources and answers functions; all differences are updated in place. Like Azure, it completes an operation even if
 * the CLI that requested it is killed.
 */
export interface FakeAzure {
  /** Port for PULUMI_DEBUG_PROVIDERS. */
  readonly port: number;
  /** Outputs of the resources that exist, by ID. */
  readonly resources: Map<string, Values>;
  /** Deletes a resource and its child resources. */
  readonly remove: (id: string) => void;
  /** Milliseconds that each creation and deletion takes. Default: 0. */
  duration: number;
  /** Error of Azure for a creation, update or deletion. Default: none. */
  fault: (urn: string) => string | undefined;
  readonly stop: () => void;
}

const unary =
  <Request, Response>(
    answer: (request: Request) => Response | Promise<Response>,
  ): handleUnaryCall<Request, Response> =>
  (call, reply) => {
    Promise.resolve(call.request)
      .then(answer)
      .then(
        (response) => {
          reply(null, response);
        },
        (error: unknown) => {
          reply({ code: status.UNKNOWN, details: error instanceof Error ? error.message : String(error) });
        },
      );
  };

/** Parts of a URN, which is `urn:pulumi:stack::project::parent$type::name`. */
function placeOf(urn: string, mode: SimulatedResource["mode"], provider: Values): SimulatedResource {
  const [head = "", project = "", types = "", name = ""] = urn.split("::");
  return {
    mode,
    project,
    stack: head.split(":").at(-1) ?? "",
    urn,
    type: types.split("$").at(-1) ?? "",
    name,
    provider: reveal(provider) as Record<string, unknown>,
  };
}

const same = (a: Values, b: Values): boolean => JSON.stringify(reveal(a)) === JSON.stringify(reveal(b));

function handlers(cloud: SimulatedCloud, azure: FakeAzure): UntypedServiceImplementation {
  let settings: Values = {};
  const work = async (urn: string): Promise<void> => {
    await sleep(azure.duration);
    const fault = azure.fault(urn);
    if (fault !== undefined) {
      throw new Error(fault);
    }
  };
  const modeOf = (preview: boolean) => (preview ? "preview" : "update");
  const made = (urn: string, inputs: Values, preview: boolean) =>
    encodeStruct(cloud.outputs(inputs, placeOf(urn, modeOf(preview), settings)));
  const difference = (olds: Values, news: Values) =>
    new proto.DiffResponse().setChanges(
      same(olds, news) ? proto.DiffResponse.DiffChanges.DIFF_NONE : proto.DiffResponse.DiffChanges.DIFF_SOME,
    );
  return {
    handshake: unary(() => new proto.ProviderHandshakeResponse().setAcceptSecrets(true)),
    getPluginInfo: unary(() => new PluginInfo().setVersion("3.0.0")),
    checkConfig: unary((request: proto.CheckRequest) =>
      new proto.CheckResponse().setInputs(request.getNews()),
    ),
    diffConfig: unary((request: proto.DiffRequest) =>
      difference(decodeStruct(request.getOldInputs()), decodeStruct(request.getNews())),
    ),
    configure: unary((request: proto.ConfigureRequest) => {
      settings = decodeStruct(request.getArgs());
      return new proto.ConfigureResponse().setAcceptsecrets(true).setSupportspreview(true);
    }),
    check: unary((request: proto.CheckRequest) => new proto.CheckResponse().setInputs(request.getNews())),
    diff: unary((request: proto.DiffRequest) =>
      difference(decodeStruct(request.getOldInputs()), decodeStruct(request.getNews())),
    ),
    create: unary(async (request: proto.CreateRequest) => {
      const inputs = decodeStruct(request.getProperties());
      const [urn, preview] = [request.getUrn(), request.getPreview()];
      const properties = made(urn, inputs, preview);
      if (preview) {
        return new proto.CreateResponse().setProperties(properties);
      }
      const id = cloud.id(inputs, placeOf(urn, "update", settings));
      if (azure.resources.has(id)) {
        throw new Error(`cannot create already existing resource '${id}'`);
      }
      await work(urn);
      azure.resources.set(id, decodeStruct(properties));
      return new proto.CreateResponse().setProperties(properties).setId(id);
    }),
    update: unary(async (request: proto.UpdateRequest) => {
      const [urn, preview] = [request.getUrn(), request.getPreview()];
      const properties = made(urn, decodeStruct(request.getNews()), preview);
      if (preview) {
        // The preview of an update knows the name, and no other property that Azure computes.
        const { name = null } = azure.resources.get(request.getId()) ?? {};
        return new proto.UpdateResponse().setProperties(encodeStruct({ ...decodeStruct(properties), name }));
      }
      await work(urn);
      azure.resources.set(request.getId(), decodeStruct(properties));
      return new proto.UpdateResponse().setProperties(properties);
    }),
    read: unary((request: proto.ReadRequest) => {
      const known = azure.resources.get(request.getId());
      return known === undefined
        ? new proto.ReadResponse()
        : new proto.ReadResponse()
            .setId(request.getId())
            .setProperties(encodeStruct(known))
            .setInputs(request.getInputs() ?? encodeStruct(known));
    }),
    delete: unary(async (request: proto.DeleteRequest) => {
      await work(request.getUrn());
      azure.remove(request.getId());
      return new Empty();
    }),
    invoke: unary((request: proto.InvokeRequest) => {
      const place = { mode: "update", project: "", stack: "", provider: reveal(settings) as object } as const;
      const answer = cloud.invoke(request.getTok(), decodeStruct(request.getArgs()), {
        ...place,
        provider: { ...place.provider },
      });
      if (answer === undefined) {
        throw new Error(`the fake Azure knows no function ${request.getTok()}`);
      }
      return new proto.InvokeResponse().setReturn(encodeStruct(answer));
    }),
    cancel: unary(() => new Empty()),
    attach: unary(() => new Empty()),
  };
}

export function startFakeAzure(simulate: readonly Simulation[] = clouds): Promise<FakeAzure> {
  const server = new Server();
  const resources = new Map<string, Values>();
  const azure = {
    port: 0,
    resources,
    remove: (id: string) => {
      for (const each of resources.keys()) {
        if (each === id || each.startsWith(`${id}/`)) {
          resources.delete(each);
        }
      }
    },
    duration: 0,
    fault: (): string | undefined => undefined,
    stop: () => {
      server.forceShutdown();
    },
  };
  server.addService(ResourceProviderService, handlers(new SimulatedCloud(simulate), azure));
  return new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
      if (error) {
        reject(error);
      } else {
        azure.port = port;
        resolve(azure);
      }
    });
  });
}
