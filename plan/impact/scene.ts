import type { PlanDocument, PlanResource } from "../model/planDocument";
import { at, textAt } from "../model/untyped";
import { shortType } from "../model/resourceTypes";
import type { Scene } from "./facts";

/** What stands where in a plan: pools, control plane, numbers of machines. */

const numberAt = (value: unknown, ...path: readonly string[]): number | undefined => {
  const found = at(value, ...path);
  return typeof found === "number" ? found : undefined;
};

const ofType = (document: PlanDocument | undefined, type: string): PlanResource[] =>
  (document?.resources ?? []).filter((resource) => shortType(resource.type) === type);

export interface PoolFacts {
  readonly name: string;
  readonly os: "Windows" | "Linux";
  /** Wanted nodes; with an autoscaler its smallest number. */
  readonly nodes: number;
  readonly autoscaled: boolean;
  readonly version: string;
  readonly vmSize: string;
  readonly maxSurge: number | string;
  readonly maxUnavailable: number | string;
}

const autoscalerMin = "cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size";

/** The kinds of a pool's main object. */
export const poolKinds = ["MachinePool", "MachineDeployment"] as const;

/** A pool by its name. The default rollout is surge 1, none unavailable, with CAPZ as with Cluster API. */
export function poolOf(document: PlanDocument | undefined, name: string): PoolFacts | undefined {
  const named = (type: string, wanted = name) =>
    ofType(document, type).find(({ inputs }) => textAt(inputs, "metadata", "name") === wanted)?.inputs;
  const scaleSet = named("MachinePool");
  const pool = scaleSet ?? named("MachineDeployment");
  if (pool === undefined) {
    return undefined;
  }
  const template = textAt(pool, "spec", "template", "spec", "infrastructureRef", "name");
  const azure = scaleSet ? named("AzureMachinePool") : named("AzureMachineTemplate", template);
  const machine = scaleSet ? at(azure, "spec", "template") : at(azure, "spec", "template", "spec");
  const min = at(pool, "metadata", "annotations", autoscalerMin);
  const rolling = scaleSet
    ? at(azure, "spec", "strategy", "rollingUpdate")
    : at(pool, "spec", "rollout", "strategy", "rollingUpdate");
  return {
    name,
    os: textAt(machine, "osDisk", "osType") === "Windows" ? "Windows" : "Linux",
    nodes: min === undefined ? (numberAt(pool, "spec", "replicas") ?? 1) : Number(min),
    autoscaled: min !== undefined,
    version: textAt(pool, "spec", "template", "spec", "version"),
    vmSize: textAt(machine, "vmSize"),
    maxSurge: (at(rolling, "maxSurge") ?? 1) as number | string,
    maxUnavailable: (at(rolling, "maxUnavailable") ?? 0) as number | string,
  };
}

/** "Windows pool win1" */
export const poolLabel = ({ os, name }: PoolFacts): string => `${os} pool ${name}`;

/** "3 nodes", "at least 2 nodes". */
export const poolNodes = ({ nodes, autoscaled }: PoolFacts): string =>
  `${autoscaled ? "at least " : ""}${nodes} node${nodes === 1 ? "" : "s"}`;

/** A number of nodes out of a number or a percentage; CAPZ rounds a surge up. */
export const surgeOf = ({ maxSurge, nodes }: PoolFacts): number =>
  typeof maxSurge === "number" ? maxSurge : Math.ceil((Number.parseInt(maxSurge, 10) / 100) * nodes);

export const pools = (document: PlanDocument | undefined): PoolFacts[] =>
  poolKinds
    .flatMap((kind) => ofType(document, kind))
    .flatMap(({ inputs }) => poolOf(document, textAt(inputs, "metadata", "name")) ?? []);

export const controlPlaneMachines = (document: PlanDocument | undefined): number =>
  ofType(document, "KubeadmControlPlane").reduce(
    (sum, { inputs }) => sum + (numberAt(inputs, "spec", "replicas") ?? 1),
    0,
  );

/** Every machine of the workload cluster that runs today. */
export const machines = ({ before }: Scene): number =>
  controlPlaneMachines(before) + pools(before).reduce((sum, { nodes }) => sum + nodes, 0);
