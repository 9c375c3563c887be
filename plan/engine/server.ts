import type {
  handleUnaryCall,
  sendUnaryData,
  ServerUnaryCall,
  UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { Server, ServerCredentials, status } from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { LogRequest, SetRootResourceRequest } from "@pulumi/pulumi/proto/engine_pb";
import {
  GetRootResourceResponse,
  RequirePulumiVersionResponse,
  SetRootResourceResponse,
} from "@pulumi/pulumi/proto/engine_pb";
import { InvokeResponse } from "@pulumi/pulumi/proto/provider_pb";
import { ResourceMonitorService } from "@pulumi/pulumi/proto/resource_grpc_pb";
import type {
  ReadResourceRequest,
  RegisterResourceOutputsRequest,
  RegisterResourceRequest,
  ResourceInvokeRequest,
  SupportsFeatureRequest,
} from "@pulumi/pulumi/proto/resource_pb";
import {
  ReadResourceResponse,
  RegisterResourceResponse,
  SupportsFeatureResponse,
} from "@pulumi/pulumi/proto/resource_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { Monitor } from "./monitor";
import { toStruct } from "./monitor";
import { decodeAll } from "./values";

/** 400 MB, as the SDK allows itself; the default of 4 MB is less than a large manifest. */
const maxMessageBytes = 400 * 1024 * 1024;

/** Without these the SDK would send secrets unwrapped and aliases flattened. */
const features = ["secrets", "resourceReferences", "outputValues", "aliasSpecs", "deletedWith"];

const severities = ["debug", "info", "warning", "error"] as const;

/** A handler that answers at once; what it throws becomes an error of the program. */
const unary =
  <Request, Response>(answer: (request: Request) => Response): handleUnaryCall<Request, Response> =>
  (call: ServerUnaryCall<Request, Response>, reply: sendUnaryData<Response>) => {
    try {
      reply(null, answer(call.request));
    } catch (error) {
      reply({ code: status.UNKNOWN, details: error instanceof Error ? error.message : String(error) });
    }
  };

function monitorHandlers(monitor: Monitor): UntypedServiceImplementation {
  return {
    supportsFeature: unary((request: SupportsFeatureRequest) => {
      const response = new SupportsFeatureResponse();
      response.setHassupport(features.includes(request.getId()));
      return response;
    }),
    registerResource: unary((request: RegisterResourceRequest) => {
      const { urn, id, outputs } = monitor.register(request);
      const response = new RegisterResourceResponse();
      response.setUrn(urn);
      response.setId(id);
      response.setObject(toStruct(outputs));
      return response;
    }),
    registerResourceOutputs: unary((request: RegisterResourceOutputsRequest) => {
      monitor.registerOutputs(request.getUrn(), request.getOutputs());
      return new Empty();
    }),
    readResource: unary((request: ReadResourceRequest) => {
      const { urn, outputs } = monitor.read(request);
      const response = new ReadResourceResponse();
      response.setUrn(urn);
      response.setProperties(toStruct(outputs));
      return response;
    }),
    invoke: unary((request: ResourceInvokeRequest) => {
      const args = decodeAll(request.getArgs()?.toJavaScript());
      const response = new InvokeResponse();
      response.setReturn(toStruct(monitor.invoke(request.getTok(), args, request.getProvider())));
      return response;
    }),
    signalAndWaitForShutdown: unary(() => new Empty()),
  };
}

function engineHandlers(monitor: Monitor): UntypedServiceImplementation {
  let root = "";
  return {
    log: unary((request: LogRequest) => {
      const severity = severities[request.getSeverity()];
      const urn = request.getUrn();
      // Debug messages of the SDK hold every value in clear, secrets too, and tell nothing that the record does not.
      if (severity !== "debug") {
        monitor.diagnostics.push({ severity, message: request.getMessage(), ...(urn === "" ? {} : { urn }) });
      }
      return new Empty();
    }),
    getRootResource: unary(() => {
      const response = new GetRootResourceResponse();
      response.setUrn(root);
      return response;
    }),
    setRootResource: unary((request: SetRootResourceRequest) => {
      root = request.getUrn();
      return new SetRootResourceResponse();
    }),
    requirePulumiVersion: unary(() => new RequirePulumiVersionResponse()),
  };
}

/** Serves the two services of an engine on a free port of the loopback interface. */
export async function serve(monitor: Monitor): Promise<{ address: string; stop: () => void }> {
  const server = new Server({ "grpc.max_receive_message_length": maxMessageBytes });
  server.addService(ResourceMonitorService, monitorHandlers(monitor));
  server.addService(EngineService, engineHandlers(monitor));
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
      server.forceShutdown();
    },
  };
}
