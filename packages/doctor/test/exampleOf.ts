import type { Known } from "capz-windows-doctor/rules/knowledge";
import type { MessagePlace } from "capz-windows-doctor/rules/places";
import type { Loose, Patient } from "./patient";

/** Writes the example of an entry of packages/doctor/knowledge/ where its component would write it. */

const pools = ["AzureMachinePool", "AzureMachinePoolMachine", "MachinePool"];

/** An object of the healthy cluster; of kinds that it does not have, a new one. */
function objectOf(p: Patient, kind: string, node: string): Loose {
  if (kind === "Pod") {
    const pod = p.pod("workload", "shop", "web-0");
    pod.spec.nodeName = p.node(node).metadata.name;
    p.condition(pod, "Ready", { reason: "ContainersNotReady", ago: 30 });
    return pod;
  }
  const found = [...p.all(kind), ...p.all(kind, "workload")];
  const inWorkload = ["Service", "PersistentVolumeClaim", "ReplicaSet", "HorizontalPodAutoscaler"];
  return (
    found.find(({ metadata }) => !pools.includes(kind) || metadata.name.startsWith("win1")) ??
    p.add(inWorkload.includes(kind) ? "workload" : "management", {
      kind,
      metadata: { name: "web", namespace: inWorkload.includes(kind) ? "shop" : "sick" },
      status: { phase: "Pending" },
    })
  );
}

export function writeExample(p: Patient, rule: Known): void {
  const { example = "", kinds = [], type, status, minutes = 0, pods, what, times = 4 } = rule;
  const given = typeof example === "string" ? { text: example } : example;
  const { text, condition, reason = "Failed", event, node = "win1" } = given;
  const [, first, rest] = /^(\w+): ([^]*)$/.exec(text) ?? [];
  const object = (kind: string): Loose => objectOf(p, given.kind ?? kind, node);
  const warn = (kind: string): unknown =>
    p.event(object(kind), event ?? first ?? "Failed", event === undefined ? (rest ?? text) : text, {
      ...{ side: "workload", count: Math.max(4, times) },
    });
  const wait = (why: string, image?: string): unknown => {
    object("Pod");
    const waiting = [first ?? why, rest ?? text] as const;
    return p.pod("workload", "shop", "web-0", { waiting, ...(image === undefined ? {} : { image }) });
  };
  const complain = (kind: string): unknown => {
    const one = object(kind);
    one.status.ready = false;
    return event === undefined
      ? condition === undefined
        ? p.refused(one, "Ready", text, { reason, ago: 20 })
        : p.condition(one, condition, { reason, message: text, ago: 60 })
      : p.condition(one, "Ready", { ago: 1 }).event(one, event, text);
  };
  const ways: Readonly<Record<MessagePlace, () => unknown>> = {
    azure: () => complain("AzureMachinePool"),
    provisioning: () => complain("AzureMachinePool"),
    complaint: () => complain(kinds[0] ?? ""),
    condition: () =>
      p.condition(object(kinds[0] ?? ""), condition ?? (typeof type === "string" ? type : "Ready"), {
        status: (given.status ?? status?.[0] ?? "False") as "True" | "False" | "Unknown",
        ...{ reason, message: text, ago: Math.max(60, minutes) },
      }),
    operator: () =>
      p.condition(object("TigeraStatus"), "Degraded", { status: "True", reason, message: text, ago: 60 }),
    event: () => warn(kinds[0] ?? ""),
    "pod event": () => warn("Pod"),
    "claim event": () => warn("PersistentVolumeClaim"),
    volume: () => warn("PersistentVolumeClaim"),
    service: () => warn("Service"),
    creation: () => warn("ReplicaSet"),
    pod: () => (event === undefined ? wait("CreateContainerError") : warn("Pod")),
    pull: () => wait("ErrImagePull", "registry.example/web:1"),
    "last words": () => {
      const pod = p.all("Pod", "workload").find(({ metadata }) => pods?.test(metadata.name));
      p.pod("workload", pod?.metadata.namespace ?? "", pod?.metadata.name ?? "", {
        ...{ waiting: ["CrashLoopBackOff", "back-off"], ended: ["Error", rest ?? text], restarts: 9 },
      });
    },
    scheduling: () => {
      const pod = object("Pod");
      Reflect.deleteProperty(pod.spec, "nodeName");
      p.condition(pod, "PodScheduled", { reason: "Unschedulable", message: text, ago: 30 });
    },
    provider: () =>
      p.condition(p.get("Deployment", "capz-controller-manager"), "ReplicaFailure", {
        ...{ status: "True", reason: "FailedCreate", message: text, ago: 30 },
      }),
    deletion: () => {
      const one = object(kinds[0] ?? "");
      Object.assign(one.metadata, { deletionTimestamp: p.ago(60) });
      return complain(kinds[0] ?? "");
    },
    reading: () => p.problem("management", { what: what?.[0] ?? "other", asked: "cluster", message: text }),
  };
  if (rule.in !== undefined) {
    ways[rule.in]();
  }
}
