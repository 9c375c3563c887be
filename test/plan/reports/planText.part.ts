import { formatPlan } from "../../../commands/plan/reports/planText";
import { treeLines } from "../../../commands/plan/reports/treeText";
import { resourceTree } from "../../../commands/plan/model/tree";
import { planOf } from "../../support/plans";

const place = { out: "rendered/prod", files: ["management/a.yaml", "plan.json"] };
const style = { color: false, width: 100, verbose: false };

describe("a plan as text", () => {
  it("has the summary, then the resources, folded by component, then the warnings", async () => {
    const plan = { ...(await planOf("prod")), elapsedMs: 1234 };
    expect(formatPlan(plan, place, style)).toMatchInlineSnapshot(`
     "prod: Kubernetes v1.35.6 in westeurope, 11–19 machines, AKS 1.35 with 3–5 nodes, 80–152 vCPUs DSv5, 3 public IPs

     Clusters
       workload cluster    prod, Kubernetes v1.35.6, westeurope, resource group prod-windows-cluster
       management cluster  prod-management, AKS 1.35, standard tier, 3–5 × Standard_D4s_v5
       Cluster API         cert-manager v1.21.2, cluster-api-operator 0.29.0, Cluster API core v1.14.2,
                           kubeadm bootstrap v1.14.2, kubeadm control plane v1.14.2, CAPZ v1.27.0
                           charts and manifests by their version: neither digests nor signatures are
                           verified
       requests to Azure   about 105 reads a minute by CAPZ; Azure allows an identity 1,500 a minute in a
                           region

     Machines
       control plane  3 × Standard_D8s_v5, Linux, v1.35.6
                      image capi-ubun2-2404 1.35.6
                      rolls one by one with surge 1
                      audit log by the built-in policy, 30 days or 1,100 MiB on each machine
                      secrets encrypted in etcd with the key key1
       linux1         3 × Standard_D4s_v5, Linux, v1.35.6
                      image capi-ubun2-2404 1.35.6, zones 1, 2, 3
                      scale set linux1: linux1000000, linux1000001 …
                      rolls with surge 1, unavailable 0
       win2022        2–10 × Standard_D4s_v5, Windows Server 2022, v1.35.6
                      image capi-win-2022-containerd 1.35.6, zones 1, 2, 3
                      Windows patches of about June 2026 (when its Kubernetes was released), 5 months
                      behind November 2026
                      scale set win2022: win2022000000, win2022000001 …
                      rolls with surge 1, unavailable 0
                      kubelet systemReserved cpu 500m memory 2Gi
       win2025        3 × Standard_D8s_v5, Windows Server 2025, v1.35.6
                      image capi-win-2025-containerd 1.35.6, zones 1, 2, 3
                      Windows patches of about June 2026 (when its Kubernetes was released), 5 months
                      behind November 2026
                      scale set win2025: win2025000000, win2025000001 …
                      rolls with surge 25%, unavailable 0
                      OS disk of 256 GB
                      kubelet systemReserved cpu 500m memory 2Gi

     Network
       VNET      prod-vnet 10.20.0.0/16
       subnets   control-plane-subnet 10.20.0.0/24, node-subnet 10.20.128.0/17
       pods      192.168.0.0/16, only inside of the cluster: elsewhere, packets of pods have the address
                 of their node; pods reach no host outside, such as a DNS server, that has such an
                 address
       MTU       VNET: Azure carries 1400 bytes in one piece, and fragments more; it has no MTU to set
                 Linux: 1500 on hosts by Azure, 1350 in pods by Calico
                 Windows: 1400 on hosts by windows-mtu, 1350 in pods by windows-mtu
       services  10.96.0.0/12, only inside of the cluster: machines and pods may reach a Service in place
                 of a host outside that has such an address
       outbound  NAT gateway prod-node-natgw

     Who may reach what
       API server             203.0.113.0/24, the management cluster, the nodes
                              at https://prod-cbae734e.westeurope.cloudapp.azure.com:6443
       ssh and RDP            203.0.113.0/24, through the control plane
       management API server  203.0.113.0/24; credentials are needed
       network paths          12 open and 3 shut as they must be

     Quota in westeurope
       vCPUs of DSv5  80 at first, at most 152: autoscalers at their limits, and everything rolling at
                      once
       public IPv4    3 addresses of the Standard SKU

     Add-ons
       azure-disk            v1.34.5 (to disable: addons.azureDisk.enabled: false)
       calico                v3.32.1
       cloud-provider-azure  v1.35.4
       kube-proxy-windows    v1.35.6-calico-hostprocess
       metrics-server        v0.9.0 (to disable: addons.metricsServer.enabled: false)
       windows-mtu           v1.0.0
       windows-workloads     2 RuntimeClass, 4 ValidatingAdmissionPolicy, 4
                             ValidatingAdmissionPolicyBinding
       cluster-autoscaler    v1.35.2, on the management cluster (to disable:
                             addons.clusterAutoscaler.enabled: false)

     Access, once it runs
       clusters       (umask 077 && npx pulumi stack output managementKubeconfig --stack prod --show-secrets > management.kubeconfig)
                      (umask 077 && npx pulumi stack output workloadKubeconfig --stack prod --show-secrets > workload.kubeconfig)
                      KUBECONFIG=management.kubeconfig clusterctl describe cluster prod -n prod
                      KUBECONFIG=workload.kubeconfig kubectl get nodes -o wide
                      npm run access -- --stack prod
                      npm run doctor -- --stack prod
       control plane  ssh capi@prod-cbae734e.westeurope.cloudapp.azure.com  # the first machine; later ones have port 2201, 2202 and so on (-p, or HOST:2201 after -J)
       linux1         ssh -J capi@prod-cbae734e.westeurope.cloudapp.azure.com capi@linux1000000
       win2022        ssh -J capi@prod-cbae734e.westeurope.cloudapp.azure.com capi@win2022000000
                      ssh -N -L 5555:win2022000000:3389 capi@prod-cbae734e.westeurope.cloudapp.azure.com  # then RDP to localhost:5555
       win2025        ssh -J capi@prod-cbae734e.westeurope.cloudapp.azure.com capi@win2025000000
                      ssh -N -L 5555:win2025000000:3389 capi@prod-cbae734e.westeurope.cloudapp.azure.com  # then RDP to localhost:5555

     104 resources, as \`pulumi preview\` counts them
       77 in Azure and Kubernetes, 3 providers, 23 components, the stack itself (--verbose lists each)
       azure                 azure-native
       network               VirtualNetwork  (7 below it, protected)
       management            ManagementCluster  (7 below it, protected)
       cluster-api           ClusterApi  (28 below it, protected)
       control-plane         LinuxControlPlane  (7 below it)
       azure-disk            ClusterResourceSet  (2 below it)
       cloud-provider-azure  ClusterResourceSet  (2 below it)
       kube-proxy-windows    ClusterResourceSet  (2 below it)
       metrics-server        ClusterResourceSet  (2 below it)
       windows-mtu           ClusterResourceSet  (2 below it)
       pool-linux1           LinuxPool  (3 below it)
       pool-win2022          WindowsPool  (3 below it)
       pool-win2025          WindowsPool  (3 below it)
       cluster               WorkloadCluster  (3 below it, protected)
       calico                ClusterResourceSet  (2 below it)
       upgrade               UpgradeOrder  (1 below it)
       windows-workloads     ClusterResourceSet  (2 below it)
       pools                 RunningPools  (3 below it)
       cluster-autoscaler    ClusterAutoscaler  (4 below it)
       scale-sets            ScaleSets  (protected)

     Warnings
       ! azure.subscriptionId: this is the placeholder of the examples, which does not exist in Azure:
         set your own subscription before \`pulumi up\`

     2 files in rendered/prod: management/ plan.json
     Planned as a first preview and as an update in 1.2 s. Nothing was created, and no cloud was asked.
     1 other warning.
     "
    `);
  });

  it("has what is found in the stack file, which is no warning then", async () => {
    const plan = await planOf("dev");
    const [warning = ""] = plan.warnings;
    const finding = {
      ...({ id: "no-example", title: "", level: "warning", file: "Pulumi.dev.yaml", line: 5 } as const),
      ...{ path: warning.slice(0, warning.indexOf(": ")), message: warning.slice(warning.indexOf(": ") + 2) },
      write: "something else",
    };
    const text = formatPlan(plan, { ...place, findings: [finding] }, style).replace(/\s+/g, " ");
    expect(text).toContain(
      ` Policies warning ${warning} (no-example, Pulumi.dev.yaml:5) write: something else docs/policies.md says why, and how to accept a finding until a day. `,
    );
    expect(text.split(warning)).toHaveLength(2);
  });

  it("lists every resource with --verbose, and counts the same", async () => {
    const plan = await planOf("dev");
    const [folded, whole] = [false, true].map((verbose) => formatPlan(plan, place, { ...style, verbose }));
    const counted = `\n${plan.resources.length} resources, as \`pulumi preview\` counts them\n`;
    expect(folded).toContain(counted);
    expect(whole).toContain(counted);
    const lines = treeLines(resourceTree(plan.resources), true);
    // All except the stack itself.
    expect(lines).toHaveLength(plan.resources.length - 1);
    expect(whole).toContain(lines.join("\n"));
    expect(whole).not.toContain("--verbose");
    const slow = { ...plan, update: { ...plan.update, hostReason: "it has arguments for Node.js" } };
    const [silent, reasoned] = [false, true].map((verbose) => formatPlan(slow, place, { ...style, verbose }));
    expect(silent).toBe(folded);
    const last = "3 other warnings.\n";
    const reason =
      "The program ran in two separate processes, which takes several times as long: it has arguments for Node.js.\n";
    expect(reasoned).toBe(`${whole?.slice(0, -last.length) ?? ""}${reason}${last}`);
  });

  it("counts every resource once in its folded lines", async () => {
    const { resources } = await planOf("dev");
    const lines = treeLines(resourceTree(resources), false);
    const below = lines.map((line) => Number(/\((\d+) below it/.exec(line)?.[1] ?? 0));
    expect(1 + lines.length + below.reduce((sum, each) => sum + each, 0)).toBe(resources.length);
  });

  it.each([80, 120])("breaks sentences at %d characters, but no commands", async (width) => {
    const text = formatPlan(await planOf("existing"), place, { ...style, width });
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
    expect(wide.filter((line) => !/^existing: |ssh |pulumi |KUBECONFIG|Planned as/.test(line))).toEqual([]);
  });
});
