import type { SendRequest } from "../../../components/scaleDown/requests";
import {
  deleteAnnotation,
  pausedAnnotation,
  reconciledAnnotation,
} from "capz-windows-platform/machines/scaleDown";

/**
 * A management cluster with one scale set and what CAPZ v1.27.0 does to it, in small: after each request and in each second
 * of a wait it may reconcile. The lives of test/life show the same with CAPZ itself.
 */

type Annotations = Record<string, string>;

interface Machine {
  readonly name: string;
  readonly created: string;
  annotations: Annotations;
  partAnnotations: Annotations;
  deleted: boolean;
}

interface Options {
  readonly nodes: number;
  /** A number from 0 to 1, another one in each call. */
  readonly random: () => number;
  /** How probable it is that a drain ends within a turn. */
  readonly drains?: number;
}

const namespace = "dev";
const name = "win";

/** Thrown instead of an answer: the process was killed. */
export class Killed extends Error {}

export class SimulatedPool {
  readonly pool = { namespace, name };
  readonly gone: string[] = [];
  readonly born: string[] = [];
  readonly requests: string[] = [];
  replicas: number;
  model = "a";
  sentModel = "a";
  annotations: Annotations = { [reconciledAnnotation]: "" };
  managers: { manager: string; operation: string; fieldsV1: unknown }[] = [
    { manager: "pulumi-kubernetes", operation: "Apply", fieldsV1: { "f:spec": { "f:replicas": {} } } },
  ];
  machines: Machine[];
  /** Nodes that Azure took without a drain. */
  undrained = 0;
  killAfter = Infinity;
  private next: number;
  private begun: { paused: boolean; replicas: number } | undefined;

  constructor(private readonly options: Options) {
    this.replicas = options.nodes;
    this.next = options.nodes;
    this.machines = Array.from({ length: options.nodes }, (_, index) => this.machine(index));
  }

  readonly send: SendRequest = (path, request) => {
    if (this.requests.length >= this.killAfter) {
      return Promise.reject(new Killed());
    }
    const answer = this.answer(path.replace(/\?.*$/, ""), request);
    this.requests.push(`${request.method} ${path.replace(/\?.*$/, "").split("/").slice(6).join("/")}`);
    this.turn();
    return Promise.resolve(answer);
  };

