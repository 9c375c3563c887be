import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "capz-windows-doctor/cluster/stack";
import { readRecorded } from "capz-windows-doctor/cluster/recorded";
import { type Snapshot, World } from "capz-windows-doctor/cluster/snapshot";
import { diagnose } from "capz-windows-doctor/diagnose";
import { textAt } from "capz-windows-kit/untyped";
import { temporaryFolder } from "capz-windows-test-kit/temporaryFolder";
import { patient } from "./patient";

/** Whoever may make objects makes thousands of them, and whoever gives a recording away chooses its size. */

const dir = temporaryFolder();

const withObjects = (objects: readonly object[]): Snapshot => {
  const snapshot = patient().snapshot();
  return {
    ...snapshot,
    workload: { ...snapshot.workload, objects: [...snapshot.workload.objects, ...objects] as never[] },
  };
};

const { takenAt } = patient();
const before = (minutes: number): string => new Date(Date.parse(takenAt) - minutes * 60_000).toISOString();

const lostNode = (_: unknown, index: number) => ({
  ...{ apiVersion: "v1", kind: "Node" },
  metadata: {
    name: `lost${index}`,
    labels: { "kubernetes.io/os": "windows" },
    annotations: { "cluster.x-k8s.io/machine": `gone${index}` },
  },
  spec: { providerID: `azure:///gone/${index}` },
  status: {
    conditions: [
      {
        ...{ type: "Ready", status: "Unknown", reason: "NodeStatusUnknown" },
        ...{ message: "Kubelet stopped posting node status.", lastTransitionTime: before(90) },
      },
    ],
  },
});

const evictedPod = (_: unknown, index: number) => ({
  ...{ apiVersion: "v1", kind: "Pod" },
  metadata: {
    ...{ name: `evicted${index}`, namespace: "team", creationTimestamp: before(90) },
    ownerReferences: [{ kind: "ReplicaSet", name: `set${index}` }],
  },
  spec: { containers: [] },
  status: { phase: "Failed", reason: "Evicted", message: `The node was low on resource: memory ${index}` },
});

/** Each with another message, so that each is a finding of its own. */
const podWithoutImage = (_: unknown, index: number) => ({
  ...{ apiVersion: "v1", kind: "Pod" },
  metadata: { name: `pod${index}`, namespace: "kube-system", creationTimestamp: before(90) },
  spec: { nodeName: "win1000000", containers: [{ name: "main", image: `registry.example/x${index}` }] },
  status: {
    phase: "Pending",
    containerStatuses: [
      {
        ...{ name: "main", image: `registry.example/x${index}`, ready: false, restartCount: 0 },
        state: { waiting: { reason: "ImagePullBackOff", message: `registry.example/x${index}: not found` } },
      },
    ],
  },
});

it.each<[string, number, (_: unknown, index: number) => object]>([
  ["lost nodes", 4_000, lostNode],
  ["evicted Pods", 4_000, evictedPod],
  ["findings", 6_000, podWithoutImage],
])("%s by the thousand are compared with an index, and not each with each", (_what, length, one) => {
  const started = process.cpuUsage();
  diagnose(withObjects(Array.from({ length }, one)));
  // Each with each takes more than a minute.
  expect(process.cpuUsage(started).user / 1e6).toBeLessThan(20);
});

describe("of a long message the middle is left out", () => {
  const said = (length: number) => (_: unknown, index: number) => ({
    ...{ apiVersion: "v1", kind: "Event", message: "x".repeat(length) },
    metadata: { name: `event${index}`, namespace: "team" },
  });
  const longest = (objects: readonly object[]): number =>
    Math.max(
      ...new World(withObjects(objects)).snapshot.workload.objects.map(
        (one) => textAt(one, "message").length,
      ),
    );

  it.each([
    [500, 4_000, 4_000],
    [500, 40_000, 4_096],
    [501, 4_000, 1_000],
  ])("%d of %d characters keep at most %d, and the words about it", (count, length, kept) => {
    const found = longest(Array.from({ length: count }, said(length)));
    expect(found).toBeGreaterThan(kept / 2);
    expect(found).toBeLessThanOrEqual(kept);
  });
});

describe("a recording", () => {
  const write = (name: string, text: string): string => {
    const path = join(dir, name);
    writeFileSync(path, text);
    return path;
  };

  it("with very many small values of JSON is refused, also in several files", () => {
    const whole = write("whole.json", `[${"[],".repeat(5_000_001)}[]]`);
    const why = "with the files before it, it has more than 200,000,000 characters or 10,000,000 values";
    expect(() => readRecorded(whole)).toThrow(`${whole} cannot be read: ${why}.`);
    const folder = join(dir, "several");
    mkdirSync(folder);
    for (const name of ["a.json", "b.json"]) {
      writeFileSync(join(folder, name), `[${"[],".repeat(2_600_000)}[]]`);
    }
    expect(() => readRecorded(folder)).toThrow(`${join(folder, "b.json")} cannot be read: ${why}.`);
  });

  it("of JSON that is nested very deep is refused, and what is in texts does not count", () => {
    const file = write("deep.json", `{"a": ${"[".repeat(50_000)}${"]".repeat(50_000)}}`);
    expect(() => readRecorded(file)).toThrow(`${file} cannot be read: it is nested more than 1,000 deep.`);
    const object = {
      apiVersion: "cluster.x-k8s.io/v1beta2",
      kind: "Cluster",
      metadata: { name: "c", annotations: { a: "[{".repeat(2_000) } },
    };
    const flat = { ...object, more: Array(2_000).fill([{}]) };
    expect(readRecorded(write("flat.json", JSON.stringify(flat))).cluster.name).toBe("c");
  });

  it("with very many values of YAML is refused before it is parsed", () => {
    const started = process.cpuUsage();
    const file = write("many.yaml", "- a\n".repeat(2_000_000));
    expect(() => readRecorded(file)).toThrow(
      `${file} cannot be read: it has more than 1,000,000 lines and values.`,
    );
    expect(process.cpuUsage(started).user / 1e6).toBeLessThan(5);
  });

  it("with values that have no text is a recording", () => {
    const strange = { toString: 1, valueOf: 1 };
    const snapshot = patient().snapshot();
    const objects = snapshot.management.objects.map((one) => ({
      ...one,
      spec: { providerIDList: [strange] },
    }));
    const read = readRecorded(
      write("strange.json", JSON.stringify({ ...snapshot, management: { objects, problems: [] } })),
    );
    expect(diagnose(read).cluster).toEqual(snapshot.cluster);
  });
});

it("a program that prints without an end is ended", async () => {
  const print = "const f = () => process.stdout.write('x'.repeat(1e6), f); f()";
  const { ok, output } = await runCommand(process.execPath, ["-e", print], dir);
  expect(ok).toBe(false);
  expect(output.length).toBeLessThan(12_000_000);
});
