import type { ClusterModel, PoolModel } from "../../../commands/plan/model/cluster/types";
import { type Box, pictureOf } from "../../../commands/plan/reports/picture/boxes";
import {
  isMarked,
  markPicture,
  type MarkedBox,
  type PlanSide,
} from "../../../commands/plan/reports/picture/marks";
import { drawClusters } from "../../../commands/plan/reports/picture/picture";
import { planOf } from "../../support/plans";

const clusterOf = async (stack: string): Promise<ClusterModel> => (await planOf(stack)).cluster;

let prod: ClusterModel;
/** The cluster with some of its pools changed, added or removed. */
let changed: ClusterModel;
beforeAll(async () => {
  prod = await clusterOf("prod");
  const poolOf = (name: string): PoolModel => prod.pools.find((pool) => pool.name === name)!;
  changed = {
    ...prod,
    network: { ...prod.network, mtu: 1380, podMtu: 1330 },
    pools: [
      { ...poolOf("win2022"), name: "win2022b" },
      poolOf("linux1"),
      { ...poolOf("win2025"), replicas: 5, zones: [] },
    ],
  };
});

describe("the picture of a stack", () => {
  const allOf = (boxes: readonly Box[]): string[] =>
    boxes.flatMap(({ title, badge, lines, boxes: inner = [] }) => [
      [title, ...(badge === undefined ? [] : [badge]), ...Object.values(lines)].join("\n"),
      ...allOf(inner),
    ]);

  it("has no workload cluster, add-ons or packets where the stack makes only a management cluster", async () => {
    const management = await clusterOf("management");
    const { creators, created, path } = pictureOf(management);
    expect([...created, ...path]).toEqual([]);
    expect(allOf(creators).filter((text) => text.startsWith("Add-ons"))).toEqual([]);
    expect(drawClusters(undefined, management)?.markup).not.toMatch(/class="creates"|class="path"|pods|-50/);
  });

  it("has everything that a reader looks for", () => {
    const { creators, created, path } = pictureOf(prod);
    expect([...allOf(creators), ...allOf(created), ...allOf(path)]).toMatchInlineSnapshot(`
     [
       "Management cluster prod-management
     AKS
     AKS 1.35, standard tier
     3–5 × Standard_D4s_v5",
       "Cluster API
     cert-manager v1.21.2
     cluster-api-operator 0.29.0
     Cluster API core v1.14.2
     kubeadm bootstrap v1.14.2
     kubeadm control plane v1.14.2
     CAPZ v1.27.0",
       "Cluster autoscaler
     v1.35.2",
       "Add-ons, as ClusterResourceSets
     azure-disk v1.34.5: 17 objects
     calico v3.32.1: 7 objects
     cloud-provider-azure v1.35.4: 11 objects
     kube-proxy-windows v1.35.6-calico-hostprocess: 1 object
     metrics-server v0.9.0: 10 objects
     windows-mtu v1.0.0: 2 objects
     windows-workloads: 10 objects",
       "Managed identities",
       "prod-capz
     for capz-system:azureserviceoperator-default, capz-system:capz-manager
     contributor on group prod-windows-cluster
     reader on the subscription",
       "prod-control-plane
     network contributor on group prod-windows-cluster
     virtual machine contributor on group prod-windows-cluster",
       "prod-management-aks
     network contributor on pip-prod-management-egress",
       "Cluster prod
     v1.35.6
     resource group prod-windows-cluster · westeurope",
       "API server
     load balancer
     prod-cbae734e.westeurope.cloudapp.azure.com:6443
     open to 203.0.113.0/24",
       "NAT gateway
     outbound
     prod-node-natgw",
       "VNET prod-vnet
     carries 1400 bytes
     10.20.0.0/16
     pods 192.168.0.0/16
     services 10.96.0.0/12",
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
     capi-ubun2-2404 1.35.6
     zones 1, 2, 3
     scale set linux1
     linux1000000, linux1000001 …
     surge 1, unavailable 0",
       "win2022
     Windows Server 2022
     2–10 × Standard_D4s_v5
     capi-win-2022-containerd 1.35.6
     zones 1, 2, 3
     scale set win2022
     win2022000000, win2022000001 …
     surge 1, unavailable 0",
       "win2025
     Windows Server 2025
     3 × Standard_D8s_v5
     capi-win-2025-containerd 1.35.6
     zones 1, 2, 3
     scale set win2025
     win2025000000, win2025000001 …
     surge 25%, unavailable 0",
       "Windows pod
     1350
     by windows-mtu",
       "VXLAN
     1350
     its headers take 50 bytes",
       "Node
     1400
     by windows-mtu",
       "VNET
     1400
     fragments larger packets",
       "Node
     1500
     by Azure",
       "Linux pod
     1350
     by Calico",
     ]
    `);
  });

  it("shows a sample workload, and a management cluster that the stack does not create", async () => {
    expect(allOf(pictureOf(await clusterOf("dev")).created)).toContain(
      "Sample iis\nworkload\n1 × mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022",
    );
    expect(allOf(pictureOf(await clusterOf("existing")).creators).slice(0, 2)).toEqual([
      "Management cluster platform-management\nexisting",
      "Cluster API\nalready installed, not by this stack",
    ]);
  });
});

