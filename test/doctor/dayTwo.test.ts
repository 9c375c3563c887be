import { diagnose } from "../../commands/doctor/diagnose";
import {
  deletedMachine,
  drained,
  leftNode,
  lost,
  upgradedControlPlane,
  upgradedPool,
} from "./faults/onDayTwo";
import { type Patient, patient } from "./patient";
import { sceneNamed } from "./scenes";

/** The other side of the edges of rules: states that look like a fault, and are another one. */

const ids = (make: (p: Patient) => unknown): string[] => {
  const p = patient();
  make(p);
  return diagnose(p.snapshot()).findings.map(({ id }) => id);
};

it("nodes that were lost at different times are told one by one", () => {
  expect(
    ids((p) =>
      p.nodeCondition("linux1", "Ready", { ...lost, ago: 60 }).nodeCondition("win1", "Ready", {
        ...{ ...lost, ago: 20 },
      }),
    ),
  ).toEqual(["node-stopped", "node-stopped"]);
});

it("a pool that has a node left is not cut off", () => {
  expect(
    ids((p) => {
      const second = structuredClone(p.node("win1"));
      p.add("workload", { ...second, metadata: { ...second.metadata, name: "win1000001", uid: "second" } });
      p.nodeCondition("linux1", "Ready", { ...lost, ago: 30 }).nodeCondition("win1000000", "Ready", {
        ...{ ...lost, ago: 30 },
      });
    }),
  ).toEqual(expect.arrayContaining(["node-stopped"]));
});

it("every node that is cut off is a proof", () => {
  const p = patient();
  p.nodeCondition("linux1", "Ready", { ...lost, ago: 30 }).nodeCondition("win1", "Ready", {
    ...{ ...lost, ago: 30 },
  });
  const [first] = diagnose(p.snapshot()).findings;
  expect(first?.proofs.map(({ where }) => where.replace(/,.*/, ""))).toEqual([
    "Node linux1000000",
    "Node win1000000",
  ]);
});

it("a node without its Machine is left over only after the cloud provider had time to delete it", () => {
  expect(ids((p) => leftNode(p, 10))).toEqual(["node-stopped"]);
  expect(ids((p) => leftNode(p, 40))).toEqual(["node-left"]);
});

it("a node whose machine still is in a scale set is not left over", () => {
  expect(
    ids((p) => {
      const node = leftNode(p, 40);
      (p.get("AzureMachinePool", "win1").spec.providerIDList as string[]).push(String(node.spec.providerID));
    }),
  ).not.toContain("node-left");
});

it("the expired certificate of a webhook is not one of the control plane", () => {
  const fault = sceneNamed("the certificate of the webhook of CAPZ has expired");
  expect(ids(fault.make)).toEqual(["webhook-certificate-expired"]);
});

it("a drain that only takes long is a warning of its own", () => {
  expect(
    ids((p) =>
      deletedMachine(
        p,
        "Drain not completed yet (started at 2026-11-22T04:00:00Z):\n* Pods with deletionTimestamp that still exist: shop/web-0",
        30,
      ),
    ),
  ).toContain("drain-slow");
  expect(
    ids((p) =>
      deletedMachine(
        p,
        drained("Cannot evict pod from terminating namespace: unable to create eviction"),
        30,
      ),
    ),
  ).not.toContain("drain-refused");
});

it.each([
  ["6 of 30 minutes", 6, 1800, []],
  ["28 of 30 minutes, so that the deletion takes more than 20", 28, 1800, []],
  ["35 of 30 minutes: Cluster API should have gone on", 35, 1800, ["drain"]],
  ["6 minutes of a day", 6, 86_400, ["drain"]],
  ["6 minutes without a limit", 6, undefined, ["drain"]],
])("a drain that a budget holds, after %s", (_, minutes, nodeDrainTimeoutSeconds, expected) => {
  const p = patient();
  const machine = deletedMachine(
    p,
    drained(
      "cannot evict pod as it would violate the pod's disruption budget. The disruption budget web needs 1 healthy pods and has 1 currently",
    ),
    minutes,
  );
  Object.assign(machine.spec, { deletion: { nodeDrainTimeoutSeconds } });
  Object.assign(machine.status, { deletion: { nodeDrainStartTime: p.ago(minutes) } });
  const { findings, steps } = diagnose(p.snapshot());
  expect(findings.map(({ id }) => id)).toEqual(expected);
  const told = steps.map(({ detail }) => detail).filter((detail) => detail.includes("ends by"));
  expect(told.map((detail) => detail.split("; ").at(-1))).toEqual(
    expected.length === 0 ? [`the drain of ${machine.metadata.name} ends by ${p.ago(minutes - 30)}`] : [],
  );
});

