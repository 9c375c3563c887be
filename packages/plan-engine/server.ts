import type { handleUnaryCall, UntypedServiceImplementation } from "@grpc/grpc-js";
import { Server, ServerCredentials, status } from "@grpc/grpc-js";
import type { Callback } from "@pulumi/pulumi/proto/callback_pb";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { LogRequest, SetRootResourceRequest } from "@pulumi/pulumi/proto/engine_pb";
import {
  GetRootResourceResponse,
  RequirePulumiVersionResponse,
  SetRootResourceResponse,
} from "@pulumi/pulumi/proto/engine_pb";
import { ResourceMonitorService } from "@pulumi/pulumi/proto/resource_grpc_pb";
import type {
  ReadResourceRequest,
  RegisterPackageRequest,
  RegisterResourceOutputsRequest,
  RegisterResourceRequest,
  ResourceCallRequest,
  ResourceInvokeRequest,
  SupportsFeatureRequest,
} from "@pulumi/pulumi/proto/resource_pb";
import {
  DeploymentInfo,
  ReadResourceResponse,
  RegisterPackageResponse,
  RegisterResourceResponse,
  ResourceInvokeResponse,
  ResourceMonitorFeature,
  SupportsFeatureResponse,
} from "@pulumi/pulumi/proto/resource_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { CallBack } from "./callbacks";
import { Refusal, type Monitor } from "./monitor";
import type { RunOptions } from "./options";
import { Inheritance } from "./inheritance";
import { providerReference } from "./requests";
import { Transforms } from "./transforms";
import { decodeStruct, encodeStruct } from "./wire";

/** 400 MB, as the SDK allows itself; the default of 4 MB is less than a large manifest. */
const maxMessageBytes = 400 * 1024 * 1024;

/**
 * The features that the engine announces. Without them the SDK would send secrets as plain values and aliases as URNs,
 * and would refuse to use the others. Hooks are recorded and never run.
 */
const features: Readonly<Record<string, ResourceMonitorFeature>> = {
  secrets: ResourceMonitorFeature.RESOURCE_MONITOR_FEATURE_SECRETS,
  resourceReferences: ResourceMonitorFeature.RESOURCE_MONITOR_FEATURE_RESOURCE_REFERENCES,
  outputValues: ResourceMonitorFeature.RESOURCE_MONITOR_FEATURE_OUTPUT_VALUES,
  aliasSpecs: ResourceMonitorFeature.RESOURCE_MONITOR_FEATURE_ALIAS_SPECS,
  replacementTrigger: ResourceMonitorFeature.RESOURCE_MONITOR_FEATURE_REPLACEMENT_TRIGGER,
  deletedWith: ResourceMonitorFeature.RESOURCE_MONITOR_FEATURE_DELETED_WITH,
  replaceWith: ResourceMonitorFeature.RESOURCE_MONITOR_FEATURE_REPLACE_WITH,
  transforms: ResourceMonitorFeature.RESOURCE_MONITOR_FEATURE_TRANSFORMS,
  // Announced, so that the program receives our own refusal instead of a message that the CLI is too old.
  invokeTransforms: ResourceMonitorFeature.RESOURCE_MONITOR_FEATURE_INVOKE_TRANSFORMS,
  parameterization: ResourceMonitorFeature.RESOURCE_MONITOR_FEATURE_PARAMETERIZATION,
  resourceHooks: ResourceMonitorFeature.RESOURCE_MONITOR_FEATURE_RESOURCE_HOOKS,
  errorHooks: ResourceMonitorFeature.RESOURCE_MONITOR_FEATURE_ERROR_HOOKS,
};

const severities = ["debug", "info", "warning", "error"] as const;

/**
 * A handler of one call.
 * @param refused status code of a refusal. On `CANCELLED`, the SDK stops without its own message, because the
 * engine has given the reason; any other code becomes an error that the program may catch
 */
const unary =
  <Request, Response>(
    answer: (request: Request) => Response | Promise<Response>,
    refused = status.UNKNOWN,
  ): handleUnaryCall<Request, Response> =>
  (call, reply) => {
    new Promise<Response>((resolve) => {
      resolve(answer(call.request));
    }).then(
      (response) => {
        reply(null, response);
      },
      (error: unknown) => {
        const details = error instanceof Error ? error.message : String(error);
        reply({ code: error instanceof Refusal ? refused : status.UNKNOWN, details });
      },
    );
  };

