import type { IncomingMessage, ServerResponse } from "node:http";
import { HttpStandIn } from "./standIn";

/** Servers that fill the memory, keep a client waiting, or answer with something else. */

export class Hostile extends HttpStandIn {
  answer: (request: IncomingMessage, response: ServerResponse) => void = (_, response) => response.end();
  readonly asked: string[] = [];

  protected respond(request: IncomingMessage, response: ServerResponse): void {
    this.asked.push(`${request.url ?? ""} ${JSON.stringify(request.headers)}`);
    this.answer(request, response);
  }
}

export const endlessBody: Hostile["answer"] = (request, response) => {
  const more = (): void => {
    while (!request.socket.destroyed && response.write(Buffer.alloc(1 << 18, 32)));
  };
  response.on("drain", more);
  more();
};

export const drip: Hostile["answer"] = (request, response) => {
  const timer = setInterval(() => response.write(" "), 20);
  request.socket.on("close", () => {
    clearInterval(timer);
  });
};

export const json =
  (body: unknown, status = 200): Hostile["answer"] =>
  (_, response) => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
