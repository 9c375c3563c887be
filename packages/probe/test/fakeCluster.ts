import type { IncomingMessage, ServerResponse } from "node:http";
import type { KubeObject } from "capz-windows-doctor/cluster/objects";
import type { Send } from "capz-windows-doctor/cluster/connect";
import { at, isRecord, list, textAt } from "capz-windows-kit/untyped";
import { serverText } from "capz-windows-probe/objects";
import { HttpStandIn } from "capz-windows-test-kit/standIn";

/** An API server that keeps what is written, with kubelets that "run" the pods of the probe on made-up nodes. */

interface Kept extends KubeObject {
  readonly metadata: KubeObject["metadata"] & Record<string, unknown>;
}

export interface FakeNode {
  readonly name: string;
  readonly os: "linux" | "windows";
  readonly zone?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: readonly unknown[];
  readonly ready?: boolean;
}

/** What is wrong with the cluster. */
export interface Faults {
  /** MTU of the pods on a node. */
  readonly podMtu?: Readonly<Record<string, number>>;
  /** The largest packet that a path carries, where it is smaller than the MTU; larger ones are lost. */
  readonly path?: number;
  /** Pods on these nodes never start. */
  readonly hangs?: readonly string[];
  readonly open?: boolean;
  /** What the API server refuses, by method and path. */
  readonly refuse?: (method: string, path: string) => string | undefined;
  /** Disks lose what was written. */
  readonly losesDisks?: boolean;
}

const builds = { windows: "10.0.20348" };
const podMtu = 1350;

const merged = (target: unknown, patch: unknown): unknown => {
  if (!isRecord(patch)) {
    return patch;
  }
  const result: Record<string, unknown> = isRecord(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) {
      Reflect.deleteProperty(result, key);
    } else {
      result[key] = merged(result[key], value);
    }
  }
  return result;
};

/** The sizes that the scripts try, with the answers of a path. */
export function triedSizes(answer: (size: number) => string): [number, string][] {
  let [low, high] = [576, 1501];
  const tried: [number, string][] = [[low, answer(low)]];
  while (tried[0]?.[1] === "Success" && high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const status = answer(middle);
    tried.push([middle, status]);
    [low, high] = status === "Success" ? [middle, high] : [low, middle];
  }
  return tried;
}

export class FakeCluster extends HttpStandIn {
  readonly objects = new Map<string, Kept>();
  readonly asked: string[] = [];
  /** Names of all pods that were ever made. */
  readonly pods: string[] = [];
  private readonly starts = new Map<string, number>();
  private readonly disks = new Map<string, string>();

  constructor(
    private readonly nodes: readonly FakeNode[],
    public faults: Faults = {},
  ) {
    super();
    nodes.forEach((node, index) => {
      this.objects.set(`/api/v1/nodes/${node.name}`, this.nodeObject(node, index));
    });
  }

  protected respond(request: IncomingMessage, response: ServerResponse, text: string): void {
    const { status, body } = this.answer(request.method ?? "", request.url ?? "", text);
    response.writeHead(status).end(typeof body === "string" ? body : JSON.stringify(body));
  }

  /** Everything but the nodes. */
  left(): string[] {
    return [...this.objects.keys()].filter((path) => !path.startsWith("/api/v1/nodes/"));
  }

  private nodeObject({ name, os, zone = "1", labels, taints, ready = true }: FakeNode, index: number): Kept {
    return {
      ...{ apiVersion: "v1", kind: "Node" },
      metadata: {
        name,
        labels: {
          "kubernetes.io/os": os,
          "topology.kubernetes.io/zone": zone,
          ...(os === "windows" ? { "node.kubernetes.io/windows-build": builds.windows } : {}),
          ...labels,
        },
      },
      spec: { taints },
      status: {
        addresses: [{ type: "InternalIP", address: `10.10.128.${index + 4}` }],
        capacity: { pods: "110" },
        conditions: [{ type: "Ready", status: ready ? "True" : "False" }],
        nodeInfo: { bootID: "1", operatingSystem: os },
      },
    };
  }

