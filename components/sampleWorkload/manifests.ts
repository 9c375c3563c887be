import { iisImage } from "capz-windows-platform/machines/windowsReleases";
import type { ResourcesArgs } from "capz-windows-platform/workloads/windowsArgs";
import {
  headlessService,
  windowsDeployment,
  windowsService,
  windowsStatefulSet,
} from "capz-windows-platform/workloads/windowsObjects";

export interface SampleWorkloadObjectArgs {
  /** Windows Server release of the nodes, for instance "2022". */
  readonly windowsServer: string;
  /** Whole image reference. Default: IIS of the release. */
  readonly image?: string | undefined;
  readonly replicas: number;
  readonly requests: ResourcesArgs;
  readonly limits: ResourcesArgs;
}

/** A disk of Azure for the second sample. */
export interface SampleDiskArgs {
  /** Storage class of the workload cluster that makes Azure disks. */
  storageClass: string;
  /** Size in GiB. Default: 4. */
  sizeGiB?: number | undefined;
}

/**
 * Longest time until IIS answers, in seconds: `pulumi up` waits only for the control plane, followed by a Windows
 * node's first boot (15 minutes) and the download of an image of 2 GB. Kubernetes itself gives up after 10 minutes.
 */
export const sampleDeadlineSeconds = 40 * 60;

const name = "iis";

const pods = ({ windowsServer, image, requests, limits }: Omit<SampleWorkloadObjectArgs, "replicas">) => ({
  ...{ windowsServer, requests, limits, image: image ?? iisImage(windowsServer), ports: [80] },
  // The address is an output, so IIS must answer when it is known.
  readiness: { path: "/", periodSeconds: 5 },
  // Their additions to the pods would replace the pods of every existing sample.
  ...{ namesOs: false, drainSeconds: 0 },
});

/**
 * IIS on Windows nodes. Linux nodes and those of another release are kept out by labels that every kubelet sets itself.
 * @throws RangeError for an image of another release, when a quantity is invalid, or a request larger than its limit
 */
export const deploymentObject = ({ replicas, ...args }: SampleWorkloadObjectArgs) =>
  windowsDeployment({ name, replicas, progressDeadlineSeconds: sampleDeadlineSeconds, ...pods(args) });

export interface SampleServiceArgs {
  /** LoadBalancer, ClusterIP or NodePort. */
  readonly serviceType: string;
  /** Whether the load balancer has an address of the VNET. */
  readonly internal: boolean;
  readonly allowedCidrs: readonly string[];
}

/** The Service of IIS. A public load balancer is open only to the networks that may reach the cluster. */
export const serviceObject = ({ serviceType, internal, allowedCidrs }: SampleServiceArgs) =>
  windowsService(
    { name, ports: [80] },
    { type: serviceType, internal, ...(internal ? {} : { allowedCidrs: [...allowedCidrs] }) },
  );

const diskFolder = "C:\\data";

/** Writes a line at each start and shows all of them: `kubectl logs iis-disk-0` then includes earlier pods. */
const writesStarts = [
  "$ErrorActionPreference = 'Stop'",
  `Add-Content ${diskFolder}\\starts.txt (Get-Date -Format o)`,
  `Get-Content ${diskFolder}\\starts.txt`,
  "C:\\ServiceMonitor.exe w3svc",
].join("; ");

/**
 * The second sample: IIS with a disk that outlives its pods.
 * @throws RangeError like the first
 */
export const diskObjects = (
  args: Omit<SampleWorkloadObjectArgs, "replicas">,
  { storageClass, sizeGiB = 4 }: SampleDiskArgs,
) => {
  const named = { name: `${name}-disk`, ...pods(args), namesOs: true, drainSeconds: 5 };
  return {
    statefulSet: windowsStatefulSet({
      ...named,
      command: ["powershell.exe", "-NoLogo", "-Command", writesStarts],
      volumes: [{ name: "data", mountPath: diskFolder, storageClass, sizeGiB }],
    }),
    service: headlessService(named),
  };
};
