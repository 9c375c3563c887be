import { diagnose } from "../../commands/doctor/diagnose";
import { notJoined } from "./faults/inCluster";
import { azure } from "./faults/fault";
import { failedVm } from "./faults/machinesInAzure";
import { type Loose, type Patient, patient } from "./patient";

/** Faults with much noise: one cause stands first, and what it leads to stands below it. */

/** Each finding, and the IDs of what follows from it. */
const told = (make: (p: Patient) => unknown): [string, string[]][] => {
  const p = patient();
  make(p);
  return diagnose(p.snapshot()).findings.map(({ id, consequences }) => [
    id,
    consequences.map((one) => one.id),
  ]);
};

/** The Windows pool has lacked a node for an hour. */
const lacksNode = (p: Patient): void => {
  const { metadata, status } = p.get("MachinePool", "win1");
  Object.assign(metadata, { creationTimestamp: p.ago(90) });
  Object.assign(status, { phase: "ScalingUp", nodeRefs: [], readyReplicas: 0 });
  (status.deprecated as { v1beta1: object }).v1beta1 = {};
  for (const object of [p.get("MachinePool", "win1"), p.get("AzureMachinePool", "win1")]) {
    p.condition(object, "Ready", { reason: "ScaleSetScalingUp", severity: "Info", ago: 60 });
  }
  for (const one of [p.get("Machine", "win1-0"), p.get("AzureMachinePoolMachine", "win1-0")]) {
    Object.assign(one.metadata, { creationTimestamp: p.ago(90) });
  }
};

describe("a pool that lacks a node follows from what is wrong with the node", () => {
  it("that does not answer any more", () => {
    const found = told((p) => {
      lacksNode(p);
      const message = "Kubelet stopped posting node status.";
      p.nodeCondition("win1", "Ready", { status: "Unknown", reason: "NodeStatusUnknown", message, ago: 38 });
    });
    expect(found).toEqual([["node-stopped", ["pool-incomplete"]]]);
  });

  it("that is Ready without provider ID", () => {
    const found = told((p) => {
      lacksNode(p);
      delete p.node("win1").spec.providerID;
      for (const kind of ["Machine", "AzureMachinePoolMachine"]) {
        delete p.get(kind, "win1-0").status.nodeRef;
      }
    });
    expect(found).toEqual([["node-provider-id", ["pool-incomplete"]]]);
  });

  it("that has not joined", () => {
    const found = told((p) => {
      lacksNode(p);
      notJoined(p);
    });
    expect(found).toEqual([["node-not-joined", ["pool-incomplete"]]]);
  });
});

it("a machine of the control plane whose node has no provider ID is not called late", () => {
  const found = told((p) => {
    const machine = p.get("Machine", "sick-control-plane");
    delete machine.status.nodeRef;
    machine.status.phase = "Provisioned";
    const node = p.node("sick-control-plane");
    delete node.spec.providerID;
    Object.assign(node.metadata, { name: machine.metadata.name });
  });
  expect(found).toEqual([["node-provider-id", []]]);
});

