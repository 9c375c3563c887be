import { present } from "capz-windows-kit/present";
import { hasSingleCpu, vmResources } from "capz-windows-platform/machines/vmSizes";
import type { Problem } from "capz-windows-kit/problem";
import { isDeployment, poolsOf } from "../pools";
import type { Settings } from "../settings";
import { sizeTraitProblems } from "./vmSizes";

const sizeProblems = (settings: Settings): Problem[] =>
  [{ path: "controlPlane", pool: settings.controlPlane }, ...poolsOf(settings)]
    .filter(({ pool }) => hasSingleCpu(pool.vmSize))
    .map(({ path, pool: { vmSize } }) => ({
      path: `${path}.vmSize`,
      value: vmSize,
      problem: "a size with one vCPU, and CAPZ creates no machines of such sizes",
      allowed: "a size with at least 2 vCPUs and 2 GiB",
    }));

/** Pools that the autoscaler could never scale up from zero, because nothing says which resources their nodes would have. */
const emptyProblems = (settings: Settings): Problem[] =>
  poolsOf(settings).flatMap(({ path, pool, pool: { autoscale, vmSize } }) =>
    // CAPZ itself reports the resources of the machines of an AzureMachineTemplate.
    present(
      autoscale?.min === 0 &&
        !isDeployment(pool) &&
        vmResources(vmSize) === undefined && {
          path: `${path}.autoscale`,
          value: autoscale,
          uses: [`${path}.autoscale`, `${path}.vmSize`],
          problem: `the cluster autoscaler can start a pool without nodes only if it knows the CPUs and the memory of a node, and this program does not know those of ${vmSize}`,
          allowed: "a min of at least 1, or a size of the families D or E from v3 on, or F from v2 on",
        },
    ),
  );

/** Machines that would never be created. */
export const machineRules = (settings: Settings): Problem[] => [
  ...sizeProblems(settings),
  ...sizeTraitProblems(settings),
  ...emptyProblems(settings),
];
