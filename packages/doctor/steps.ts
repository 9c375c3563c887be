import { at, list, numberAt, textAt } from "capz-windows-kit/untyped";
import type { BringUpStep } from "./diagnosis";
import { nodeSteps, podsStep, stateOf } from "./nodeSteps";
import { conditionNamed, conditionsOf, isTrue, stays, type KubeObject } from "./cluster/objects";
import type { World } from "./cluster/snapshot";
import { lackingLabels } from "./rules/addons";
import { complaintsOf, isInitialized, wasRead } from "./rules/finders";
import { missingController } from "./rules/providerFinders";
import { scopeOf } from "./cluster/scope";
import { present } from "capz-windows-kit/present";

/** The steps of a bring-up or a deletion, and what each step waits for. */

const sinceOf = (object: KubeObject | undefined, type: string): string | undefined =>
  object && conditionNamed(object, type)?.since;

const isProvider = ({ metadata }: KubeObject): boolean =>
  /^(capi|capz|azureserviceoperator)-.*controller-manager$/.test(metadata.name);

function providersStep(world: World): BringUpStep[] {
  const deployments = world.all("Deployment").filter(isProvider);
  const idle = deployments.filter(({ status }) => (numberAt(status, "availableReplicas") ?? 0) === 0);
  const missing = [
    ...idle.map(({ metadata }) => metadata.name),
    ...missingController(world).map(({ vars }) => vars?.name ?? ""),
  ];
  return present(
    deployments.length > 0 && {
      name: "controllers of Cluster API and CAPZ run",
      state: missing.length === 0 ? "done" : "running",
      detail: missing.length === 0 ? `${deployments.length}` : `waits for ${missing.join(", ")}`,
    },
  );
}

/** The first complaint in the status of an object, as the detail of a step. */
function waitsFor(world: World, object: KubeObject | undefined, kind: string): string {
  if (object === undefined) {
    return wasRead(kind, "management", world) ? "not made yet" : `not known: no ${kind} could be read`;
  }
  const complaint = complaintsOf(world, object, "management")[0];
  return complaint === undefined
    ? "no status yet"
    : `${complaint.where.replace(/^.*condition /, "")}${complaint.text === "" ? "" : `: ${complaint.text.replace(/\s+/g, " ").slice(0, 140)}`}`;
}

function step(name: string, done: boolean, began: boolean, detail: string, since?: string): BringUpStep {
  return { name, state: stateOf(done, began), detail, since };
}

/** Of an object that is not there or was not read, but which the Cluster has seen. */
const said = "the Cluster says so";

function networkStep(world: World): BringUpStep {
  const name = "network of the cluster in Azure";
  const [azure] = world.all("AzureCluster");
  const { status } = world.cluster ?? {};
  const isSaid =
    at(status, "initialization", "infrastructureProvisioned") === true ||
    at(status, "infrastructureReady") === true;
  if (azure === undefined && isSaid && !wasRead("AzureCluster", "management", world)) {
    return step(name, true, true, said, sinceOf(world.cluster, "InfrastructureReady"));
  }
  const done = at(azure?.status, "ready") === true;
  return step(
    name,
    done,
    azure !== undefined,
    done ? textAt(azure?.spec, "controlPlaneEndpoint", "host") : waitsFor(world, azure, "AzureCluster"),
    done ? sinceOf(azure, "Ready") : azure?.metadata.creationTimestamp,
  );
}

const controlPlaneMachines = (world: World, kind: string): KubeObject[] =>
  world.all(kind).filter((object) => scopeOf(object, world) === "control-plane");

function firstMachineStep(world: World): BringUpStep {
  const machines = controlPlaneMachines(world, "AzureMachine");
  if (machines.length === 0 && isInitialized(world)) {
    return step("first machine of the control plane", true, true, said);
  }
  const ready = machines.find(({ status }) => at(status, "ready") === true);
  return step(
    "first machine of the control plane",
    ready !== undefined,
    machines.length > 0,
    ready?.metadata.name ?? waitsFor(world, machines[0], "AzureMachine"),
    (ready && sinceOf(ready, "Ready")) ?? machines[0]?.metadata.creationTimestamp,
  );
}

function apiServerStep(world: World): BringUpStep {
  const done = isInitialized(world);
  const hasMachine = controlPlaneMachines(world, "AzureMachine").some(
    ({ status }) => at(status, "ready") === true,
  );
  if (done) {
    return step(
      "API server answers",
      done,
      hasMachine,
      "",
      sinceOf(world.cluster, "ControlPlaneInitialized"),
    );
  }
  const waits = hasMachine
    ? "cloud-init and kubeadm run on the first machine"
    : "waits for the first machine";
  return step("API server answers", done, hasMachine, waits);
}

function addonsStep(world: World): BringUpStep[] {
  const sets = world.all("ClusterResourceSet").filter((set) => lackingLabels(set, world).length === 0);
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
  return present(
    sets.length > 0 &&
      step(
        "add-ons applied",
        missing.length === 0,
        isInitialized(world),
        missing.length === 0
          ? `${applied.length} sets`
          : `${applied.length} of ${sets.length}; waits for ${missing.join(", ")}`,
      ),
  );
}

function calicoStep(world: World): BringUpStep[] {
  const statuses = world.all("TigeraStatus");
  const missing = statuses.filter((object) => !isTrue(object, "Available"));
  return present(
    statuses.length > 0 &&
      step(
        "Calico",
        missing.length === 0,
        true,
        missing.length === 0
          ? statuses.map(({ metadata }) => metadata.name).join(", ")
          : `waits for ${missing.map(({ metadata }) => metadata.name).join(", ")}`,
      ),
  );
}

function deletionSteps(world: World): BringUpStep[] {
  const kinds = ["MachinePool", "MachineDeployment", "Machine", "KubeadmControlPlane", "AzureCluster"];
  return kinds.flatMap((kind): BringUpStep[] => {
    const left = world.all(kind);
    const [first] = left;
    const name = `${kind} deleted`;
    if (first === undefined) {
      return [{ name, state: "done", since: undefined, detail: "" }];
    }
    const why = conditionsOf(first).find(({ type }) => type === "Deleting")?.message;
    const names = left.map(({ metadata }) => metadata.name).join(", ");
    return [
      {
        name,
        state: stays(first) ? "waiting" : "running",
        since: first.metadata.deletionTimestamp,
        detail: why ? `${names}: ${why.slice(0, 120)}` : names,
      },
    ];
  });
}

export function stepsOf(world: World): BringUpStep[] {
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
    ...podsStep(world),
  ];
}

/** Whether the cluster exists, is not being deleted, and all steps are done. */
export const isComplete = (world: World, steps: readonly BringUpStep[]): boolean =>
  world.cluster !== undefined && stays(world.cluster) && steps.every(({ state }) => state === "done");
