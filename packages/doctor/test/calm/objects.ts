import type { Loose, Patient } from "../patient";

/** Objects with all fields of an API server: managed fields, owners, complete specs and statuses. */

type Json = Record<string, unknown>;

let serial = 0;
const uid = (): string => `5f0c9a10-2b7e-4d53-9c11-${String((serial += 1)).padStart(12, "0")}`;

const managed = (p: Patient, manager: string, ago: number, subresource?: string): Json => ({
  manager,
  operation: "Update",
  apiVersion: "v1",
  time: p.ago(ago),
  fieldsType: "FieldsV1",
  fieldsV1: { "f:metadata": { "f:labels": { ".": {}, "f:app": {} } }, "f:status": { "f:phase": {} } },
  ...(subresource === undefined ? {} : { subresource }),
});

export interface PodShape {
  readonly namespace: string;
  readonly name: string;
  /** Prefix of the name of its node. Undefined for a Pod that waits for one. */
  readonly node?: string;
  readonly owner?: readonly [kind: string, name: string];
  readonly image?: string;
  readonly containers?: readonly string[];
  readonly age?: number;
  readonly restarts?: number;
  readonly labels?: Json;
  readonly phase?: "Pending" | "Running" | "Succeeded" | "Failed";
  readonly state?: Json;
  readonly lastState?: Json;
  readonly unscheduled?: string;
  readonly metadata?: Json;
  readonly spec?: Json;
  readonly status?: Json;
}

