import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { diagnose } from "../../commands/doctor/diagnose";
import { withoutSecrets } from "../../commands/cluster/clean";
import { readRecorded } from "../../commands/cluster/recorded";
import { type Patient, patient } from "./patient";

/** Where rules begin: a minute less is silent, the minute fires; and what they leave out. */

const idsOf = (p: Patient): string[] => diagnose(p.snapshot()).findings.map(({ id }) => id);

function ids(make: (p: Patient) => unknown): string[] {
  const p = patient();
  make(p);
  return idsOf(p);
}

const deleted = (p: Patient, kind: string, name: string, ago: number): void => {
  Object.assign(p.get(kind, name).metadata, { deletionTimestamp: p.ago(ago), finalizers: ["x"] });
};

const notReady = (status: "False" | "Unknown", message: string) => (p: Patient, ago: number) => {
  p.nodeCondition("win1", "Ready", { status, reason: "KubeletNotReady", message, ago });
};

/** Makes of a fault of so many minutes, and the first of them at which a rule reports it. */
const boundaries: readonly (readonly [
  rule: string,
  minutes: number,
  make: (p: Patient, ago: number) => unknown,
])[] = [
  [
    "deletion-late",
    20,
    (p, ago) => {
      deleted(p, "AzureMachinePool", "win1", ago);
    },
  ],
  [
    "pool-stalled",
    3,
    (p, ago) => {
      deleted(p, "AzureMachinePool", "win1", ago);
      p.remove(
        "management",
        ({ kind, metadata }) => kind === "AzureMachinePoolMachine" && metadata.name.startsWith("win1"),
      );
    },
  ],
  [
    "instance-without-machine",
    3,
    (p, ago) => {
      deleted(p, "AzureMachinePool", "win1", ago);
      Object.assign(p.get("AzureMachinePoolMachine", "win1").metadata, {
        ownerReferences: [{ kind: "AzureMachinePool", name: "win1" }],
      });
    },
  ],
  [
    "token-expired",
    20,
    (p, ago) => {
      const instance = p.get("AzureMachinePoolMachine", "win1");
      Object.assign(instance.metadata, { creationTimestamp: p.ago(ago) });
      Object.assign(instance.status, { nodeRef: undefined });
      p.add("workload", { kind: "Secret", metadata: { name: "other", namespace: "kube-system" } });
      p.remove("workload", ({ metadata }) => metadata.name.startsWith("bootstrap-token-"));
      const discovery = { bootstrapToken: { token: "abcdef.REDACTED" } };
      Object.assign(p.get("KubeadmConfig", "win1").spec, { joinConfiguration: { discovery } });
    },
  ],
  ["node-runtime", 3, notReady("False", "container runtime is down")],
  ["node-not-ready", 15, notReady("False", "something that no rule knows")],
  [
    "node-not-ready",
    20,
    (p, ago) => {
      notReady("False", "something that no rule knows")(p, 16);
      Object.assign(p.node("win1").metadata, { creationTimestamp: p.ago(ago) });
    },
  ],
];

it.each(boundaries)("%s begins at minute %d", (rule, minutes, make) => {
  expect(ids((p) => make(p, minutes - 1))).not.toContain(rule);
  expect(ids((p) => make(p, minutes))).toContain(rule);
});

it("an event counts for half an hour", () => {
  const told = (ago: number): string[] =>
    ids((p) => {
      const instance = p.get("AzureMachinePoolMachine", "win1");
      Object.assign(instance.status, { ready: false });
      p.condition(instance, "Ready", { reason: "x", ago: 40 });
      p.event(instance, "FailedVMState", "Azure scale set VM is in failed state", { ago });
    });
  expect(told(30)).toContain("instance-failed");
  expect(told(31)).not.toContain("instance-failed");
});

