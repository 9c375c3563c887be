import { ClusterKubeconfigError } from "capz-windows-kit/clusterKubeconfig";
import { at, isRecord, type Plain, text, textAt } from "capz-windows-kit/untyped";
import { oneLine } from "capz-windows-kit/visible";
import { hasMetadata, type KubeObject } from "./objects";
import type { ReadProblem } from "./snapshot";

/** The answer of an API server to a GET. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  /** Size of the body. Default: it is not counted. */
  readonly bytes?: number | undefined;
}

/** Sends a GET to an API server. Rejects when there is no answer. */
export type Get = (path: string, accept?: string) => Promise<Answer>;

/** Error codes of Node.js for connections that could not be established. */
const unreachable = new Set([
  ...["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "ECONNRESET", "EPIPE"],
]);
const late = new Set(["ETIMEDOUT", "ESOCKETTIMEDOUT", "ABORT_ERR"]);

/** What the server says is data: one line of a limited length, wherever it is printed. */
const problem = (what: ReadProblem["what"], asked: string, message: string): ReadProblem => ({
  ...{ what, asked },
  message: oneLine(message, 3_000),
});

/** The problem of a connection that failed. */
export function problemOfError(error: unknown, asked: string): ReadProblem {
  if (error instanceof ClusterKubeconfigError) {
    return problem("refused", asked, error.message);
  }
  const code = isRecord(error) ? text(error.code) : "";
  const message = error instanceof Error && error.message !== "" ? error.message : code || String(error);
  return problem(kindOf(code, message), asked, message);
}

function kindOf(code: string, message: string): ReadProblem["what"] {
  if (late.has(code)) {
    return "timeout";
  }
  if (unreachable.has(code)) {
    return "unreachable";
  }
  if (
    /^ERR_SSL|^CERT_|SELF_SIGNED|UNABLE_TO_|^DEPTH_ZERO|^ERR_TLS/.test(code) ||
    /certificate|TLS|SSL/.test(message)
  ) {
    return "certificate";
  }
  return /exec|spawn|ENOENT|kubelogin|credential plugin/i.test(`${code} ${message}`) ? "login" : "other";
}

const whatOf: Readonly<Record<number, ReadProblem["what"]>> = {
  401: "unauthorized",
  403: "forbidden",
  404: "absent",
};

/** The problem of an answer with an error status, or of one that is not what an API server answers. */
export function problemOfAnswer({ status, body }: Answer, asked: string): ReadProblem {
  const said = textAt(body, "message");
  // https://kubernetes.io/docs/reference/kubernetes-api/definitions/status-v1-meta/
  // What is not there, an API server says in a Status or in these words of Go; anybody else's 404 says nothing.
  const isOfOthers =
    status === 404 && textAt(body, "kind") !== "Status" && !said.startsWith("404 page not found");
  const what = isOfOthers ? "other" : (whatOf[status] ?? "other");
  const isSaid = said !== "" && (textAt(body, "kind") === "Status" || what !== "other");
  return problem(what, asked, isSaid ? said : `HTTP ${status}${saying(said)}`);
}

const saying = (said: string): string => (said === "" ? "" : `: ${said}`);

/**
 * The objects of a page of a list, or what is wrong with the answer: nothing but 200 with a list is one, so that no login page and
 * no error is taken for a cluster without objects.
 * @param limit - how many objects were asked for, of which a server may answer with some more; default: all
 */
export function itemsOf(answer: Answer, asked: string, limit = Infinity): readonly Plain[] | ReadProblem {
  const { status, body } = answer;
  if (status !== 200) {
    return problemOfAnswer(answer, asked);
  }
  const items = at(body, "items");
  if (Array.isArray(items) && items.length > 10 * limit) {
    const message = `the server answered with ${items.length} objects, though ${limit} were asked for`;
    return problem("other", asked, message);
  }
  return Array.isArray(items) && items.every(isRecord) ? items : notKubernetes(answer, asked);
}

/** The same, of objects with the metadata that an API server writes. */
export function objectsOf(
  answer: Answer,
  asked: string,
  limit?: number,
): readonly KubeObject[] | ReadProblem {
  const items = itemsOf(answer, asked, limit);
  if ("what" in items) {
    return items;
  }
  return items.every(hasMetadata) ? (items as unknown as KubeObject[]) : notKubernetes(answer, asked);
}

/** The problem of an answer with status 200 that has something else than what was asked for. */
export const notKubernetes = ({ status, body }: Answer, asked: string): ReadProblem =>
  problem(
    "other",
    asked,
    `the answer is not that of an API server: HTTP ${status}${saying(textAt(body, "message"))}`,
  );
