import type { ManagementOutbound } from "capz-windows-platform/azure/managementNetwork";
import type { ClusterModel } from "../model/cluster/types";
import { rangeText } from "./clusterText";
import { joined, rangesText, row, said, type ReportRow } from "./layout";

/** Rows of a plan about the management cluster. */

type Management = ClusterModel["management"];

/** The stacks that use a management cluster of this one. */
export function clientRows({ only, clients = [] }: Management): ReportRow[] {
  if (only !== true) {
    return [];
  }
  const names = clients.join(", ");
  return [
    row(
      "clients",
      names === ""
        ? "no stack file beside this one names this stack"
        : `${names}: a destroy of this stack fails while their clusters live`,
    ),
  ];
}

/** Whoever is not kept out by a list of networks. */
export const everyone = "everyone on the Internet";

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
            ? [`${rangesText(aks.authorizedCidrs) || everyone}; credentials are needed`]
            : privateLines(own)),
          integrated === true && "in a subnet of the VNET, where nodes reach it",
          aks.runCommand === false && "not by `az aks command invoke`, which is off",
        ];
  return said(row("management API server", ...lines));
}
