import type { KubernetesObject } from "capz-types";
import { changesModel, mayLower } from "../../components/scaleDown/poolSize";
import { PoolClient } from "../../components/scaleDown/poolClient";
import type { SendRequest } from "../../components/scaleDown/requests";
import { beforeUpdate, resumePools } from "../../components/scaleDown/resumePools";
import { drainedPools, drainPool } from "../../components/scaleDown/removedPools";
import { Rollouts } from "../../components/scaleDown/rollouts";
import { poolRunning, pulumiAnnotations } from "../../capi/waits";
import type { RegisteredResource } from "pulumi-plan-engine";
import { redact, reveal } from "pulumi-plan-engine";
import { awaitService } from "../../components/privateLink/linkService";
import { list, numberAt, textAt } from "capz-windows-kit/untyped";
import { applyOrder, indexByUrn } from "../../plan/model/order";
import type { Plan } from "../../plan/model/plan";
import { isAzure } from "../../plan/model/resourceTypes";
import type { Arm } from "./azure/arm";
import { armPut } from "./armBody";
import { sleep } from "./azure/clock";
import type { Kube } from "./kube";
import type { Timeline } from "./timeline";
import { groupsOfOthers, networksOfOthers, secretsOfOthers } from "./others";
import { isMet, waitsOf } from "./waits";

export interface DeployOptions {
  readonly kube: Kube;
  readonly arm: Arm;
  readonly timeline: Timeline;
  /** Timeout of each wait in seconds. */
  readonly patience: number;
  /** Changes an object before it is applied, for instance shortens its timeouts. */
  readonly transform?: (object: KubernetesObject) => KubernetesObject;
}

export interface UpOptions {
  /** false: without waits, like an interrupted `pulumi up`. */
  readonly wait?: boolean;
  /** Title of the object in whose wait the run is killed; the state keeps its earlier version. */
  readonly killedAt?: string;
  /** Number of requests of a change of the size of a pool after which the run is killed. */
  readonly killedAfter?: number;
  /** Without what the program does before a number of nodes falls: what CAPZ does alone. */
  readonly alone?: boolean;
}

/** The run was killed by the test. */
class Killed extends Error {}

interface Deployed {
  readonly key: string;
  readonly resource: RegisteredResource;
  /** Undefined for an Azure resource. */
  readonly object: KubernetesObject | undefined;
}

const manager = "pulumi-kubernetes";

/** Resources that are skipped: the rig already has the providers, and nothing here can run the sample workload. */
const left = /::capz-windows:index:(\w+\$capz-windows:index:ClusterApiProviders|SampleWorkload)\$/;

const isKubernetes = ({ type }: RegisteredResource): boolean => type.startsWith("kubernetes:");
const isPatch = ({ type }: RegisteredResource): boolean => type.endsWith("Patch");

const keyOf = ({ kind, metadata }: KubernetesObject): string =>
  `${kind} ${metadata.namespace ?? ""}/${metadata.name}`;

/**
 * Replaces `pulumi up` and `pulumi destroy`: the same resources in the same order, with the provider's waits, but one
 * after another. A stack's Azure resources are created in the simulated Azure.
 */
export class Deployment {
  private deployed: Deployed[] = [];
  /** Inputs of the component that remembers the scale sets. */
  private scaleSets: unknown;
  private namespace = "";
  /** The last run was killed within a scale-down. */
  wasKilled = false;
  /** IDs of the resources that remain when the stack is destroyed: groups, networks and their parts. */
  readonly others = new Set<string>();

  constructor(private readonly options: DeployOptions) {}

  /**
   * Creates and updates the resources of the plan, then deletes those that it no longer has.
   */
  async up(plan: Plan, options: UpOptions = {}): Promise<void> {
    this.wasKilled = false;
    try {
      await this.run(plan, options);
    } catch (error) {
      if (!(error instanceof Killed)) {
        throw error;
      }
      this.wasKilled = true;
      this.options.timeline.add("pulumi", plan.stack, `killed ${error.message}`);
    }
  }

  private async run(
    plan: Plan,
    { wait = true, killedAt, killedAfter = Infinity, alone = false }: UpOptions,
  ): Promise<void> {
    const { timeline } = this.options;
    this.namespace = plan.settings.namespace;
    const sizes = alone ? undefined : this.sizes(killedAfter);
    await sizes?.begin(plan);
    const wanted = this.resources(plan);
    this.putOthers(wanted);
    const before = new Map(this.deployed.map((each) => [each.key, each]));
    for (const each of wanted) {
      const known = before.get(each.key);
      if (
        JSON.stringify(known?.object ?? known?.resource.inputs) ===
        JSON.stringify(each.object ?? each.resource.inputs)
      ) {
        continue;
      }
      if (each.object === undefined) {
        await this.putAzure(each.resource);
        continue;
      }
      if (known?.object) {
        await (isPatch(each.resource)
          ? sizes?.beforePatch(each.object, wait)
          : sizes?.beforeUpdate(known.object, each.object));
      }
      await this.apply(each.object, isPatch(each.resource));
      if (each.object.kind === "Namespace") {
        await this.putOthersSecrets(wanted, each.object.metadata.name);
      }
      timeline.add(
        "pulumi",
        title(each.object),
        known ? "updated" : isPatch(each.resource) ? "patched" : "created",
      );
      if (title(each.object) === killedAt && known) {
        timeline.add("pulumi", killedAt, "killed");
        return;
      }
      this.remember(each);
      if (wait) {
        await this.wait(each.object);
      }
    }
    const scaleSets = scaleSetsIn(plan);
    await sizes?.beforeRemoval(this.scaleSets, scaleSets);
    this.scaleSets = scaleSets;
    const keys = new Set(wanted.map(({ key }) => key));
    const gone = this.deployed.filter(({ key }) => !keys.has(key)).reverse();
    this.deployed = wanted;
    for (const each of gone) {
      await this.delete(each);
    }
  }

