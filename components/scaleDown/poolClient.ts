import { autoscalerAnnotation } from "capz-windows-platform/machines/autoscalerAnnotation";
import { apiVersions } from "../../capi/apiVersions";
import type { ScaleSetMachine } from "capz-windows-platform/machines/scaleDownChoice";
import {
  deleteAnnotation,
  pausedAnnotation,
  reconciledAnnotation,
  scaleDownAnnotation,
} from "capz-windows-platform/machines/scaleDown";
import { isImagePending } from "./pendingImage";
import type { Pause, PoolState } from "./poolState";
import { askPatiently, RequestError, type SendRequest } from "./requests";
import { at, isRecord, list, numberAt, text, textAt, type Plain } from "capz-windows-kit/untyped";

/** What a change of the size of a pool reads and writes in the management cluster. */

export interface PoolName {
  readonly namespace: string;
  /** Name of the MachinePool. */
  readonly name: string;
}

/** A pool with what CAPZ has made of it. */
export interface ScaleSetObjects {
  readonly machinePool: unknown;
  readonly azurePool: unknown;
  /** AzureMachinePoolMachines. */
  readonly parts: readonly unknown[];
}

/** How often another client may change an object between reading and writing it. */
const conflicts = 6;

const manager = "capz-windows";
const mergePatch = "application/merge-patch+json";
const jsonPatch = "application/json-patch+json";

/** A label that Cluster API and CAPZ give to every machine of a MachinePool. */
const poolLabel = "cluster.x-k8s.io/pool-name";

const annotationsOf = (object: unknown): Plain => {
  const found = at(object, "metadata", "annotations");
  return isRecord(found) ? found : {};
};

const isDeleted = (object: unknown): boolean => textAt(object, "metadata", "deletionTimestamp") !== "";

const pauseOf = (value: string): Pause | undefined =>
  (["until-lowered", "until-gone"] as const).find((each) => value.startsWith(each));

/** The entry of managedFields that names this program for spec.replicas. */
const isOwnEntry = (entry: unknown): boolean => textAt(entry, "manager") === manager;

export class PoolClient {
  /** @param retryMs - how long to wait before a request is sent again that got no answer */
  constructor(
    private readonly send: SendRequest,
    private readonly retryMs = 2000,
  ) {}

  /** The MachinePool as it is; undefined if there is none. */
  machinePool(pool: PoolName): Promise<unknown> {
    return this.get(this.path("machinepools", pool));
  }

  /** Undefined if there is no such pool, or if it is being deleted. */
  async read(pool: PoolName): Promise<PoolState | undefined> {
    const machinePool = await this.machinePool(pool);
    if (machinePool === undefined || isDeleted(machinePool)) {
      return undefined;
    }
    const azurePool = await this.azurePool(pool, machinePool);
    if (azurePool === undefined) {
      return undefined;
    }
    const replicas = numberAt(machinePool, "spec", "replicas") ?? 1;
    const machines = await this.machines(pool);
    const { [scaleDownAnnotation]: pause } = annotationsOf(azurePool);
    return {
      replicas,
      owned: list(at(machinePool, "metadata", "managedFields")).some(isOwnEntry),
      infrastructure: textAt(azurePool, "metadata", "name"),
      pause: pauseOf(text(pause)),
      pausedBy: text(pause),
      paused: annotationsOf(azurePool)[pausedAnnotation] !== undefined,
      reconciled: annotationsOf(azurePool)[reconciledAnnotation] !== undefined,
      growing:
        machines.some(({ machine, leaving }) => machine === undefined && !leaving) ||
        (machines.length < replicas &&
          list(at(azurePool, "status", "longRunningOperationStates")).length > 0),
      modelPending: isImagePending(azurePool),
      deletePolicy: textAt(azurePool, "spec", "strategy", "rollingUpdate", "deletePolicy"),
      machines,
    };
  }

