import { scaleSetName } from "../../domain/machines/naming";
import { controlPlaneName } from "../../domain/cluster/naming";
import type { Problem } from "../../domain/problem";
import type { Settings } from "../settings";

/** Every pool with its path: first the Linux pools, then the Windows pools, each sorted by name. */
const poolsOf = (settings: Settings) =>
  (["linux", "windows"] as const).flatMap((os) =>
    Object.entries(settings[`${os}Pools`]).map(([name, pool]) => ({
      os,
      name,
      pool,
      path: `${os}Pools.${name}`,
    })),
  );

const isDeployment = (pool: object): boolean => "kind" in pool && pool.kind === "MachineDeployment";

function nameProblems(settings: Settings): Problem[] {
  const problems: Problem[] = [];
  const taken = new Map<string, string>();
  for (const { os, name, path, pool } of poolsOf(settings)) {
    if (name === "control-plane" || name === controlPlaneName(settings.clusterName)) {
      problems.push({
        path,
        value: name,
        uses: [path],
        problem: "this name is reserved for the control plane",
        allowed: "any other name",
        write: "another name, for instance linux1",
      });
    }
    const vmss = isDeployment(pool) ? name : scaleSetName(name, os);
    const other = taken.get(vmss);
    if (other === undefined) {
      taken.set(vmss, path);
      continue;
    }
    const same = other.endsWith(`.${name}`);
    problems.push({
      path,
      value: name,
      uses: [path, other],
      problem: same
        ? `${other} has the same name, and pool names must be unique`
        : `its scale set would be named ${vmss}, like that of ${other}: CAPZ shortens Windows pool names of more than 9 characters to "win-" and their last 5`,
      allowed: "names that are still unique when shortened; names of up to 9 characters are kept",
      write: "a shorter, unique name, for instance win1 or win2",
    });
  }
  return problems;
}

function sizeProblems(settings: Settings): Problem[] {
  return poolsOf(settings).flatMap(({ path, pool }) => {
    const problems: Problem[] = [];
    const { autoscale, rollout } = pool;
    if (autoscale && autoscale.min > autoscale.max) {
      problems.push({
        path: `${path}.autoscale`,
        value: autoscale,
        uses: [`${path}.autoscale`],
        problem: `min ${autoscale.min} is greater than max ${autoscale.max}`,
        allowed: "min less than or equal to max",
        write: `autoscale: {min: ${autoscale.max}, max: ${autoscale.min}}`,
      });
    }
    if (isDeployment(pool) && pool.zones.length > 1) {
      problems.push({
        path: `${path}.zones`,
        value: pool.zones,
        uses: [path],
        problem: "a MachineDeployment creates all its machines in one zone; only a MachinePool spreads them",
        allowed: "at most one zone with kind MachineDeployment",
        write: `zones: ["${pool.zones[0] ?? "1"}"] and a pool for each other zone, or kind: MachinePool`,
      });
    }
    if (
      Number.parseInt(String(rollout.maxSurge)) === 0 &&
      Number.parseInt(String(rollout.maxUnavailable)) === 0
    ) {
      problems.push({
        path: `${path}.rollout`,
        value: { maxSurge: rollout.maxSurge, maxUnavailable: rollout.maxUnavailable },
        uses: [`${path}.rollout`],
        problem: "with maxSurge and maxUnavailable both 0, a rollout cannot replace any node",
        allowed: "at least one of the two greater than 0",
        write: "rollout: {maxSurge: 1, maxUnavailable: 0}",
      });
    }
    return problems;
  });
}

function controlPlaneProblems({ controlPlane }: Settings): Problem[] {
  const { replicas } = controlPlane;
  if (replicas % 2 === 1) {
    return [];
  }
  return [
    {
      path: "controlPlane.replicas",
      value: replicas,
      uses: ["controlPlane.replicas"],
      problem: "an even number of etcd members tolerates no more failures than one member fewer",
      allowed: "1, 3, 5 or 7",
      write: `replicas: ${replicas - 1}`,
    },
  ];
}

export const poolRules = (settings: Settings): Problem[] => [
  ...nameProblems(settings),
  ...sizeProblems(settings),
  ...controlPlaneProblems(settings),
];