function monitorHandlers(
  monitor: Monitor,
  run: RunOptions,
  transforms: Transforms,
): UntypedServiceImplementation {
  const inheritance = new Inheritance();
  return {
    // Newer SDKs make this one call instead of one for each feature.
    getDeploymentInfo: unary(() =>
      new DeploymentInfo()
        .setProject(run.project)
        .setStack(run.stack)
        .setOrganization(run.organization)
        .setDryrun(run.mode === "preview")
        .setSupportedfeaturesList(Object.values(features)),
    ),
    supportsFeature: unary((request: SupportsFeatureRequest) =>
      new SupportsFeatureResponse().setHassupport(Object.hasOwn(features, request.getId())),
    ),
    registerResource: unary(async (request: RegisterResourceRequest) => {
      const own = request.getTransformsList();
      inheritance.complete(request);
      await transforms.apply(request, monitor.ancestors(request.getParent()));
      const { urn, id, outputs } = monitor.register(request);
      inheritance.remember(urn, request);
      transforms.addToResource(urn, own);
      return new RegisterResourceResponse().setUrn(urn).setId(id).setObject(encodeStruct(outputs));
    }, status.CANCELLED),
    registerResourceOutputs: unary((request: RegisterResourceOutputsRequest) => {
      monitor.registerOutputs(request.getUrn(), decodeStruct(request.getOutputs()));
      return new Empty();
    }, status.CANCELLED),
    readResource: unary((request: ReadResourceRequest) => {
      const { urn, outputs } = monitor.read(request);
      return new ReadResourceResponse().setUrn(urn).setProperties(encodeStruct(outputs));
    }, status.CANCELLED),
    invoke: unary((request: ResourceInvokeRequest) => {
      const provider = providerReference(request.getProvider());
      const result = monitor.invoke(request.getTok(), decodeStruct(request.getArgs()), provider);
      return new ResourceInvokeResponse().setReturn(encodeStruct(result));
    }),
    call: unary((request: ResourceCallRequest) =>
      monitor.refuse(`The offline engine cannot call ${request.getTok()}, a method of a remote component.`),
    ),
    registerStackTransform: unary((callback: Callback) => {
      transforms.addToStack(callback);
      return new Empty();
    }),
    registerStackInvokeTransform: unary(() =>
      monitor.refuse("The offline engine runs no transforms of functions."),
    ),
    registerResourceHook: unary(() => new Empty()),
    registerErrorHook: unary(() => new Empty()),
    registerPackage: unary((request: RegisterPackageRequest) => {
      const own = request.getParameterization() ?? request;
      return new RegisterPackageResponse().setRef(`${own.getName()}@${own.getVersion()}`);
    }),
    signalAndWaitForShutdown: unary(() => {
      monitor.finished = true;
      return new Empty();
    }),
  };
}

function engineHandlers(monitor: Monitor): UntypedServiceImplementation {
  let root = "";
  return {
    log: unary((request: LogRequest) => {
      const severity = severities[request.getSeverity()];
      const urn = request.getUrn();
      // Debug messages of the SDK contain every value in plain text, also secrets, and nothing that the recording
      // lacks. Ephemeral messages are for the status line of a terminal.
      if (severity !== "debug" && !request.getEphemeral()) {
        monitor.log({ severity, message: request.getMessage(), ...(urn === "" ? {} : { urn }) });
      }
      return new Empty();
    }),
    getRootResource: unary(() => new GetRootResourceResponse().setUrn(root)),
    setRootResource: unary((request: SetRootResourceRequest) => {
      root = request.getUrn();
      return new SetRootResourceResponse();
    }),
    startDebugging: unary(() => new Empty()),
    requirePulumiVersion: unary(() => new RequirePulumiVersionResponse()),
  };
}

/** What an engine answers to each call of its two services. */
export interface Services {
  readonly monitor: UntypedServiceImplementation;
  readonly engine: UntypedServiceImplementation;
  /**
   * Sets how functions of the program (transforms) are called. Default: by gRPC, at the address where it serves them.
   */
  readonly callHere: (callBack: CallBack) => void;
  readonly close: () => void;
}

export function servicesOf(monitor: Monitor, run: RunOptions): Services {
  const transforms = new Transforms();
  return {
    monitor: monitorHandlers(monitor, run, transforms),
    engine: engineHandlers(monitor),
    callHere: (callBack) => {
      transforms.callBack = callBack;
    },
    close: () => {
      transforms.close();
    },
  };
}

/** Serves the two services of an engine on a free port of the loopback interface. */
export async function serve(
  monitor: Monitor,
  run: RunOptions,
): Promise<{ readonly address: string; readonly stop: () => void }> {
  const services = servicesOf(monitor, run);
  const server = new Server({ "grpc.max_receive_message_length": maxMessageBytes });
  server.addService(ResourceMonitorService, services.monitor);
  server.addService(EngineService, services.engine);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) => {
      if (error) {
        reject(error);
      } else {
        resolve(bound);
      }
    });
  });
  return {
    address: `127.0.0.1:${port}`,
    stop: () => {
      services.close();
      server.forceShutdown();
    },
  };
}
