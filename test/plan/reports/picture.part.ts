import fc from "fast-check";
import type { ClusterModel } from "../../../plan/model/cluster/types";
import { type Box, comparedPicture, pictureOf } from "../../../plan/reports/picture/boxes";
import { mermaid } from "../../../plan/reports/picture/mermaid";
import { markdownReport } from "../../../plan/reports/markdown/markdownReport";
import { htmlReport } from "../../../plan/reports/html/page";
import { planOf } from "../../support/plans";
import { example, nastyText } from "./comparisons";

const clusterOf = async (stack: string): Promise<ClusterModel> => (await planOf(stack)).cluster;

describe("the picture of a stack", () => {
  const allOf = (boxes: readonly Box[]): string[] =>
    boxes.flatMap(({ title, badge, lines, boxes: inner = [] }) => [
      [title, ...(badge === undefined ? [] : [badge]), ...lines].join("\n"),
      ...allOf(inner),
    ]);

  it("has no workload cluster where the stack makes only a management cluster", async () => {
    const { management, cluster } = pictureOf(await clusterOf("management"));
    expect(cluster).toBeUndefined();
    expect(management.title).toMatch(/^Management cluster /);
  });

  it("has the management cluster, the ways in and out, the subnets and the pools in them", async () => {
    const { management, cluster } = pictureOf(await clusterOf("prod"));
    expect(allOf([management, cluster!])).toMatchInlineSnapshot(`
     [
       "Management cluster prod-management
     AKS
     AKS 1.35, standard tier
     3–5 × Standard_D4s_v5
     cert-manager v1.21.2, cluster-api-operator 0.29.0, Cluster API core v1.14.2, kubeadm bootstrap v1.14.2, kubeadm control plane v1.14.2, CAPZ v1.27.0",
       "Cluster prod
     v1.36.5
     resource group prod-windows-cluster · westeurope",
       "API server
     prod-cbae734e.westeurope.cloudapp.azure.com:6443
     open to 203.0.113.0/24",
       "NAT gateway
     outbound
     prod-node-natgw",
       "VNET prod-vnet
     carries 1400 bytes
     10.20.0.0/16
     pods 192.168.0.0/16 with 1350 bytes, services 10.96.0.0/12",
       "control-plane-subnet
     10.20.0.0/24",
       "prod-control-plane
     control plane
     3 × Standard_D8s_v5
     capi-ubun2-2404 1.36.5",
       "node-subnet
     10.20.128.0/17",
       "linux1
     Linux
     3 × Standard_D4s_v5
     capi-ubun2-2404 1.36.5
     zones 1, 2, 3
     scale set linux1",
       "win2022
     Windows Server 2022
     2–10 × Standard_D4s_v5
     capi-win-2022-containerd 1.36.5
     zones 1, 2, 3
     scale set win2022",
       "win2025
     Windows Server 2025
     3 × Standard_D8s_v5
     capi-win-2025-containerd 1.36.5
     zones 1, 2, 3
     scale set win2025",
     ]
    `);
  });

  it("shows a management cluster that the stack does not create", async () => {
    expect(pictureOf(await clusterOf("existing")).management).toEqual({
      ...{ tone: "management", title: "Management cluster platform-management", badge: "existing" },
      lines: ["Cluster API is installed already"],
    });
  });
});

describe("the picture of a change", () => {
  const changesIn = (box: Box | undefined): string[] =>
    box === undefined
      ? []
      : [
          ...(box.change === undefined ? [] : [`${box.change} ${box.title}`]),
          ...(box.boxes ?? []).flatMap(changesIn),
        ];

  /** A cluster with another first pool, one pool less and one more. */
  const changed = (cluster: ClusterModel): ClusterModel => {
    const [first, , ...others] = cluster.pools;
    const pools = [
      { ...first!, replicas: 9, autoscaler: undefined },
      ...others,
      { ...first!, name: "extra" },
    ];
    return { ...cluster, pools };
  };

  it("names what is new, changed and removed, and nothing else", async () => {
    const cluster = await clusterOf("pools");
    const [first, second] = cluster.pools;
    const picture = comparedPicture(cluster, changed(cluster))!;
    expect(changesIn(picture.management)).toEqual([]);
    expect(changesIn(picture.cluster).sort()).toEqual(
      [`changed ${first!.name}`, "new extra", `removed ${second!.name}`].sort(),
    );
  });

  it("names a changed network", async () => {
    const cluster = await clusterOf("dev");
    const wider = { ...cluster, network: { ...cluster.network, mtu: 1500 } };
    expect(changesIn(comparedPicture(cluster, wider)!.cluster)).toEqual([
      `changed VNET ${cluster.network.vnet}`,
    ]);
  });

  it("is none where pools and networks stay", async () => {
    const cluster = await clusterOf("dev");
    expect(comparedPicture(cluster, structuredClone(cluster))).toBeUndefined();
  });

  it("is in a comment with a word and a line for each change, and on a page", async () => {
    const plan = await planOf("pools");
    const comparison = { ...example, impacts: [], status: "compared" as const };
    const reports = [
      { stack: "pools", plan: { ...plan, cluster: changed(plan.cluster) }, base: plan.cluster, comparison },
    ];
    const text = markdownReport(reports);
    expect(text).toContain('["new: extra · ');
    expect(text.match(/^ {2}class b\d+ (new|changed|removed)$/gm)).toHaveLength(3);
    expect(
      htmlReport(reports)
        .match(/<em>(new|changed|removed)<\/em>/g)
        ?.sort(),
    ).toEqual([...["<em>changed</em>", "<em>new</em>", "<em>removed</em>"]]);
    expect(markdownReport([{ ...reports[0]!, base: reports[0]!.plan.cluster }])).not.toContain("mermaid");
  });
});

describe("the diagram in Markdown", () => {
  it("is the first thing of a plan", async () => {
    const plan = await planOf("dev");
    const text = markdownReport([{ stack: "dev", plan }]);
    expect(text).toMatch(/^## Plan\n\n[^]*?### `dev`.*\n\n```mermaid\nflowchart TB\n/);
    expect(mermaid(pictureOf(plan.cluster)).filter((line) => line.includes("subgraph"))).toHaveLength(4);
  });

  it("never takes a meaning from a name", () => {
    const box = (title: string): Box => ({ tone: "gateway", title, lines: [title] });
    fc.assert(
      fc.property(nastyText, (text) => {
        const lines = mermaid({ management: box(text), cluster: { ...box(text), boxes: [box(text)] } });
        expect(lines).toHaveLength(6);
        for (const line of lines) {
          const label = /^\s*(?:subgraph )?b\d\["(.*)"\]$/.exec(line)?.[1];
          expect(label?.replaceAll("<br/>", "") ?? "").not.toMatch(/["<>[\]{}()`%]/);
        }
        expect(lines.at(-1)).toBe("  b0 -->|creates| b1");
      }),
    );
  });
});
