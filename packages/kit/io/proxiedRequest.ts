import http from "node:http";
import https from "node:https";
import { isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { proxyFor } from "./proxy";

/** Requests of Node.js through the proxy of the environment. */

type Options = Omit<https.RequestOptions, "headers"> & {
  readonly headers?: http.OutgoingHttpHeaders;
  readonly signal: AbortSignal;
};

const secureOf = ({ protocol }: URL) => (protocol === "https:" ? https : http);

/** The place of a proxy in messages and requests, without its user and password. */
const placeOf = ({ hostname, port, protocol }: URL) => ({
  host: hostname.replace(/^\[|\]$/g, ""),
  port: Number(port) || (protocol === "https:" ? 443 : 80),
});

const authorization = ({ username, password }: URL): Record<string, string> =>
  username === ""
    ? {}
    : {
        "proxy-authorization": `Basic ${Buffer.from(
          `${decodeURIComponent(username)}:${decodeURIComponent(password)}`,
        ).toString("base64")}`,
      };

/** A connection to a server, through a proxy. */
const tunnel = (proxy: URL, url: URL, { signal }: Options): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const target = placeOf(url);
    const path = `${url.hostname}:${target.port}`;
    const request = secureOf(proxy).request({
      ...placeOf(proxy),
      ...{ method: "CONNECT", path, agent: false, signal },
      headers: { host: path, ...authorization(proxy) },
    });
    request.once("connect", ({ statusCode = 0 }, socket: Socket) => {
      if (statusCode === 200) {
        resolve(socket);
      } else {
        socket.destroy();
        const { host, port } = placeOf(proxy);
        reject(new Error(`the proxy ${host}:${port} answered HTTP ${statusCode}`));
      }
    });
    request.once("error", reject);
    request.once("close", () => {
      reject(new Error("the proxy closed the connection"));
    });
    request.end();
  });

/** A request to a server, through the proxy of the environment. */
export async function requestOf(
  url: URL,
  env: Readonly<Record<string, string | undefined>> | undefined,
  options: Options,
): Promise<http.ClientRequest> {
  const proxy = proxyFor(url, env);
  if (proxy === undefined) {
    return secureOf(url).request(url, options);
  }
  if (url.protocol === "http:") {
    const headers = { ...options.headers, host: url.host, ...authorization(proxy) };
    // What may not be asked is said of the server: a proxy may well be on this machine.
    const others = { ...options };
    delete others.lookup;
    return secureOf(proxy).request({ ...others, ...placeOf(proxy), path: url.href, headers });
  }
  const socket = await tunnel(proxy, url, options);
  const { signal, method, headers = {} } = options;
  return https.request(url, {
    ...{ signal, headers },
    ...(method === undefined ? {} : { method }),
    // Without an agent, which would open its own connection, and which knows the port that a header Host leaves out.
    defaultPort: 443,
    createConnection: () =>
      connectTls({ socket, ...placeOf(url), servername: isIP(placeOf(url).host) === 0 ? url.hostname : "" }),
  });
}

/** The answer to a request. A server that switches to another protocol (101) gives none, and Node.js has no error for that. */
export const answerTo = (request: http.ClientRequest, body?: string): Promise<http.IncomingMessage> =>
  new Promise((resolve, reject) => {
    request.once("response", resolve);
    request.once("error", reject);
    request.once("close", () => {
      reject(new Error("the connection ended without an answer"));
    });
    request.end(body);
  });
