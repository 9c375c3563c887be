import type { IncomingMessage, Server as HttpServer, ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { Server as HttpsServer } from "node:https";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { KeyPair } from "../support/certificates";
import { serverCertificate } from "../support/certificates";
import type { Arm } from "./arm";
import type { Answer, Body } from "./resource";
import { failure } from "./resource";
import { principalOf, tokenAnswer } from "./tokens";

const hosts = ["management.azure.com", "login.microsoftonline.com"] as const;

export async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  request.setEncoding("utf8");
  for await (const chunk of request) {
    text += chunk as string;
  }
  return text;
}

function send(response: ServerResponse, { status, body, headers }: Answer): void {
  const text = body === undefined ? "" : JSON.stringify(body);
  response.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
}

/**
 * The HTTPS proxy for all connections of the managers except to their own API server. It terminates TLS itself: it
 * answers for Azure's two hosts, and announced servers answer for workload clusters. It connects to no other host.
 */
export class Proxy {
  /** Requested hosts that have no server. */
  readonly strangers = new Set<string>();
  private readonly server: HttpServer;
  private readonly azure: HttpsServer;
  private readonly servers = new Map<string, () => HttpsServer | undefined>();
  private readonly sockets = new Set<Socket>();

  constructor(arm: Arm, authority: KeyPair) {
    this.azure = createTlsServer(serverCertificate(authority, hosts), (request, response) => {
      answer(arm, request)
        .then((found) => {
          send(response, found);
        })
        .catch((error: unknown) => {
          send(response, failure(500, "SimulatorFailed", String(error)));
        });
    });
    hosts.forEach((host) => this.servers.set(host, () => this.azure));
    this.server = createServer((request, response) => {
      this.strangers.add(request.url ?? "");
      response.writeHead(502).end();
    });
    this.server.on("connect", (request: IncomingMessage, socket: Socket) => {
      this.connect(request.url ?? "", socket);
    });
  }

  /** @param server - called for each connection; returns undefined while nothing listens there */
  announce(host: string, server: () => HttpsServer | undefined): void {
    this.servers.set(host, server);
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.sockets.forEach((socket) => socket.destroy());
    this.server.close();
  }

  private connect(target: string, socket: Socket): void {
    const host = target.replace(/:\d+$/, "");
    this.sockets.add(socket);
    socket.on("close", () => this.sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    const found = this.servers.get(host);
    if (!found) {
      this.strangers.add(target);
    }
    const server = found?.();
    if (!server) {
      socket.end("HTTP/1.1 503 Service Unavailable\r\n\r\n");
      return;
    }
    socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    server.emit("connection", socket);
  }
}

/** An error in the format of the token endpoint. */
function tokenError({ body }: Answer): Body {
  const { error } = body as { error?: { code?: string; message?: string } };
  return { error: error?.code ?? "", error_description: error?.message ?? "" };
}

async function answer(arm: Arm, request: IncomingMessage): Promise<Answer> {
  const text = await bodyOf(request);
  const url = new URL(request.url ?? "/", `https://${request.headers.host ?? hosts[0]}`);
  const method = request.method ?? "GET";
  if (url.hostname === "login.microsoftonline.com") {
    const fault = arm.faults.answer(method, `${url.hostname}${url.pathname}`);
    return fault === undefined
      ? (tokenAnswer(method, url.pathname, text) ?? failure(404, "NotSimulated", url.pathname))
      : { ...fault, body: tokenError(fault) };
  }
  const body = (text === "" ? {} : JSON.parse(text)) as Body;
  return arm.answer({
    ...{ method, path: decodeURIComponent(url.pathname), query: url.searchParams, body },
    principal: principalOf(request.headers.authorization),
  });
}