describe("a virtual machine that Azure keeps in the state Failed", () => {
  const refused = (p: Patient, ago: number, message: string): void => {
    const what = `failed to reconcile AzureMachine: ${message}`;
    p.event(failedVm(p), "ReconcileError", what, { ago, count: 1 });
  };

  it.each([
    ["capacity", "ZonalAllocationFailed", "allocation"],
    ["a refusal that no rule knows", "NewCode", "azure-other"],
  ])("its last event has the reason for as long as there is one: %s", (_, code, id) => {
    const found = told((p) => {
      refused(p, 50, "TooManyRequests");
      refused(p, 45, azure(409, code, "Azure's words.", "virtualmachine"));
    });
    expect(found).toEqual([[id, ["vm-failed"]]]);
  });

  it("is nothing when it is a node all the same", () => {
    const found = told((p) => {
      p.event(p.get("AzureMachine"), "ReconcileError", "ZonalAllocationFailed", { ago: 45 });
      p.get("AzureMachine").status.vmState = "Failed";
    });
    expect(found).toEqual([]);
  });

  it.each([
    [true, /^Do not delete the Machine: it is the only one/],
    [false, /^kubectl delete machine sick-control-plane-942cq -n sick {3}#/],
  ])("the only machine of the control plane is kept when there is a cluster on it: %s", (exists, remedy) => {
    const p = patient();
    refused(p, 5, "ZonalAllocationFailed");
    if (!exists) {
      const { status } = p.get("Cluster");
      Object.assign(status, { initialization: {}, conditions: [] });
    }
    const found = diagnose(p.snapshot()).findings.find(({ id }) => id === "allocation");
    expect(found?.remedy.at(-1)).toMatch(remedy);
  });
});

it("an instance in the state Failed is not called one whose bootstrap commands failed", () => {
  const found = told((p) => {
    const instance = p.get("AzureMachinePoolMachine", "win1");
    instance.status.provisioningState = "Failed";
    p.condition(instance, "BootstrapSucceeded", {
      reason: "BootstrapFailed",
      message: "VM bootstrapping failed",
    });
  });
  expect(found).toEqual([["instance-failed", []]]);
});

describe("a webhook that does not answer, because its own Pod does not run", () => {
  const timeout = "failed to do request: Head: dial tcp 34.96.108.209:443: i/o timeout";
  const calls = (p: Patient, webhook: string, service: string, space: string): void => {
    const set = { kind: "ReplicaSet", metadata: { name: "web-5b8d6c7f9", namespace: "shop" } } as Loose;
    const why = `failed calling webhook "${webhook}": failed to call webhook: Post "https://${service}.${space}.svc:443/mutate?timeout=10s": no endpoints available for service "${service}"`;
    p.event(set, "FailedCreate", `Error creating: Internal error occurred: ${why}`, { side: "workload" });
  };
  const gmsa = ["admission-webhook.windows-gmsa.sigs.k8s.io", "gmsa-webhook", "gmsa-webhook"] as const;
  const kyverno = ["mutate.kyverno.svc-fail", "kyverno-svc", "kyverno"] as const;

  it.each([
    ["gmsa-webhook-down", gmsa],
    ["policy-webhook-down", kyverno],
  ])("%s: its image", (id, [webhook, service, space]) => {
    const found = told((p) => {
      calls(p, webhook, service, space);
      const image = `registry.k8s.io/${space}/${space}:v1`;
      const why = `Back-off pulling image "${image}": ErrImagePull: ${timeout}`;
      p.pod("workload", space, `${space}-6d5f-m2k4p`, { waiting: ["ImagePullBackOff", why], image }, 50);
    });
    expect(found).toEqual([["registry-unreachable", [id]]]);
  });

  it("its place on a node; a Pod elsewhere is not the reason", () => {
    const message = "0/3 nodes are available: 3 Insufficient memory.";
    const waits = (space: string) =>
      told((p) => {
        calls(p, ...gmsa);
        const pod = p.pod("workload", space, "gmsa-webhook-6d5f-m2k4p", {}, 50);
        pod.status = { phase: "Pending" };
        p.condition(pod, "PodScheduled", { reason: "Unschedulable", message, ago: 30 });
      });
    expect(waits("gmsa-webhook")).toEqual([["pod-resources", ["gmsa-webhook-down"]]]);
    expect(waits("shop").map(([id]) => id)).toEqual(["gmsa-webhook-down", "pod-resources"]);
  });

  it("cert-manager's injector has no memory, so a webhook of CAPZ has no authority", () => {
    const found = told((p) => {
      p.pod("management", "cert-manager", "cert-manager-cainjector-7d9f8c6b5-abcde", {
        ended: ["OOMKilled", ""],
      });
      const clientConfig = { service: { name: "capz-webhook-service", namespace: "capz-system" } };
      p.add("management", {
        ...{
          kind: "MutatingWebhookConfiguration",
          metadata: { name: "capz-mutating-webhook-configuration" },
        },
        webhooks: [{ name: "default.azuremachine.infrastructure.cluster.x-k8s.io", clientConfig }],
      });
    });
    expect(found).toEqual([["provider-out-of-memory", ["webhook-without-ca"]]]);
  });
});

it("Calico that crashes on Windows follows from its strict affinity", () => {
  const found = told((p) => {
    p.pod("workload", "calico-system", "calico-node-windows-x7k2p", {
      waiting: ["CrashLoopBackOff", "back-off 5m0s restarting failed container=node"],
    });
    const pod = p.pod("workload", "shop", "web-6f7d9c-x2x7q", { waiting: ["ContainerCreating", ""] }, 40);
    const why = `plugin type="calico" failed (add): global strict affinity should not be false for Windows node`;
    const more = { side: "workload", count: 30, ago: 1 } as const;
    p.event(pod, "FailedCreatePodSandBox", `Failed to create pod sandbox: ${why}`, more);
  });
  expect(found).toEqual([["strict-affinity", ["calico-crashes"]]]);
});

describe("names of Pods and images are not taken for reasons", () => {
  it.each([
    ["CrashLoopBackOff", "back-off 5m0s restarting failed container=app pod=gmsa-demo-6d5f-m2k4p_shop(7f0c)"],
    ["ImagePullBackOff", 'Back-off pulling image "contoso.azurecr.io/gmsa-demo:2": not found'],
  ])("a Pod named gmsa-demo: %s", (reason, message) => {
    const found = told((p) =>
      p.pod("workload", "shop", "gmsa-demo-6d5f-m2k4p", { waiting: [reason, message] }, 50),
    );
    expect(found.map(([id]) => id)).not.toContain("gmsa");
  });

  it("that CoreDNS does not run follows from what is wrong with its Pod", () => {
    const image = "registry.k8s.io/coredns/coredns:v9";
    const missing = `Back-off pulling image "${image}": ErrImagePull: ${image}: not found`;
    const found = told((p) =>
      p.pod("workload", "kube-system", "coredns-5d78c9869d-aaaaa", {
        waiting: ["ImagePullBackOff", missing],
        image,
      }),
    );
    expect(found).toEqual([["image-pull", ["dns"]]]);
  });
});
