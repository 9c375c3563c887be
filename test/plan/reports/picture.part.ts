import fc from "fast-check";
import type { PlacedBox, Rect } from "../../../plan/reports/picture/layout";
import { sizes } from "../../../plan/reports/picture/layout";
import { textWidth } from "../../../plan/reports/picture/measure";
import { pictureOf } from "../../../plan/reports/picture/svg";
import { topologyOf } from "../../../plan/reports/topology/topology";
import type { Pool, Topology } from "../../../plan/reports/topology/types";
import { planOf } from "../../support/plans";

const overlap = (a: Rect, b: Rect): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

const inside = (outer: Rect, inner: Rect): boolean =>
  inner.x >= outer.x &&
  inner.y >= outer.y &&
  inner.x + inner.width <= outer.x + outer.width + 0.01 &&
  inner.y + inner.height <= outer.y + outer.height + 0.01;

/** Everything that is drawn in a box, as rectangles. */
function parts({ texts, badge, children }: PlacedBox): Rect[] {
  return [
    ...texts.map(({ x, y, text, role }) => {
      const size = role === "title" ? sizes.title : sizes.line;
      // The share of a line above the baseline, which is what capitals take.
      return { x, y: y - size * 0.8, width: textWidth(text, size, role === "title"), height: size };
    }),
    ...(badge === undefined ? [] : [badge]),
    ...children,
  ];
}

function faults(box: PlacedBox): string[] {
  const all = parts(box);
  const own = all.flatMap((part, index) => [
    ...(inside(box, part) ? [] : [`outside of ${box.full}: ${JSON.stringify(part)}`]),
    ...all
      .slice(index + 1)
      .filter((other) => overlap(part, other))
      .map((other) => `${box.full}: ${JSON.stringify([part, other])}`),
  ]);
  return [...own, ...box.children.flatMap(faults)];
}

function expectClean(topology: Topology): void {
  for (const width of [380, 1100]) {
    const { boxes, height } = pictureOf(topology, width);
    const page: Rect = { x: 0, y: 0, width, height };
    expect(boxes.flatMap(faults)).toEqual([]);
    expect(boxes.filter((box) => !inside(page, box))).toEqual([]);
    expect(boxes.filter((box, index) => boxes.slice(index + 1).some((other) => overlap(box, other)))).toEqual(
      [],
    );
  }
}

describe("the picture of a stack", () => {
  it("has everything that a reader looks for", async () => {
    const { boxes } = pictureOf(topologyOf(await planOf("prod")), 1100);
    const texts: string[] = [];
    const visit = ({ full, children }: PlacedBox): void => {
      texts.push(full);
      children.forEach(visit);
    };
    boxes.forEach(visit);
    expect(texts).toMatchInlineSnapshot(`
     [
       "Management cluster prod-management
     AKS
     AKS 1.35, standard tier
     3–5 × Standard_D4s_v5",
       "Cluster API
     cert-manager v1.21.2
     cluster-api-operator 0.29.0
     Cluster API core v1.13.6
     kubeadm bootstrap v1.13.6
     kubeadm control plane v1.13.6
     CAPZ v1.26.0",
       "Add-ons, as ClusterResourceSets
     calico: 5 objects
     cloud-provider-azure: 11 objects
     kube-proxy-windows: 1 object",
       "Managed identities",
       "prod-control-plane
     contributor on group prod-windows-cluster",
       "prod-capz
     for capz-system:azureserviceoperator-default, capz-system:capz-manager
     reader on the subscription
     contributor on group prod-windows-cluster",
       "prod-management-aks
     network contributor on pip-prod-management-egress",
       "Cluster prod
     v1.35.6
     resource group prod-windows-cluster · westeurope",
       "API server
     load balancer
     prod-cbae734e.westeurope.cloudapp.azure.com:6443
     open to 203.0.113.0/24",
       "Way out
     NAT gateway
     prod-node-natgw",
       "VNET prod-vnet
     MTU 1400
     10.20.0.0/16 · pods 192.168.0.0/16 · services 10.96.0.0/12",
       "control-plane-subnet
     10.20.0.0/24",
       "prod-control-plane
     control plane
     3 × Standard_D8s_v5
     capi-ubun2-2404 1.35.6",
       "node-subnet
     10.20.128.0/17",
       "linux1
     Linux
     3 × Standard_D4s_v5
     zones 1, 2, 3
     capi-ubun2-2404 1.35.6
     linux1000000, linux1000001 …",
       "win2022
     Windows 2022
     2–10 × Standard_D4s_v5
     zones 1, 2, 3
     capi-win-2022-containerd 1.35.6
     win2022000000, win2022000001 …",
       "win2025
     Windows 2025
     3 × Standard_D8s_v5
     zones 1, 2, 3
     capi-win-2025-containerd 1.35.6
     win2025000000, win2025000001 …",
       "Windows pod
     1350
     HNS endpoint",
       "VXLAN
     1350
     its headers take 50 bytes",
       "Node
     1400
     network card",
       "VNET
     1400
     larger packets are fragmented",
       "Node
     1400
     network card",
       "Linux pod
     1350
     network interface",
     ]
    `);
  });

  it.each(["dev", "existing", "prod"])("of %s has no overlaps", async (stack) => {
    expectClean(topologyOf(await planOf(stack)));
  });

  it("has none whatever the names are, for one pool and for many", async () => {
    const topology = topologyOf(await planOf("dev"));
    const [win1] = topology.pools;
    const name = fc.oneof(
      fc.stringMatching(/^[a-z][a-z0-9-]{0,60}$/),
      fc.stringMatching(/^[A-Z0-9_.()-]{1,90}$/),
      fc.string({ unit: "grapheme", maxLength: 40 }),
    );
    const pool = fc.record({ name, vmSize: name, image: name, firstNodes: fc.array(name, { maxLength: 3 }) });
    fc.assert(
      fc.property(fc.array(pool, { maxLength: 12 }), name, name, (pools, cluster, host) => {
        expectClean({
          ...topology,
          cluster,
          resourceGroup: host,
          apiServer: { ...topology.apiServer, host },
          identities: topology.identities.map((identity) => ({ ...identity, name: `${cluster}-capz` })),
          pools: pools.map((other): Pool => ({ ...win1!, ...other })),
        });
      }),
      { numRuns: 40 },
    );
  });
});
