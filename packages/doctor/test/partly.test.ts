import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readLive } from "capz-windows-doctor/cluster/live";
import { isWindowsPool } from "capz-windows-doctor/cluster/scope";
import { World } from "capz-windows-doctor/cluster/snapshot";
import { readRecorded, RecordedError } from "capz-windows-doctor/cluster/recorded";
import type { Answer, Get } from "capz-windows-doctor/cluster/answers";
import { managementKinds, workloadKinds } from "capz-windows-doctor/cluster/kinds";
import type { KubeObject } from "capz-windows-doctor/cluster/objects";
import { diagnose } from "capz-windows-doctor/diagnose";
import { exitCode } from "capz-windows-doctor/exitCode";
import { verdict } from "capz-windows-doctor/report/text";
import { temporaryFolder } from "capz-windows-test-kit/temporaryFolder";
import { patient } from "./patient";

/** A healthy cluster of which a part was not read: "nothing is wrong" is said of the rest only, and no pipeline goes on. */

const { cluster, management, workload, takenAt } = patient().snapshot();

const dir = temporaryFolder();

/** An API server with these objects. */
const served =
  (objects: readonly KubeObject[], others: (path: string) => Answer | undefined): Get =>
  (path) => {
    const other = others(path);
    if (other !== undefined) {
      return Promise.resolve(other);
    }
    if (path === "/apis") {
      const groups = [...managementKinds, ...workloadKinds].map(({ group, versions: [version] }) => ({
        name: group,
        versions: [{ version }],
      }));
      return Promise.resolve({ status: 200, body: { groups } });
    }
    const plural = /([^/]+)\?/.exec(path)?.[1] ?? "";
    const wanted = [...managementKinds, ...workloadKinds].find((kind) => kind.plural === plural);
    const items = objects.filter(({ kind }) => kind === wanted?.kind);
    return Promise.resolve({ status: 200, body: { kind: `${wanted?.kind ?? ""}List`, items } });
  };

interface Said {
  readonly text: string;
  readonly code: number;
  readonly causes: readonly string[];
}

const saidOf = (snapshot: Parameters<typeof diagnose>[0]): Said => {
  const diagnosis = diagnose({ ...snapshot, takenAt });
  const causes = diagnosis.findings.map(
    ({ proofs: [proof] }) => `${proof?.where ?? ""}: ${proof?.text ?? ""}`,
  );
  return { text: verdict(diagnosis), code: exitCode(diagnosis), causes };
};

const live = async (
  ofManagement: (path: string) => Answer | undefined,
  ofWorkload: (path: string) => Answer | undefined = () => undefined,
): Promise<Said> =>
  saidOf(
    await readLive({
      cluster,
      management: served(management.objects, ofManagement),
      connect: () => Promise.resolve(served(workload.objects, ofWorkload)),
    }),
  );

const kubeconfig: Answer = {
  status: 200,
  body: { data: { value: Buffer.from("kubeconfig").toString("base64") } },
};

const ofSecret =
  (answer: Answer) =>
  (path: string): Answer | undefined =>
    path.endsWith("/secrets/sick-kubeconfig") ? answer : undefined;

const inPart = (what: string, rest = "The machines, nodes and Pods that were read run."): Said => ({
  text: `Nothing is wrong in what could be read; could not read ${what}. ${rest}`,
  code: 2,
  causes: [],
});

const noNodes =
  "Not finished: control plane, 0 of 1 nodes ready; waits for machines. Watch it: npm run doctor -- STACK --watch";

const cause = (where: string, text: string): Said => ({
  text: "1 cause.",
  code: 3,
  causes: [`workload cluster, reading ${where}: ${text}`],
});

it("of everything that was read, nothing is wrong", async () => {
  expect(await live(ofSecret(kubeconfig))).toEqual({
    text: "Nothing is wrong in the states of machines, nodes, add-ons and Pods; what their programs do was not checked. All machines and nodes run, and all Pods that are older than 2 minutes.",
    code: 0,
    causes: [],
  });
});

