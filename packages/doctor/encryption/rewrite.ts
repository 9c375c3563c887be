import { allPages, EndlessListError } from "capz-windows-kit/io/pages";
import { type Answer, itemsOf } from "../cluster/answers";
import type { Send } from "../cluster/connect";
import { textAt } from "capz-windows-kit/untyped";
import { oneLine } from "capz-windows-kit/visible";
import { messageOf } from "capz-windows-kit/messageOf";

/**
 * Writes every object of a kind once more, as it is, so that etcd has it by the key that writes now.
 *
 * An API server does not store an object again that has not changed, unless it was read by another key than the one that
 * writes, or in clear text where a key writes (k8s.io/apiserver v0.35 pkg/storage/etcd3/store.go, GuaranteedUpdate:
 * origState.stale). So a changed resourceVersion is an object that was stored by another key.
 */

/** What happened to the objects of one kind. No content of an object is kept. */
export interface Rewritten {
  readonly resource: string;
  /** Objects that another key, or none, had written, and that are stored by the present one now. */
  readonly rewritten: number;
  /** Objects that were stored by the present key already. */
  readonly current: number;
  /** Objects that were written or deleted by others meanwhile, and so are stored by the present key, or gone. */
  readonly changed: number;
  readonly failed: readonly { readonly name: string; readonly message: string }[];
}

/** The server refused a list. */
export class ListError extends Error {
  override readonly name = "ListError";
}

/** Objects of one answer. A Secret of Helm may have 1 MB. */
const pageSize = 100;
/** Requests at the same time: an API server has hundreds of places for them (--max-mutating-requests-inflight, 200). */
const atOnce = 8;

type Outcome = "rewritten" | "current" | "changed" | { readonly name: string; readonly message: string };

const meta = (object: unknown, field: string): string => textAt(object, "metadata", field);

/** Whether a server answered with an object, and not a webhook, a proxy or a login page in its place. */
const isObject = ({ status, body }: Answer, object: unknown): boolean =>
  status < 300 &&
  ["namespace", "name", "uid"].every((field) => meta(body, field) === meta(object, field)) &&
  meta(body, "resourceVersion") !== "";

/**
 * Who refused an object, by name. Words of a policy or a webhook may quote the object, and a webhook chooses its words, but the API
 * server writes the name before them.
 */
function refusalOf({ status, body }: Answer): string {
  const by = /admission webhook "[\w.-]{1,253}"|ValidatingAdmissionPolicy '[\w.-]{1,253}'/.exec(
    textAt(body, "message"),
  );
  return by === null ? `HTTP ${status}` : `HTTP ${status} by ${by[0]}`;
}

async function rewriteOne(send: Send, resource: string, kind: string, object: unknown): Promise<Outcome> {
  const [namespace, name] = [meta(object, "namespace"), meta(object, "name")];
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/${resource}/${encodeURIComponent(name)}`;
  const failed = (message: string): Outcome => ({
    name: oneLine(`${namespace}/${name}`, 400),
    message: oneLine(message, 400),
  });
  try {
    // The items of a list have no apiVersion and kind.
    const answer = await send(path, {
      method: "PUT",
      body: { ...(object as object), apiVersion: "v1", kind },
    });
    if (isObject(answer, object)) {
      return meta(answer.body, "resourceVersion") === meta(object, "resourceVersion")
        ? "current"
        : "rewritten";
    }
    // Webhooks choose the code of what they refuse, so only the object itself shows that it was changed, or is gone.
    if (answer.status === 409 || answer.status === 404) {
      const now = await send(path, { method: "GET" });
      const isGone = now.status === 404 && textAt(now.body, "details", "name") === name;
      const version = meta(now.body, "name") === name ? meta(now.body, "resourceVersion") : "";
      if (isGone || (version !== "" && version !== meta(object, "resourceVersion"))) {
        return "changed";
      }
    }
    return failed(answer.status < 300 ? "the answer is not the object" : refusalOf(answer));
  } catch (error) {
    return failed(messageOf(error));
  }
}

/**
 * @param resource - the kind in the plural, in the core group
 * @param say - told how many objects are done
 * @throws ListError
 */
export async function rewrite(
  send: Send,
  resource: string,
  say: (done: number) => void = () => undefined,
): Promise<Rewritten> {
  const kind = { secrets: "Secret", configmaps: "ConfigMap" }[resource] ?? "";
  const outcomes: Outcome[] = [];
  // Writing takes longer than reading: hours for a large cluster, and no page is kept.
  const budget = { bytes: Infinity, items: Infinity, values: Infinity, until: Infinity };
  await allPages(async (next) => {
    const page = await send(
      `/api/v1/${resource}?limit=${pageSize}${next === "" ? "" : `&continue=${encodeURIComponent(next)}`}`,
      { method: "GET" },
    );
    const found = itemsOf(page, kind, pageSize);
    if ("what" in found) {
      throw new ListError(`${resource} cannot be listed: ${found.message}`);
    }
    const items = [...found];
    while (items.length > 0) {
      const some = items.splice(0, atOnce);
      outcomes.push(...(await Promise.all(some.map((item) => rewriteOne(send, resource, kind, item)))));
      say(outcomes.length);
    }
    return { items: [], next: textAt(page.body, "metadata", "continue") };
  }, budget).catch((error: unknown) => {
    throw error instanceof EndlessListError
      ? new ListError(`${resource} cannot be listed: ${error.message}`)
      : error;
  });
  const count = (outcome: Outcome): number => outcomes.filter((each) => each === outcome).length;
  return {
    resource,
    ...{ rewritten: count("rewritten"), current: count("current"), changed: count("changed") },
    failed: outcomes.filter((outcome) => typeof outcome === "object"),
  };
}