  readonly wait = (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) {
      this.turn();
    }
    return Promise.resolve();
  };

  get paused(): boolean {
    return this.annotations[pausedAnnotation] !== undefined;
  }

  /** Lets time pass until nothing happens any more. */
  settle(turns = 2000): void {
    for (let turn = 0; turn < turns; turn += 1) {
      this.turn();
    }
  }

  mark(machine: string): void {
    this.machines.find((each) => each.name === machine)!.annotations[deleteAnnotation] = "yes";
  }

  /** What controllers do in a moment. */
  turn(): void {
    const { random, drains = 0.1 } = this.options;
    for (const machine of this.machines) {
      const { [deleteAnnotation]: mark } = machine.annotations;
      if (mark !== undefined && random() < 0.1) {
        machine.partAnnotations[deleteAnnotation] = "true";
      }
    }
    const drained = this.machines.filter(({ deleted }) => deleted && random() < drains);
    this.machines = this.machines.filter((machine) => !drained.includes(machine));
    this.gone.push(...drained.map((machine) => machine.name));
    if (this.begun === undefined && random() < 0.5) {
      // It goes on with what it has read, whatever changes meanwhile.
      this.begun = { paused: this.paused, replicas: this.replicas };
      if (!this.paused) {
        this.annotations[reconciledAnnotation] = "";
      }
    } else if (this.begun !== undefined && random() < 0.2) {
      this.reconcile(this.begun);
      this.begun = undefined;
    }
  }

  private reconcile({ paused, replicas }: { paused: boolean; replicas: number }): void {
    if (paused) {
      Reflect.deleteProperty(this.annotations, reconciledAnnotation);
      return;
    }
    if (this.model !== this.sentModel) {
      // The capacity goes along with the model, and Azure deletes what is too much. There is no surge here.
      this.sentModel = this.model;
      const lost = this.machines.splice(replicas);
      this.undrained += lost.length;
      this.gone.push(...lost.map((machine) => machine.name));
    }
    while (this.machines.length < replicas) {
      const machine = this.machine(this.next++);
      this.machines.push(machine);
      this.born.push(machine.name);
    }
    // It does not see that a Machine is being deleted, its order is random, and what it knows of Machines may be old.
    const marked = this.machines.filter(
      ({ partAnnotations }) => partAnnotations[deleteAnnotation] !== undefined,
    );
    const shuffled = [...this.machines].sort(() => this.options.random() - 0.5);
    const selected = marked.length > 0 ? marked : shuffled.slice(0, Math.max(0, shuffled.length - replicas));
    for (const machine of selected) {
      machine.deleted = true;
    }
  }

  private machine(index: number): Machine {
    return {
      name: `win-${index}`,
      // All within the same second.
      created: "2026-11-28T10:00:00Z",
      annotations: {},
      partAnnotations: {},
      deleted: false,
    };
  }

  private answer(
    path: string,
    { method, body }: Parameters<SendRequest>[1],
  ): { status: number; body: unknown } {
    const [plural = "", object] = path.split("/").slice(6);
    if (method === "GET") {
      return {
        status: 200,
        body: object === undefined ? { items: this.items(plural) } : this.items(plural)[0],
      };
    }
    const machine = this.machines.find((each) => each.name === object);
    if (method === "DELETE") {
      if (machine !== undefined) {
        machine.deleted = true;
      }
      return { status: machine === undefined ? 404 : 200, body: {} };
    }
    return Array.isArray(body)
      ? this.jsonPatch(body as { op: string; path: string; value: unknown }[])
      : this.mergePatch(
          plural,
          machine,
          body as { metadata: { annotations: Record<string, string | null> } },
        );
  }

  private mergePatch(
    plural: string,
    machine: Machine | undefined,
    { metadata: { annotations } }: { metadata: { annotations: Record<string, string | null> } },
  ): { status: number; body: unknown } {
    const targets: Record<string, Annotations | undefined> = {
      azuremachinepools: this.annotations,
      machines: machine?.annotations,
      azuremachinepoolmachines: machine?.partAnnotations,
    };
    const target = targets[plural];
    if (target === undefined) {
      return { status: 404, body: { message: "not found" } };
    }
    for (const [key, value] of Object.entries(annotations)) {
      if (value === null) {
        Reflect.deleteProperty(target, key);
      } else {
        target[key] = value;
      }
    }
    return { status: 200, body: {} };
  }

  private jsonPatch(operations: { op: string; path: string; value: unknown }[]): {
    status: number;
    body: unknown;
  } {
    for (const { op, path, value } of operations) {
      if (op === "test" && value !== this.replicas) {
        return { status: 422, body: { message: "the number is another one" } };
      }
      if (op === "replace" && path === "/spec/replicas") {
        this.replicas = value as number;
        this.managers.push({ manager: "capz-windows", operation: "Update", fieldsV1: {} });
      }
      if (path === "/metadata/managedFields") {
        this.managers = value as typeof this.managers;
      }
    }
    return { status: 200, body: {} };
  }

  private items(plural: string): object[] {
    const machines = {
      machines: () =>
        this.machines.map(({ name: machine, annotations, deleted }) => ({
          metadata: {
            name: machine,
            annotations: { ...annotations },
            ...(deleted ? { deletionTimestamp: "now" } : {}),
          },
        })),
      azuremachinepoolmachines: () =>
        this.machines.map(({ name: machine, partAnnotations, created }) => ({
          metadata: {
            name: machine,
            creationTimestamp: created,
            annotations: { ...partAnnotations },
            ownerReferences: [{ kind: "Machine", name: machine }],
          },
          status: { ready: true, provisioningState: "Succeeded", latestModelApplied: true },
        })),
      machinepools: () => [
        {
          metadata: { name, namespace, managedFields: [...this.managers], resourceVersion: "1" },
          spec: { replicas: this.replicas, template: { spec: { infrastructureRef: { name } } } },
        },
      ],
      azuremachinepools: () => [
        {
          metadata: { name, annotations: { ...this.annotations } },
          spec: {
            template: { image: { id: this.model } },
            strategy: { rollingUpdate: { deletePolicy: "Oldest" } },
          },
          status: { image: { id: this.sentModel } },
        },
      ],
    };
    return plural in machines ? machines[plural as keyof typeof machines]() : [];
  }
}