/** A Pod like in the output of `kubectl get -o json`. */
export function realPod(p: Patient, shape: PodShape): Loose {
  const {
    namespace,
    name,
    node,
    age = 300,
    phase = "Running",
    restarts = 0,
    image = `contoso.azurecr.io/${name}:1`,
  } = shape;
  const nodeName = node === undefined ? undefined : p.node(node).metadata.name;
  const windows = node?.startsWith("win") ?? false;
  const names = shape.containers ?? ["app"];
  const ready = phase === "Running" && shape.state === undefined;
  const [kind, owner] = shape.owner ?? ["ReplicaSet", name.replace(/-[a-z0-9]+$/, "")];
  const running = { running: { startedAt: p.ago(age - 1) } };
  const is = (type: string, status: boolean, more: Json = {}) => ({
    ...{ type, status: status ? "True" : "False", lastProbeTime: null, lastTransitionTime: p.ago(age - 1) },
    ...more,
  });
  return p.add("workload", {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      namespace,
      uid: uid(),
      resourceVersion: String(900_000 + serial),
      creationTimestamp: p.ago(age),
      generateName: `${owner}-`,
      labels: { app: owner, "pod-template-hash": "6f7d9c", ...shape.labels },
      annotations: {
        "cni.projectcalico.org/containerID": "9d2af3",
        "cni.projectcalico.org/podIP": "192.168.103.7/32",
      },
      ownerReferences: [
        {
          apiVersion: kind === "Job" ? "batch/v1" : "apps/v1",
          kind,
          name: owner,
          uid: `uid-${owner}`,
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
      managedFields: [
        managed(p, "kube-controller-manager", age),
        managed(p, windows ? "kubelet.exe" : "kubelet", age - 1, "status"),
      ],
      ...shape.metadata,
    },
    spec: {
      ...(nodeName === undefined ? {} : { nodeName }),
      containers: names.map((each) => ({
        name: each,
        image,
        imagePullPolicy: "IfNotPresent",
        env: [{ name: "SECRET", value: "hunter2" }],
        resources: { requests: { cpu: "250m", memory: "512Mi" }, limits: { memory: "1Gi" } },
        terminationMessagePath: "/dev/termination-log",
        terminationMessagePolicy: "File",
        volumeMounts: [
          { name: "kube-api-access", mountPath: "/var/run/secrets/kubernetes.io/serviceaccount" },
        ],
      })),
      nodeSelector: { "kubernetes.io/os": windows ? "windows" : "linux" },
      tolerations: [
        {
          key: "node.kubernetes.io/not-ready",
          operator: "Exists",
          effect: "NoExecute",
          tolerationSeconds: 300,
        },
        {
          key: "node.kubernetes.io/unreachable",
          operator: "Exists",
          effect: "NoExecute",
          tolerationSeconds: 300,
        },
      ],
      restartPolicy: kind === "Job" ? "Never" : "Always",
      priority: 0,
      preemptionPolicy: "PreemptLowerPriority",
      serviceAccountName: "default",
      volumes: [{ name: "kube-api-access", projected: { defaultMode: 420 } }],
      ...shape.spec,
    },
    status: {
      phase,
      qosClass: "Burstable",
      ...(nodeName === undefined
        ? {}
        : { hostIP: "10.1.0.7", podIP: "192.168.103.7", startTime: p.ago(age) }),
      conditions: [
        is("PodReadyToStartContainers", ready),
        is("Initialized", true, phase === "Succeeded" ? { reason: "PodCompleted" } : {}),
        is(
          "Ready",
          ready,
          ready
            ? {}
            : {
                reason: phase === "Succeeded" ? "PodCompleted" : "ContainersNotReady",
                message: `containers with unready status: [${names.join(" ")}]`,
              },
        ),
        is("ContainersReady", ready),
        shape.unscheduled === undefined
          ? is("PodScheduled", true)
          : is("PodScheduled", false, { reason: "Unschedulable", message: shape.unscheduled }),
      ],
      ...(nodeName === undefined
        ? {}
        : {
            containerStatuses: names.map((each) => ({
              name: each,
              image,
              imageID: `${image.split(":")[0] ?? image}@sha256:11`,
              containerID: "containerd://22",
              ready,
              started: ready,
              restartCount: restarts,
              state: shape.state ?? running,
              lastState: shape.lastState ?? {},
            })),
          }),
      ...shape.status,
    },
  });
}

/** A real Pod by the words of a step: forms.ts has them. */
export function podOfWords(
  p: Patient,
  id: string,
  options: Readonly<Record<string, string>>,
  text: string,
): void {
  const { node, owner, age = "300", restarts = "0", phase, image, exit, reason = "", exited } = options;
  const [namespace = "", name = ""] = id.split("/");
  const [kind = "", of = ""] = (owner ?? "").split("/");
  const creating = options.creating === undefined ? undefined : { waiting: { reason: "ContainerCreating" } };
  const ended =
    exit === undefined
      ? undefined
      : terminated(p, Number(exit), reason, Number(exited), text === "" ? undefined : text);
  const isOver = phase === "Succeeded" || phase === "Failed";
  const state = creating ?? (isOver ? ended : undefined);
  realPod(p, {
    ...{ namespace, name, age: Number(age), restarts: Number(restarts) },
    ...(owner === undefined ? {} : { owner: [kind, of], ...(kind === "Job" ? { labels: { app: of } } : {}) }),
    ...(image === undefined ? {} : { image }),
    ...(phase === undefined ? {} : { phase: phase as "Pending" }),
    ...(node === undefined ? { unscheduled: text } : { node }),
    ...(state === undefined ? {} : { state }),
    ...(ended === undefined || isOver ? {} : { lastState: ended }),
  });
}

/** The terminated state of a container. */
export const terminated = (
  p: Patient,
  exitCode: number,
  reason: string,
  ago: number,
  message?: string,
): Json => ({
  terminated: {
    exitCode,
    reason,
    startedAt: p.ago(ago + 5),
    finishedAt: p.ago(ago),
    containerID: "containerd://33",
    ...(message === undefined ? {} : { message }),
  },
});

/** An event of events.k8s.io as core/v1 shows it: with a series instead of a count. */
export function realEvent(
  p: Patient,
  object: Loose,
  reason: string,
  message: string,
  { count = 1, ago = 1, by = "kubelet", type = "Warning" } = {},
): void {
  const { kind, apiVersion, metadata } = object;
  p.add("workload", {
    kind: "Event",
    metadata: {
      name: `${metadata.name}.18a9${String((serial += 1)).padStart(8, "0")}`,
      namespace: metadata.namespace ?? "default",
      uid: uid(),
      managedFields: [managed(p, by, ago)],
    },
    involvedObject: {
      kind,
      apiVersion,
      name: metadata.name,
      namespace: metadata.namespace,
      uid: metadata.uid,
    },
    ...{ type, reason, message, count, reportingComponent: by, reportingInstance: "win1000000" },
    source: { component: by },
    firstTimestamp: p.ago(ago + count),
    lastTimestamp: p.ago(ago),
  });
}

/** A node with the status that kubelet reports. */
export function realNode(p: Patient, beginning: string): Loose {
  const node = p.node(beginning);
  const calm = [
    ["MemoryPressure", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"],
    ["DiskPressure", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"],
    ["PIDPressure", "KubeletHasSufficientPID", "kubelet has sufficient PID available"],
  ] as const;
  for (const [type, reason, message] of calm) {
    p.condition(node, type, { status: "False", reason, message, ago: 600 });
  }
  p.condition(node, "Ready", {
    status: "True",
    reason: "KubeletReady",
    message: "kubelet is posting ready status",
    ago: 600,
  });
  node.metadata.managedFields = [
    managed(p, "kubelet", 1, "status"),
    managed(p, "kube-controller-manager", 600),
  ];
  return node;
}

/** Cordons a node, like `kubectl drain` and Cluster API. */
export function cordon(p: Patient, beginning: string, ago: number): Loose {
  const node = p.node(beginning);
  node.spec.unschedulable = true;
  node.spec.taints = [
    { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule", timeAdded: p.ago(ago) },
  ];
  return node;
}
