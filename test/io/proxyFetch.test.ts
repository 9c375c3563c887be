import { Arm } from "../../commands/azure/arm";
import { askRegistry } from "windows-workloads/registry";
import { throughProxy } from "capz-windows-test-kit/throughProxy";

/** Requests of commands through a proxy that answers for every host. */

const seen = throughProxy();

it("Azure Resource Manager is asked through the proxy, with the login", async () => {
  const arm = new Arm({ endpoint: "http://arm.example.com", token: () => Promise.resolve("t") });
  expect(await arm.get("/x", "2023-03-01")).toEqual({ value: "answer" });
  expect(seen).toEqual(["GET http://arm.example.com/x?api-version=2023-03-01 Bearer t "]);
});

it("a proxy that refuses is named as the cause", async () => {
  const arm = new Arm({ token: () => Promise.resolve("t") });
  await expect(arm.get("/x", "2023-03-01")).rejects.toThrow(
    /^no connection: the proxy 127\.0\.0\.1:\d+ answered HTTP 403$/,
  );
  expect(seen).toEqual(["CONNECT management.azure.com:443"]);
});

it("registries are asked through the proxy", async () => {
  await expect(askRegistry("registry.example.com/app:1")).rejects.toThrow(
    "the registry registry.example.com cannot be reached",
  );
  expect(seen).toEqual(["CONNECT registry.example.com:443"]);
});

it("what another host says is not what Azure says", async () => {
  const arm = new Arm({ endpoint: "http://a.example.com", token: () => Promise.resolve("t") });
  await expect(arm.get("/moved", "1")).rejects.toThrow("the answer is not that of Azure: HTTP 307");
  expect(seen).toEqual(["GET http://a.example.com/moved?api-version=1 Bearer t "]);
});
