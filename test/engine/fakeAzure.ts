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
} from "../../plan/engine";

/**
 * A provider azure-native for the real Pulumi engine, over the cloud that the plan simulates. It creates and deletes
 * and answers functions; what differs is updated in place.
 */
export interface FakeAzure {
  /** For PULUMI_DEBUG_PROVIDERS. */
  readonly port: number;
  readonly stop: () => void;
}

const unary =
  <Request, Response>(answer: (request: Request) => Response): handleUnaryCall<Request, Response> =>
  (call, reply) => {
    try {
      reply(null, answer(call.request));
    } catch (error) {
      reply({ code: status.UNKNOWN, details: error instanceof Error ? error.message : String(error) });
    }
  };

/** `urn:pulumi:stack::project::parent$type::name` */
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

function handlers(cloud: SimulatedCloud): UntypedServiceImplementation {
  let settings: Values = {};
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
    create: unary((request: proto.CreateRequest) => {
      const inputs = decodeStruct(request.getProperties());
      const [urn, preview] = [request.getUrn(), request.getPreview()];
      const response = new proto.CreateResponse().setProperties(made(urn, inputs, preview));
      return preview ? response : response.setId(cloud.id(inputs, placeOf(urn, "update", settings)));
    }),
    update: unary((request: proto.UpdateRequest) =>
      new proto.UpdateResponse().setProperties(
        made(request.getUrn(), decodeStruct(request.getNews()), request.getPreview()),
      ),
    ),
    read: unary((request: proto.ReadRequest) =>
      new proto.ReadResponse()
        .setId(request.getId())
        .setProperties(request.getProperties())
        .setInputs(request.getInputs()),
    ),
    delete: unary(() => new Empty()),
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

export function startFakeAzure(simulate?: Simulation): Promise<FakeAzure> {
  const server = new Server();
  server.addService(ResourceProviderService, handlers(new SimulatedCloud(simulate)));
  return new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
      if (error) {
        reject(error);
      } else {
        resolve({
          port,
          stop: () => {
            server.forceShutdown();
          },
        });
      }
    });
  });
}
