import * as pulumi from "@pulumi/pulumi";
import { ConfigMap, Secret as KubernetesSecret } from "@pulumi/kubernetes/core/v1";
import { Secret } from "pulumi-plan-engine";
import { runFixture } from "../fixtures/engine/run";

describe("a program as a function", () => {
  it("has a secret where the provider or the program says so, known or not", async () => {
    const opts = { additionalSecretOutputs: ["data"] };
    const preview = await runFixture(async () => {
      const hidden = new ConfigMap("hidden", { metadata: { name: "a" } }, opts);
      const shown = new ConfigMap("shown", { metadata: { name: "b" } });
      return { hidden: await pulumi.isSecret(hidden.data), shown: await pulumi.isSecret(shown.data) };
    }, "preview");
    expect(preview.outputs).toEqual({ hidden: true, shown: false });
    // The kubeconfig that Cluster API writes.
    const update = await runFixture(() => {
      const { data } = KubernetesSecret.get("workload", "apps/wl-kubeconfig");
      return { keys: data.apply((entries) => Object.keys(entries)) };
    }, "update");
    expect(update.outputs.keys).toEqual(new Secret(["value"]));
  });
});
