import type { IncomingMessage, ServerResponse } from "node:http";
import { Arm } from "../../commands/azure/arm";
import { objectsOf } from "capz-windows-doctor/cluster/answers";
import { fetchPrices } from "../../plan/cost/fetchPrices";
import { jsonOf } from "capz-windows-kit/io/json";
import { HttpStandIn } from "capz-windows-test-kit/standIn";

/** What the JSON of a server takes in memory. */

class Server extends HttpStandIn {
  type = "application/json";
  body = "";
  asked = 0;

  protected respond(_: IncomingMessage, response: ServerResponse): void {
    this.asked += 1;
    response.writeHead(200, { "content-type": this.type }).end(this.body.replace("NEXT", String(this.asked)));
  }
}

const server = new Server();
let url = "";

beforeAll(async () => {
  url = await server.listen();
});

afterAll(() => {
  server.close();
});

const arm = () => new Arm({ endpoint: url, token: () => Promise.resolve("t") });

it("a list of very many small values ends in words for Azure and the price list", async () => {
  server.body = `{"value":[${"1,".repeat(1_000_001)}1],"Items":[]}`;
  const message = "the answer has more than 1,000,000 values";
  await expect(arm().list("/x", "2023-03-01")).rejects.toThrow(message);
  const options = { endpoint: url, day: "2026-11-23", tries: 1 };
  await expect(fetchPrices("westeurope", [], options)).rejects.toThrow(message);
});

it("all lists of Azure have one budget", async () => {
  const value = Array(1_000).fill({ name: "x" });
  server.body = JSON.stringify({ value, nextLink: `${url}/NEXT` });
  server.asked = 0;
  const one = arm();
  const all = ["/a", "/b", "/c"].map((path) => one.list(path, "2023-03-01"));
  for (const ended of await Promise.allSettled(all)) {
    expect(ended).toMatchObject({ reason: { message: "the lists have more than 500,000 items" } });
  }
  expect(server.asked).toBeLessThan(510);
});

it("a page for people with JSON in it is no list", async () => {
  server.type = "text/html; charset=utf-8";
  server.body = '{"items":[],"value":[]}';
  await expect(arm().list("/x", "2023-03-01")).rejects.toThrow("the answer is not that of Azure");
  const body = jsonOf(Buffer.from(server.body), server.type);
  expect(objectsOf({ status: 200, body }, "Pod")).toMatchObject({
    message: "the answer is not that of an API server: HTTP 200",
  });
});
