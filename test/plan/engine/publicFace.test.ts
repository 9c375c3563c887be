import { Secret, Unknown, redact, reveal } from "../../../plan/engine";
import { program as cluster } from "../fixtures/engine/programs/cluster";
import { program as duplicate } from "../fixtures/engine/programs/duplicate";
import { errors, resource, runFixture } from "../fixtures/engine/run";

/** The engine as the tests of another project would use it: only through `plan/engine`, with a program of their own. */
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

  it("gets the cloud's answers that the test sets", async () => {
    const update = await runFixture(cluster, "update", {
      simulate: { outputs: { "azure-native:network:PublicIPAddress": () => ({ ipAddress: "192.0.2.7" }) } },
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
