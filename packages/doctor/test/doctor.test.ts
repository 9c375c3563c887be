import { readdirSync } from "node:fs";
import { diagnose } from "capz-windows-doctor/diagnose";
import type { Diagnosis } from "capz-windows-doctor/diagnosis";
import { exitCode } from "capz-windows-doctor/exitCode";
import { formatText, verdict } from "capz-windows-doctor/report/text";
import { patient, recordedDir, recording, slowed } from "./patient";
import { sceneNamed } from "./scenes";

const names = readdirSync(recordedDir)
  .filter((file) => file.endsWith(".json"))
  .map((file) => file.replace(/\.json$/, ""));

/**
 * Whether a recording is of a run without a fault, which may have no findings. The others are named after their rule.
 */
const isCalm = (name: string): boolean => /^(healthy|bring-up|upgrade)/.test(name);
const ruleOf = (name: string): string => name.replace(/--.*$/, "");

const brief = ({ findings }: Diagnosis): string =>
  findings.map(({ id, scope, proofs }) => `${id} (${scope}): ${JSON.stringify(proofs[0])}`).join("\n");

function sick(scene: string): Diagnosis {
  const p = patient();
  sceneNamed(scene).make(p);
  return diagnose(p.snapshot());
}

const linuxQuota = "quota of the only Linux pool, and Typha complains";

describe("recordings of the real managers", () => {
  it.each(names.filter(isCalm))("no alarm: %s", (name) => {
    expect(brief(diagnose(recording(name)))).toBe("");
  });

  // A simulated machine boots in seconds, but one in Azure in minutes, so all waits for it take longer.
  it.each(
    names
      .filter((name) => name.startsWith("upgrade"))
      .flatMap((name) => [5, 15, 25].map((pace) => [name, pace] as const)),
  )("no alarm: %s, %d times as slow", (name, pace) => {
    expect(brief(diagnose(slowed(recording(name), pace)))).toBe("");
  });

  it.each(names.filter((name) => !isCalm(name)))("the right cause first: %s", (name) => {
    const diagnosis = diagnose(recording(name));
    expect(diagnosis.findings[0]?.id ?? brief(diagnosis)).toBe(ruleOf(name));
  });
});

it("a healthy cluster an hour later, with add-ons and providers: nothing is wrong, everything runs", () => {
  const diagnosis = diagnose(patient().snapshot());
  expect(brief(diagnosis)).toBe("");
  expect(diagnosis.steps.filter(({ state }) => state !== "done")).toEqual([]);
  expect(diagnosis.complete).toBe(true);
});

it("the first step waits for a controller that is not there", () => {
  expect(sick("CAPZ was removed").steps[0]).toEqual({
    name: "controllers of Cluster API and CAPZ run",
    state: "running",
    detail: "waits for capz-controller-manager",
  });
});

/** A container of shop/web on a Windows node, in this state. */
function withContainer(status: object): Diagnosis {
  const p = patient();
  const pod = p.pod("workload", "shop", "web-6f7d9c-x2x7q", {});
  Object.assign(pod.metadata, { creationTimestamp: p.ago(5) });
  pod.spec.nodeName = p.node("win1").metadata.name;
  pod.status.phase = "Running";
  pod.status.containerStatuses = [{ name: "web", image: "a", ready: false, restartCount: 9, ...status }];
  return diagnose(p.snapshot());
}

it.each([
  ["it waits", { state: { waiting: { reason: "CrashLoopBackOff" } } }, "CrashLoopBackOff"],
  ["it runs and is not ready", { state: { running: {} } }, "not ready"],
])("a container does not run, and no rule has a finding yet: %s", (_, status, why) => {
  const diagnosis = withContainer(status);
  expect(brief(diagnosis)).toBe("");
  expect(verdict(diagnosis)).toBe(
    `No rule finds a cause in the states of machines, nodes, add-ons and Pods; what their programs do was not checked. All machines and nodes are there. Not all Pods run: shop/web-6f7d9c-x2x7q (${why}).`,
  );
  expect(exitCode(diagnosis)).toBe(2);
});

it.each([
  ["its node does not say how it is", { phase: "Unknown" }, 99, ["shop/web-0 (Unknown)"]],
  ["it has failed, and nothing has replaced it", { phase: "Failed" }, 99, ["shop/web-0 (Failed)"]],
  [
    "it was evicted",
    { phase: "Failed", reason: "Evicted", message: "The node was low on resource: memory." },
    ...([99, ['shop/web-0 (Failed: "Evicted: The node was low on resource: memory.")']] as const),
  ],
  [
    "others have not said that it may be reached",
    {
      phase: "Running",
      conditions: [
        {
          ...{ type: "Ready", status: "False", reason: "ReadinessGatesNotReady" },
          message: 'the status of pod readiness gate "x" is not "True", but False',
        },
      ],
    },
    ...([
      99,
      [`shop/web-0 (not ready: "the status of pod readiness gate 'x' is not 'True', but False")`],
    ] as const),
  ],
  ["it starts, which is a step", { phase: "Pending" }, 9, []],
  ["it failed long ago", { phase: "Failed" }, 24 * 60, []],
  ["it has completed", { phase: "Succeeded" }, 99, []],
])("which Pods do not run: %s", (_, status, age, notRunning) => {
  const p = patient();
  const pod = p.pod("workload", "shop", "web-0", {});
  Object.assign(pod.metadata, { creationTimestamp: p.ago(age) });
  Object.assign(pod.status, status, { containerStatuses: [] });
  expect(diagnose(p.snapshot()).notRunning).toEqual(notRunning);
});

