import type { ManagementOutbound } from "capz-windows-platform/azure/managementNetwork";
import { readLimitPerMinute, readsPerRound } from "capz-windows-platform/azure/requests";
import type { ClusterModel, PoolModel } from "../model/cluster/types";
import { rangeText } from "./clusterText";
import { joined, row, said, type ReportRow } from "./layout";

/** Rows of a plan about the management cluster. */

const limit = `Azure allows an identity ${readLimitPerMinute.toLocaleString("en-US")} a minute in a region`;

/** How often CAPZ asks Azure, with all machines that autoscalers may make. */
function requestsText({ controlPlane, pools, management }: ClusterModel): string {
  const most = ({ replicas, autoscale }: PoolModel): number => autoscale?.max ?? replicas;
  const machinesOf = (wanted: PoolModel["kind"]): number =>
    pools.filter(({ kind }) => kind === wanted).reduce((sum, pool) => sum + most(pool), 0);
  const reads = readsPerRound({
    machines: (controlPlane?.replicas ?? 0) + machinesOf("MachineDeployment"),
    scaleSets: pools.filter(({ kind }) => kind === "MachinePool").length,
    instances: machinesOf("MachinePool"),
  });
  const { syncPeriodMinutes: minutes } = management;
  return minutes === undefined
    ? `CAPZ reads Azure about ${reads} times whenever it checks all objects: ${Math.ceil(reads / 10)} reads a minute by its default --sync-period of 10 minutes; ${limit}`
    : `about ${Math.ceil(reads / minutes)} reads a minute by CAPZ; ${limit}`;
}

/** What a management cluster and its clusters are to one another. */
export function sharingRows(cluster: ClusterModel): ReportRow[] {
  const { only, clients = [], syncPeriodMinutes: minutes } = cluster.management;
  const requests = "requests to Azure";
  return only !== true
    ? [row(requests, requestsText(cluster))]
    : [
        row(
          "clients",
          clients.length === 0
            ? "no stack file beside this one names this stack"
            : `${clients.join(", ")}: a destroy of this stack fails while their clusters live`,
        ),
        row(
          requests,
          `${minutes === undefined ? "whenever CAPZ checks all objects (--sync-period)" : `every ${minutes} min`} for each cluster, by its own identity: the plans of the clients say how many`,
        ),
      ];
}

/** Whoever is not kept out by a list of networks. */
export const everyone = "everyone on the Internet";

type Management = ClusterModel["management"];

const waysOut: Readonly<Record<ManagementOutbound, string>> = {
  loadBalancer: "the load balancer of AKS, with an address of the stack",
  nat: "a NAT gateway of the stack",
  existingNat: "the NAT gateway of its subnet",
  firewall: "the route 0.0.0.0/0 of its subnet",
};

function networkLines({ network }: NonNullable<Management["aks"]>): string[] {
  if (network === undefined) {
    return [];
  }
  const { subnetId, vnetCidr, outbound, egressCidrs } = network;
  return [
    vnetCidr === undefined
      ? `in the subnet of others ${subnetId}`
      : `in a VNET of the stack, ${vnetCidr}: ${subnetId.split("/subnets/")[0] ?? ""}`,
    joined(`out by ${waysOut[outbound]}`, egressCidrs.length > 0 && `from ${egressCidrs.join(", ")}`),
  ];
}

export function managementRow({ name, stack, aks }: Management): ReportRow {
  const label = "management cluster";
  if (stack !== undefined) {
    return row(label, `${name}, of the stack ${stack}`);
  }
  return aks === undefined
    ? row(label, `${name}, which exists already`)
    : row(
        label,
        `${name}, AKS ${aks.kubernetesVersion}, ${rangeText(aks.nodes)} × ${aks.vmSize}`,
        joined(`${aks.tier} tier`, aks.zones && `zones ${aks.zones.join(", ")}`),
        ...networkLines(aks),
      );
}

const zones: Readonly<Record<string, string>> = {
  system: "a zone that AKS makes beside its nodes",
  own: "a zone of the stack",
  none: "no zone",
};

const privateLines = ({ zone, publicName }: { zone: string; publicName: boolean }): string[] => [
  "the VNET, what is peered with it and what is behind its gateway; credentials are needed",
  "whoever runs `pulumi up`, kubectl and npm run doctor must be there: no agents that GitHub or Azure DevOps host",
  publicName
    ? "by a public name of the private address, which the kubeconfig has"
    : `by a private name, which resolves where this is linked: ${zones[zone] ?? zone}`,
];

export function managementReach({ aks }: Management): ReportRow[] {
  const { private: own, integrated } = aks?.network ?? {};
  const lines =
    aks === undefined
      ? []
      : [
          ...(own === undefined
            ? [`${aks.authorizedCidrs.join(", ") || everyone}; credentials are needed`]
            : privateLines(own)),
          integrated === true && "in a subnet of the VNET, where nodes reach it",
          aks.runCommand === false && "not by `az aks command invoke`, which is off",
        ];
  return said(row("management API server", ...lines));
}
