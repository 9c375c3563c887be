import * as pulumi from "@pulumi/pulumi";
import { PublicIPAddress } from "@pulumi/azure-native/network";
import { ConfigMap } from "@pulumi/kubernetes/core/v1";
import { redact, reveal } from "pulumi-plan-engine";
import { errors, resource, runFixture } from "./run";

/** Programs as functions, which a test has beside it. The README of the engine has one in a project folder. */
describe("a program as a function", () => {
  it("has secrets marked in its inputs, which can be redacted or revealed", async () => {
    const seen: string[] = [];
    const update = await runFixture(
      () => {
        const hidden = new pulumi.Config("fixture").requireSecret("password");
        new ConfigMap("map", { data: { plain: "text", hidden } });
      },
      "update",
      { onProgress: ({ name }) => seen.push(name) },
    );
    const { inputs } = resource(update, "map");
    expect(redact(inputs)).toMatchObject({ data: { plain: "text", hidden: "[secret]" } });
    expect(reveal(inputs)).toMatchObject({ data: { hidden: "hunter2-and-more" } });
    expect(JSON.stringify(update)).not.toContain("hunter2");
    expect(seen).toEqual(update.resources.map(({ name }) => name));
  });

  it("hides a secret as a whole, also if another one is its beginning", async () => {
    const secrets = { "fixture:short": "hunter2-and", "fixture:password": "hunter2-and-more" };
    for (const config of [secrets, Object.fromEntries(Object.entries(secrets).reverse())]) {
      const failed = await runFixture(() => Promise.reject(new Error("no hunter2-and-more")), "update", {
        config,
        secretKeys: Object.keys(config),
      });
      expect(errors(failed).join()).toContain("no [secret]");
      expect(errors(failed).join()).not.toContain("more");
    }
  });

  it("gets the cloud's answers that the test sets", async () => {
    const program = () => ({ address: new PublicIPAddress("a", { resourceGroupName: "rg" }).ipAddress });
    const own = { outputs: { "azure-native:network:PublicIPAddress": () => ({ ipAddress: "192.0.2.7" }) } };
    const update = await runFixture(program, "update", { simulate: [own] });
    expect(update.outputs.address).toBe("192.0.2.7");
  });

  it("that fails has its error in the recording", async () => {
    const thrown = await runFixture(() => Promise.reject(new Error("planted")), "update", {
      timeoutMs: 5000,
    });
    expect(thrown.exitCode).toBe(1);
    expect(errors(thrown).join()).toContain("Error: planted");
  });
});