it("while a pool waits for a node, Pods that do not run are named, with what Kubernetes says of them", () => {
  const p = patient();
  const pod = p.pod("workload", "shop", "probe-1", {}, 180);
  pod.status.containerStatuses = [
    { name: "web", image: "a", ready: false, restartCount: 0, state: { running: {} } },
  ];
  p.event(pod, "Unhealthy", "Readiness probe failed: old", { ago: 20, side: "workload", count: 2 });
  p.event(pod, "Unhealthy", "Readiness probe failed:\nstatuscode: 503", { side: "workload", count: 900 });
  p.pod("workload", "shop", "cfg-1", { waiting: ["CreateContainerConfigError", "x".repeat(300)] }, 12);
  Object.assign(p.get("MachinePool", "linux1").spec, { replicas: 2 });
  const diagnosis = diagnose(p.snapshot());
  expect(brief(diagnosis)).toBe("");
  expect(verdict(diagnosis)).toBe(
    `No rule finds a cause in the states of machines, nodes, add-ons and Pods; what their programs do was not checked. Not finished: pool linux1, 1 of 2 nodes ready; waits for machines. Not all Pods run: shop/probe-1 (not ready: "Readiness probe failed: statuscode: 503"), shop/cfg-1 (CreateContainerConfigError: "${"x".repeat(200)} … (100 more characters)"). Watch it: npm run doctor -- sick --watch`,
  );
  expect(verdict({ ...diagnosis, deleting: true })).toBe(
    "Nothing is wrong in the states of machines, nodes, add-ons and Pods; what their programs do was not checked. The cluster is being deleted.",
  );
  expect(exitCode(diagnosis)).toBe(2);
});

it("beside a warning of a container that ends again and again, not all Pods run, and its exit code is there", () => {
  const p = patient();
  p.pod("workload", "shop", "web-6f7d9c-x2x7q", { waiting: ["CrashLoopBackOff", "back-off"], restarts: 9 });
  const [status] = p.get("Pod", "web-6f7d9c-x2x7q").status.containerStatuses as object[];
  Object.assign(status!, { lastState: { terminated: { reason: "Error", exitCode: -2147467259 } } });
  const diagnosis = diagnose(p.snapshot());
  expect(diagnosis.findings.map(({ severity, proofs }) => [severity, proofs[0]?.where])).toEqual([
    [
      "warning",
      "Pod shop/web-6f7d9c-x2x7q, container manager, last exit code -2147467259 (0x80004005), from a container, whose program can write anything",
    ],
  ]);
  expect(verdict(diagnosis)).toBe(
    '1 warning. All machines and nodes are there. Not all Pods run: shop/web-6f7d9c-x2x7q (CrashLoopBackOff: "back-off").',
  );
});

it("says of the Pods of a cluster of which something was not read only what was read", () => {
  const diagnosis = diagnose(patient().snapshot());
  expect(verdict({ ...diagnosis, unread: ["Pod of the workload cluster (forbidden)"] })).toBe(
    "Nothing is wrong in what could be read; could not read Pod of the workload cluster (forbidden). The machines, nodes and Pods that were read run.",
  );
});

it("consequences of a cause are reported below it, not beside it", () => {
  const [quota, ...others] = sick(linuxQuota).findings;
  expect(others).toEqual([]);
  expect(quota?.consequences.map(({ id }) => id).sort()).toEqual(["node-network", "typha"]);
});

it.each([
  "a lock keeps the resource group of a cluster that is being deleted",
  "the subscription is disabled",
])("what the Azure Service Operator says and CAPZ repeats is one finding with two proofs: %s", (name) => {
  const { findings } = sick(name);
  expect(findings.map(({ id, proofs }) => [id, proofs.length])).toEqual([[findings[0]?.id, 2]]);
});

it("the report names cause, proof, remedy and consequences", () => {
  const text = formatText(sick(linuxQuota), { color: false, width: 100 });
  expect(text).toContain(
    "x 1. The quota of standardDSv5Family cores in westeurope is used up: 10 are approved, 8 in use, 4",
  );
  expect(text).toContain("   proof     AzureMachinePool linux1, condition");
  expect(text).toContain(
    "             capz-windows:linuxPools: {linux1: {replicas: FEWER, vmSize: A-SIZE-OF-ANOTHER-FAMILY}}",
  );
  expect(text).toContain("   may cause TigeraStatus calico: ");
  // Azure's answer is told in a line, without the request and the JSON around it.
  expect(text).toContain("409 OperationNotAllowed: Operation could not be");
  expect(text).not.toContain("----");
  expect(text).toContain("\n   more      npm run doctor -- --explain quota-cores\n");
});