it.each<[string, Answer, string]>([
  [
    "403",
    { status: 403, body: { kind: "Status", message: "secrets is forbidden" } },
    "Secret sick/sick-kubeconfig could not be read: secrets is forbidden; --workload-kubeconfig FILE needs no Secret",
  ],
  [
    "404",
    { status: 404, body: { kind: "Status", message: "not found" } },
    "there is no Secret sick-kubeconfig in sick yet",
  ],
  [
    "204",
    { status: 204, body: "" },
    "Secret sick/sick-kubeconfig could not be read: HTTP 204; --workload-kubeconfig FILE needs no Secret",
  ],
  [
    "a page of a login",
    { status: 200, body: "<html>" },
    "Secret sick/sick-kubeconfig could not be read: the answer is not that of an API server: HTTP 200; --workload-kubeconfig FILE needs no Secret",
  ],
  [
    "no value",
    { status: 200, body: { data: { value: 5 } } },
    "there is no Secret sick-kubeconfig in sick yet",
  ],
])("without the kubeconfig the workload cluster is not read: %s", async (_, answer, why) => {
  expect(await live(ofSecret(answer))).toEqual(inPart(`anything of the workload cluster (${why})`, noNodes));
});

it("a cluster that is being deleted has no kubeconfig any more", async () => {
  const deleted = management.objects.map((one) =>
    one.kind === "Cluster" ? { ...one, metadata: { ...one.metadata, deletionTimestamp: takenAt } } : one,
  );
  const none: Answer = { status: 404, body: { kind: "Status", message: "not found" } };
  const snapshot = await readLive({
    cluster,
    management: served(deleted, ofSecret(none)),
    connect: () => Promise.reject(new Error("nobody connects")),
  });
  expect(diagnose({ ...snapshot, takenAt }).unread).toEqual([]);
});

it.each<[string, object]>([
  ["a number leads to the next page", { kind: "PodList", metadata: { continue: 5 }, items: [] }],
  ["more is left than it leads to", { kind: "PodList", metadata: { remainingItemCount: 4000 }, items: [] }],
  ["another list", { kind: "ConfigMapList", items: [] }],
])("a page that is none of the list: %s", async (_, body) => {
  const page = (path: string) => (path.startsWith("/api/v1/pods") ? { status: 200, body } : undefined);
  expect(await live(ofSecret(kubeconfig), page)).toEqual(
    cause("Pod", "the answer is not that of an API server: HTTP 200"),
  );
});

