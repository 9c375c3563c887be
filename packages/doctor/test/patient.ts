import { join } from "node:path";
import type { KubeObject } from "capz-windows-doctor/cluster/objects";
import type { ReadProblem, Side, Snapshot } from "capz-windows-doctor/cluster/snapshot";
import { normalReasons } from "capz-windows-doctor/cluster/kinds";
import { readRecorded } from "capz-windows-doctor/cluster/recorded";

/**
 * A healthy cluster as the real managers wrote it (recorded/healthy.json, from test/life/doctor.test.ts), completed with
 * what the simulation lacks: the Deployments of the providers and the Pods of the add-ons. A fault changes the objects
 * that the real controllers would change.
 */

export const recordedDir = join(__dirname, "recorded");

type Json = Record<string, unknown>;
export type Loose = KubeObject & { spec: Json; status: Json; metadata: Json & KubeObject["metadata"] };

interface ConditionChange {
  readonly status?: "True" | "False" | "Unknown";
  readonly reason?: string;
  readonly message?: string;
  readonly severity?: string;
  /** Minutes before the snapshot. */
  readonly ago?: number;
  /** Whether the condition is among those of v1beta1, which Cluster API still writes. */
  readonly former?: boolean;
}

interface ContainerState {
  readonly waiting?: readonly [reason: string, message: string];
  readonly ended?: readonly [reason: string, message: string];
  readonly restarts?: number;
  readonly image?: string;
}

/** A snapshot that a test can change, which nobody else has. */
export class Patient {
  readonly takenAt: string;
  private readonly objects: Record<Side, Loose[]>;
  private problems: Record<Side, ReadProblem[]> = { management: [], workload: [] };
  cluster: Snapshot["cluster"];

  constructor(snapshot: Snapshot) {
    this.takenAt = snapshot.takenAt;
    this.cluster = snapshot.cluster;
    this.objects = {
      management: [...snapshot.management.objects] as Loose[],
      workload: [...snapshot.workload.objects] as Loose[],
    };
  }

  snapshot(): Snapshot {
    return {
      takenAt: this.takenAt,
      cluster: this.cluster,
      stack: "sick",
      management: { objects: this.objects.management, problems: this.problems.management },
      workload: { objects: this.objects.workload, problems: this.problems.workload },
    };
  }

  ago(minutes: number): string {
    return new Date(Date.parse(this.takenAt) - minutes * 60_000).toISOString();
  }

  get(kind: string, name?: string, side?: Side): Loose {
    const found = [
      ...(side === "workload" ? [] : this.objects.management),
      ...(side === "management" ? [] : this.objects.workload),
    ].find((object) => object.kind === kind && (name === undefined || object.metadata.name.startsWith(name)));
    if (found === undefined) {
      throw new Error(`the patient has no ${kind} ${name ?? ""}`);
    }
    return found;
  }

  all(kind: string, side: Side = "management"): Loose[] {
    return this.objects[side].filter((object) => object.kind === kind);
  }

  add(side: Side, object: Json & { kind: string; metadata: Json & { name: string } }): Loose {
    const made = {
      apiVersion: "v1",
      spec: {},
      status: {},
      ...object,
      metadata: {
        creationTimestamp: this.ago(60),
        uid: `${object.kind}-${object.metadata.name}`,
        ...object.metadata,
      },
    } as unknown as Loose;
    this.objects[side].push(made);
    return made;
  }

  remove(side: Side, is: (object: Loose) => boolean): this {
    this.objects[side] = this.objects[side].filter((object) => !is(object));
    return this;
  }

  problem(side: Side, problem: ReadProblem): this {
    this.problems[side].push(problem);
    if (problem.asked === "cluster") {
      this.objects[side] = [];
    }
    return this;
  }

  condition(object: Loose, type: string, change: ConditionChange): this {
    const { status = "False", reason = "", message = "", severity, ago = 5, former = false } = change;
    const holder = former
      ? ((object.status.deprecated ??= { v1beta1: {} }) as { v1beta1: Json }).v1beta1
      : object.status;
    const others = ((holder.conditions ?? []) as Json[]).filter((condition) => condition.type !== type);
    holder.conditions = [
      ...others,
      {
        type,
        status,
        reason,
        message,
        lastTransitionTime: this.ago(ago),
        ...(severity === undefined ? {} : { severity }),
      },
    ];
    return this;
  }

  /** Marks an object like CAPZ after a refusal of Azure: the condition, Ready with the same text, and not ready. */
  refused(object: Loose, condition: string, message: string, { reason = "Failed", ago = 5 } = {}): this {
    object.status.ready = false;
    return this.condition(object, condition, { reason, message, severity: "Error", ago }).condition(
      object,
      "Ready",
      {
        reason,
        message,
        severity: "Error",
        ago,
      },
    );
  }

  event(
    object: Loose,
    reason: string,
    message: string,
    { ago = 1, side = "management", count = 4 }: { ago?: number; side?: Side; count?: number } = {},
  ): this {
    const { kind, metadata } = object;
    this.add(side, {
      kind: "Event",
      metadata: {
        name: `${metadata.name}.${reason}.${this.objects[side].length}`,
        namespace: metadata.namespace ?? "default",
      },
      involvedObject: { kind, name: metadata.name, namespace: metadata.namespace },
      ...{
        type: normalReasons.includes(reason) && kind !== "Pod" ? "Normal" : "Warning",
        reason,
        message,
        count,
      },
      lastTimestamp: this.ago(ago),
    });
    return this;
  }