  /** Deletes all resources in the reverse order, up to the first that is refused. */
  async destroy(): Promise<void> {
    const urns = new Set(this.deployed.map(({ resource }) => resource.urn));
    for (let each = this.deployed.at(-1); each; each = this.deployed.at(-1)) {
      const { retainOnDelete, deletedWith } = each.resource.options;
      if (retainOnDelete !== true && (deletedWith === undefined || !urns.has(deletedWith))) {
        await this.delete(each);
      }
      // What was not deleted remains in the state, for the next run.
      this.deployed.pop();
    }
  }

  /** What the hooks of components/scaleDown/keepNodes.ts do, which the engine would call. */
  private sizes(killedAfter: number) {
    const { kube, timeline, patience } = this.options;
    let requests = 0;
    const send: SendRequest = async (path, request) => {
      if (requests >= killedAfter) {
        throw new Killed(`after request ${requests} of a scale-down`);
      }
      requests += 1;
      return kube.send(path, request);
    };
    const client = new PoolClient(send);
    const say = (text: string): void => {
      timeline.add("pulumi", "says", text);
    };
    const remodelled = new Set<string>();
    const rollouts = new Rollouts(() => Promise.resolve(client), say);
    return {
      beforePatch: async ({ kind, metadata }: KubernetesObject, wait: boolean): Promise<void> => {
        const { name, namespace = "", annotations = {} } = metadata;
        const waits = annotations[pulumiAnnotations.waitFor]?.includes(poolRunning) === true;
        if (wait && kind === "MachinePool" && waits) {
          await rollouts.wait({ name, namespace });
          timeline.add("pulumi", `MachinePool ${name}`, "all nodes are of its model");
        }
      },
      beforeRemoval: async (before: unknown, after: unknown): Promise<void> => {
        await Promise.all(
          drainedPools(before, after).map((name) =>
            drainPool(client, { name, namespace: this.namespace }, { say, limitMinutes: patience / 60 }),
          ),
        );
      },
      begin: (plan: Plan) => resumePools(client, plan.settings.namespace, wantedNodes(plan), { say }),
      beforeUpdate: async (oldInputs: KubernetesObject, newInputs: KubernetesObject): Promise<void> => {
        const { name, namespace = "" } = newInputs.metadata;
        if (newInputs.kind === "AzureMachinePool") {
          await rollouts.begin({ name, namespace }, oldInputs, newInputs);
        }
        if (newInputs.kind === "AzureMachinePool" && changesModel(oldInputs, newInputs)) {
          remodelled.add(name);
        }
        if (newInputs.kind === "MachinePool" && mayLower(oldInputs, newInputs)) {
          const update = { oldInputs, newInputs, changesModel: remodelled.has(name) };
          await beforeUpdate(client, update, { namespace, name }, { say });
        }
      },
    };
  }

  private remember(each: Deployed): void {
    this.deployed = [...this.deployed.filter(({ key }) => key !== each.key), each];
  }

  private resources({ update, resources }: Plan): Deployed[] {
    const byUrn = indexByUrn(update.resources);
    return applyOrder(resources)
      .flatMap(({ urn }) => byUrn.get(urn) ?? [])
      .filter(({ custom, urn }) => custom && !left.test(urn))
      .flatMap((resource): Deployed[] => {
        if (isAzure(resource.type)) {
          return [{ key: resource.id ?? resource.urn, resource, object: undefined }];
        }
        if (!isKubernetes(resource) || resource.type.endsWith(":Release")) {
          return [];
        }
        // Controllers read the contents of Secrets. Those of the examples contain no real secret.
        const contents = resource.type.endsWith(":Secret") ? reveal : redact;
        const object = contents(resource.inputs) as KubernetesObject;
        const key = `${isPatch(resource) ? "patch of " : ""}${keyOf(object)}`;
        return [{ key, resource, object: this.options.transform?.(object) ?? object }];
      });
  }

  /** Creates the resource groups and networks that the stack uses but does not create. */
  private putOthers(wanted: readonly Deployed[]): void {
    const { arm } = this.options;
    const networks = networksOfOthers(wanted.flatMap(({ object }) => object ?? []));
    const groups = groupsOfOthers([
      ...wanted.flatMap(({ object, resource: { id } }) => (object === undefined && id ? [id] : [])),
      ...networks.map(({ id }) => id),
    ]).map((id) => ({ id, body: { properties: {} } }));
    const before = new Set(arm.store.all().map(({ id }) => id));
    [...groups, ...networks].forEach(({ id, body }) => {
      arm.given(id, body);
    });
    arm.store
      .all()
      .filter(({ id }) => !before.has(id))
      .forEach(({ id }) => this.others.add(id));
  }

