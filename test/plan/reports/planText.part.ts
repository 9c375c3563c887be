import { formatPlan } from "../../../plan/reports/planText";
import { planOf } from "../../support/plans";
import { forged, withForgedLines } from "./comparisons";

const place = { out: "rendered/prod", files: ["management/a.yaml", "plan.json"] };
const style = { color: false, width: 100, verbose: false };

describe("a plan as text", () => {
  it("has the summary, then the resources, folded by component, then the warnings", async () => {
    const plan = { ...(await planOf("prod")), elapsedMs: 1234 };
    expect(formatPlan(plan, place, style)).toMatchInlineSnapshot(`
     "prod: Kubernetes v1.36.5 in westeurope, 11–19 machines, AKS 1.35 with 3–5 nodes, 80–152 vCPUs DSv5, 3 public IPs

     Machines
       control plane       3 × Standard_D8s_v5, Linux, v1.36.5
       linux1              3 × Standard_D4s_v5, Linux, v1.36.5, zones 1, 2, 3
       win2022             2–10 × Standard_D4s_v5, Windows Server 2022, v1.36.5, zones 1, 2, 3
       win2025             3 × Standard_D8s_v5, Windows Server 2025, v1.36.5, zones 1, 2, 3
       management cluster  prod-management, AKS 1.35, 3–5 × Standard_D4s_v5

     Network
       VNET      prod-vnet 10.20.0.0/16
       subnets   control-plane-subnet 10.20.0.0/24, node-subnet 10.20.128.0/17
       pods      192.168.0.0/16
       MTU       1400 on hosts, 1350 in pods
       services  10.96.0.0/12
       outbound  NAT gateway prod-node-natgw

     Who may reach what
       API server             203.0.113.0/24, the management cluster, the nodes
       ssh and RDP            203.0.113.0/24, through the control plane
       management API server  203.0.113.0/24; credentials are needed
       network paths          12 open and 3 shut as they must be

     Add-ons
       azure-disk v1.34.5, calico v3.32.1, cloud-provider-azure v1.36.0, kube-proxy-windows
       v1.36.5-calico-hostprocess, metrics-server v0.9.0, windows-mtu v1.0.0, windows-workloads,
       cluster-autoscaler v1.36.1

     Warnings
       azure.subscriptionId: set your own: this is the placeholder of the examples

     Planned without a cloud in 1.2 s; 2 files are in rendered/prod.
     Next: \`npm run preflight -- prod\` asks Azure. --verbose shows all, and the cures.
     1 other warning.
     "
    `);
  });

  it("has what is found in the stack file, which is no warning then", async () => {
    const plan = await planOf("dev");
    const [warning = ""] = plan.warnings;
    const finding = {
      ...({
        id: "no-example",
        title: "Nothing is like this",
        level: "warning",
        file: "Pulumi.dev.yaml",
        line: 5,
      } as const),
      ...{ path: warning.slice(0, warning.indexOf(": ")), message: warning.slice(warning.indexOf(": ") + 2) },
      write: "something else",
    };
    const short = formatPlan(plan, { ...place, findings: [finding] }, style);
    expect(short).toContain("\n  Pulumi.dev.yaml:5  Nothing is like this\n");
    const text = formatPlan(plan, { ...place, findings: [finding] }, { ...style, verbose: true }).replace(
      /\s+/g,
      " ",
    );
    expect(text).toContain(
      ` Policies warning ${warning} (no-example, Pulumi.dev.yaml:5) write: something else docs/policies.md says why, and how to accept a finding until a day. `,
    );
    expect(text.split(warning)).toHaveLength(2);
  });

  it("says with --verbose why it was slow", async () => {
    const plan = await planOf("dev");
    const [short, whole] = [false, true].map((verbose) => formatPlan(plan, place, { ...style, verbose }));
    expect(whole).not.toContain("--verbose");
    const slow = { ...plan, update: { ...plan.update, hostReason: "it has arguments for Node.js" } };
    const [silent, reasoned] = [false, true].map((verbose) => formatPlan(slow, place, { ...style, verbose }));
    expect(silent).toBe(short);
    const last = "3 other warnings.\n";
    const reason =
      "The program ran in two separate processes, which takes several times as long: it has arguments for Node.js.\n";
    expect(reasoned).toBe(`${whole?.slice(0, -last.length) ?? ""}${reason}${last}`);
  });

  it.each([false, true])("has no line that a value begins (--verbose: %s)", async (verbose) => {
    const plan = await planOf("dev");
    const { cluster, warnings } = withForgedLines({ cluster: plan.cluster, warnings: plan.warnings });
    const finding = withForgedLines({
      ...{ id: "no-example", title: "Nothing is like this", message: "a", path: "b", file: "c", write: "d" },
      ended: { until: "2026-03-31", reason: "e" },
    });
    const levels = ["error", "warning"] as const;
    const text = formatPlan(
      { ...plan, ...{ cluster, warnings, stack: withForgedLines("dev") } },
      { ...place, findings: levels.map((level) => ({ ...finding, level, line: 5 })) },
      { ...style, verbose },
    );
    expect(text).toContain(`⏎${forged}`);
    expect(text.split("\n").filter((line) => line.startsWith(forged))).toEqual([]);
  });

  it.each([80, 120])("breaks sentences at %d characters, but no commands", async (width) => {
    const text = formatPlan(await planOf("existing"), place, { ...style, width, verbose: true });
    const { cluster } = await planOf("existing");
    const wide = text.split("\n").filter((line) => line.length > width);
    const commands = [
      ...cluster.nextSteps,
      cluster.apiServer.ssh,
      ...cluster.pools.map(({ access }) => access.ssh),
    ];
    commands.forEach((command) => {
      expect(text).toContain(command);
    });
    expect(wide.filter((line) => !/^existing: |[├└]─ |ssh |pulumi |KUBECONFIG/.test(line))).toEqual([]);
  });
});
