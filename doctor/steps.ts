import { at, list, numberAt, textAt } from "../domain/untyped";
import type { Step } from "./model/diagnosis";
import { conditionNamed, conditionsOf, isTrue, stays, type KubeObject } from "./model/objects";
import type { World } from "./model/snapshot";
import { complaintsOf, isInitialized } from "./rules/finders";
import { nodesOf, nodesOfPool, poolsOf, scopeOf } from "./rules/scope";

/** The steps of a bring-up or a deletion, and what each step waits for. */

const sinceOf = (object: KubeObject | undefined, type: string): string | undefined =>
  object && conditionNamed(object, type)?.since;

const isProvider = ({ metadata }: KubeObject): boolean =>
  /^(capi|capz|azureserviceoperator)-.*controller-manager$/.test(metadata.name);

function providersStep(world: World): Step[] {
  const deployments = world.all("Deployment").filter(isProvider);
  const missing = deployments.filter(({ status }) => (numberAt(status, "availableReplicas") ?? 0) === 0);
  return deployments.length === 0
    ? []
    : [
        {
          name: "controllers of Cluster API and CAPZ run",
          state: missing.length === 0 ? "done" : "running",
          detail:
            missing.length === 0
              ? `${deployments.length}`
              : `waits for ${missing.map(({ metadata }) => metadata.name).join(", ")}`,
        },
      ];
}

/** The first complaint in the status of an object, as the detail of a step. */
function waitsFor(world: World, object: KubeObject | undefined): string {
  if (object === undefined) {
    return "not made yet";
  }
  const complaint = complaintsOf(world, object, "management")[0];
  return complaint === undefined
    ? "no status yet"
    : `${complaint.where.replace(/^.*condition /, "")}${complaint.text === "" ? "" : `: ${complaint.text.replace(/\s+/g, " ").slice(0, 140)}`}`;
}

function step(name: string, done: boolean, began: boolean, detail: string, since?: string): Step {
  return { name, state: done ? "done" : began ? "running" : "waiting", detail, since };
}

function networkStep(world: World): Step {
  const [azure] = world.all("AzureCluster");
  const done = at(azure?.status, "ready") === true;
  return step(
    "network of the cluster in Azure",
    done,
    azure !== undefined,
    done ? textAt(azure?.spec, "controlPlaneEndpoint", "host") : waitsFor(world, azure),
    done ? sinceOf(azure, "Ready") : azure?.metadata.creationTimestamp,
  );
}

const controlPlaneMachines = (world: World, kind: string): KubeObject[] =>
  world.all(kind).filter((object) => scopeOf(object, world) === "control-plane");

function firstMachineStep(world: World): Step {
  const machines = controlPlaneMachines(world, "AzureMachine");
  const ready = machines.find(({ status }) => at(status, "ready") === true);
  return step(
    "first machine of the control plane",
    ready !== undefined,
    machines.length > 0,
    ready?.metadata.name ?? waitsFor(world, machines[0]),
    (ready && sinceOf(ready, "Ready")) ?? machines[0]?.metadata.creationTimestamp,
  );
}

function apiServerStep(world: World): Step {
  const done = isInitialized(world);
  const hasMachine = controlPlaneMachines(world, "AzureMachine").some(
    ({ status }) => at(status, "ready") === true,
  );
  return step(
    "API server answers",
    done,
    hasMachine,
    done
      ? ""
      : hasMachine
        ? "cloud-init and kubeadm run on the first machine"
        : "waits for the first machine",
    done ? sinceOf(world.cluster, "ControlPlaneInitialized") : undefined,
  );
}

function addonsStep(world: World): Step[] {
  const sets = world.all("ClusterResourceSet");
  const bindings = list(
    at(world.find("ClusterResourceSetBinding", world.snapshot.cluster.name)?.spec, "bindings"),
  );
  const applied = sets.filter(({ metadata }) =>
    bindings.some(
      (binding) =>
        textAt(binding, "clusterResourceSetName") === metadata.name &&
        list(at(binding, "resources")).every((resource) => at(resource, "applied") === true),
    ),
  );
  const missing = sets.filter((set) => !applied.includes(set)).map(({ metadata }) => metadata.name);
  return sets.length === 0
    ? []
    : [
        step(
          "add-ons applied",
          missing.length === 0,
          isInitialized(world),
          missing.length === 0
            ? `${applied.length} sets`
            : `${applied.length} of ${sets.length}; waits for ${missing.join(", ")}`,
        ),
      ];
}

