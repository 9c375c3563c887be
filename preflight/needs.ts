import { nodeImages, type NodeImage } from "../config/nodeImages";
import type { Settings } from "../config/settings";
import { calicoOperatorManifest, defaultCalicoVersion } from "../domain/addons/calico";
import type { PinnedManifest } from "../domain/addons/pinnedManifest";
import { managementNames } from "../domain/azure/aks";
import { apiServerHost, apiServerPublicIpName, networkNames } from "../domain/cluster/naming";
import { capzImage, type CapzImage } from "../domain/machines/images";
import { surgeNodes } from "../domain/machines/rollout";

/** What `pulumi up` will want of Azure, from the settings alone. */

export interface MachineNeed {
  /** Path of the stack file: controlPlane, windowsPools.win1. */
  readonly path: string;
  readonly vmSize: string;
  /** With an autoscaler at its limit. */
  readonly count: number;
  /** More while they are replaced. */
  readonly surge: number;
  readonly zones: readonly string[];
  readonly os: "linux" | "windows";
}

export interface ImageNeed {
  readonly path: string;
  readonly image: CapzImage;
}

export interface Needs {
  readonly subscriptionId: string;
  readonly tenantId: string;
  readonly location: string;
  readonly resourceGroup: string;
  readonly makesAks: boolean;
  readonly machines: readonly MachineNeed[];
  readonly images: readonly ImageNeed[];
  readonly publicAddresses: number;
  readonly providers: readonly string[];
  readonly vnet: { readonly name: string; readonly cidr: string };
  readonly dnsLabel: string;
  readonly publicIp: string;
  readonly aksVersion?: string | undefined;
  readonly aksGroup: string;
  readonly tags: Readonly<Record<string, string>>;
  /** Keys with the networks that may come in; empty for everybody. */
  readonly allowed: Readonly<Record<string, readonly string[]>>;
  readonly manifests: readonly PinnedManifest[];
  readonly charts: readonly string[];
}

const imageNeed = ({ path, image, node, version }: NodeImage): ImageNeed => ({
  path,
  image: capzImage(image, node, version),
});

function machinesOf({ controlPlane, linuxPools, windowsPools, management }: Settings): MachineNeed[] {
  const pools = (
    kind: "linuxPools" | "windowsPools",
    of: Settings["linuxPools"] | Settings["windowsPools"],
  ) =>
    Object.entries(of).map(([name, { vmSize, replicas, autoscale, rollout, zones }]): MachineNeed => {
      const count = autoscale?.max ?? replicas;
      return {
        path: `${kind}.${name}`,
        ...{ vmSize, count, zones },
        surge: count === 0 ? 0 : surgeNodes(rollout.maxSurge, count),
        os: kind === "linuxPools" ? "linux" : "windows",
      };
    });
  const aks: MachineNeed[] =
    management.kind === "aks"
      ? [
          {
            path: "management",
            ...{ vmSize: management.nodeSize, count: management.maxNodeCount, surge: 1, zones: [] },
            os: "linux",
          },
        ]
      : [];
  return [
    ...aks,
    {
      path: "controlPlane",
      ...{ vmSize: controlPlane.vmSize, count: controlPlane.replicas, surge: 1, zones: [] },
      os: "linux",
    },
    ...pools("linuxPools", linuxPools),
    ...pools("windowsPools", windowsPools),
  ];
}

/** The sample has an address of its own behind a load balancer of the Internet. */
const isPublic = (sample: Settings["sampleWorkload"]): boolean =>
  sample?.serviceType === "LoadBalancer" && !sample.internal;

export function needsOf(settings: Settings): Needs {
  const { azure, clusterName, management, access, network, tags, platform } = settings;
  const identity = { clusterName, ...azure };
  const makesAks = management.kind === "aks";
  const calico = settings.addons.calicoVersion ?? defaultCalicoVersion(settings.kubernetesVersion);
  return {
    ...{ subscriptionId: azure.subscriptionId, tenantId: azure.tenantId, location: azure.location },
    ...{ resourceGroup: azure.resourceGroup, makesAks },
    machines: machinesOf(settings),
    images: nodeImages(settings).map(imageNeed),
    // Of the API server and the NAT gateway, and the one through which AKS goes out.
    publicAddresses: 2 + (makesAks ? 1 : 0) + (isPublic(settings.sampleWorkload) ? 1 : 0),
    providers: [
      ...["Microsoft.Compute", "Microsoft.Network", "Microsoft.ManagedIdentity", "Microsoft.Storage"],
      ...(makesAks ? ["Microsoft.ContainerService"] : []),
    ],
    vnet: { name: networkNames(clusterName).vnet, cidr: network.vnetCidr },
    dnsLabel: apiServerHost(identity).split(".")[0] ?? "",
    publicIp: apiServerPublicIpName(clusterName),
    aksVersion: management.kind === "aks" ? management.kubernetesVersion : undefined,
    aksGroup: managementNames(clusterName).resourceGroup,
    tags,
    allowed: {
      "access.allowedCidrs": access.allowedCidrs,
      ...(management.kind === "aks" ? { "management.authorizedCidrs": management.authorizedCidrs } : {}),
    },
    manifests: platform.cni === "calico" ? [calicoOperatorManifest(calico)] : [],
    charts: settings.clusterApi.install
      ? [
          "https://charts.jetstack.io/index.yaml",
          "https://kubernetes-sigs.github.io/cluster-api-operator/index.yaml",
        ]
      : [],
  };
}
