import * as pulumi from "@pulumi/pulumi";
import { ConfigMap } from "@pulumi/kubernetes/core/v1";
import { Secret, Unknown, redact, reveal } from "../../../packages/plan-engine";
import { clouds } from "../../../commands/plan/simulation";
import { program as cluster } from "../fixtures/engine/programs/cluster";
import { program as duplicate } from "../fixtures/engine/programs/duplicate";
import { errors, resource, runFixture } from "../fixtures/engine/run";

/** The engine as the tests of another project would use it: only through `packages/plan-engine`, with a program of their own. */
describe("a program of another project", () => {
  it("knows in an update what the simulated cloud computes", async () => {
    const seen: string[] = [];
    const update = await runFixture(cluster, "update", { onProgress: ({ name }) => seen.push(name) });
    expect(errors(update)).toEqual([]);
    expect(seen).toEqual(update.resources.map(({ name }) => name));
    expect(update.outputs.namespace).toBe("apps");
    expect(update.outputs.gateway).toMatch(/^\/subscriptions\/.*\/natGateways\//);
    const group = resource(update, "network-group");
    expect(redact(group.inputs)).toMatchObject({ tags: { plain: "text", hidden: "[secret]" } });
    expect(reveal(group.inputs)).toMatchObject({ tags: { hidden: "hunter2-and-more" } });
    expect(group.options.protect).toBe(true);
    expect(group.source).toMatch(/^programs\/cluster\.ts:\d+$/);
  });

  it("does not know it in a preview, and secrets are marked", async () => {
    const preview = await runFixture(cluster, "preview");
    expect(errors(preview)).toEqual([]);
    expect(preview.outputs.address).toBeInstanceOf(Unknown);
    expect(resource(preview, "network-group").inputs.tags).toEqual({
      plain: "text",
      hidden: expect.any(Secret) as Secret,
    });
    expect(JSON.stringify(preview)).not.toContain("hunter2");
  });

  it("has a secret where the provider or the program says so, known or not", async () => {
    const opts = { additionalSecretOutputs: ["data"] };
    const preview = await runFixture(async () => {
      const hidden = new ConfigMap("hidden", { metadata: { name: "a" } }, opts);
      const shown = new ConfigMap("shown", { metadata: { name: "b" } });
      return { hidden: await pulumi.isSecret(hidden.data), shown: await pulumi.isSecret(shown.data) };
    }, "preview");
    expect(preview.outputs).toEqual({ hidden: true, shown: false });
    // The kubeconfig that Cluster API writes.
    const update = await runFixture(cluster, "update");
    expect(update.outputs.workload).toEqual(new Secret(["value"]));
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
    const update = await runFixture(cluster, "update", {
      simulate: [
        { outputs: { "azure-native:network:PublicIPAddress": () => ({ ipAddress: "192.0.2.7" }) } },
        ...clouds,
      ],
    });
    expect(update.outputs.address).toBe("192.0.2.7");
  });

  it("that fails has its error in the recording", async () => {
    const update = await runFixture(duplicate, "update");
    expect(update.exitCode).toBe(1);
    expect(errors(update).join()).toMatch(
      /^Duplicate resource URN .*::same': made at programs\/duplicate\.ts:4 /,
    );
    const thrown = await runFixture(() => Promise.reject(new Error("planted")), "update", {
      timeoutMs: 5000,
    });
    expect(errors(thrown).join()).toContain("Error: planted");
  });
});