describe("two pictures", () => {
  const flat = (boxes: readonly MarkedBox[]): MarkedBox[] =>
    boxes.flatMap((box) => [box, ...flat(box.boxes)]);

  /** "title: mark" of every box with a mark. */
  const marksOf = (side: PlanSide): string[] => {
    const [base, head] = [pictureOf(prod), pictureOf(changed)];
    const picture = side === "base" ? markPicture(base, head, side) : markPicture(head, base, side);
    return flat([...picture.created, ...picture.creators]).flatMap(({ title, mark }) =>
      mark === undefined ? [] : [`${title.text}: ${mark}`],
    );
  };

  it("mark each box that is added, removed or changed", () => {
    expect(marksOf("base")).toEqual(["VNET prod-vnet: changed", "win2022: removed", "win2025: changed"]);
    expect(marksOf("head")).toEqual(["VNET prod-vnet: changed", "win2022b: added", "win2025: changed"]);
  });

  it("of the same cluster have no marks, and only one is drawn", () => {
    const picture = pictureOf(prod);
    expect(isMarked(markPicture(picture, picture, "head"))).toBe(false);
    const { markup } = drawClusters(prod, prod)!;
    expect(markup.match(/<figure/g)).toHaveLength(1);
    expect(markup).not.toMatch(/Before|After|<ins>|<del>|<mark>/);
  });

  it("are drawn side by side, with changed values as old and new, and removed ones struck out", () => {
    const { markup } = drawClusters(prod, changed)!;
    expect(markup.match(/<h4>\w+<\/h4>/g)).toEqual(["<h4>Before</h4>", "<h4>After</h4>"]);
    const [before = "", after = ""] = markup.split("<h4>After</h4>");
    expect(before).toContain("<mark>3 × Standard_D8s_v5</mark>");
    expect(before).toContain("<del>zones 1, 2, 3</del>");
    expect(before).toMatch(
      /class="box windows removed"\s+role="group"\s+aria-label="win2022, Windows Server 2022, removed"/,
    );
    expect(after).toContain("<del>3 × Standard_D8s_v5</del> → <ins>5 × Standard_D8s_v5</ins>");
    expect(after).toContain("<del>carries 1400 bytes</del> → <ins>carries 1380 bytes</ins>");
    expect(after).toMatch(/aria-label="win2022b, Windows Server 2022, added"/);
    // The lines of a new box are not marked separately.
    expect(after).not.toContain("<ins>scale set win2022</ins>");
  });

  it("of a new or removed stack are one picture without marks", () => {
    for (const found of [drawClusters(undefined, prod)!, drawClusters(prod, undefined)!]) {
      expect(found.markup.match(/<figure/g)).toHaveLength(1);
      expect(found.markup).not.toContain('class="mark"');
    }
    expect(drawClusters(undefined, undefined)).toBeUndefined();
  });
});