  /** The same without a connection. */
  readonly send: Send = (url, { method, body: sent }) => {
    const { status, body } = this.answer(method, url, JSON.stringify(sent ?? null));
    const text = typeof body === "string" ? body : JSON.stringify(body);
    return new Promise((resolve) => setImmediate(resolve, { status, body, text }));
  };

  private answer(method: string, url: string, text: string): { status: number; body: unknown } {
    const path = url.replace(/\?.*$/, "");
    this.asked.push(`${method} ${path}`);
    const refused = this.faults.refuse?.(method, path);
    if (refused !== undefined) {
      return { status: 403, body: { message: refused } };
    }
    const missing = { status: 404, body: { kind: "Status", message: "not found" } };
    if (method === "POST") {
      return this.create(path, JSON.parse(text) as Kept);
    }
    if (path.endsWith("/log")) {
      return { status: 200, body: this.logOf(path.replace(/\/log$/, "")) };
    }
    if (path.endsWith("/configz")) {
      const windows = path.includes("/win");
      const kubeletconfig = windows ? { systemReserved: { memory: "2Gi" } } : {};
      return { status: 200, body: { kubeletconfig } };
    }
    const found = this.objects.get(path);
    if (found === undefined) {
      const items = [...this.objects].filter(([key]) => key.replace(/\/[^/]+$/, "") === path);
      return path.endsWith("/nodes")
        ? { status: 200, body: { items: items.map(([, item]) => item) } }
        : missing;
    }
    if (method === "PATCH") {
      this.objects.set(path, merged(found, JSON.parse(text)) as Kept);
    }
    if (method === "DELETE") {
      [...this.objects.keys()]
        .filter((key) => key === path || key.startsWith(`${path}/`))
        .forEach((key) => this.objects.delete(key));
    }
    return { status: 200, body: this.stateOf(path, found) };
  }

  private create(folder: string, object: Kept): { status: number; body: unknown } {
    const path = `${folder}/${object.metadata.name}`;
    if (this.objects.has(path)) {
      return { status: 409, body: { message: `${object.metadata.name} already exists` } };
    }
    this.objects.set(path, {
      ...object,
      ...(object.kind === "Service"
        ? {
            spec: { clusterIP: "10.96.0.77", ports: [{ port: 80, nodePort: 30_080 }] },
            status: { loadBalancer: { ingress: [{ ip: "203.0.113.9" }] } },
          }
        : {}),
    });
    if (object.kind === "Pod") {
      this.pods.push(object.metadata.name);
      const steps = this.stepsOf(object);
      if (steps === "restart") {
        this.restart(this.nodeOf(object)?.name ?? "");
      }
    }
    return { status: 201, body: object };
  }

  private restart(name: string): void {
    const path = `/api/v1/nodes/${name}`;
    this.objects.set(path, merged(this.objects.get(path), { status: { nodeInfo: { bootID: "2" } } }) as Kept);
  }

  private nodeOf({ spec }: KubeObject): (FakeNode & { ip: string; podIp: string }) | undefined {
    const [term] = list(
      at(
        spec,
        ...[
          "affinity",
          "nodeAffinity",
          "requiredDuringSchedulingIgnoredDuringExecution",
          "nodeSelectorTerms",
        ],
      ),
    );
    const name = String((list(at(term, "matchFields"))[0]?.values as unknown[] | undefined)?.[0]);
    const index = this.nodes.findIndex((node) => node.name === name);
    const node = this.nodes[index];
    return node && { ...node, ip: `10.10.128.${index + 4}`, podIp: `192.168.${index}.5` };
  }

  private stepsOf({ spec }: KubeObject): string {
    return textAt(list(at(list(at(spec, "containers"))[0], "env"))[0], "value");
  }

