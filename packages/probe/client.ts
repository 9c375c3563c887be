import { type Answer, notKubernetes, objectsOf } from "capz-windows-doctor/cluster/answers";
import { pluralOf } from "capz-windows-doctor/cluster/kinds";
import { hasMetadata, type KubeObject } from "capz-windows-doctor/cluster/objects";
import type { ReadProblem } from "capz-windows-doctor/cluster/snapshot";
import type { Request, Send } from "capz-windows-doctor/cluster/connect";
import type { KubernetesObject } from "capz-types";
import { weightOf } from "capz-windows-kit/io/json";
import { allPages } from "capz-windows-kit/io/pages";
import { textAt } from "capz-windows-kit/untyped";
import { messageOf } from "capz-windows-kit/messageOf";
import { oneLine } from "capz-windows-kit/visible";

/** The few requests that a run sends to the workload cluster. */

/** The API server refused a request, or did not answer it. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";

  /** @param message - with what the server says, which is data */
  constructor(message: string) {
    super(oneLine(message));
  }
}

/** The run was interrupted by a signal, or its time is over. */
export class EndedError extends Error {
  override readonly name = "EndedError";
}

const refusal = (path: string, { message }: ReadProblem): RefusedError =>
  new RefusedError(`GET ${path}: ${message}`);

/** The results of a pod have some kB. */
const mostOfLog = 1_000_000;

/** A node has some 20 kB. */
const pageSize = 500;

export class Client {
  constructor(
    private readonly send: Send,
    private readonly signal: AbortSignal,
    private readonly pollMs: number,
  ) {}

  /** @returns `undefined` if there is no such object @throws RefusedError */
  async get(path: string): Promise<KubeObject | undefined> {
    const answer = await this.request(path, { method: "GET" });
    if (answer !== undefined && !hasMetadata(answer.body)) {
      throw refusal(path, notKubernetes(answer, path));
    }
    return answer?.body as KubeObject | undefined;
  }

  /** What is no object, such as the configuration of a kubelet. @throws RefusedError */
  async read(path: string): Promise<unknown> {
    return (await this.request(path, { method: "GET" }))?.body;
  }

  /** All nodes, in pages. @throws RefusedError */
  nodes(): Promise<KubeObject[]> {
    const path = "/api/v1/nodes";
    return allPages(async (from) => {
      const after = from === "" ? "" : `&continue=${encodeURIComponent(from)}`;
      const page = await this.request(`${path}?limit=${pageSize}${after}`, { method: "GET" });
      const answer: Answer = page ?? { status: 404, body: undefined };
      const objects = objectsOf(answer, path, pageSize);
      if ("what" in objects) {
        throw refusal(path, objects);
      }
      const next = textAt(answer.body, "metadata", "continue");
      return { items: objects, next, bytes: answer.bytes, values: weightOf(objects) };
    });
  }

  async text(path: string): Promise<string> {
    const request = { method: "GET", accept: "*/*", maxBytes: mostOfLog };
    return (await this.request(`${path}?limitBytes=${mostOfLog}`, request))?.text ?? "";
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
    // Only an API server says that something is not there: what a proxy does not find may still run.
    if (answer.status === 404 && request.method !== "POST" && textAt(answer.body, "kind") === "Status") {
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
