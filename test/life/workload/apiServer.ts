import type { IncomingMessage, ServerResponse } from "node:http";
import { Agent, createServer, request, type Server } from "node:https";
import type { Socket } from "node:net";
import { join } from "node:path";
import { readFileSync } from "node:fs";
import type { KeyPair } from "../support/certificates";
import { serverCertificate } from "../support/certificates";
import { portForward } from "./portForward";

/**
 * The workload API server as its clients see it: with the name and the certificate authority of the cluster, in front of
 * a rig. It does not authenticate clients: each is the rig's administrator.
 */
export class WorkloadApiServer {
  readonly server: Server;
  private readonly agent: Agent;
  private readonly port: number;

  constructor(
    host: string,
    authority: KeyPair,
    /** Directory of the rig. */
    rig: string,
    private readonly podPort: (pod: string) => number | undefined,
  ) {
    const file = (...path: string[]) => readFileSync(join(rig, ...path));
    this.port = Number(file("port").toString());
    this.agent = new Agent({
      keepAlive: true,
      ca: file("pki", "ca.crt"),
      cert: file("pki", "admin.crt"),
      key: file("pki", "admin.key"),
    });
    this.server = createServer(serverCertificate(authority, [host]), (incoming, outgoing) => {
      this.pass(incoming, outgoing);
    });
    this.server.on("upgrade", (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
      portForward(incoming, socket, head, (pod) =>
        pod.startsWith("kube-apiserver-") ? this.port : this.podPort(pod),
      );
    });
  }

  close(): void {
    this.agent.destroy();
    this.server.closeAllConnections();
  }

  private pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const headers = { ...incoming.headers };
    delete headers.authorization;
    delete headers.connection;
    const inner = request(
      {
        host: "127.0.0.1",
        // By default Node.js takes it from the Host header, a name that the rig's certificate does not have.
        servername: "localhost",
        port: this.port,
        method: incoming.method,
        path: incoming.url,
        headers,
        agent: this.agent,
      },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        // A watch is a stream, whose first event may come late.
        outgoing.flushHeaders();
        answer.pipe(outgoing);
      },
    );
    inner.on("error", () => {
      outgoing.destroy();
    });
    outgoing.on("close", () => {
      inner.destroy();
    });
    incoming.pipe(inner);
  }
}
