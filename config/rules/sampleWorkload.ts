import { cpus, memoryBytes } from "../../domain/quantity";
import { vmResources } from "../../domain/machines/vmSizes";
import type { Problem } from "../../domain/problem";
import type { Settings } from "../settings";
import { samplePool } from "../samplePool";

const path = "sampleWorkload";
const gib = 1024 ** 3;

/** What Windows itself, the kubelet and the add-ons of a node need, in GiB; Windows nodes reserve none by default. */
const windowsNeedsGiB = 2;

function placeProblems(settings: Settings): Problem[] {
  const { sampleWorkload: sample, access, wait } = settings;
  const problems: Problem[] = [];
  const found = samplePool(settings);
  if (found === undefined) {
    const names = Object.keys(settings.windowsPools);
    problems.push({
      path: sample?.pool === undefined ? path : `${path}.pool`,
      ...(sample?.pool === undefined ? {} : { value: sample.pool }),
      uses: [path, "windowsPools"],
      problem: "there is no such Windows pool, and IIS runs on Windows nodes only",
      allowed: names.length === 0 ? "a stack with a Windows pool" : names.join(", "),
      write: names.length === 0 ? 'capz-windows:windowsPools: {"win1":{}}' : `pool: ${names[0] ?? ""}`,
    });
  } else if ((found.pool.autoscale?.min ?? found.pool.replicas) === 0) {
    problems.push({
      path: `${path}.pool`,
      value: found.name,
      uses: [path, `windowsPools.${found.name}`],
      problem: `windowsPools.${found.name} starts with no node, so that \`pulumi up\` would wait in vain`,
      allowed: "a pool that has a node from the beginning",
      write: "pool: another, or replicas (autoscale.min) of that pool: 1",
    });
  }
  if (wait === "none") {
    problems.push({
      path,
      uses: [path, "wait"],
      problem: "it is deployed through the workload kubeconfig, which is not read with wait: none",
      allowed: "with wait: controlPlane or nodes",
      write: "capz-windows:wait: controlPlane, or take sampleWorkload out",
    });
  }
  if (access.allowedCidrs.length === 0) {
    problems.push({
      path,
      uses: [path, "access"],
      problem:
        "nobody could open it or deploy it: access.allowedCidrs is empty, and it says who reaches the API server and the page",
      allowed: "with the networks of `pulumi up` and of the readers in access.allowedCidrs",
      write: 'allowedCidrs: ["203.0.113.0/24"]',
    });
  }
  return problems;
}

function sizeProblems(settings: Settings): Problem[] {
  const { requests, limits } = settings.sampleWorkload ?? {};
  if (!requests || !limits) {
    return [];
  }
  const problems: Problem[] = [];
  const found = samplePool(settings);
  const node = found && vmResources(found.pool.vmSize);
  const quantities = [
    { key: "cpu", of: cpus, room: node?.cpus, size: `${node?.cpus ?? 0} CPUs` },
    {
      key: "memory",
      of: memoryBytes,
      room: node && (node.memoryGiB - windowsNeedsGiB) * gib,
      size: `${node?.memoryGiB ?? 0} GiB, of which Windows needs ${windowsNeedsGiB}`,
    },
  ] as const;
  for (const { key, of, room, size } of quantities) {
    if (of(requests[key]) > of(limits[key])) {
      problems.push({
        path: `${path}.requests.${key}`,
        value: requests[key],
        uses: [path],
        problem: `it is more than the limit ${limits[key]}`,
        allowed: `at most ${limits[key]}`,
        write: `${key}: "${limits[key]}"`,
      });
    }
    if (found && room !== undefined && of(limits[key]) > room) {
      problems.push({
        path: `${path}.limits.${key}`,
        value: limits[key],
        uses: [path, `windowsPools.${found.name}`],
        problem: `a node of windowsPools.${found.name} (${found.pool.vmSize}) has ${size}`,
        allowed: "what a node can give",
        write: `${key}: less, or vmSize: a larger one`,
      });
    }
  }
  return problems;
}

/** A sample that could not run, or that nobody could see. */
export const sampleWorkloadRules = (settings: Settings): Problem[] =>
  settings.sampleWorkload ? [...placeProblems(settings), ...sizeProblems(settings)] : [];