describe("all nodes of two pools stop to answer", () => {
  const lost = (between: number): string[] =>
    ids((p) => {
      for (const [pool, ago] of [
        ["linux1", 10],
        ["win1", 10 + between],
      ] as const) {
        const message = "Kubelet stopped posting node status.";
        p.nodeCondition(pool, "Ready", { status: "Unknown", reason: "NodeStatusUnknown", message, ago });
      }
    });

  it("within two minutes: they have one cause", () => {
    expect(lost(2)).toEqual(["nodes-lost-together"]);
    expect(lost(3)).not.toContain("nodes-lost-together");
  });
});

describe("what is left out", () => {
  it("a control plane of three machines is not alone", () => {
    const found = (replicas: number): string[] =>
      ids((p) => {
        Object.assign(p.get("KubeadmControlPlane").spec, { replicas });
        p.condition(p.get("Machine", "sick-control-plane"), "OwnerRemediated", {
          reason: "CannotBeRemediated",
          message: "KubeadmControlPlane can't remediate if current replicas are less or equal to 1",
        });
      });
    expect(found(1)).toContain("remediation-alone");
    expect(found(3)).not.toContain("remediation-alone");
  });

  it("machines of pools wait for the control plane, which is not their fault", () => {
    const late = (name: string): string[] =>
      ids((p) => {
        const machine = structuredClone(p.get("AzureMachine", "sick-control-plane"));
        if (name !== "sick-control-plane") {
          const labels = {
            "cluster.x-k8s.io/cluster-name": "sick",
            "cluster.x-k8s.io/deployment-name": name,
          };
          Object.assign(machine.metadata, { name, labels, ownerReferences: [{ kind: "Machine", name }] });
          p.add("management", { ...machine });
        }
        p.condition(p.get("AzureMachine", name), "VMRunning", { reason: "WaitingForBootstrapData", ago: 16 });
      });
    expect(late("sick-control-plane")).toContain("bootstrap-data-late");
    expect(late("apps")).not.toContain("bootstrap-data-late");
  });

  it("a machine is not replaced because etcd is full, which is the one cause", () => {
    const found = ids((p) => {
      const machine = p.get("Machine", "sick-control-plane");
      const message = "Etcd member reports alarms: NOSPACE";
      p.condition(machine, "EtcdMemberHealthy", { reason: "NotHealthy", message, ago: 10 });
      p.condition(machine, "OwnerRemediated", {
        reason: "CannotBeRemediated",
        message:
          "KubeadmControlPlane can't remediate this Machine because this could result in etcd loosing quorum",
        ago: 9,
      });
    });
    expect(found).toEqual(["etcd-full"]);
  });

  it("a node is only left over if Machines were read", () => {
    const left = (removed: (name: string) => boolean): string[] =>
      ids((p) => {
        notReady("Unknown", "x")(p, 40);
        Object.assign(p.node("win1").metadata, { annotations: { "cluster.x-k8s.io/machine": "win1-0" } });
        p.remove("management", ({ kind, metadata }) => kind === "Machine" && removed(metadata.name));
        p.remove(
          "management",
          ({ kind, metadata }) => /^Azure?MachinePoolMachine$/.test(kind) && metadata.name === "win1-0",
        );
        for (const kind of ["MachinePool", "AzureMachinePool"]) {
          Object.assign(p.get(kind, "win1").spec, { providerIDList: [] });
        }
      });
    expect(left((name) => name === "win1-0")).toContain("node-left");
    expect(left(() => true)).not.toContain("node-left");
  });

  it("a Deployment that is being deleted has no replicas for a reason", () => {
    const none = (metadata: object): string[] =>
      ids((p) => {
        const deployment = p.get("Deployment", "capz-controller-manager");
        Object.assign(deployment.spec, { replicas: 0 });
        Object.assign(deployment.metadata, metadata);
      });
    expect(none({})).toContain("provider-scaled-to-zero");
    expect(none({ deletionTimestamp: "2026-11-22T05:01:57Z" })).not.toContain("provider-scaled-to-zero");
  });

  it("a webhook's certificate is not that of a node", () => {
    const told = (message: string): string[] =>
      ids((p) => p.event(p.node("win1"), "FailedToStart", message, { side: "workload" }));
    const expired = "x509: certificate has expired or is not yet valid";
    expect(told(expired)).toContain("node-clock");
    expect(told(`failed calling webhook "a.b": ${expired}`)).not.toContain("node-clock");
  });

  it("what is wrong with a pool does not follow from another pool", () => {
    const found = ids((p) => {
      const quota =
        "Operation could not be completed as it results in exceeding approved standardDSv5Family Cores quota.";
      p.refused(p.get("AzureMachinePool", "linux1"), "BootstrapSucceeded", quota);
      p.condition(p.get("AzureMachinePool", "win1"), "ScaleSetRunning", {
        reason: "ScaleSetProvisionFailed",
      });
    });
    expect(found).toEqual(expect.arrayContaining(["quota-cores", "scale-set-failed"]));
  });
});