describe("an alarm of etcd, with which its member counts as unhealthy", () => {
  it.each([
    ["NOSPACE", "etcd-full"],
    ["CORRUPT", "etcd-corrupt"],
  ])("%s is one finding, and no lost quorum beside it", (alarm, id) => {
    const p = patient();
    const message = `Etcd reports alarms: ${alarm}`;
    const machine = p.get("Machine", "sick-control-plane");
    p.condition(machine, "EtcdMemberHealthy", { reason: "NotHealthy", message, ago: 20 });
    p.condition(p.get("KubeadmControlPlane"), "EtcdClusterHealthy", {
      ...{ reason: "NotHealthy", ago: 20 },
      message: `* Machine ${machine.metadata.name}:\n  * EtcdMemberHealthy: ${message}`,
    }).condition(p.get("KubeadmControlPlane"), "Available", {
      ...{ reason: "NotAvailable", ago: 20 },
      message: "* There are no healthy etcd member, at least 1 healthy member required for etcd quorum",
    });
    const { findings } = diagnose(p.snapshot());
    expect(findings.map((one) => [one.id, one.consequences.map((effect) => effect.id)])).toEqual([
      [id, ["etcd-quorum"]],
    ]);
  });
});

it.each([
  ["capz-controller-manager", "provider-unavailable"],
  ["sick-autoscaler", "autoscaler-down"],
])("that %s does not run follows from the refusal of its Pods", (name, effect) => {
  const p = patient();
  const deployment =
    p.all("Deployment").find(({ metadata }) => metadata.name === name) ??
    p.add("management", { kind: "Deployment", metadata: { name, namespace: "sick" } });
  deployment.status = {};
  const message = 'admission webhook "validation.gatekeeper.sh" denied the request: [azurepolicy-x] no';
  p.condition(deployment, "Available", { reason: "MinimumReplicasUnavailable", ago: 25 });
  p.condition(deployment, "ReplicaFailure", { status: "True", reason: "FailedCreate", message, ago: 25 });
  const { findings } = diagnose(p.snapshot());
  expect(findings.map(({ id, consequences }) => [id, consequences.map((one) => one.id)])).toEqual([
    ["provider-policy-denied", [effect]],
  ]);
});

it("a paused Cluster is reported once, without what belongs to it", () => {
  expect(
    ids((p) => {
      p.get("Cluster").spec.paused = true;
      for (const kind of ["KubeadmControlPlane", "MachinePool"]) {
        const message = "Cluster spec.paused is set to true";
        p.condition(p.get(kind), "Paused", { status: "True", reason: "Paused", message, ago: 60 });
      }
    }),
  ).not.toContain("object-paused");
});

it("a MachineDeployment that is paused by its field is resumed by it", () => {
  const p = patient();
  p.add("management", {
    kind: "MachineDeployment",
    metadata: { name: "apps", namespace: "sick" },
    spec: { clusterName: "sick", replicas: 0, paused: true },
    status: { phase: "Running" },
  });
  const [first] = diagnose(p.snapshot()).findings;
  expect(first?.id).toBe("object-paused");
  expect(first?.remedy[0]).toBe(
    'kubectl patch machinedeployment apps -n sick --type merge -p \'{"spec":{"paused":false}}\'',
  );
});