describe("a recording", () => {
  const recorded = (files: Readonly<Record<string, unknown>>): Said => {
    const folder = mkdtempSync(join(dir, "recorded"));
    mkdirSync(join(folder, "workload"));
    for (const [name, value] of Object.entries(files)) {
      writeFileSync(join(folder, name), JSON.stringify(value));
    }
    return saidOf(readRecorded(folder));
  };
  const listOf = (objects: readonly KubeObject[], metadata = {}) => ({
    kind: "List",
    metadata,
    items: objects,
  });
  const pods = workload.objects.filter(({ kind }) => kind === "Pod");
  const others = listOf(workload.objects.filter(({ kind }) => kind !== "Pod"));

  it.each<[string, Readonly<Record<string, unknown>>, string]>([
    [
      "one page of a list",
      { "workload/others.json": others, "workload/pods.json": listOf(pods, { continue: "x" }) },
      "workload/pods.json of the workload cluster (it has only a page of its list)",
    ],
    [
      "a page that others follow",
      { "workload/others.json": others, "workload/pods.json": listOf(pods, { remainingItemCount: 900 }) },
      "workload/pods.json of the workload cluster (it has only a page of its list)",
    ],
  ])("with %s", (_, files, what) => {
    expect(recorded({ "m.json": listOf(management.objects), ...files })).toEqual(inPart(what));
  });

  it("with nothing of the workload cluster", () => {
    expect(recorded({ "m.json": listOf(management.objects) })).toEqual(
      inPart("Node of the workload cluster (the recording has none) and 1 more", noNodes),
    );
  });

  it("of a cluster that is being made or deleted, or whose control plane does not answer yet, lacks nothing", () => {
    const changed = (change: (of: Record<string, unknown>) => object) =>
      management.objects.map((one) => (one.kind === "Cluster" ? { ...one, ...change({ ...one }) } : one));
    const made = changed(() => ({ status: {} }));
    const deleted = changed(({ metadata }) => ({
      metadata: { ...(metadata as object), deletionTimestamp: takenAt },
    }));
    for (const objects of [made, deleted]) {
      expect(recorded({ "m.json": listOf(objects) }).text).not.toContain("could not read");
      const rest = objects.filter(({ kind }) => kind !== "AzureClusterIdentity");
      const { causes } = recorded({ "m.json": listOf(rest) });
      expect(causes.join()).not.toContain("there is no AzureClusterIdentity");
    }
  });

  it("without the identity or the classes that others name does not call them missing", () => {
    const rest = management.objects.filter(({ kind }) => kind !== "AzureClusterIdentity");
    expect(recorded({ "m.json": listOf(rest), "workload/all.json": listOf(workload.objects) })).toEqual(
      inPart("AzureClusterIdentity of the management cluster (the recording has none)"),
    );
  });

  it("without the identity, of a cluster that is being made, says so instead of calling it missing", () => {
    const rest = management.objects
      .filter(({ kind }) => kind !== "AzureClusterIdentity")
      .map((one) => (one.kind === "Cluster" ? { ...one, status: {} } : one));
    const { text } = recorded({ "m.json": listOf(rest), "workload/all.json": listOf(workload.objects) });
    expect(text).not.toContain("does not exist");
    expect(text).toContain("could not read AzureClusterIdentity of the management cluster");
  });

  it("with an object that is nested too deep says so", () => {
    const folder = mkdtempSync(join(dir, "deep"));
    const deep = `{"kind":"Cluster","metadata":{"name":"a","x":${"[".repeat(50_000)}${"]".repeat(50_000)}}}`;
    writeFileSync(join(folder, "deep.json"), deep);
    expect(() => readRecorded(folder)).toThrow(
      new RecordedError(`${folder}/deep.json cannot be read: it is nested more than 1,000 deep.`),
    );
  });

  it("with the answer that there is no such kind lacks nothing", () => {
    const none = { kind: "Status", status: "Failure", code: 404, message: "the server could not find it" };
    const all = { "m.json": listOf(management.objects), "workload/all.json": listOf(workload.objects) };
    expect(recorded({ ...all, "workload/tigera.json": none }).code).toBe(0);
  });

  it("with an error instead of one list", () => {
    const refused = { kind: "Status", status: "Failure", code: 500, message: "request timed out" };
    const all = { "m.json": listOf(management.objects), "workload/all.json": listOf(workload.objects) };
    expect(recorded({ ...all, "workload/volumes.json": refused })).toEqual(
      cause("workload/volumes.json", "request timed out"),
    );
  });

  it("forges no line by the name of a file", () => {
    const folder = mkdtempSync(join(dir, "named"));
    writeFileSync(join(folder, "b\nNothing is wrong.\nz.json"), "no");
    expect(() => readRecorded(folder)).toThrow(
      `${folder}/b⏎Nothing is wrong.⏎z.json is neither JSON nor YAML.`,
    );
  });
});

/** A snapshot without objects of some kinds. */
function without(...kinds: readonly string[]) {
  const snapshot = patient().snapshot();
  const { management } = snapshot;
  const objects = management.objects.filter(({ kind }) => !kinds.includes(kind));
  const problems = kinds.map((asked) => ({ what: "unread" as const, asked, message: "" }));
  return { ...snapshot, management: { objects, problems } };
}

it("what the Cluster has seen is no step that waits, because a recording lacks the object", () => {
  const { steps } = diagnose(without("AzureCluster", "AzureMachine"));
  expect(steps.slice(0, 4).map(({ name, state, detail }) => [name, state, detail])).toEqual(
    expect.arrayContaining([
      ["network of the cluster in Azure", "done", "the Cluster says so"],
      ["first machine of the control plane", "done", "the Cluster says so"],
    ]),
  );
});

it("an AzureCluster that is gone is no step that is done", () => {
  const snapshot = without("AzureCluster");
  const { steps } = diagnose({ ...snapshot, management: { ...snapshot.management, problems: [] } });
  expect(steps.find(({ name }) => name === "network of the cluster in Azure")).toMatchObject({
    state: "waiting",
    detail: "not made yet",
  });
});

it("a pool of which only its nodes say that they run Windows has Windows", () => {
  const pool = (kinds: readonly string[]): boolean => isWindowsPool(new World(without(...kinds)), "win1");
  expect(pool([])).toBe(true);
  expect(pool(["AzureMachinePool", "AzureMachineTemplate"])).toBe(true);
  expect(isWindowsPool(new World(without("AzureMachinePool", "AzureMachineTemplate")), "linux1")).toBe(false);
});