it.each([
  ["v1.28.0", "v1.25.0", false],
  ["v1.28.0", "v1.24.0", true],
  ["v1.27.0", "v1.25.0", false],
  ["v1.27.0", "v1.24.0", true],
])("with an API server %s a kubelet %s is too old: %s", (server, kubelet, isTooOld) => {
  const p = patient();
  for (const node of p.all("Node", "workload")) {
    const version = node.metadata.name.startsWith("win") ? kubelet : server;
    Object.assign(node.status, {
      nodeInfo: { ...(node.status.nodeInfo as object), kubeletVersion: version },
    });
  }
  for (const kind of ["Machine", "KubeadmControlPlane"]) {
    for (const object of p.all(kind)) {
      Object.assign(object.spec, { version: object.metadata.name.startsWith("win") ? kubelet : server });
    }
  }
  const { findings } = diagnose(p.snapshot());
  const all = findings.flatMap(({ id, consequences }) => [id, ...consequences.map((one) => one.id)]);
  expect(all.includes("kubelet-too-old")).toBe(isTooOld);
});

it("arguments of containers, which may have passwords, are not read", () => {
  const pod = {
    ...{ apiVersion: "v1", kind: "Pod", metadata: { name: "web" } },
    spec: { containers: [{ name: "web", image: "web", args: ["--password=hunter2"], command: ["hunter2"] }] },
  };
  expect(JSON.stringify(withoutSecrets(pod))).not.toContain("hunter2");
});

it("recorded objects were read at their newest time, not when a certificate ends", () => {
  const folder = mkdtempSync(join(tmpdir(), "doctor-"));
  try {
    const file = join(folder, "objects.json");
    const status = {
      conditions: [{ lastTransitionTime: "2026-01-02T03:04:05Z" }],
      certificatesExpiryDate: "2099-01-01T00:00:00Z",
    };
    writeFileSync(
      file,
      JSON.stringify({
        apiVersion: "cluster.x-k8s.io/v1beta2",
        kind: "Cluster",
        metadata: { name: "a" },
        status,
      }),
    );
    expect(readRecorded(file).takenAt).toBe("2026-01-02T03:04:05Z");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it("to read a network takes the role Reader", () => {
  const p = patient();
  const scope = "/subscriptions/s/resourceGroups/hub/providers/Microsoft.Network/virtualNetworks/hub";
  const message = `ERROR CODE: LinkedAuthorizationFailed The client 'c' has permission to perform action 'x'; however, it does not have permission to perform action(s) 'Microsoft.Network/virtualNetworks/read' on the linked scope(s) '${scope}'`;
  p.refused(p.get("AzureMachinePool", "win1"), "BootstrapSucceeded", message);
  expect(diagnose(p.snapshot()).findings[0]?.remedy[0]).toBe(
    `az role assignment create --assignee c --role "Reader" --scope ${scope}`,
  );
});
