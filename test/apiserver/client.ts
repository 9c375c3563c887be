import { readFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { parse } from "yaml";
import type { KubernetesObject } from "capz-types";

interface Named {
  readonly name: string;
  readonly cluster: { readonly server: string; readonly "certificate-authority-data"?: string };
  readonly user: Readonly<Record<string, string | undefined>>;
}

export interface Answer {
  readonly status: number;
  readonly body: KubernetesObject & {
    readonly message?: string;
    readonly resources?: readonly ApiResource[];
  };
}

interface ApiResource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

type Headers = Readonly<Record<string, string | string[]>>;

const decoded = (text: string | undefined): Buffer | undefined =>
  text === undefined ? undefined : Buffer.from(text, "base64");

/** Of a rig whose tests wait for no controller: garbage collection alone is a part of its CPU time. */
export const noControllers = "--controllers=none";

/** A Kubernetes client with the few calls that these tests need. */
export class ApiServer {
  private readonly agent: Agent;
  readonly server: string;
  private readonly token: string | undefined;
  private readonly groups = new Map<string, Promise<readonly ApiResource[]>>();

  constructor(kubeconfig: string) {
    const config = parse(readFileSync(kubeconfig, "utf8")) as Record<"clusters" | "users", readonly Named[]>;
    const { cluster } = config.clusters[0]!;
    const { user } = config.users[0]!;
    const file = (key: string): Buffer | undefined =>
      decoded(user[`${key}-data`]) ?? (user[key] === undefined ? undefined : readFileSync(user[key]));
    this.server = cluster.server;
    this.token = user.token;
    this.agent = new Agent({
      keepAlive: true,
      ca: decoded(cluster["certificate-authority-data"]),
      cert: file("client-certificate"),
      key: file("client-key"),
    });
  }

  /** Server-side apply with strict validation: unknown and duplicate fields are errors. */
  async apply(
    object: KubernetesObject,
    { dryRun, force = true }: { dryRun: boolean; force?: boolean },
  ): Promise<Answer> {
    const query = `fieldManager=capz-windows-test&fieldValidation=Strict&force=${force}${dryRun ? "&dryRun=All" : ""}`;
    const path = await this.path(object);
    return path === undefined
      ? {
          status: 404,
          body: { ...object, message: `no matches for kind ${object.kind} in ${object.apiVersion}` },
        }
      : this.call("PATCH", `${path}?${query}`, object);
  }

  /** Applies the status, as a controller does. */
  async applyStatus(object: KubernetesObject): Promise<Answer | undefined> {
    const path = await this.path(object);
    return path === undefined
      ? undefined
      : this.call("PATCH", `${path}/status?fieldManager=capz-windows-test&force=true`, object);
  }

  async remove(object: KubernetesObject): Promise<Answer | undefined> {
    const path = await this.path(object);
    return path === undefined ? undefined : this.call("DELETE", path);
  }

  /** Whether the API server knows a kind. */
  async serves(object: KubernetesObject): Promise<boolean> {
    return (await this.path(object)) !== undefined;
  }

  close(): void {
    this.agent.destroy();
  }

  /** Discards what is known about an API group, because its kinds may be added later. */
  protected forget(apiVersion: string): void {
    this.groups.delete(apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`);
  }

  protected async path({ apiVersion, kind, metadata }: KubernetesObject): Promise<string | undefined> {
    const root = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const known = this.groups.get(root) ?? this.call("GET", root).then(({ body }) => body.resources ?? []);
    this.groups.set(root, known);
    const resource = (await known).find(
      (candidate) => candidate.kind === kind && !candidate.name.includes("/"),
    );
    const scope = resource?.namespaced === true ? `/namespaces/${metadata.namespace ?? "default"}` : "";
    return resource && `${root}${scope}/${resource.name}/${metadata.name}`;
  }

  protected async call(
    method: string,
    path: string,
    body?: unknown,
    contentType = "application/apply-patch+yaml",
    headers: Headers = {},
  ): Promise<Answer> {
    const { status, type, text } = await this.ask(method, path, body, contentType, headers);
    // For an API group that is not served, the answer is plain text.
    return { status, body: (type.includes("json") ? JSON.parse(text) : {}) as Answer["body"] };
  }

  protected ask(
    method: string,
    path: string,
    body?: unknown,
    contentType?: string,
    headers: Headers = {},
  ): Promise<{ readonly status: number; readonly type: string; readonly text: string }> {
    return new Promise((resolve, reject) => {
      const outgoing = request(
        `${this.server}${path}`,
        {
          method,
          agent: this.agent,
          headers: {
            accept: "application/json",
            ...headers,
            ...(body === undefined ? {} : { "content-type": contentType }),
            ...(this.token === undefined ? {} : { authorization: `Bearer ${this.token}` }),
          },
        },
        (response) => {
          let text = "";
          response.setEncoding("utf8");
          response.on("data", (chunk: string) => (text += chunk));
          response.on("end", () => {
            resolve({
              status: response.statusCode ?? 0,
              type: response.headers["content-type"] ?? "",
              text,
            });
          });
        },
      );
      outgoing.on("error", reject);
      outgoing.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }
}
