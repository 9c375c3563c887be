import { diagnose } from "capz-windows-doctor/diagnose";
import type { DoctorFinding } from "capz-windows-doctor/diagnosis";
import { subjects } from "capz-windows-doctor/rules/allRules";
import { diagnosed } from "./diagnosed";
import { examples } from "./examples";
import { type Patient, patient } from "./patient";

/**
 * Remedies that remove something: an etcd member, a node or the capacity of a scale set only if the same snapshot proves that
 * what it belongs to is gone; a Machine only if it is there.
 */

const findingsIn = (p: Patient): readonly DoctorFinding[] => diagnose(p.snapshot()).findings;

const removes =
  /member remove|\bdelete node \{|az vmss scale|vmss delete|az vm delete|delete azuremachinepoolmachine/;

const machineNamed = (p: Patient, name: string): void => {
  const copy = structuredClone(p.get("Machine", "sick-control-plane"));
  Object.assign(copy.metadata, { name, uid: name });
  // It joins: Cluster API knows no node of it yet.
  copy.status = { ...copy.status, nodeRef: undefined };
  p.add("management", { ...copy });
};

/** Of each rule with such a remedy: a cluster in which it is right, and what belongs to it after all. */
const cases: Readonly<
  Record<string, { readonly sick: (p: Patient) => void; readonly there: (p: Patient) => void }>
> = {
  "etcd-member-left": {
    sick: (p) =>
      p.condition(p.get("KubeadmControlPlane"), "EtcdClusterHealthy", {
        ...{ reason: "NotHealthy", ago: 14 },
        message: "* Etcd member sick-control-plane-2wv2p does not have a corresponding Machine",
      }),
    there: (p) => {
      machineNamed(p, "sick-control-plane-2wv2p");
    },
  },
  "node-left": {
    sick: (p) => {
      p.condition(p.get("Node", "win1", "workload"), "Ready", {
        ...{ status: "Unknown", reason: "KubeletNotReady", message: "x", ago: 40 },
      });
      p.remove("management", ({ metadata }) => metadata.name === "win1-0");
      for (const kind of ["MachinePool", "AzureMachinePool"]) {
        Object.assign(p.get(kind, "win1").spec, { providerIDList: [] });
      }
    },
    there: (p) => {
      for (const kind of ["Machine", "AzureMachinePoolMachine"]) {
        p.add("management", { ...structuredClone(patient().get(kind, "win1-0")) });
      }
    },
  },
  "scale-set-without-instances": {
    sick: (p) => {
      Object.assign(p.get("MachinePool", "win1").spec, { replicas: 2 });
      p.condition(p.get("AzureMachinePool", "win1"), "ScaleSetRunning", {
        ...{ reason: "ScaleSetProvisionFailed", ago: 30 },
      });
    },
    there: (p) => {
      const copy = structuredClone(p.get("AzureMachinePoolMachine", "win1-0"));
      Object.assign(copy.metadata, { name: "win1-7", uid: "win1-7" });
      p.add("management", { ...copy });
    },
  },
  "instance-without-machine": {
    sick: (p) => {
      Object.assign(p.get("AzureMachinePool", "win1").metadata, {
        ...{ deletionTimestamp: p.ago(30), finalizers: ["x"] },
      });
      const instance = p.get("AzureMachinePoolMachine", "win1");
      Object.assign(instance.metadata, { ownerReferences: [{ kind: "AzureMachinePool", name: "win1" }] });
      p.remove("management", ({ kind, metadata }) => kind === "Machine" && metadata.name.startsWith("win1"));
    },
    there: (p) => {
      const instance = p.get("AzureMachinePoolMachine", "win1");
      Object.assign(instance.metadata, {
        ownerReferences: [
          { kind: "AzureMachinePool", name: "win1" },
          { kind: "Machine", name: instance.metadata.name },
        ],
      });
      const copy = structuredClone(p.get("Machine", "linux1"));
      Object.assign(copy.metadata, { name: instance.metadata.name, uid: "back" });
      p.add("management", { ...copy });
    },
  },
};

const idsIn = (p: Patient): string[] =>
  findingsIn(p).flatMap(({ id, consequences }) => [id, ...consequences.map((one) => one.id)]);

it("every rule with a remedy that removes has a case here", () => {
  const destructive = subjects
    .flatMap(({ rules }) => rules)
    .filter(({ remedy }) => remedy.some((line) => removes.test(line)))
    .map(({ id }) => id);
  expect(destructive.sort()).toEqual(Object.keys(cases).sort());
});

it.each(Object.entries(cases))("%s needs the absence of what it belongs to", (id, { sick, there }) => {
  const p = patient();
  sick(p);
  expect(idsIn(p)).toContain(id);
  there(p);
  expect(idsIn(p)).not.toContain(id);
});

it("members of etcd are left alone where the Machines could not be read", () => {
  const p = patient();
  cases["etcd-member-left"]!.sick(p);
  p.problem("management", { what: "forbidden", asked: "Machine", message: "no rights" });
  expect(idsIn(p)).not.toContain("etcd-member-left");
});

it("a Machine that a remedy deletes is in the snapshot, and is not being deleted already", () => {
  const wrong = examples.flatMap((scene) => {
    const { diagnosis, machines } = diagnosed(scene);
    return diagnosis.findings.flatMap(({ id, remedy }) =>
      remedy
        .flatMap((line) => /kubectl delete machine ([a-z0-9 -]+?) -n /.exec(line)?.[1]?.split(" ") ?? [])
        .filter((name) => !machines.includes(name))
        .map((name) => `${scene.name}: ${id} deletes ${name}`),
    );
  });
  expect(wrong).toEqual([]);
});
