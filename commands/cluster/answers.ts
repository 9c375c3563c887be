import { ClusterKubeconfigError } from "../../tools/clusterKubeconfig";
import { isRecord, text, textAt } from "../../tools/untyped";
import type { ReadProblem } from "./snapshot";

/** The answer of an API server to a GET. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Sends a GET to an API server. Rejects when there is no answer. */
export type Get = (path: string, accept?: string) => Promise<Answer>;

/** Error codes of Node.js for connections that could not be established. */
const unreachable = new Set([
  ...["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "ECONNRESET", "EPIPE"],
]);
const late = new Set(["ETIMEDOUT", "ESOCKETTIMEDOUT", "ABORT_ERR"]);

/** The problem of a connection that failed. */
export function problemOfError(error: unknown, asked: string): ReadProblem {
  if (error instanceof ClusterKubeconfigError) {
    return { what: "refused", asked, message: error.message };
  }
  const code = isRecord(error) ? text(error.code) : "";
  const message = error instanceof Error && error.message !== "" ? error.message : code || String(error);
  const what = late.has(code)
    ? "timeout"
    : unreachable.has(code)
      ? "unreachable"
      : /^ERR_SSL|^CERT_|SELF_SIGNED|UNABLE_TO_|^DEPTH_ZERO|^ERR_TLS/.test(code) ||
          /certificate|TLS|SSL/.test(message)
        ? "certificate"
        : /exec|spawn|ENOENT|kubelogin|credential plugin/i.test(`${code} ${message}`)
          ? "login"
          : "other";
  return { what, asked, message };
}

/** The problem of an answer with an error status. */
export function problemOfAnswer({ status, body }: Answer, asked: string): ReadProblem {
  const message = textAt(body, "message") || `answer ${status}`;
  const what =
    status === 401 ? "unauthorized" : status === 403 ? "forbidden" : status === 404 ? "absent" : "other";
  return { what, asked, message };
}
