import { proxyFetch } from "capz-windows-kit/io/proxyFetch";
import { throughProxy } from "capz-windows-test-kit/throughProxy";

const seen = throughProxy();

it("a redirect to another host does not get the login", async () => {
  const answer = await proxyFetch("http://a.example.com/moved", { headers: { authorization: "Bearer t" } });
  expect([answer.status, answer.headers.get("x-by"), await answer.json()]).toEqual([
    ...[200, "proxy", { value: "answer" }],
  ]);
  expect(seen).toEqual(["GET http://a.example.com/moved Bearer t ", "GET http://b.example.com/ - "]);
});

it("a time limit ends a request as it ends fetch", async () => {
  const late = proxyFetch("http://a.example.com/silent", { signal: AbortSignal.timeout(10) });
  await expect(late).rejects.toMatchObject({ name: "TimeoutError" });
});
