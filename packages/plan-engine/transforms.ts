import { credentials } from "@grpc/grpc-js";
import { CallbacksClient } from "@pulumi/pulumi/proto/callback_grpc_pb";
import type { Callback } from "@pulumi/pulumi/proto/callback_pb";
import { CallbackInvokeRequest } from "@pulumi/pulumi/proto/callback_pb";
import type { CallBack } from "./callbacks";
import type { RegisterResourceRequest } from "@pulumi/pulumi/proto/resource_pb";
import {
  TransformRequest,
  TransformResourceOptions,
  TransformResponse,
} from "@pulumi/pulumi/proto/resource_pb";

function optionsFrom(request: RegisterResourceRequest): TransformResourceOptions {
  const options = new TransformResourceOptions();
  const protect = request.getProtect();
  if (protect !== undefined) {
    options.setProtect(protect);
  }
  const retain = request.getRetainondelete();
  if (retain !== undefined) {
    options.setRetainOnDelete(retain);
  }
  if (request.getDeletebeforereplacedefined()) {
    options.setDeleteBeforeReplace(request.getDeletebeforereplace());
  }
  request.getProvidersMap().forEach((reference, name) => {
    options.getProvidersMap().set(name, reference);
  });
  return options
    .setDependsOnList(request.getDependenciesList())
    .setIgnoreChangesList(request.getIgnorechangesList())
    .setReplaceOnChangesList(request.getReplaceonchangesList())
    .setHideDiffList(request.getHidediffsList())
    .setVersion(request.getVersion())
    .setAliasesList(request.getAliasesList())
    .setProvider(request.getProvider())
    .setCustomTimeouts(request.getCustomtimeouts())
    .setPluginDownloadUrl(request.getPlugindownloadurl())
    .setDeletedWith(request.getDeletedwith())
    .setReplaceWithList(request.getReplaceWithList())
    .setReplacementTrigger(request.getReplacementTrigger())
    .setAdditionalSecretOutputsList(request.getAdditionalsecretoutputsList())
    .setHooks(request.getHooks())
    .setImport(request.getImportid());
}

/** The map of providers stays: the SDK never fills it in its answer. */
function putOptions(request: RegisterResourceRequest, options: TransformResourceOptions): void {
  request
    .setProtect(options.getProtect() === true)
    .setRetainondelete(options.getRetainOnDelete() === true)
    .setDeletebeforereplace(options.getDeleteBeforeReplace() === true)
    .setDeletebeforereplacedefined(options.hasDeleteBeforeReplace())
    .setDependenciesList(options.getDependsOnList())
    .setIgnorechangesList(options.getIgnoreChangesList())
    .setReplaceonchangesList(options.getReplaceOnChangesList())
    .setHidediffsList(options.getHideDiffList())
    .setVersion(options.getVersion())
    .setAliasesList(options.getAliasesList())
    .setProvider(options.getProvider())
    .setCustomtimeouts(options.getCustomTimeouts())
    .setPlugindownloadurl(options.getPluginDownloadUrl())
    .setDeletedwith(options.getDeletedWith())
    .setReplaceWithList(options.getReplaceWithList())
    .setReplacementTrigger(options.getReplacementTrigger())
    .setAdditionalsecretoutputsList(options.getAdditionalSecretOutputsList())
    .setHooks(options.getHooks())
    .setImportid(options.getImport());
}

/** Transforms of resources: functions of the program, which it serves under its own address or has in this process. */
export class Transforms {
  callBack: CallBack = (callback, request, reply) => {
    const target = callback.getTarget();
    const client = this.clients.get(target) ?? new CallbacksClient(target, credentials.createInsecure());
    this.clients.set(target, client);
    client.invoke(request, reply);
  };
  private readonly ofStack: Callback[] = [];
  private readonly ofResource = new Map<string, readonly Callback[]>();
  private readonly clients = new Map<string, CallbacksClient>();

  addToStack(callback: Callback): void {
    this.ofStack.push(callback);
  }

  /** Those of a component hold for its children. */
  addToResource(urn: string, callbacks: readonly Callback[]): void {
    if (callbacks.length > 0) {
      this.ofResource.set(urn, callbacks);
    }
  }

  /**
   * Changes a request as the program wants it: first by the resource's own transforms, then by those around it.
   * @param ancestors URNs from the parent upwards
   */
  async apply(request: RegisterResourceRequest, ancestors: readonly string[]): Promise<void> {
    const inherited = ancestors.flatMap((urn) => this.ofResource.get(urn) ?? []);
    for (const callback of [...request.getTransformsList(), ...inherited, ...this.ofStack]) {
      const question = new TransformRequest()
        .setType(request.getType())
        .setName(request.getName())
        .setCustom(request.getCustom())
        .setParent(request.getParent())
        .setProperties(request.getObject())
        .setOptions(optionsFrom(request));
      const answer = TransformResponse.deserializeBinary(
        await this.call(callback, question.serializeBinary()),
      );
      const properties = answer.getProperties();
      if (properties) {
        request.setObject(properties);
      }
      const options = answer.getOptions();
      if (options) {
        putOptions(request, options);
      }
    }
  }

  close(): void {
    for (const client of this.clients.values()) {
      client.close();
    }
  }

  private call(callback: Callback, question: Uint8Array): Promise<Uint8Array> {
    const request = new CallbackInvokeRequest().setToken(callback.getToken()).setRequest(question);
    return new Promise((resolve, reject) => {
      this.callBack(callback, request, (error, response) => {
        if (error) {
          reject(new Error(error.details));
        } else {
          resolve(response.getResponse_asU8());
        }
      });
    });
  }
}
