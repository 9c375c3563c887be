import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { savedSnapshot } from "../../commands/cluster/saved";
import type { Snapshot } from "../../commands/cluster/snapshot";
import { diagnose } from "../../commands/doctor/diagnose";
import { credentialForms, planted } from "../support/credentialForms";
import { leaks } from "../support/secrets";

/** What `doctor --save` keeps for those who help. */

const object = (kind: string, rest: object, metadata: object = {}) => ({
  ...{ apiVersion: "v1", kind, metadata: { name: "a", namespace: "n", ...metadata } },
  ...rest,
});

const snapshot = (objects: readonly object[]): Snapshot =>
  ({
    takenAt: "2026-11-22T05:01:57.892Z",
    cluster: { name: "dev", namespace: "n" },
    kubeconfig: planted,
    management: { objects, problems: [] },
    workload: { objects, problems: [] },
  }) as unknown as Snapshot;

const ofPassword = Object.values(credentialForms).filter((form) => form(planted).includes(planted));

it.each<readonly [what: string, place: (text: string) => object]>([
  ["message of an Event", (text) => object("Event", { message: text, reason: "Failed" })],
  [
    "condition",
    (text) =>
      object("Machine", { status: { conditions: [{ type: "Ready", status: "False", message: text }] } }),
  ],
  ["label of a Node", (text) => object("Node", {}, { labels: { "kubernetes.io/x": text } })],
])("a credential in the %s is not in it, in any form", (_what, place) => {
  const texts = ofPassword.map((form): [string, string] => [
    form("PW"),
    JSON.stringify(savedSnapshot(snapshot([place(form(planted))]))),
  ]);
  expect(leaks(texts, [planted])).toEqual([]);
});

it.each<readonly [what: string, one: object]>([
  [
    "protectedSettings",
    object("AzureMachinePool", {
      spec: { template: { vmExtensions: [{ protectedSettings: { a: planted } }] } },
    }),
  ],
  ["variables", object("Cluster", { spec: { topology: { variables: [{ name: "a", value: planted }] } } })],
  ["an annotation of others", object("Service", {}, { annotations: { "example.com/config": planted } })],
  [
    "the last-applied annotation",
    object("Pod", {}, { annotations: { "kubectl.kubernetes.io/last-applied-configuration": planted } }),
  ],
  [
    "the path of a webhook",
    object("ValidatingWebhookConfiguration", {
      webhooks: [{ clientConfig: { url: `https://hook.example.com/${planted}?x=${planted}` } }],
    }),
  ],
  [
    "a kind that is not read",
    object("Job", { spec: { template: { spec: { containers: [{ env: planted }] } } } }),
  ],
  ["a kind that is not read, as a template", object("KubeadmConfigTemplate", { spec: { files: [planted] } })],
  [
    "the environment of a container",
    object("NetworkPolicy", { spec: { env: [{ name: "A", value: planted }] } }),
  ],
])("%s is not in it", (_what, one) => {
  expect(leaks([["saved", JSON.stringify(savedSnapshot(snapshot([one])))]], [planted])).toEqual([]);
});

const recorded = join(__dirname, "recorded");

it("a diagnosis of what was saved is that of the cluster", () => {
  const files = readdirSync(recorded).filter((name) => name.endsWith(".json"));
  for (const file of files.slice(0, 6)) {
    const read = JSON.parse(readFileSync(join(recorded, file), "utf8")) as Snapshot;
    const saved = JSON.parse(JSON.stringify(savedSnapshot(read))) as Snapshot;
    expect(diagnose(saved)).toEqual(diagnose(read));
  }
});
