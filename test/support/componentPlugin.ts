import { spawn } from "node:child_process";
import { credentials, type ServiceError } from "@grpc/grpc-js";
import { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import {
  ConstructRequest,
  type ConstructResponse,
  GetSchemaRequest,
  type GetSchemaResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import type { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Monitor } from "pulumi-plan-engine/monitor";
import { complete } from "pulumi-plan-engine/options";
import { serve } from "pulumi-plan-engine/server";
import { decodeStruct, encodeStruct, type PlanOptions, type Values } from "pulumi-plan-engine";
import { projectDir } from "./projectDir";

/** The components as a plug-in of another language's program, started as Pulumi's host of Node.js starts it. */

export interface ComponentPlugin {
  readonly port: number;
  readonly stop: () => void;
}

/**
 * @param cwd - the folder of the program
 * @param folder - of PulumiPlugin.yaml
 */
export function startComponents(
  cwd: string,
  folder = projectDir,
  env: NodeJS.ProcessEnv = process.env,
): Promise<ComponentPlugin> {
  const entry = require.resolve("@pulumi/pulumi/cmd/run-plugin");
  const child = spawn(process.execPath, [entry, folder], { cwd, env });
  let output = "";
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        const port = /^(\d+)\n/.exec(output)?.[1];
        if (port !== undefined) {
          resolve({ port: Number(port), stop: () => child.kill("SIGKILL") });
        }
      });
    }
    child.once("error", reject);
    child.once("close", (code) => {
      reject(new Error(`the plug-in of the components ended with ${code}\n${output}`));
    });
  });
}

type Reply<Response> = (error: ServiceError | null, response: Response) => void;

const answered = <Response>(call: (reply: Reply<Response>) => void): Promise<Response> =>
  new Promise((resolve, reject) => {
    call((error, response) => {
      if (error) {
        reject(error);
      } else {
        resolve(response);
      }
    });
  });

export interface Constructed {
  readonly urn: string;
  readonly state: Values;
}

/** What an engine asks the plug-in, with an offline engine that records what the components register. */
export class PluginClient {
  private constructor(
    private readonly client: ResourceProviderClient,
    private readonly run: ReturnType<typeof complete>,
    private readonly monitor: Monitor,
    private readonly server: Awaited<ReturnType<typeof serve>>,
  ) {}

  static async connect({ port }: ComponentPlugin, options: PlanOptions): Promise<PluginClient> {
    const run = complete(options);
    const monitor = new Monitor(run);
    const server = await serve(monitor, run);
    const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
    await answered<Empty>((reply) => client.attach(new PluginAttach().setAddress(server.address), reply));
    return new PluginClient(client, run, monitor, server);
  }

  async schema(): Promise<string> {
    const response = await answered<GetSchemaResponse>((reply) =>
      this.client.getSchema(new GetSchemaRequest(), reply),
    );
    return response.getSchema();
  }

  /** @param providers - references by package */
  async construct(
    name: string,
    type: string,
    inputs: Values,
    providers: Readonly<Record<string, string>>,
  ): Promise<Constructed> {
    const request = new ConstructRequest()
      .setProject(this.run.project)
      .setStack(this.run.stack)
      .setOrganization(this.run.organization)
      .setMonitorendpoint(this.server.address)
      .setParallel(1)
      .setType(type)
      .setName(name)
      .setInputs(encodeStruct(inputs));
    for (const [key, reference] of Object.entries(providers)) {
      request.getProvidersMap().set(key, reference);
    }
    const response = await answered<ConstructResponse>((reply) => this.client.construct(request, reply));
    return { urn: response.getUrn(), state: decodeStruct(response.getState()) };
  }

  get resources() {
    return [...this.monitor.resources.values()];
  }

  close(): void {
    this.client.close();
    this.server.stop();
  }
}
