import { cpus, memoryBytes } from "../../domain/quantity";
import { vmResources } from "../../domain/machines/vmSizes";
import type { Problem } from "../../domain/problem";
import type { Settings } from "../settings";
import { samplePool } from "../samplePool";

const path = "sampleWorkload";
const gib = 1024 ** 3;

/** Memory in GiB for Windows, the kubelet and the add-ons of a node. Windows nodes reserve none by default. */
const windowsNeedsGiB = 2;

function deploymentProblems(settings: Settings): Problem[] {
  const { sampleWorkload: sample, access, wait } = settings;
  const problems: Problem[] = [];
  const found = samplePool(settings);
  if (found === undefined) {
    const names = Object.keys(settings.windowsPools);
    problems.push({
      path: sample?.pool === undefined ? path : `${path}.pool`,
      ...(sample?.pool === undefined ? {} : { value: sample.pool }),
      uses: [path, "windowsPools"],
      problem:
        sample?.pool === undefined
          ? "the stack has no Windows pool, and IIS runs only on Windows nodes"
          : "there is no Windows pool with this name, and IIS runs only on Windows nodes",
      allowed: names.length === 0 ? "a stack with a Windows pool" : names.join(", "),
      write: names.length === 0 ? 'capz-windows:windowsPools: {"win1":{}}' : `pool: ${names[0] ?? ""}`,
    });
  } else if ((found.pool.autoscale?.min ?? found.pool.replicas) === 0) {
    problems.push({
      path: `${path}.pool`,
      value: found.name,
      uses: [path, `windowsPools.${found.name}`],
      problem: `windowsPools.${found.name} starts without nodes, so \`pulumi up\` would wait until it times out`,
      allowed: "a pool that starts with at least one node",
      write: "pool: another pool, or replicas: 1 (with autoscale, min: 1) in this pool",
    });
  }
  if (wait === "none") {
    problems.push({
      path,
      uses: [path, "wait"],
      problem: "the sample is deployed with the workload kubeconfig, which is not read with wait: none",
      allowed: "only with wait: controlPlane or nodes",
      write: "capz-windows:wait: controlPlane, or remove sampleWorkload",
    });
  }
  if (access.allowedCidrs.length === 0) {
    problems.push({
      path,
      uses: [path, "access"],
      problem:
        "access.allowedCidrs is empty: `pulumi up` cannot reach the API server, and nobody can open the page",
      allowed: "with the networks of `pulumi up` and of the page's visitors in access.allowedCidrs",
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
    { key: "cpu", parse: cpus, available: node?.cpus, size: `${node?.cpus ?? 0} CPUs` },
    {
      key: "memory",
      parse: memoryBytes,
      available: node && (node.memoryGiB - windowsNeedsGiB) * gib,
      size: `${node?.memoryGiB ?? 0} GiB, of which Windows needs ${windowsNeedsGiB}`,
    },
  ] as const;
  for (const { key, parse, available, size } of quantities) {
    if (parse(requests[key]) > parse(limits[key])) {
      problems.push({
        path: `${path}.requests.${key}`,
        value: requests[key],
        uses: [path],
        problem: `greater than the limit ${limits[key]}`,
        allowed: `at most ${limits[key]}`,
        write: `${key}: "${limits[key]}"`,
      });
    }
    if (found && available !== undefined && parse(limits[key]) > available) {
      problems.push({
        path: `${path}.limits.${key}`,
        value: limits[key],
        uses: [path, `windowsPools.${found.name}`],
        problem: `a node of windowsPools.${found.name} (${found.pool.vmSize}) has only ${size}`,
        allowed: "at most what a node provides",
        write: `${key}: a smaller value, or vmSize: a larger size`,
      });
    }
  }
  return problems;
}

/** Reports a sample workload that could not be deployed, scheduled or reached. */
export const sampleWorkloadRules = (settings: Settings): Problem[] =>
  settings.sampleWorkload ? [...deploymentProblems(settings), ...sizeProblems(settings)] : [];