it("the object of an add-on without a namespace is deleted without one", () => {
  const text =
    'patching object storage.k8s.io/v1, Kind=StorageClass disk: StorageClass.storage.k8s.io "disk" is invalid: parameters: Forbidden: updates to parameters are forbidden.';
  const p = patient();
  p.condition(p.get("ClusterResourceSet", "sick-kube-proxy-windows"), "ResourcesApplied", {
    ...{ reason: "ApplyFailed", severity: "Warning", message: text, ago: 50, former: true },
  });
  const [first] = diagnose(p.snapshot()).findings;
  expect(first?.remedy[0]).toMatch(/^kubectl --kubeconfig workload.kubeconfig delete storageclass disk {3}#/);
});

it("three machines of the control plane whose certificates end are one finding", () => {
  const p = patient();
  const first = p.get("Machine", "sick-control-plane");
  first.status.certificatesExpiryDate = p.ago(-20 * 24 * 60);
  for (const name of ["sick-control-plane-b", "sick-control-plane-c"]) {
    const machine = p.add("management", { ...structuredClone(first), metadata: { ...first.metadata, name } });
    machine.status.certificatesExpiryDate = p.ago(-21 * 24 * 60);
  }
  const found = diagnose(p.snapshot()).findings.filter(({ id }) => id === "control-plane-certificates-end");
  expect(found.map(({ proofs }) => proofs.length)).toEqual([3]);
  expect(found[0]?.cause).toContain("in 20 days");
});

it("a pool that is paused during its upgrade has no wrong image", () => {
  expect(
    ids((p) => {
      upgradedControlPlane(p, "v1.36.1");
      upgradedPool(p, "win1", "v1.36.1", "1.35.6");
      Object.assign(p.get("AzureMachinePool", "win1").metadata.annotations ?? {}, {
        "cluster.x-k8s.io/paused": "",
      });
    }),
  ).toEqual(["object-paused"]);
});

it("an image that is named after the wanted version has it, and the rollout is about to begin", () => {
  expect(
    ids((p) => {
      upgradedControlPlane(p, "v1.36.1");
      upgradedPool(p, "win1", "v1.36.1", "1.35.6");
      const image = (p.get("AzureMachinePool", "win1").spec.template as { image: Record<string, unknown> })
        .image;
      image.computeGallery = { gallery: "mine", name: "capi-windows", version: "1.36.1" };
    }),
  ).toEqual([]);
});

/** A Pod whose disk is attached to an instance of the pool win1. */
const attachedTo = (p: Patient, instance: string): void => {
  const group = "/subscriptions/1/resourceGroups/sick/providers/Microsoft.Compute";
  const pod = p.pod("workload", "shop", "web", { waiting: ["ContainerCreating", ""] });
  p.event(
    pod,
    "FailedAttachVolume",
    `AttachVolume.Attach failed for volume "pvc-1" : rpc error: code = Internal desc = Attach volume ${group}/disks/pvc-1 to instance win1000000 failed with disk(${group}/disks/pvc-1) already attached to node(${group}/virtualMachineScaleSets/win1/virtualMachines/${instance}), could not be attached to node(win1000000)`,
    { side: "workload" },
  );
};

it("a disk is detached by the cluster if the other machine is one of its nodes", () => {
  const own = /(\d+)$/.exec(String(patient().node("win1").spec.providerID))![1]!;
  expect(
    ids((p) => {
      attachedTo(p, `win1_${own}`);
    }),
  ).toEqual(["disk-attached"]);
  expect(
    ids((p) => {
      attachedTo(p, "win1_77");
    }),
  ).toEqual(["disk-attached-to-no-node"]);
});

it("a ClusterResourceSet of another cluster in the namespace is neither unselected nor late", () => {
  expect(
    ids((p) => {
      const set = structuredClone(p.get("ClusterResourceSet"));
      set.spec.clusterSelector = { matchLabels: { cni: "other-calico" } };
      set.status = {};
      p.add("management", { ...set, metadata: { ...set.metadata, name: "other-calico", uid: "other" } });
    }),
  ).toEqual([]);
});

it("the startup probe in the remedy asks what the liveness probe asked", () => {
  const p = patient();
  const pod = p.pod("workload", "shop", "web", { waiting: ["CrashLoopBackOff", ""], restarts: 5 });
  p.event(
    pod,
    "Unhealthy",
    'Liveness probe failed: Get "http://192.168.7.4:8443/live": context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
    { side: "workload", count: 12 },
  );
  expect(diagnose(p.snapshot()).findings[0]?.remedy[0]).toBe(
    "startupProbe: {httpGet: {path: /live, port: 8443}, periodSeconds: 10, failureThreshold: 30}   # the liveness probe waits for it",
  );
});
