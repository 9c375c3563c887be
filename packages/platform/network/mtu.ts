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
export const azureAdapterMtu = 1500;

/**
 * The most bytes that Azure carries in one piece between machines of one VNET, by the adapter that accelerated networking
 * gives them: Mellanox ConnectX, or MANA, which is a preview. The source is the same.
 */
export const adapterMtu = { mellanox: 3900, mana: 9000 } as const;

/**
 * Bytes that VXLAN over IPv4 adds to a packet: 14 inner Ethernet, 8 VXLAN, 8 UDP and 20 outer IP. Over IPv6 they would be
 * 70, but nodes here have IPv4 only.
 */
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

/** CNIs that derive the MTU of pods from that of the host; Calico's is configured. */
const derivesFromHost: Readonly<Record<Cni, boolean>> = {
  calico: false,
  "calico-manifests": false,
  flannel: true,
  none: true,
};

/**
 * Whether set-mtu.sh gives Linux hosts the MTU of the network: for a CNI that derives its own from it, and where
 * encapsulated packets are larger than what Azure's adapters have by themselves.
 */
export const setsLinuxHostMtu = (cni: Cni, networkMtu: number): boolean =>
  derivesFromHost[cni] || networkMtu > azureAdapterMtu;

const linuxPods: Record<Cni, string> = {
  calico: "Calico",
  "calico-manifests": "Calico",
  flannel: "Flannel",
  none: "your CNI",
};

/**
 * The MTU that holds in each place. Linux hosts keep Azure's with Calico, whose own is configured: their packets are not
 * encapsulated, and Azure may fragment them. On Windows no CNI sets an MTU, so windows-mtu.ps1 does; there a host keeps at
 * most Azure's, because HNS gives pods 50 bytes less than that, and nothing is known to give them more.
 */
export function expectedMtus(cni: Cni, networkMtu: number): ExpectedMtus {
  const orLess = cni === "none";
  const windowsHost = Math.min(networkMtu, azureAdapterMtu);
  const linuxHost = setsLinuxHostMtu(cni, networkMtu)
    ? { bytes: networkMtu, from: "set-mtu.sh" }
    : { bytes: azureAdapterMtu, from: "Azure" };
  return {
    linux: {
      host: { ...linuxHost, orLess: false },
      pod: { bytes: vxlanMtu(networkMtu), orLess, from: linuxPods[cni] },
    },
    windows: {
      host: { bytes: windowsHost, orLess: false, from: "windows-mtu" },
      pod: { bytes: vxlanMtu(windowsHost), orLess, from: "windows-mtu" },
    },
  };
}
