import { Client } from "capz-windows-probe/client";

/** A client of a server that answers everything in one way. */
const answered = (status: number, body: unknown): Client =>
  new Client(() => Promise.resolve({ status, body, text: "", bytes: 0 }), new AbortController().signal, 1);

it("what an API server does not find is gone", async () => {
  const client = answered(404, { kind: "Status", message: "not found" });
  expect(await client.get("/api/v1/namespaces/x")).toBeUndefined();
  await expect(client.remove("/api/v1/namespaces/x")).resolves.toBeUndefined();
});

it.each([{ message: "<html>not found" }, undefined])(
  "what a proxy does not find may still run: %j",
  async (body) => {
    const client = answered(404, body);
    const path = "/api/v1/namespaces/x";
    const refused = `${path}: ${body?.message ?? "answer 404"}`;
    await expect(client.get(path)).rejects.toThrow(`GET ${refused}`);
    await expect(client.remove(path)).rejects.toThrow(`DELETE ${refused}`);
  },
);
