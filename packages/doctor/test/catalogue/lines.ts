import { realNode } from "../calm/objects";
import type { Loose, Patient } from "../patient";
import { expectedOf, linesOf, type Told } from "./told";

/**
 * Tables of conditions, events and states of containers. The first cell says where a text appears:
 *
 *     condition KIND[:NAME] TYPE=STATUS REASON      forty minutes old; `former`: among those of v1beta1
 *     event KIND[:NAME] REASON                      twelve times, of the management cluster; `warning`: of the workload cluster
 *     waiting REASON, ended REASON, pod REASON      a container of a Pod on a Windows node: waits, ended nine times; an event
 *     exits CODE                                    the container ended nine times with this exit code
 *     addon POD REASON                              a container of an add-on ended nine times
 *     status REASON                                 the Pod is Failed
 *     unscheduled REASON                            the Pod has no node
 */

const windowsPod = (p: Patient): Loose => {
  for (const { metadata } of p.all("Node", "workload")) {
    realNode(p, metadata.name);
  }
  const pod = p.pod("workload", "shop", "web-6f7d9c-x2x7q", { waiting: ["ContainerCreating", ""], image });
  pod.spec = { nodeName: p.node("win1").metadata.name, containers: [{ name: "manager", image }] };
  return pod;
};

const image = "mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022";

function container(pod: Loose, state: object): void {
  const [status] = pod.status.containerStatuses as object[];
  Object.assign(status!, { ready: false, ...state });
}

const crashes = (reason: string, message: string, exitCode = 1) => ({
  restartCount: 9,
  state: { waiting: { reason: "CrashLoopBackOff", message: "back-off 5m0s restarting failed container" } },
  lastState: { terminated: { reason, exitCode, message } },
});

/** An object of the patient, or a new one. */
function objectOf(p: Patient, side: "management" | "workload", name: string): Loose {
  const [kind = "", beginning] = name.split(":");
  const known = p
    .all(kind, side)
    .find(({ metadata }) => beginning === undefined || metadata.name.startsWith(beginning));
  const namespaced =
    kind === "Certificate" ? "capz-system" : side === "management" ? p.cluster.namespace : "shop";
  return (
    known ??
    p.add(side, {
      kind,
      metadata: { name: beginning ?? "web", ...(kind === "Node" ? {} : { namespace: namespaced }) },
      ...(kind === "PersistentVolumeClaim" ? { status: { phase: "Pending" } } : {}),
    })
  );
}

type Maker = (p: Patient, words: readonly string[], message: string) => unknown;

const condition =
  (former: boolean): Maker =>
  (p, [name = "", condition = "", reason = ""], message) => {
    const [type = "", status = ""] = condition.split("=");
    const side = /^(?:Node|TigeraStatus|Namespace|APIService)\b/.test(name) ? "workload" : "management";
    const object = objectOf(p, side, name);
    const change = { status: status as "False", reason, message, severity: "Error", ago: 40, former };
    p.condition(object, type, change);
    if (object.kind.startsWith("Azure")) {
      p.refused(object, type, message, { reason, ago: 40 });
    }
  };

const makers: Readonly<Record<string, Maker>> = {
  condition: condition(false),
  former: condition(true),
  event: (p, [name = "", reason = ""], message) => {
    const object = objectOf(p, "management", name);
    if (object.kind.startsWith("Azure")) {
      object.status.ready = false;
      p.condition(object, "Ready", { reason: "Failed", message: "", severity: "Error", ago: 40 });
    }
    p.event(object, reason, message, { count: 12 });
  },
  warning: (p, [name = "", reason = ""], message) =>
    p.event(objectOf(p, "workload", name), reason, message, { side: "workload", count: 12 }),
  waiting: (p, [reason = ""], message) => {
    container(windowsPod(p), { state: { waiting: { reason, message } } });
  },
  ended: (p, [reason = ""], message) => {
    container(windowsPod(p), crashes(reason, message));
  },
  exits: (p, [code = ""], message) => {
    container(windowsPod(p), crashes("Error", message, Number(code)));
  },
  addon: (p, [name = "", reason = ""], message) => {
    const pod = p.get("Pod", name, "workload");
    pod.status = {
      phase: "Running",
      conditions: [{ type: "Ready", status: "False", lastTransitionTime: p.ago(30) }],
      containerStatuses: [{ name: "main", image: "registry.example/main:1" }],
    };
    container(pod, crashes(reason, message));
  },
  pod: (p, [reason = ""], message) =>
    p.event(windowsPod(p), reason, message, { side: "workload", count: 12 }),
  status: (p, [reason = ""], message) => {
    windowsPod(p).status = { phase: "Failed", reason, message };
  },
  unscheduled: (p, [reason = ""], message) => {
    const pod = windowsPod(p);
    pod.spec = { containers: [{ name: "manager", image }] };
    pod.status = {
      phase: "Pending",
      conditions: [{ type: "PodScheduled", status: "False", reason, message, lastTransitionTime: p.ago(30) }],
    };
    p.event(pod, "FailedScheduling", message, { side: "workload" });
  },
};

export const told = (table: string): Told[] =>
  linesOf(table).map(([where = "", message = "", ...expected]) => {
    const [form = "", ...words] = where.split(" ");
    const make = makers[form];
    if (make === undefined) {
      throw new Error(`no form ${form}: ${where}`);
    }
    return {
      name: `${where}: ${message.slice(0, 70)}`,
      make: (p) => make(p, words, message),
      ...expectedOf(expected),
    };
  });
