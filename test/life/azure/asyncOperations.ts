import type { Clock } from "./clock";
import type { Answer } from "./resource";
import { failure } from "./resource";

type State = "InProgress" | "Succeeded" | "Failed";

interface Operation {
  state: State;
  error?: { readonly code: string; readonly message: string };
}

/**
 * Asynchronous operations: the first answer names a URL that is polled until the operation has a final state.
 * https://learn.microsoft.com/azure/azure-resource-manager/management/async-operations
 */
export class AsyncOperations {
  private readonly operations = new Map<string, Operation>();
  private count = 0;

  constructor(
    private readonly clock: Clock,
    /** Default duration of an operation in milliseconds. */
    readonly usualMs: number,
  ) {}

  /**
   * Starts an operation. `done` runs at its end, and returns an error if the operation failed.
   * @returns the headers of the first answer
   */
  start(
    subscription: string,
    done: () => { readonly code: string; readonly message: string } | undefined,
    ms = this.usualMs,
  ): Record<string, string> {
    const id = `00000000-0000-4000-8000-${String((this.count += 1)).padStart(12, "0")}`;
    const operation: Operation = { state: "InProgress" };
    this.operations.set(id, operation);
    this.clock.after(ms, () => {
      const error = done();
      operation.state = error ? "Failed" : "Succeeded";
      if (error) {
        operation.error = error;
      }
    });
    const base = `https://management.azure.com/subscriptions/${subscription}/providers/Microsoft.Compute/locations/simulated`;
    return {
      "azure-asyncoperation": `${base}/operations/${id}?api-version=2024-03-01`,
      location: `${base}/operationResults/${id}?api-version=2024-03-01`,
    };
  }

  /** @returns undefined if the path is not of an operation */
  answer(path: string): Answer | undefined {
    const match = /\/locations\/simulated\/(operations|operationResults)\/([^/]+)$/i.exec(path);
    if (!match) {
      return undefined;
    }
    const [, kind = "", id = ""] = match;
    const operation = this.operations.get(id);
    if (!operation) {
      return failure(404, "OperationNotFound", `The operation ${id} is not known.`);
    }
    if (kind.toLowerCase() === "operationresults") {
      return operation.state === "InProgress" ? { status: 202 } : { status: 204 };
    }
    const { state, error } = operation;
    return {
      status: 200,
      body: {
        name: id,
        status: state,
        ...(error ? { error: { code: error.code, message: error.message } } : {}),
      },
    };
  }
}
