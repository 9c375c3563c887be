import { present } from "capz-windows-kit/present";
import { cpus, memoryBytes } from "capz-windows-kit/quantity";
import { type VmResources, vmResources } from "capz-windows-platform/machines/vmSizes";
import type { Problem } from "capz-windows-kit/problem";
import { imageMismatch } from "capz-windows-platform/workloads/imageFit";
import type { Settings } from "../settings";
import { samplePool } from "../pools";

const path = "sampleWorkload";
const gib = 1024 ** 3;

/** Memory in GiB for Windows, the kubelet and the add-ons of a node. Windows nodes reserve none by default. */
const windowsNeedsGiB = 2;

/** A pool that the sample cannot use, or that has no node for it. */
function placeProblem(settings: Settings): Problem | undefined {
  const wanted = settings.sampleWorkload?.pool;
  const found = samplePool(settings);
  if (found === undefined) {
    const pools = Object.entries(settings.windowsPools);
    return {
      path: wanted === undefined ? path : `${path}.pool`,
      ...(wanted === undefined ? {} : { value: wanted }),
      uses: [path, "windowsPools"],
      problem:
        wanted === undefined
          ? "the stack has no Windows pool, and IIS runs only on Windows nodes"
          : "there is no Windows pool with this name, and IIS runs only on Windows nodes",
      allowed: pools.length === 0 ? "a stack with a Windows pool" : pools.map(([name]) => name).join(", "),
    };
  }
  const { autoscale, replicas } = found.pool;
  const place = `windowsPools.${found.name}`;
  return (autoscale?.min ?? replicas) > 0
    ? undefined
    : {
        path: `${path}.pool`,
        value: found.name,
        uses: [path, place],
        problem: `${place} starts without nodes, so \`pulumi up\` would wait until it times out`,
        allowed: "a pool that starts with at least one node",
      };
}

const deploymentProblems = (settings: Settings): Problem[] =>
  present(
    placeProblem(settings),
    settings.wait === "none" && {
      path,
      uses: [path, "wait"],
      problem: "the sample is deployed with the workload kubeconfig, which is not read with wait: none",
      allowed: "only with wait: controlPlane or nodes",
      write: "capz-windows:wait: controlPlane # or remove sampleWorkload",
    },
    settings.access.allowedCidrs.length === 0 && {
      path,
      uses: [path, "access"],
      problem:
        "access.allowedCidrs is empty: `pulumi up` cannot reach the API server, and the page cannot be opened",
      allowed: "with the networks of `pulumi up` and of the page's visitors in access.allowedCidrs",
    },
  );

function sizeProblems(settings: Settings): Problem[] {
  const { requests, limits } = settings.sampleWorkload ?? {};
  if (!requests || !limits) {
    return [];
  }
  const found = samplePool(settings);
  const availableOf = (key: "cpu" | "memory", node: VmResources): number =>
    key === "cpu" ? node.cpus : (node.memoryGiB - windowsNeedsGiB) * gib;
  const node = found && vmResources(found.pool.vmSize);
  return (["cpu", "memory"] as const).flatMap((key) => {
    const parse = key === "cpu" ? cpus : memoryBytes;
    const size =
      key === "cpu"
        ? `${node?.cpus ?? 0} CPUs`
        : `${node?.memoryGiB ?? 0} GiB, of which Windows needs ${windowsNeedsGiB}`;
    return present<Problem>(
      parse(requests[key]) > parse(limits[key]) && {
        path: `${path}.requests.${key}`,
        value: requests[key],
        uses: [path],
        problem: `greater than the limit ${limits[key]}`,
        allowed: `at most ${limits[key]}`,
      },
      found !== undefined &&
        node !== undefined &&
        parse(limits[key]) > availableOf(key, node) && {
          path: `${path}.limits.${key}`,
          value: limits[key],
          uses: [path, `windowsPools.${found.name}`],
          problem: `a node of windowsPools.${found.name} (${found.pool.vmSize}) has only ${size}`,
          allowed: "at most what a node provides",
        },
    );
  });
}

/** Rules about the sample's image and load balancer. */
function partProblems(settings: Settings): Problem[] {
  const { image, internal, serviceType } = settings.sampleWorkload ?? {};
  const found = samplePool(settings);
  const release = found?.pool.windowsServer;
  const mismatch = release === undefined || image === undefined ? undefined : imageMismatch(image, release);
  return present(
    found !== undefined &&
      mismatch !== undefined && {
        path: `${path}.image`,
        value: image,
        uses: [path, `windowsPools.${found.name}`],
        problem: mismatch.problem,
        allowed: `an image for Windows Server ${release}, which is that of windowsPools.${found.name}`,
      },
    internal === true &&
      serviceType !== "LoadBalancer" && {
        path: `${path}.internal`,
        value: internal,
        uses: [path],
        problem: `a Service of type ${serviceType ?? ""} has no load balancer that could have an address of the VNET`,
        allowed: "only with serviceType: LoadBalancer",
      },
  );
}

/** Reports a sample workload that could not be deployed, scheduled or reached. */
export const sampleWorkloadRules = (settings: Settings): Problem[] =>
  settings.sampleWorkload
    ? [...deploymentProblems(settings), ...sizeProblems(settings), ...partProblems(settings)]
    : [];
