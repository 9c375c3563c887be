import { podYaml, workloads } from "./support";

describe("a group managed service account", () => {
  const account = (options: object) => ({ securityContext: { windowsOptions: options } });
  const named = account({ gmsaCredentialSpecName: "web-gmsa" });
  const missing =
    "runs without its account, because no gMSA webhook puts the credential spec web-gmsa into pods (addons.gmsa.enabled: true)";

  it("needs the webhook that adds the credential spec to pods, from the stack or from the manifests", async () => {
    const without = await workloads({ "m.yaml": podYaml(named) });
    expect(without.out).toContain(missing);
    expect(without.code).toBe(2);
    const webhook = {
      ...{ apiVersion: "admissionregistration.k8s.io/v1", kind: "MutatingWebhookConfiguration" },
      metadata: { name: "own" },
      webhooks: [{ name: "admission-webhook.windows-gmsa.sigs.k8s.io" }],
    };
    const withOwn = await workloads({ "m.yaml": [podYaml(named), JSON.stringify(webhook)].join("\n---\n") });
    expect(withOwn.out).not.toContain("credential spec");
    expect(withOwn.code).toBe(0);
  });

  it("may be set for one container", async () => {
    const container = { name: "c", image: "r.example/app:1-ltsc2022", ...named };
    const { out } = await workloads({ "m.yaml": podYaml({ containers: [container] }) });
    expect(out).toContain(missing);
  });

  it("with its credential spec in the pod needs no webhook", async () => {
    const filled = account({ gmsaCredentialSpecName: "web-gmsa", gmsaCredentialSpec: "{}" });
    expect((await workloads({ "m.yaml": podYaml(filled) })).code).toBe(0);
  });
});