  /** The objects of a pool as they are; undefined if it is gone or goes. */
  async objects(pool: PoolName): Promise<ScaleSetObjects | undefined> {
    const machinePool = await this.machinePool(pool);
    const azurePool = await this.azurePool(pool, machinePool);
    return machinePool === undefined || azurePool === undefined || isDeleted(machinePool)
      ? undefined
      : { machinePool, azurePool, parts: await this.ofPool("azuremachinepoolmachines", pool) };
  }

  /** Takes a pool away from a cluster autoscaler, which would bring it back to its least number. */
  async leaveAutoscaler(pool: PoolName): Promise<void> {
    const annotations = annotationsOf(await this.machinePool(pool));
    const found = Object.values(autoscalerAnnotation).filter((name) => annotations[name] !== undefined);
    if (found.length > 0) {
      await this.annotate("machinepools", pool, Object.fromEntries(found.map((name) => [name, null])));
    }
  }

  /** The machines of a pool, from what CAPZ and Cluster API have made. */
  async machines(pool: PoolName): Promise<ScaleSetMachine[]> {
    const owners = await this.ofPool("machines", pool);
    const parts = await this.ofPool("azuremachinepoolmachines", pool);
    return parts.map((part): ScaleSetMachine => {
      const ownerName = list(at(part, "metadata", "ownerReferences")).find(
        ({ kind }) => kind === "Machine",
      )?.name;
      const owner = owners.find((each) => textAt(each, "metadata", "name") === ownerName);
      const state = textAt(part, "status", "provisioningState");
      return {
        machine: owner === undefined ? undefined : text(ownerName),
        infrastructure: textAt(part, "metadata", "name"),
        created: textAt(part, "metadata", "creationTimestamp"),
        ready: at(part, "status", "ready") === true,
        failed: state === "Failed",
        latest: at(part, "status", "latestModelApplied") !== false,
        leaving: isDeleted(part) || isDeleted(owner) || state === "Deleting",
        mark:
          text(annotationsOf(owner)[deleteAnnotation]) ||
          text(annotationsOf(part)[deleteAnnotation]) ||
          undefined,
      };
    });
  }

  /** Names of the AzureMachinePools in a namespace that an `up` has paused. A MachinePool has the same name. */
  async pausedPools(namespace: string): Promise<string[]> {
    const all = await this.list(this.path("azuremachinepools", { namespace, name: "" }));
    return all
      .filter((each) => annotationsOf(each)[scaleDownAnnotation] !== undefined)
      .map((each) => textAt(each, "metadata", "name"));
  }

  /** @returns what the pool's `pausedBy` is from now on */
  async pause(pool: PoolName, infrastructure: string, pause: Pause): Promise<string> {
    // The doctor tells an interrupted `up` from a running one by the time.
    const pausedBy = `${pause} ${new Date().toISOString()}`;
    const annotations = { [scaleDownAnnotation]: pausedBy, [pausedAnnotation]: "true" };
    await this.annotate("azuremachinepools", { ...pool, name: infrastructure }, annotations);
    return pausedBy;
  }

  resume(pool: PoolName, infrastructure: string): Promise<void> {
    const annotations = { [scaleDownAnnotation]: null, [pausedAnnotation]: null };
    return this.annotate("azuremachinepools", { ...pool, name: infrastructure }, annotations);
  }

  mark(pool: PoolName, machine: string, value: string): Promise<void> {
    return this.annotate("machines", { ...pool, name: machine }, { [deleteAnnotation]: value });
  }

  /** CAPZ copies the mark and never removes the copy. */
  async unmark(pool: PoolName, { machine, infrastructure }: ScaleSetMachine): Promise<void> {
    const annotations = { [deleteAnnotation]: null };
    if (machine !== undefined) {
      await this.annotate("machines", { ...pool, name: machine }, annotations);
    }
    await this.annotate("azuremachinepoolmachines", { ...pool, name: infrastructure }, annotations);
  }

