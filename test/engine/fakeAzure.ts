import { setTimeout as sleep } from "node:timers/promises";
import {
  Metadata,
  Server,
  ServerCredentials,
  status,
  type handleUnaryCall,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { differences } from "../../plan/compare/properties";
import { listsOfType } from "../../plan/compare/listTables";
import { replacingPaths } from "../../plan/compare/replacement";
import { clouds } from "../../plan/simulation";
import {
  SimulatedCloud,
  type Plain,
  type SimulatedResource,
  type Simulation,
  reveal,
  type Values,
  decodeStruct,
  encodeStruct,
} from "pulumi-plan-engine";
import { AzureError, AzureStore } from "./azureStore";

/**
 * The providers azure-native and random for the real Pulumi engine, on the simulated cloud of the plan and with Azure's own
 * rules (azureStore.ts). Like Azure, it completes an operation even if the CLI that requested it is killed.
 */
export interface FakeAzure {
  /** For PULUMI_DEBUG_PROVIDERS. */
  readonly providers: string;
  readonly store: AzureStore;
  /** Milliseconds that each creation and deletion takes. Default: 0. */
  duration: number;
  /** Error of Azure for a creation, update or deletion, which is then not begun. Default: none. */
  fault: (urn: string) => string | undefined;
  /**
   * Error with which an accepted creation or update ends later. The resource exists then, and azure-native gives the engine its
   * state (pulumi-azure-native provider/pkg/provider/crud, HandleErrorWithCheckpoint). Default: none.
   */
  lateFault: (urn: string) => string | undefined;
  /** IDs of the subnets in which there are machines at this moment. Default: none. */
  machines: () => Promise<readonly string[]>;
  /** The kubeconfig of an AKS cluster that exists. Default: that of the plan, which leads nowhere. */
  kubeconfig: ((id: string) => string) | undefined;
  /** Called when an AKS cluster is gone, with everything that was in it. Default: nothing. */
  deleted: (id: string) => Promise<void>;
  readonly stop: () => void;
}

/** An operation that ended with an error after the resource was made: the engine keeps it in the state. */
class LateError extends Error {
  constructor(
    message: string,
    private readonly id: string,
    private readonly properties: Struct,
    private readonly inputs: Struct | undefined,
  ) {
    super(message);
  }

  /** The details that the engine reads from an error: pulumirpc.ErrorResourceInitFailed. */
  metadata(): Metadata {
    const detail = new proto.ErrorResourceInitFailed()
      .setId(this.id)
      .setProperties(this.properties)
      .setReasonsList([this.message])
      .setInputs(this.inputs);
    const packed = new Any();
    packed.pack(detail.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
    const answer = new Status().setCode(status.UNKNOWN).setMessage(this.message).setDetailsList([packed]);
    const metadata = new Metadata();
    metadata.add("grpc-status-details-bin", Buffer.from(answer.serializeBinary()));
    return metadata;
  }
}

/** Answers one kind of request. The peer is the connection of one provider resource, which has settings of its own. */
const unary =
  <Request, Response>(
    answer: (request: Request, peer: string) => Response | Promise<Response>,
  ): handleUnaryCall<Request, Response> =>
  (call, reply) => {
    Promise.resolve(call.request)
      .then((request) => answer(request, call.getPeer()))
      .then(
        (response) => {
          reply(null, response);
        },
        (error: unknown) => {
          const details = error instanceof Error ? error.message : String(error);
          const late = error instanceof LateError ? { metadata: error.metadata() } : {};
          reply({ code: status.UNKNOWN, details, ...late });
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
    provider: reveal(provider) as Plain,
  };
}

/** Without secrets; an unknown value differs from every known one. */
const plain = (values: Values): Plain => JSON.parse(JSON.stringify(reveal(values))) as Plain;

const inputsOf = (struct: Struct | undefined): Values => decodeStruct(struct);

/**
 * What azure-native says of a change: what forces a replacement, and that the old one is deleted first, because the new
 * one has the same ID (pulumi-azure-native provider/pkg/provider/provider.go, Diff).
 */
function differenceOf(urn: string, olds: Values, news: Values): proto.DiffResponse {
  const { type, name } = placeOf(urn, "update", {});
  const inputs = plain(news);
  const paths = differences(plain(olds), inputs, listsOfType(type)).map(({ path }) => path);
  const resource = { urn, type, name, custom: true, inputs, options: {}, dependencies: [] };
  const replaces = replacingPaths(resource, undefined, paths);
  const { DIFF_NONE, DIFF_SOME } = proto.DiffResponse.DiffChanges;
  return new proto.DiffResponse()
    .setChanges(paths.length === 0 ? DIFF_NONE : DIFF_SOME)
    .setDiffsList([...new Set(paths.map((path) => path.split(/[.[]/)[0]!))])
    .setReplacesList([...new Set(replaces.map((path) => path.split(/[.[]/)[0]!))])
    .setDeletebeforereplace(replaces.length > 0);
}

/** What a program may set of a provider. */
const schema = {
  name: "azure-native",
  version: "3.0.0",
  provider: { inputProperties: { subscriptionId: { type: "string" }, tenantId: { type: "string" } } },
};

class Provider {
  /** By peer. */
  private readonly settings = new Map<string, Values>();
  private readonly outputs = new Map<string, Values>();
  /** Identities of which a federated credential is being written. */
  private readonly written = new Set<string>();

  constructor(
    private readonly cloud: SimulatedCloud,
    private readonly azure: FakeAzure,
  ) {}

  /**
   * What a cloud computes. A resource that is created again is another one: an identity has a new principal, an address is a
   * new one. Source: learn.microsoft.com/entra/identity/managed-identities-azure-resources/managed-identity-best-practice-recommendations
   */
  private computed(urn: string, inputs: Values, count: number, peer: string): Values {
    const place = placeOf(urn, "update", this.settings.get(peer) ?? {});
    const first = this.cloud.outputs(inputs, place);
    return count === 0
      ? first
      : {
          ...this.cloud.outputs(inputs, { ...place, urn: `${urn} ${count}` }),
          ...("name" in first ? { name: first.name! } : {}),
        };
  }

  private preview(urn: string, inputs: Values, peer: string): Values {
    return this.cloud.outputs(inputs, placeOf(urn, "preview", this.settings.get(peer) ?? {}));
  }

  private async begin(urn: string): Promise<void> {
    await sleep(this.azure.duration);
    const fault = this.azure.fault(urn);
    if (fault !== undefined) {
      throw new Error(fault);
    }
    if (placeOf(urn, "update", {}).type === "azure-native:network:VirtualNetwork") {
      this.azure.store.machinesIn = await this.azure.machines();
    }
  }

  /**
   * Credentials of one identity are written one after the other. Source:
   * learn.microsoft.com/entra/workload-id/workload-identity-federation-considerations (concurrent updates)
   */
  private async write(urn: string, id: string): Promise<void> {
    const [identity = "", credential] = id.split("/federatedIdentityCredentials/");
    if (credential === undefined) {
      return this.begin(urn);
    }
    if (this.written.has(identity)) {
      throw new AzureError(
        "ConcurrentFederatedIdentityCredentialsWritesForSingleManagedIdentity",
        `Too many Federated Identity Credentials are written concurrently for the managed identity '${identity}'.`,
      );
    }
    this.written.add(identity);
    return this.begin(urn).finally(() => this.written.delete(identity));
  }

  /** An accepted operation of Azure ends later: learn.microsoft.com/azure/azure-resource-manager/management/async-operations */
  private end(urn: string, id: string, properties: Values, inputs: Struct | undefined): void {
    const fault = this.azure.lateFault(urn);
    if (fault !== undefined) {
      throw new LateError(fault, id, encodeStruct({ ...properties, provisioningState: "Failed" }), inputs);
    }
  }

  async create(request: proto.CreateRequest, peer: string): Promise<proto.CreateResponse> {
    const inputs = inputsOf(request.getProperties());
    const urn = request.getUrn();
    if (request.getPreview()) {
      return new proto.CreateResponse().setProperties(encodeStruct(this.preview(urn, inputs, peer)));
    }
    const place = placeOf(urn, "update", this.settings.get(peer) ?? {});
    const id = this.cloud.id(inputs, place);
    if (!place.type.startsWith("azure-native:")) {
      return new proto.CreateResponse()
        .setId(id)
        .setProperties(encodeStruct(this.cloud.outputs(inputs, place)));
    }
    const properties = this.computed(urn, inputs, this.azure.store.count(id), peer);
    await this.write(urn, id);
    this.azure.store.create(id, { type: place.type.replace("azure-native:", ""), inputs: plain(inputs) });
    this.outputs.set(id, properties);
    this.end(urn, id, properties, request.getProperties());
    return new proto.CreateResponse().setProperties(encodeStruct(properties)).setId(id);
  }

  async update(request: proto.UpdateRequest, peer: string): Promise<proto.UpdateResponse> {
    const [urn, id] = [request.getUrn(), request.getId()];
    const inputs = inputsOf(request.getNews());
    if (request.getPreview()) {
      // The preview of an update knows the name, and no other property that Azure computes.
      const { name = null } = this.outputs.get(id) ?? {};
      return new proto.UpdateResponse().setProperties(
        encodeStruct({ ...this.preview(urn, inputs, peer), name }),
      );
    }
    const place = placeOf(urn, "update", {});
    const properties = this.computed(urn, inputs, this.azure.store.count(id) - 1, peer);
    await this.write(urn, id);
    this.azure.store.update(id, { type: place.type.replace("azure-native:", ""), inputs: plain(inputs) });
    this.outputs.set(id, properties);
    this.end(urn, id, properties, request.getNews());
    return new proto.UpdateResponse().setProperties(encodeStruct(properties));
  }

  async delete(request: proto.DeleteRequest): Promise<Empty> {
    const [urn, id] = [request.getUrn(), request.getId()];
    if (placeOf(urn, "update", {}).type.startsWith("azure-native:")) {
      await this.begin(urn);
      const before = this.azure.store.ids();
      this.azure.store.delete(id);
      for (const gone of before.filter((each) => !this.azure.store.has(each))) {
        if (/\/managedClusters\/[^/]+$/.test(gone)) {
          await this.azure.deleted(gone);
        }
      }
    }
    return new Empty();
  }

  read(request: proto.ReadRequest): proto.ReadResponse {
    const id = request.getId();
    if (!placeOf(request.getUrn(), "update", {}).type.startsWith("azure-native:")) {
      // Random bytes are nowhere but in the state.
      return new proto.ReadResponse()
        .setId(id)
        .setProperties(request.getProperties())
        .setInputs(request.getInputs());
    }
    const known = this.azure.store.has(id) ? this.outputs.get(id) : undefined;
    return known === undefined
      ? new proto.ReadResponse()
      : new proto.ReadResponse()
          .setId(id)
          .setProperties(encodeStruct(known))
          .setInputs(request.getInputs() ?? encodeStruct(known));
  }

  invoke(request: proto.InvokeRequest, peer: string): proto.InvokeResponse {
    const provider = reveal(this.settings.get(peer) ?? {}) as Plain;
    const place = { mode: "update", project: "", stack: "", provider } as const;
    const args = inputsOf(request.getArgs());
    const answer = this.cloud.invoke(request.getTok(), args, place);
    if (answer === undefined) {
      throw new Error(`the fake Azure knows no function ${request.getTok()}`);
    }
    const { resourceName } = plain(args);
    const kubeconfig = /:listManagedCluster\w+Credentials$/.test(request.getTok()) && this.azure.kubeconfig;
    return new proto.InvokeResponse().setReturn(
      encodeStruct(
        kubeconfig
          ? {
              kubeconfigs: [
                { name: "user", value: Buffer.from(kubeconfig(String(resourceName))).toString("base64") },
              ],
            }
          : answer,
      ),
    );
  }

  configure(request: proto.ConfigureRequest, peer: string): proto.ConfigureResponse {
    this.settings.set(peer, inputsOf(request.getArgs()));
    return new proto.ConfigureResponse().setAcceptsecrets(true).setSupportspreview(true);
  }

  handlers(): UntypedServiceImplementation {
    const same = (request: proto.CheckRequest) => new proto.CheckResponse().setInputs(request.getNews());
    const difference = (request: proto.DiffRequest) =>
      differenceOf(request.getUrn(), inputsOf(request.getOldInputs()), inputsOf(request.getNews()));
    return {
      handshake: unary(() => new proto.ProviderHandshakeResponse().setAcceptSecrets(true)),
      // A program in YAML asks for the settings of its providers.
      getSchema: unary(() => new proto.GetSchemaResponse().setSchema(JSON.stringify(schema))),
      getPluginInfo: unary(() => new PluginInfo().setVersion("3.0.0")),
      checkConfig: unary(same),
      diffConfig: unary(difference),
      configure: unary((request: proto.ConfigureRequest, peer) => this.configure(request, peer)),
      check: unary(same),
      diff: unary(difference),
      create: unary((request: proto.CreateRequest, peer) => this.create(request, peer)),
      update: unary((request: proto.UpdateRequest, peer) => this.update(request, peer)),
      read: unary((request: proto.ReadRequest) => this.read(request)),
      delete: unary((request: proto.DeleteRequest) => this.delete(request)),
      invoke: unary((request: proto.InvokeRequest, peer) => this.invoke(request, peer)),
      cancel: unary(() => new Empty()),
      attach: unary(() => new Empty()),
    };
  }
}

export function startFakeAzure(simulate: readonly Simulation[] = clouds): Promise<FakeAzure> {
  const server = new Server();
  const azure = {
    providers: "",
    store: new AzureStore(),
    duration: 0,
    fault: (): string | undefined => undefined,
    lateFault: (): string | undefined => undefined,
    machines: () => Promise.resolve([]),
    kubeconfig: undefined,
    deleted: () => Promise.resolve(),
    stop: () => {
      server.forceShutdown();
    },
  };
  server.addService(ResourceProviderService, new Provider(new SimulatedCloud(simulate), azure).handlers());
  return new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
      if (error) {
        reject(error);
      } else {
        azure.providers = `azure-native:${port},random:${port}`;
        resolve(azure);
      }
    });
  });
}
