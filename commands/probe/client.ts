import { pluralOf } from "../cluster/kinds";
import type { KubeObject } from "../cluster/objects";
import type { Request, Send } from "../cluster/connect";
import type { KubernetesObject } from "../../capi/types";
import { at, list, textAt } from "../../tools/untyped";
import { messageOf } from "../../tools/messageOf";

/** The few requests that a run sends to the workload cluster. */

/** The API server refused a request, or did not answer it. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
}

/** The run was interrupted by a signal, or its time is over. */
export class EndedError extends Error {
  override readonly name = "EndedError";
}

export class Client {
  constructor(
    private readonly send: Send,
    private readonly signal: AbortSignal,
    private readonly pollMs: number,
  ) {}

  /** @returns `undefined` if there is no such object @throws RefusedError */
  async get(path: string): Promise<KubeObject | undefined> {
    const answer = await this.request(path, { method: "GET" });
    return answer === undefined ? undefined : (answer.body as KubeObject);
  }

  async list(path: string): Promise<KubeObject[]> {
    const answer = await this.request(path, { method: "GET" });
    return list(at(answer?.body, "items")) as unknown as KubeObject[];
  }

  async text(path: string): Promise<string> {
    return (await this.request(path, { method: "GET", accept: "*/*" }))?.text ?? "";
  }

  async create(object: KubernetesObject): Promise<void> {
    const { kind, metadata } = object;
    const folder =
      kind === "Namespace"
        ? "/api/v1/namespaces"
        : `/api/v1/namespaces/${metadata.namespace ?? ""}/${pluralOf(kind)}`;
    await this.request(`${folder}?fieldValidation=Strict`, { method: "POST", body: object });
  }

  /** A merge patch. */
  async patch(path: string, body: unknown): Promise<void> {
    const contentType = "application/merge-patch+json";
    await this.request(path, { method: "PATCH", body, contentType });
  }

  async remove(path: string): Promise<void> {
    await this.request(path, { method: "DELETE" });
  }

  /**
   * Asks until there is an answer.
   * @returns `undefined` when the time is over
   * @throws EndedError
   */
  async until<T>(seconds: number, ask: () => Promise<T | undefined>): Promise<T | undefined> {
    const end = Date.now() + seconds * 1000;
    for (;;) {
      const found = await ask();
      if (found !== undefined || Date.now() >= end) {
        return found;
      }
      await this.sleep(this.pollMs);
    }
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer);
        reject(this.ended());
      };
      const timer = setTimeout(() => {
        this.signal.removeEventListener("abort", stop);
        resolve();
      }, ms);
      if (this.signal.aborted) {
        stop();
      } else {
        this.signal.addEventListener("abort", stop, { once: true });
      }
    });
  }

  private ended(): EndedError {
    return new EndedError(String(this.signal.reason));
  }

  private async request(path: string, request: Request) {
    if (this.signal.aborted) {
      throw this.ended();
    }
    const what = `${request.method} ${path.replace(/\?.*$/, "")}`;
    const answer = await this.sent(path, request).catch((error: unknown) => {
      throw error instanceof EndedError ? error : new RefusedError(`${what}: ${messageOf(error)}`);
    });
    if (answer.status === 404 && request.method !== "POST") {
      return undefined;
    }
    if (answer.status >= 300) {
      const message = textAt(answer.body, "message") || `answer ${answer.status}`;
      throw new RefusedError(`${what}: ${message}`);
    }
    return answer;
  }

  /** The API server may be away for a moment, for instance because a machine of the control plane is replaced. */
  private async sent(path: string, request: Request): ReturnType<Send> {
    try {
      return await this.send(path, request);
    } catch (error) {
      if (request.method === "POST") {
        throw error;
      }
      await this.sleep(this.pollMs);
      return this.send(path, request);
    }
  }
}
