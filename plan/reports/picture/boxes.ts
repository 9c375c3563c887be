import type { Identity, Machines, Pool, Topology } from "../topology/types";
import type { Box } from "./layout";

/** What the picture of a stack has in it. */

const joined = (...parts: readonly string[]): string => parts.filter((part) => part !== "").join(" · ");

const machineLines = ({ count, vmSize, version, image, zones }: Machines): string[] => [
  `${count} × ${vmSize}`,
  ...(zones.length > 0 ? [`zones ${zones.join(", ")}`] : []),
  // A gallery's image says the version itself.
  image.includes(version.replace(/^v/, "")) ? image : joined(version, image),
];

const poolBox = (pool: Pool): Box => ({
  tone: pool.os === "Windows" ? "windows" : "linux",
  title: pool.name,
  badge: pool.system.replace("Windows Server ", "Windows "),
  lines: [
    ...machineLines(pool),
    `${pool.firstNodes.slice(0, 2).join(", ")}${pool.count === String(Math.min(2, pool.firstNodes.length)) ? "" : " …"}`,
  ].filter((line) => line !== ""),
});

const identityBox = ({ name, usedBy, roles }: Identity): Box => ({
  tone: "plain",
  title: name,
  lines: [...(usedBy.length > 0 ? [`for ${usedBy.join(", ")}`] : []), ...roles],
});

export const managementBox = ({ management, providers, addons }: Topology): Box => ({
  tone: "management",
  title: `Management cluster ${management.name}`,
  badge: management.own ? "AKS" : "existing",
  lines: management.facts,
  rows: [
    {
      boxes: [
        {
          tone: "plain",
          title: "Cluster API",
          lines:
            providers.length > 0
              ? providers.map(({ name, version }) => `${name} ${version}`)
              : ["installed already, not by this stack"],
        },
        {
          tone: "plain",
          title: "Add-ons, as ClusterResourceSets",
          lines: addons.map(({ name, objects }) => `${name}: ${objects} object${objects === 1 ? "" : "s"}`),
        },
      ],
    },
  ],
});

export const identitiesBox = ({ identities }: Topology): Box => ({
  tone: "identity",
  title: "Managed identities",
  rows: [{ boxes: identities.map(identityBox) }],
});

const subnetBox = ({ network }: Topology, role: "control-plane" | "node", boxes: readonly Box[]): Box => {
  const subnet = network.subnets.find((candidate) => candidate.role === role);
  return {
    tone: "subnet",
    title: subnet?.name ?? role,
    badge: subnet?.cidr ?? "",
    rows: [{ boxes, columnWidth: 200 }],
  };
};

const entryBox = ({ apiServer: { host, port, allowed } }: Topology): Box => ({
  tone: "edge",
  title: "API server",
  badge: "load balancer",
  lines: [
    `${host}:${port}`,
    allowed.length > 0
      ? `open to ${allowed.slice(0, 4).join(", ")}${allowed.length > 4 ? ` and ${allowed.length - 4} more` : ""}`
      : "open to the management cluster and the nodes only",
  ],
});

/** Everything in the resource group of the workload cluster. */
export function workloadBox(topology: Topology): Box {
  const { network, controlPlane, pools } = topology;
  const exit: readonly Box[] =
    network.natGateway === undefined
      ? []
      : [{ tone: "edge", title: "Way out", badge: "NAT gateway", lines: [network.natGateway] }];
  const machines: readonly Box[] =
    controlPlane === undefined
      ? []
      : [
          {
            tone: "linux",
            title: controlPlane.name,
            badge: "control plane",
            lines: machineLines(controlPlane),
          },
        ];
  return {
    tone: "group",
    title: `Cluster ${topology.cluster}`,
    badge: topology.kubernetesVersion,
    lines: [joined(`resource group ${topology.resourceGroup}`, topology.location)],
    rows: [
      { boxes: [entryBox(topology), ...exit], columnWidth: 260 },
      {
        boxes: [
          {
            tone: "network",
            title: `VNET ${network.vnet}`,
            badge: `MTU ${network.mtu}`,
            lines: [`${network.cidr} · pods ${network.podCidr} · services ${network.serviceCidr}`],
            rows: [
              { boxes: [subnetBox(topology, "control-plane", machines)] },
              { boxes: [subnetBox(topology, "node", pools.map(poolBox))] },
            ],
          },
        ],
      },
    ],
  };
}

/** A packet's way from pod to pod, with the largest packet that each part carries. */
export function mtuSteps({ network, pools }: Topology): Box[] {
  const windows = pools.some(({ os }) => os === "Windows");
  const step = (title: string, bytes: number, line: string): Box => ({
    tone: "step",
    title,
    badge: `${bytes}`,
    lines: [line],
  });
  const { mtu, podMtu } = network;
  return [
    step(windows ? "Windows pod" : "Pod", podMtu, windows ? "HNS endpoint" : "network interface"),
    step("VXLAN", podMtu, `its headers take ${mtu - podMtu} bytes`),
    step("Node", mtu, "network card"),
    step("VNET", mtu, "larger packets are fragmented"),
    step("Node", mtu, "network card"),
    step("Linux pod", podMtu, "network interface"),
  ];
}
