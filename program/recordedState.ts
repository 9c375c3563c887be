import * as pulumi from "@pulumi/pulumi";
import { ResourceInvokeRequest } from "@pulumi/pulumi/proto/resource_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { at, textAt } from "capz-windows-kit/untyped";

/** What the state has of an object in Kubernetes. */
export interface RecordedObject {
  /** Name of the resource in the program. */
  readonly name: string;
  /** The object as the program declared it, or, where the state does not have that, as the API server has it. */
  readonly object: unknown;
}

/**
 * Calls a function of Pulumi's engine. Not `pulumi.runtime.invoke`: that writes the answer into the debug messages, which
 * `--event-log` keeps, and the answer has all secrets of the stack.
 */
function ask(token: string, args: Record<string, string>): Promise<unknown> {
  const monitor = pulumi.runtime.getMonitor();
  const request = new ResourceInvokeRequest().setTok(token).setArgs(Struct.fromJavaScript(args));
  return new Promise((resolve, reject) => {
    if (monitor === undefined) {
      reject(new Error("Pulumi's engine is not there"));
      return;
    }
    monitor.invoke(request, (error, response) => {
      if (error) {
        reject(new Error(error.details));
      } else {
        resolve(response.getReturn()?.toJavaScript());
      }
    });
  });
}

/**
 * The outputs of a stack; none for one that was never up.
 * @param stack - fully qualified: organization/project/stack
 * @throws Error if there is no such stack
 */
export async function outputsOf(stack: string): Promise<Readonly<Record<string, unknown>>> {
  const answer = await ask("pulumi:pulumi:readStackOutputs", { name: stack });
  const outputs = Object.entries(Object(at(answer, "outputs")) as object);
  // A secret is an object with its value.
  return Object.fromEntries(outputs.map(([name, value]) => [name, pulumi.runtime.unwrapRpcSecret(value)]));
}

/** The objects in Kubernetes that the state has, before this run changes anything; none for a stack that was never up. */
export async function recordedObjects(): Promise<RecordedObject[]> {
  const stack = `${pulumi.getOrganization()}/${pulumi.getProject()}/${pulumi.getStack()}`;
  // The second function breaks the engine off where there is no state yet (v3.274 backend/backend.go); the first does not.
  if (Object.keys(await outputsOf(stack)).length === 0) {
    return [];
  }
  const answer = await ask("pulumi:pulumi:readStackResourceOutputs", { stackName: stack });
  return Object.entries(Object(at(answer, "outputs")) as object).flatMap(([urn, resource]) =>
    textAt(resource, "type").startsWith("kubernetes:")
      ? [
          {
            name: urn.split("::").at(-1) ?? "",
            object: at(resource, "outputs", "__inputs") ?? at(resource, "outputs"),
          },
        ]
      : [],
  );
}