  /** A pod is pending when it is read for the first time, and has done its work afterwards. */
  private stateOf(path: string, object: Kept): unknown {
    if (object.kind !== "Pod") {
      return this.objects.get(path) ?? object;
    }
    const reads = (this.starts.get(path) ?? 0) + 1;
    this.starts.set(path, reads);
    const node = this.nodeOf(object);
    const scheduled = { type: "PodScheduled", status: "True", lastTransitionTime: "2026-11-23T12:00:00Z" };
    if (reads === 1 || node === undefined || this.faults.hangs?.includes(node.name) === true) {
      const waiting = { reason: "ContainerCreating" };
      return {
        ...object,
        status: { phase: "Pending", conditions: [scheduled], containerStatuses: [{ state: { waiting } }] },
      };
    }
    const startedAt = "2026-11-23T12:00:07Z";
    const serves = this.stepsOf(object).startsWith("serve");
    return {
      ...object,
      status: {
        phase: serves ? "Running" : "Succeeded",
        podIP: at(object.spec, "hostNetwork") === true ? node.ip : node.podIp,
        conditions: [scheduled, { type: "Ready", status: serves ? "True" : "False" }],
        containerStatuses: [{ state: serves ? { running: { startedAt } } : { terminated: { startedAt } } }],
      },
    };
  }

  private logOf(path: string): string {
    const pod = this.objects.get(path);
    const node = pod && this.nodeOf(pod);
    if (pod === undefined || node === undefined) {
      return "";
    }
    const host = at(pod.spec, "hostNetwork") === true;
    return this.stepsOf(pod)
      .split(";")
      .map((each) => {
        const [step = "", argument = ""] = each.split(" ");
        return `${JSON.stringify({ step, argument, ...this.measured(step, argument, node, host, pod) })}\r\n`;
      })
      .join("");
  }

  private mtuOf(node: string | undefined): number {
    return this.faults.podMtu?.[node ?? ""] ?? podMtu;
  }

  private measured(
    step: string,
    argument: string,
    node: FakeNode & { ip: string; podIp: string },
    host: boolean,
    pod: Kept,
  ): Record<string, unknown> {
    const claim = textAt(
      list(at(pod.spec, "volumes")).find((volume) => "persistentVolumeClaim" in volume),
      ...["persistentVolumeClaim", "claimName"],
    );
    switch (step) {
      case "adapters": {
        const mtu = host ? (node.os === "linux" ? 1500 : 1400) : this.mtuOf(node.name);
        const address = host ? node.ip : node.podIp;
        return node.os === "linux"
          ? {
              ip: [{ ifname: "eth0", mtu, operstate: "UP", addr_info: [{ family: "inet", local: address }] }],
            }
          : { adapters: [{ name: "vEthernet (Ethernet)", mtu, state: "Connected", addresses: [address] }] };
      }
      case "packets": {
        const to = this.nodes[Number(argument.split(".")[2])]?.name;
        const most = this.mtuOf(node.name);
        const path = Math.min(this.mtuOf(to), this.faults.path ?? 9000);
        return {
          sizes: triedSizes((size) => (size > most ? "PacketTooBig" : size > path ? "TimedOut" : "Success")),
        };
      }
      case "transfer":
        return { sent: "1048576", received: "1048576", ms: 123 };
      case "names":
        return { addresses: argument.endsWith(".local") ? "10.96.0.1" : "150.171.70.10" };
      case "refused":
        return { open: this.faults.open === true };
      case "service":
        return { answer: serverText };
      case "clock": {
        const now = Date.UTC(2026, 10, 23, 12);
        return { before: now, after: now + 300, date: "Mon, 23 Nov 2026 12:00:00 GMT" };
      }
      case "write":
        this.disks.set(claim, argument);
        return { text: argument };
      case "read_back":
        return { text: this.faults.losesDisks === true ? "" : (this.disks.get(claim) ?? "") };
      case "restart":
        return { code: 0 };
      default:
        return { ready: true };
    }
  }
}

const dedicated = { taints: [{ key: "example.org/dedicated", value: "iis", effect: "NoSchedule" }] };
/** The nodes of the stack onePoolEach, two of each pool. */
export const nodes: readonly FakeNode[] = [
  {
    ...{ name: "test-control-plane-abcde", os: "linux" },
    labels: { "node-role.kubernetes.io/control-plane": "" },
    taints: [{ key: "node-role.kubernetes.io/control-plane", effect: "NoSchedule" }],
  },
  { name: "linux1000000", os: "linux" },
  { name: "linux1000001", os: "linux" },
  { name: "win1000000", os: "windows", ...dedicated },
  { name: "win1000001", os: "windows", ...dedicated },
];
