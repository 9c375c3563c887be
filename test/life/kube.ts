import type { KubernetesObject } from "capz-types";
import type { SendRequest } from "../../components/scaleDown/requests";
import { ApiServer, type Answer } from "../apiserver/client";
import { sleep } from "./azure/clock";

/** An object as an API server returns it. */
export interface LiveObject extends KubernetesObject {
  readonly metadata: KubernetesObject["metadata"] & {
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly generation?: number;
    readonly creationTimestamp?: string;
    readonly deletionTimestamp?: string;
    readonly finalizers?: readonly string[];
    readonly ownerReferences?: readonly { readonly kind: string; readonly name: string }[];
  };
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
}

export interface Kind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** An event of a watch. ERROR: the history does not reach back to the version that was asked for. */
export interface Change {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "ERROR";
  readonly object: LiveObject;
}

/** Error answer of an API server. */
export class RefusedError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

const named = ({ apiVersion, kind }: Kind, name: string, namespace?: string): KubernetesObject => ({
  apiVersion,
  kind,
  metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
});

function checked(what: string, { status, body }: Answer): LiveObject {
  if (status >= 300) {
    throw new RefusedError(status, `${what}: ${body.message ?? status}`);
  }
  return body;
}

/** A client of an API server with the few operations that the simulation needs. */
export class Kube extends ApiServer {
  /** Retries if the API server asks for it, which it does while CRDs change, and if its etcd is slow on a busy machine. */
  protected override async call(...request: Parameters<ApiServer["call"]>): Promise<Answer> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await super.call(...request);
      const isSlow =
        request[0] !== "POST" && (answer.body.message ?? "").startsWith("etcdserver: request timed out");
      if ((answer.status !== 429 && !isSlow) || attempt === 10) {
        return answer;
      }
      await sleep(500);
    }
  }

  /** Undefined if the object or its kind does not exist. */
  async get(kind: Kind, name: string, namespace?: string): Promise<LiveObject | undefined> {
    const path = await this.path(named(kind, name, namespace));
    if (path === undefined) {
      this.forget(kind.apiVersion);
      return undefined;
    }
    const answer = await this.call("GET", path);
    return answer.status === 404 ? undefined : checked(`${kind.kind} ${name}`, answer);
  }

  /** Objects of all namespaces. Empty if the kind does not exist. */
  async list(kind: Kind): Promise<LiveObject[]> {
    const path = await this.path(named(kind, "", ""));
    if (path === undefined) {
      this.forget(kind.apiVersion);
      return [];
    }
    const answer = await this.call("GET", path.replace("/namespaces//", "/").replace(/\/$/, ""));
    const { items = [] } = checked(`list of ${kind.kind}`, answer) as unknown as { items?: LiveObject[] };
    return items.map((item) => ({ ...item, apiVersion: kind.apiVersion, kind: kind.kind }));
  }

  /**
   * Every version of the objects of a kind after a version, so that none is missed that was there for a moment only. Waits
   * up to a second for the first. 0 returns what exists now. Empty if the kind does not exist.
   */
  async changes(kind: Kind, since: number): Promise<Change[]> {
    const path = await this.path(named(kind, "", ""));
    if (path === undefined) {
      this.forget(kind.apiVersion);
      return [];
    }
    const all = path.replace("/namespaces//", "/").replace(/\/$/, "");
    const { status, text } = await this.ask(
      "GET",
      `${all}?watch=1&timeoutSeconds=1&resourceVersion=${since}`,
    );
    // 429 while CRDs change. The next call asks again.
    return status === 200
      ? text
          .split("\n")
          .filter((line) => line !== "")
          .map((line) => JSON.parse(line) as Change)
      : [];
  }

  async create(object: KubernetesObject): Promise<LiveObject | undefined> {
    const path = await this.path(object);
    const answer = await this.call("POST", path?.replace(/\/[^/]+$/, "") ?? "", object, "application/json");
    return answer.status === 409 ? undefined : checked(`${object.kind} ${object.metadata.name}`, answer);
  }

  /** Server-side apply, like Pulumi's Kubernetes provider: a field of another manager is a conflict. */
  async applyAs(manager: string, object: KubernetesObject, force = false): Promise<LiveObject> {
    const path = await this.path(object);
    if (path === undefined) {
      this.forget(object.apiVersion);
      throw new RefusedError(404, `no matches for kind ${object.kind} in ${object.apiVersion}`);
    }
    const query = `fieldManager=${manager}&fieldValidation=Strict&force=${force}`;
    return checked(
      `${object.kind} ${object.metadata.name}`,
      await this.call("PATCH", `${path}?${query}`, object),
    );
  }

  /** Merge patch of an object or its status. A missing object is no error. */
  async patch(object: KubernetesObject, part: "" | "/status" = ""): Promise<void> {
    const path = await this.path(object);
    const answer = await this.call("PATCH", `${path ?? ""}${part}`, object, "application/merge-patch+json");
    if (answer.status !== 404) {
      checked(`${object.kind} ${object.metadata.name}`, answer);
    }
  }

  /** Any request by its path, as the program sends them. */
  readonly send: SendRequest = (path, { method, body, contentType }) =>
    this.call(method, path, body, contentType);

  /** @returns whether the object existed */
  async delete(object: KubernetesObject, query = "propagationPolicy=Background"): Promise<boolean> {
    const path = await this.path(object);
    const answer = path && (await this.call("DELETE", `${path}?${query}`));
    if (!answer || answer.status === 404) {
      return false;
    }
    checked(`${object.kind} ${object.metadata.name}`, answer);
    return true;
  }
}