  /** Names of AzureMachinePoolMachines that have the mark. */
  async markedParts(pool: PoolName): Promise<string[]> {
    const parts = await this.ofPool("azuremachinepoolmachines", pool);
    return parts
      .filter((part) => annotationsOf(part)[deleteAnnotation] !== undefined)
      .map((part) => textAt(part, "metadata", "name"));
  }

  async deleteMachine(pool: PoolName, machine: string): Promise<void> {
    const path = `${this.path("machines", { ...pool, name: machine })}?propagationPolicy=Background`;
    await this.ask(path, { method: "DELETE" }, 404);
  }

  /** @throws RequestError with status 422 if the number is not `from` any more */
  async setReplicas(pool: PoolName, from: number, to: number): Promise<void> {
    await this.patch(
      this.path("machinepools", pool),
      [
        { op: "test", path: "/spec/replicas", value: from },
        { op: "replace", path: "/spec/replicas", value: to },
      ],
      jsonPatch,
    );
  }

  /** Leaves the number to Pulumi's provider: as the manager of the field, this program would refuse the next number. */
  async disown(pool: PoolName): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const machinePool = await this.get(this.path("machinepools", pool));
      const managers = list(at(machinePool, "metadata", "managedFields"));
      if (!managers.some(isOwnEntry)) {
        return;
      }
      const fields = {
        managedFields: managers.filter((each) => !isOwnEntry(each)),
        resourceVersion: textAt(machinePool, "metadata", "resourceVersion"),
      };
      const changes = Object.entries(fields).map(([name, value]) => ({
        op: "replace",
        path: `/metadata/${name}`,
        value,
      }));
      try {
        await this.patch(this.path("machinepools", pool), changes, jsonPatch);
        return;
      } catch (error) {
        if (!(error instanceof RequestError && error.status === 409) || attempt === conflicts) {
          throw error;
        }
      }
    }
  }

  private path(plural: string, { namespace, name }: PoolName): string {
    const version = plural.startsWith("azure") ? apiVersions.azure : apiVersions.cluster;
    return `/apis/${version}/namespaces/${namespace}/${plural}${name === "" ? "" : `/${name}`}`;
  }

  /** The AzureMachinePool of a MachinePool. */
  private azurePool(pool: PoolName, machinePool: unknown): Promise<unknown> {
    const name = textAt(machinePool, "spec", "template", "spec", "infrastructureRef", "name") || pool.name;
    return this.get(this.path("azuremachinepools", { ...pool, name }));
  }

  /** What Cluster API and CAPZ have made for a pool. */
  private ofPool(plural: string, pool: PoolName): Promise<Plain[]> {
    const query = `?labelSelector=${encodeURIComponent(`${poolLabel}=${pool.name}`)}`;
    return this.list(`${this.path(plural, { ...pool, name: "" })}${query}`);
  }

  private annotate(plural: string, object: PoolName, annotations: Plain): Promise<void> {
    return this.patch(this.path(plural, object), { metadata: { annotations } }, mergePatch, 404);
  }

  private async patch(path: string, body: unknown, contentType: string, ...allowed: number[]): Promise<void> {
    await this.ask(`${path}?fieldManager=${manager}`, { method: "PATCH", body, contentType }, ...allowed);
  }

  private async get(path: string): Promise<unknown> {
    const { status, body } = await this.ask(path, { method: "GET" }, 404);
    return status === 404 ? undefined : body;
  }

  /** All objects of a kind. None if the API server does not know it. */
  private async list(path: string): Promise<Plain[]> {
    return list(at(await this.get(path), "items"));
  }

  private ask(
    path: string,
    request: Parameters<SendRequest>[1],
    ...allowed: readonly number[]
  ): ReturnType<SendRequest> {
    return askPatiently(this.send, this.retryMs, path, request, allowed);
  }
}
