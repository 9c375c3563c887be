import { diagnose } from "capz-windows-doctor/diagnose";
import { scaling } from "./calm/rolling";
import { furnish, Patient, patient, recording } from "./patient";
import { paragraphsOf } from "./scenes";

/** Pools and control planes that roll: what the steps say, and where calm ends. */

it("the step of a pool that rolls says what is under way", () => {
  const p = patient();
  paragraphsOf("calm/motion.txt")
    .find(({ name }) => name.endsWith("the old node is drained"))!
    .make(p);
  const step = diagnose(p.snapshot()).steps.find(({ name }) => name === "pool win1");
  expect(step?.detail).toBe("1 of 1 nodes ready; 1 being drained or deleted (win1-0)");
});

describe("a pool of two months that lacks a node, and nothing moves", () => {
  const ids = (ago: number, instances: "all" | "none" = "none"): string[] => {
    const p = patient();
    scaling(p, 2, ago);
    if (instances === "all") {
      const made = structuredClone(p.get("AzureMachinePoolMachine", "win1-0"));
      Object.assign(made.metadata, { name: "win1-7" });
      p.add("management", { ...made });
    }
    return diagnose(p.snapshot()).findings.map(({ id }) => id);
  };

  it("its instance has ten minutes to appear", () => {
    expect(ids(9)).toEqual([]);
    expect(ids(10)).toEqual(["scale-set-without-instances"]);
  });

  it("and its node twenty", () => {
    expect(ids(19, "all")).toEqual([]);
    expect(ids(20, "all")).toEqual(["pool-incomplete"]);
  });
});

it("a scale set that failed and lacks instances: first the cure, and its state follows from that", () => {
  const p = patient();
  scaling(p, 2, 30);
  const pool = p.get("AzureMachinePool", "win1");
  pool.status.conditions = (pool.status.conditions as { type: string }[]).filter(
    ({ type }) => type !== "ScaleSetDesiredReplicas",
  );
  p.condition(pool, "ScaleSetRunning", { reason: "ScaleSetProvisionFailed", ago: 30 });
  const [first, ...others] = diagnose(p.snapshot()).findings;
  expect(others).toEqual([]);
  expect(first?.id).toBe("scale-set-without-instances");
  expect(first?.remedy.join("\n")).toContain(
    "az vmss scale --resource-group sick --name win1 --new-capacity 1",
  );
  expect(first?.consequences.map(({ id }) => id)).toContain("scale-set-failed");
});

it("a scale set that failed and has its instances is one finding", () => {
  const p = patient();
  const pool = p.get("AzureMachinePool", "win1");
  p.condition(pool, "ScaleSetRunning", { reason: "ScaleSetProvisionFailed", ago: 30 });
  expect(diagnose(p.snapshot()).findings.map(({ id }) => id)).toEqual(["scale-set-failed"]);
});

it("a cluster is not complete while CAPZ cannot read a scale set, whose instances keep what was true before", () => {
  const p = patient();
  const before = diagnose(p.snapshot());
  p.condition(p.get("AzureMachinePool", "win1"), "Ready", { reason: "ScaleSetModelOutOfDate", ago: 2 });
  const after = diagnose(p.snapshot());
  expect([before.complete, after.complete]).toEqual([true, false]);
  expect(after.steps.find(({ name }) => name === "pool win1")?.detail).toBe(
    "1 of 1 nodes ready; its scale set is not ready: ScaleSetModelOutOfDate",
  );
});

describe("a MachineDeployment that rolls, whose former templates are deleted", () => {
  const ids = (status: "True" | "False", message: string): string[] => {
    const p = furnish(new Patient(recording("upgrade-pools")));
    // apps-cjlvt has the revision 1, apps-wc58b the revision 2.
    p.condition(p.get("MachineSet", "apps-cjlvt"), "ScalingUp", { status, message, ago: 5 });
    return diagnose(p.snapshot()).findings.map(({ id }) => id);
  };

  it("nothing is wrong as long as none of its machines is lost", () => {
    const message = "Scaling up would be blocked because KubeadmConfigTemplate does not exist";
    expect(ids("False", message)).toEqual([]);
  });

  it("a lost machine is not replaced", () => {
    const message =
      "Scaling up from 1 to 2 replicas is blocked because:\n* KubeadmConfigTemplate and AzureMachineTemplate do not exist";
    expect(ids("True", message)).toEqual(["former-template-missing"]);
  });
});

describe("two stacks in one namespace", () => {
  const two = (p: Patient): void => {
    const cluster = p.get("Cluster");
    p.add("management", {
      ...{ kind: "Cluster", apiVersion: cluster.apiVersion },
      metadata: { name: "two", namespace: "sick", labels: { cni: "two-calico" } },
    });
    p.condition(
      p.add("management", {
        ...{ kind: "ClusterResourceSet", apiVersion: "addons.cluster.x-k8s.io/v1beta2" },
        metadata: { name: "two-calico", namespace: "sick" },
        spec: { clusterSelector: { matchLabels: { cni: "two-calico" } } },
      }),
      "ResourcesApplied",
      { reason: "WrongSecretType", message: "unsupported Secret type", ago: 30 },
    );
  };

  it("a set of the other one is neither waited for nor reported", () => {
    const p = patient();
    two(p);
    const { complete, findings } = diagnose(p.snapshot());
    expect({ complete, ids: findings.map(({ id }) => id) }).toEqual({ complete: true, ids: [] });
  });

  it("the other one hears of it", () => {
    const p = patient();
    two(p);
    p.cluster = { name: "two", namespace: "sick" };
    expect(diagnose(p.snapshot()).findings.map(({ id }) => id)).toEqual(["condition-unexplained"]);
  });
});
