import { carriesPackets, hasAcceleratedNetworking } from "capz-windows-platform/machines/vmSizes";
import { adapterMtu, azureVnetMtu } from "capz-windows-platform/network/mtu";
import { formatCount, type Problem, type Warning } from "capz-windows-kit/problem";
import { present } from "capz-windows-kit/present";
import { peeringsOf, privateLinkOf, stackPeering } from "../managementReach";
import { poolsOf } from "../pools";
import type { Settings } from "../settings";

/**
 * Packets of more than 1400 bytes, which Azure carries between machines of one VNET alone, and only where their adapters do:
 * Microsoft, "Configure MTU for virtual machines in Azure".
 */

/** The machines of the control plane or of a pool. */
interface Machines {
  readonly path: string;
  readonly vmSize: string;
  /** Whether the stack file forbids accelerated networking. */
  readonly isSlow: boolean;
}

const machinesOf = (settings: Settings): Machines[] => [
  { path: "controlPlane", vmSize: settings.controlPlane.vmSize, isSlow: false },
  ...poolsOf(settings).map(({ path, pool }) => ({
    ...{ path, vmSize: pool.vmSize },
    isSlow: pool.acceleratedNetworking === false,
  })),
];

const bytes = (count: number): string => `${formatCount(count)} bytes`;

/** Why machines do not carry such packets. */
function reasonOf({ path, vmSize, isSlow }: Machines, mtu: number): string | undefined {
  if (isSlow) {
    return `${path} has acceleratedNetworking: false`;
  }
  if (carriesPackets(vmSize, mtu) !== false) {
    return undefined;
  }
  return hasAcceleratedNetworking(vmSize) === false
    ? `${path} has ${vmSize}, a size without accelerated networking`
    : `${path} has ${vmSize}, which Azure may put on a host whose adapter carries ${bytes(adapterMtu.mellanox)}`;
}

/** What leads out of the VNET without carrying them. */
function pathReasons(settings: Settings): string[] {
  const { network, flavor } = settings;
  const peerings = Object.entries(peeringsOf(settings)).map(([name, { useRemoteGateways }]) =>
    useRemoteGateways
      ? `the peering ${name} and the gateway behind it do not carry them`
      : `the peering ${name} does not carry them`,
  );
  const isRouted = (network.apiServer?.linkedVnetIds ?? []).length > 0;
  return present<string>(
    ...peerings,
    stackPeering(settings) !== undefined && "the peering of management.peering does not carry them",
    isRouted &&
      "the VNETs of network.apiServer.linkedVnetIds are reached by peerings or a hub, which do not carry them",
    network.outbound?.type === "firewall" && "the firewall of network.outbound does not carry them",
    privateLinkOf(settings) !== undefined && "the private link of network.apiServer does not carry them",
    flavor === "dockershim" && "the flavor dockershim has not been tried with them",
  );
}

function reasonsAgainst(settings: Settings, mtu: number): string[] {
  if (mtu <= azureVnetMtu) {
    return [];
  }
  const ofMachines = machinesOf(settings).map((machines) => reasonOf(machines, mtu));
  return [...present<string>(...ofMachines), ...pathReasons(settings)];
}

export function mtuRules(settings: Settings): Problem[] {
  const { mtu } = settings.network;
  const reasons = reasonsAgainst(settings, mtu);
  if (reasons.length === 0) {
    return [];
  }
  return [
    {
      path: "network.mtu",
      value: mtu,
      uses: ["network", "controlPlane", "linuxPools", "windowsPools", "management", "flavor"],
      problem: `Azure carries packets of more than ${bytes(azureVnetMtu)} in one piece between machines of one VNET only, where their adapters do: ${reasons.join("; ")}`,
      allowed: `at most ${bytes(azureVnetMtu)}, or more where all machines and ways out of the VNET carry it`,
    },
  ];
}

/** What nothing here can look at; `npm run probe` measures it. */
export function mtuWarnings(settings: Settings): Warning[] {
  const { mtu, existing } = settings.network;
  if (mtu <= azureVnetMtu) {
    return [];
  }
  const unknown = machinesOf(settings).filter(({ vmSize }) => carriesPackets(vmSize, mtu) === undefined);
  const sizes = unknown.map(({ path, vmSize }) => `${vmSize} of ${path}`);
  return [
    {
      path: "network.mtu",
      message:
        "not checked: " +
        present<string>(
          sizes.length > 0 && `whether ${sizes.join(", ")} carries ${bytes(mtu)}`,
          existing !== undefined && "whether peerings, gateways or a firewall of others lead out of the VNET",
          "what the load balancer of the API server carries",
          "what HNS does with packets of Linux pods that are larger than the 1450 bytes of a Windows pod",
        ).join("; ") +
        ". `npm run probe` measures it on a first cluster (docs/mtu.md)",
    },
  ];
}
