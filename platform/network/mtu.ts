import type { Cni } from "../cluster/platform";

/**
 * MTU of an Azure VNET in bytes. Azure fragments larger packets, and Windows drops the fragments of VXLAN packets.
 * A VNET has no MTU property in Azure, so the component VirtualNetwork defines the MTU for the nodes and the CNI.
 * Source: Microsoft, "TCP/IP performance tuning for Azure VMs"; CAPZ #1335, #1353.
 */
export const azureVnetMtu = 1400;

/**
 * MTU in bytes of a machine's adapter that nothing has changed; Azure's DHCP does not lower it (Microsoft, "Configure
 * MTU for virtual machines in Azure").
 */
const azureAdapterMtu = 1500;

/** Bytes that VXLAN over IPv4 adds to a packet: 14 inner Ethernet, 8 VXLAN, 8 UDP and 20 outer IP. */
const vxlanOverhead = 50;

/** MTU in bytes inside VXLAN, for pods, Calico and the Windows Host Networking Service (HNS). */
export const vxlanMtu = (networkMtu: number): number => networkMtu - vxlanOverhead;

/** The MTU of an adapter, and what gives it. */
export interface ExpectedMtu {
  readonly bytes: number;
  /** Whether a smaller one is right, too, because a CNI of the users decides. */
  readonly orLess: boolean;
  /** What sets it: a noun for tables. */
  readonly from: string;
}

/** By operating system of the node, for the adapter of the host that leads out, and for that of a pod. */
export type ExpectedMtus = Readonly<
  Record<"linux" | "windows", Readonly<Record<"host" | "pod", ExpectedMtu>>>
>;

const linuxHosts: Record<Cni, (networkMtu: number) => Omit<ExpectedMtu, "orLess">> = {
  calico: () => ({ bytes: azureAdapterMtu, from: "Azure" }),
  "calico-manifests": () => ({ bytes: azureAdapterMtu, from: "Azure" }),
  flannel: (bytes) => ({ bytes, from: "set-mtu.sh" }),
  none: (bytes) => ({ bytes, from: "set-mtu.sh" }),
};

const linuxPods: Record<Cni, string> = {
  calico: "Calico",
  "calico-manifests": "Calico",
  flannel: "Flannel",
  none: "your CNI",
};

/**
 * The MTU that holds in each place. Linux hosts keep Azure's with Calico, whose own is configured: their packets are not
 * encapsulated, and Azure may fragment them. On Windows no CNI sets an MTU, so windows-mtu.ps1 does.
 */
export function expectedMtus(cni: Cni, networkMtu: number): ExpectedMtus {
  const bytes = vxlanMtu(networkMtu);
  const orLess = cni === "none";
  return {
    linux: {
      host: { ...linuxHosts[cni](networkMtu), orLess: false },
      pod: { bytes, orLess, from: linuxPods[cni] },
    },
    windows: {
      host: { bytes: networkMtu, orLess: false, from: "windows-mtu" },
      pod: { bytes, orLess, from: "windows-mtu" },
    },
  };
}