  pod(side: Side, namespace: string, name: string, state: ContainerState = {}, ageMinutes = 60): Loose {
    const { waiting, ended, restarts = 0, image = `registry.example/${name}:v1` } = state;
    const broken = waiting !== undefined || ended !== undefined;
    const known = this.objects[side].find(
      (object) =>
        object.kind === "Pod" && object.metadata.namespace === namespace && object.metadata.name === name,
    );
    const pod =
      known ??
      this.add(side, { kind: "Pod", metadata: { name, namespace, creationTimestamp: this.ago(ageMinutes) } });
    pod.status = {
      phase: broken ? "Pending" : "Running",
      conditions: [
        { type: "PodScheduled", status: "True", lastTransitionTime: this.ago(ageMinutes) },
        {
          type: "Ready",
          status: broken ? "False" : "True",
          lastTransitionTime: this.ago(broken ? 8 : ageMinutes),
        },
      ],
      containerStatuses: [
        {
          name: "manager",
          image,
          ready: !broken,
          restartCount: restarts,
          state: waiting ? { waiting: { reason: waiting[0], message: waiting[1] } } : { running: {} },
          ...(ended ? { lastState: { terminated: { reason: ended[0], message: ended[1] } } } : {}),
        },
      ],
    };
    return pod;
  }

  /** The node of a pool by the prefix of its name. */
  node(name: string): Loose {
    return this.get("Node", name, "workload");
  }

  nodeCondition(name: string, type: string, change: ConditionChange): this {
    return this.condition(this.node(name), type, change);
  }
}

const deployments: Readonly<Record<string, readonly string[]>> = {
  "capi-system": ["capi-controller-manager"],
  "capi-kubeadm-bootstrap-system": ["capi-kubeadm-bootstrap-controller-manager"],
  "capi-kubeadm-control-plane-system": ["capi-kubeadm-control-plane-controller-manager"],
  "capz-system": ["capz-controller-manager", "azureserviceoperator-controller-manager"],
  "capi-operator-system": ["capi-operator-cluster-api-operator"],
  "cert-manager": ["cert-manager", "cert-manager-webhook", "cert-manager-cainjector"],
};

/** Adds the objects that run in real clusters but not in the simulation. */
export function furnish(patient: Patient): Patient {
  for (const [namespace, names] of Object.entries(deployments)) {
    for (const name of names) {
      const deployment = patient.add("management", {
        kind: "Deployment",
        metadata: { name, namespace },
        status: { availableReplicas: 1, replicas: 1 },
      });
      patient.condition(deployment, "Available", {
        status: "True",
        reason: "MinimumReplicasAvailable",
        ago: 50,
      });
      patient.pod("management", namespace, `${name}-7d9f8c6b5-abcde`);
    }
  }
  const nodes = patient.all("Node", "workload");
  patient.pod("workload", "tigera-operator", "tigera-operator-6c9d7-abcde");
  patient.pod("workload", "kube-system", "cloud-controller-manager-abcde");
  patient.pod("workload", "kube-system", "coredns-5d78c9869d-aaaaa");
  for (const [index, node] of nodes.entries()) {
    const windows = node.metadata.name.startsWith("win");
    const daemons = windows
      ? ["calico-node-windows", "kube-proxy-windows", "cloud-node-manager-windows"]
      : ["calico-node", "kube-proxy", "cloud-node-manager"];
    for (const daemon of daemons) {
      const namespace = daemon.startsWith("calico") ? "calico-system" : "kube-system";
      patient.pod("workload", namespace, `${daemon}-${index}`).spec.nodeName = node.metadata.name;
    }
  }
  for (const name of ["calico", "calico-windows", "apiserver"]) {
    const status = patient
      .remove("workload", (object) => object.kind === "TigeraStatus" && object.metadata.name === name)
      .add("workload", { kind: "TigeraStatus", apiVersion: "operator.tigera.io/v1", metadata: { name } });
    patient
      .condition(status, "Available", { status: "True", reason: "AllObjectsAvailable", ago: 40 })
      .condition(status, "Degraded", { status: "False", reason: "AllObjectsAvailable", ago: 40 })
      .condition(status, "Progressing", { status: "False", reason: "AllObjectsAvailable", ago: 40 });
  }
  return patient;
}

const read = (name: string): Snapshot => readRecorded(join(recordedDir, `${name}.json`));

/** As JSON, which is read in half the time of structuredClone. */
let recorded: string | undefined;

/** A new healthy cluster. Its snapshot is taken an hour later than recorded, so that all waits are over. */
export function patient(): Patient {
  recorded ??= JSON.stringify(aged(read("healthy"), 60));
  return furnish(new Patient(JSON.parse(recorded) as Snapshot));
}

export const recording = read;

/** The same objects, with the snapshot taken that many minutes later. */
function aged(snapshot: Snapshot, minutes: number): Snapshot {
  return { ...snapshot, takenAt: new Date(Date.parse(snapshot.takenAt) + minutes * 60_000).toISOString() };
}

/** The same objects, with the time from each timestamp to the snapshot multiplied by a factor. */
export function slowed(snapshot: Snapshot, factor: number): Snapshot {
  const now = Date.parse(snapshot.takenAt);
  return JSON.parse(JSON.stringify(snapshot), (_, value: unknown) => {
    const time =
      typeof value === "string" && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? Date.parse(value) : NaN;
    return time < now ? new Date(now - (now - time) * factor).toISOString() : value;
  }) as Snapshot;
}