  /** Creates the Secrets that the stack uses but does not create, after their namespace. */
  private async putOthersSecrets(wanted: readonly Deployed[], namespace: string): Promise<void> {
    for (const secret of secretsOfOthers(wanted.flatMap(({ object }) => object ?? []))) {
      if (secret.metadata.namespace === namespace) {
        await this.options.kube.applyAs("another-client", secret);
      }
    }
  }

  private async putAzure(resource: RegisteredResource): Promise<void> {
    const { path, query, body, added } = armPut(resource);
    const ask = (method: string, asked = path) =>
      this.options.arm.answer({ method, path: asked, query, body });
    for (const connection of list(body.properties?.privateLinkServiceConnections)) {
      const id = textAt(connection, "properties", "privateLinkServiceId");
      await awaitService(
        id,
        () =>
          Promise.resolve({
            provisioningState: textAt(ask("GET", id).body, "properties", "provisioningState"),
          }),
        () => sleep(300),
      );
    }
    const { status, body: answer } = ask("PUT");
    if (status >= 300) {
      throw new Error(`${resource.name}: ${JSON.stringify(answer)}`);
    }
    this.options.arm.store.setProperties(path, added);
    this.remember({ key: resource.id ?? resource.urn, resource, object: undefined });
  }

  /** Applies an object. Retries like Pulumi's provider, because a webhook may not answer yet. */
  private async apply(object: KubernetesObject, patch: boolean): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.options.kube.applyAs(patch ? `${manager}-patch` : manager, object, patch);
        return;
      } catch (error) {
        if (attempt === 10 || !/no matches for kind|connection refused/.test(String(error))) {
          throw error;
        }
        await sleep(1000);
      }
    }
  }

  private async wait(object: KubernetesObject): Promise<void> {
    const { kube, timeline, patience } = this.options;
    const applied = await kube.get(object, object.metadata.name, object.metadata.namespace);
    const conditions = applied === undefined ? [] : waitsOf(object, applied);
    if (conditions.length === 0) {
      return;
    }
    const started = timeline.now();
    await until(`${title(object)}: ${conditions.join(", ")}`, patience, async () => {
      const live = await kube.get(object, object.metadata.name, object.metadata.namespace);
      return live !== undefined && conditions.every((condition) => isMet(condition, live));
    });
    timeline.add(
      "pulumi",
      title(object),
      `waited ${(timeline.now() - started).toFixed(0)} s for ${conditions.join(", ")}`,
    );
  }

  private async delete({ resource, object }: Deployed): Promise<void> {
    const { kube, arm, timeline, patience } = this.options;
    if (object === undefined) {
      await until(`deletion of ${resource.name}`, patience, () => {
        const path = resource.id ?? "";
        const { status, body } = arm.answer({
          method: "DELETE",
          path,
          query: new URLSearchParams(),
          body: {},
        });
        if (status >= 300) {
          throw new Error(`${resource.name} cannot be deleted: ${JSON.stringify(body)}`);
        }
        return Promise.resolve(arm.store.get(path) === undefined);
      });
      return;
    }
    if (isPatch(resource)) {
      return;
    }
    const policy = object.metadata.annotations?.[pulumiAnnotations.deletionPropagation] ?? "foreground";
    const started = timeline.now();
    const propagation = policy.charAt(0).toUpperCase() + policy.slice(1);
    if (await kube.delete(object, `propagationPolicy=${propagation}`)) {
      timeline.add("pulumi", title(object), "deleting");
      await until(
        `deletion of ${title(object)}`,
        patience,
        async () => (await kube.get(object, object.metadata.name, object.metadata.namespace)) === undefined,
      );
      timeline.add("pulumi", title(object), `deleted after ${(timeline.now() - started).toFixed(1)} s`);
    }
  }
}

const scaleSetsIn = ({ resources }: Plan): unknown =>
  resources.find(({ type }) => type === "capz-windows:index:ScaleSets")?.inputs;

/** Number of nodes of each scale set; undefined for one that is autoscaled. */
const wantedNodes = ({ objects }: Plan): Record<string, number | undefined> =>
  Object.fromEntries(
    objects.management
      .filter(({ object }) => object.kind === "MachinePool")
      .map(({ object }) => [object.metadata.name, numberAt(object, "spec", "replicas")]),
  );

export const title = ({ kind, metadata }: KubernetesObject): string => `${kind} ${metadata.name}`;

/**
 * Repeats a check every 300 ms.
 * @throws Error if the check does not succeed in time
 */
export async function until(what: string, seconds: number, check: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + seconds * 1000;
  while (!(await check())) {
    if (performance.now() > end) {
      throw new Error(`not within ${seconds} s: ${what}`);
    }
    await sleep(300);
  }
}