function calicoStep(world: World): Step[] {
  const statuses = world.all("TigeraStatus");
  const missing = statuses.filter((object) => !isTrue(object, "Available"));
  return statuses.length === 0
    ? []
    : [
        step(
          "Calico",
          missing.length === 0,
          true,
          missing.length === 0
            ? statuses.map(({ metadata }) => metadata.name).join(", ")
            : `waits for ${missing.map(({ metadata }) => metadata.name).join(", ")}`,
        ),
      ];
}

const isNodeReady = (node: KubeObject): boolean => isTrue(node, "Ready");

/** The step of a control plane or pool: how many of the wanted nodes are ready, and why the first one is not. */
function nodesStep(
  world: World,
  name: string,
  scope: string,
  wanted: number,
  object: KubeObject | undefined,
): Step {
  const nodes = nodesOf(world).filter((node) => scopeOf(node, world) === scope);
  const readyNodes = nodes.filter(isNodeReady).length;
  const ready =
    world.snapshot.workload.objects.length > 0 ? readyNodes : object === undefined ? 0 : nodesOfPool(object);
  const done = ready >= wanted;
  const unready = nodes.filter((node) => !isNodeReady(node));
  const detail = done
    ? `${ready} of ${wanted} nodes ready`
    : `${ready} of ${wanted} nodes ready${
        unready[0] === undefined
          ? isInitialized(world)
            ? "; waits for machines"
            : "; waits for the API server"
          : `; ${unready[0].metadata.name}: ${(conditionNamed(unready[0], "Ready")?.message ?? "no condition Ready").slice(0, 120)}`
      }`;
  return step(
    name,
    done,
    isInitialized(world),
    detail,
    done ? undefined : object?.metadata.creationTimestamp,
  );
}

function nodeSteps(world: World): Step[] {
  const controlPlanes = world
    .all("KubeadmControlPlane")
    .map((object) =>
      nodesStep(world, "control plane", "control-plane", numberAt(object.spec, "replicas") ?? 1, object),
    );
  const pools = poolsOf(world).map((object) =>
    nodesStep(
      world,
      `pool ${object.metadata.name}`,
      `pool ${object.metadata.name}`,
      numberAt(object.spec, "replicas") ?? 1,
      object,
    ),
  );
  return [...controlPlanes, ...pools];
}

function deletionSteps(world: World): Step[] {
  const kinds = ["MachinePool", "MachineDeployment", "Machine", "KubeadmControlPlane", "AzureCluster"];
  return kinds.flatMap((kind): Step[] => {
    const left = world.all(kind);
    const [first] = left;
    const why = first && conditionsOf(first).find(({ type }) => type === "Deleting")?.message;
    return [
      {
        name: `${kind} deleted`,
        state: first === undefined ? "done" : stays(first) ? "waiting" : "running",
        since: first?.metadata.deletionTimestamp,
        detail:
          first === undefined
            ? ""
            : `${left.map(({ metadata }) => metadata.name).join(", ")}${why ? `: ${why.slice(0, 120)}` : ""}`,
      },
    ];
  });
}

export function stepsOf(world: World): Step[] {
  if (world.cluster === undefined) {
    return providersStep(world);
  }
  if (!stays(world.cluster)) {
    return deletionSteps(world);
  }
  return [
    ...providersStep(world),
    networkStep(world),
    firstMachineStep(world),
    apiServerStep(world),
    ...addonsStep(world),
    ...calicoStep(world),
    ...nodeSteps(world),
  ];
}

/** Whether the cluster exists, is not being deleted, and all steps are done. */
export const isComplete = (world: World, steps: readonly Step[]): boolean =>
  world.cluster !== undefined && stays(world.cluster) && steps.every(({ state }) => state === "done");
