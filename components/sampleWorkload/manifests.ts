import { windowsBuilds } from "../../domain/machines/windowsReleases";
import { cpus, memoryBytes } from "../../domain/quantity";

/** CPUs such as "500m" and memory in Mi or Gi. */
export interface ResourcesArgs {
  /** CPUs: "1", "0.5" or "500m". */
  cpu: string;
  /** Memory in whole Mi or Gi: "800Mi". */
  memory: string;
}

/** What a pod is sure to get, when nobody says otherwise. */
export const defaultRequests: ResourcesArgs = { cpu: "100m", memory: "300Mi" };

/** What a pod gets at most, when nobody says otherwise. */
export const defaultLimits: ResourcesArgs = { cpu: "1", memory: "800Mi" };

export interface SampleWorkloadObjectArgs {
  /** Windows Server release of the nodes, for instance "2022". */
  readonly windowsServer: string;
  /** Whole image reference. Default: IIS of the release. */
  readonly image?: string | undefined;
  readonly replicas: number;
  readonly requests: ResourcesArgs;
  readonly limits: ResourcesArgs;
}

/** IIS for a release: a container shares the kernel of its host, so it starts only where both are of one release. */
export const iisImage = (windowsServer: string): string =>
  `mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc${windowsServer}`;

/**
 * Longest time until IIS answers, in seconds: `pulumi up` waits for the control plane only, then come a Windows node's
 * first boot (15 minutes) and the download of an image of 2 GB. Kubernetes itself gives up after 10 minutes.
 */
export const sampleDeadlineSeconds = 40 * 60;

const name = "iis";
const labels = { app: name };

/** The same texts, known to be quantities that a node can have. */
function checked({ requests, limits }: Pick<SampleWorkloadObjectArgs, "requests" | "limits">) {
  if (memoryBytes(requests.memory) > memoryBytes(limits.memory) || cpus(requests.cpu) > cpus(limits.cpu)) {
    throw new RangeError("requests are larger than limits");
  }
  return { requests: { ...requests }, limits: { ...limits } };
}

/**
 * IIS on Windows nodes. Linux nodes and those of another release are kept out by labels that every kubelet sets itself.
 * @throws RangeError when a quantity is none, or a request larger than its limit
 */
export function deploymentObject(args: SampleWorkloadObjectArgs) {
  const build = windowsBuilds[args.windowsServer];
  return {
    apiVersion: "apps/v1" as const,
    kind: "Deployment" as const,
    metadata: { name, namespace: "default", labels },
    spec: {
      replicas: args.replicas,
      progressDeadlineSeconds: sampleDeadlineSeconds,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          automountServiceAccountToken: false,
          nodeSelector: {
            "kubernetes.io/os": "windows",
            ...(build === undefined ? {} : { "node.kubernetes.io/windows-build": build }),
          },
          // The pools here have no taints; clusters that keep Linux pods off Windows nodes by one use this key.
          tolerations: [{ key: "os", operator: "Equal", value: "windows", effect: "NoSchedule" }],
          containers: [
            {
              name,
              image: args.image ?? iisImage(args.windowsServer),
              ports: [{ containerPort: 80 }],
              resources: checked(args),
              // The address is an output: it must answer when it is there.
              readinessProbe: { httpGet: { path: "/", port: 80 }, periodSeconds: 5 },
            },
          ],
        },
      },
    },
  };
}

/** The page's load balancer. Open to the networks that may reach the cluster, and to no others. */
export const serviceObject = ({ allowedCidrs }: { readonly allowedCidrs: readonly string[] }) => ({
  apiVersion: "v1" as const,
  kind: "Service" as const,
  metadata: { name, namespace: "default", labels },
  spec: {
    type: "LoadBalancer",
    selector: labels,
    ports: [{ port: 80, targetPort: 80, protocol: "TCP" }],
    loadBalancerSourceRanges: [...allowedCidrs],
  },
});
