import { Secret, redact } from "pulumi-plan-engine";
import type { Plan } from "../../plan/model/plan";
import { planFiles } from "../../plan/render/render";
import { formatPlan } from "../../plan/reports/planText";
import { updateInline } from "../support/inlinePlans";
import { nameOf, planOf, requires, resource } from "../support/plans";
import { minimal, publicKey } from "../support/stacks";

describe("the sample workload", () => {
  const sampleOf = async () => {
    const plan = await planOf("dev");
    return ["provider", "deployment", "service"].map((role) => resource(plan, `sample-${role}`));
  };

  it("is created in a stack that sets it, with a provider that has the cluster's kubeconfig", async () => {
    const [provider] = await sampleOf();
    expect(provider!.inputs.kubeconfig).toBeInstanceOf(Secret);
    // After a destroy that fails at the Cluster, the sample exists but is no longer in the state.
    expect(provider!.inputs.upsertExistingObjects).toBe("true");
    const { settings, update } = await planOf("dev");
    const { subscriptionId } = settings.azure;
    // Another management cluster, or another resource group, means another workload cluster.
    expect(provider!.inputs.clusterIdentifier).toBe(
      `/subscriptions/${subscriptionId}/resourceGroups/dev-management/providers/Microsoft.ContainerService/managedClusters/dev-management/${redact(update.outputs.apiServerHost!) as string}`,
    );
    expect(update.outputs.sampleWorkloadUrl).toMatch(/^http:\/\/0(\.\d+){3}\/$/);
    for (const stack of ["existing", "prod"]) {
      const other = await planOf(stack);
      expect(other.objects.sample).toEqual([]);
      expect(Object.keys(other.update.outputs)).not.toContain("sampleWorkloadUrl");
    }
  });

  it("is created after the Cluster and deleted with it, so that a broken cluster can be destroyed", async () => {
    const plan = await planOf("dev");
    for (const { name, options } of await sampleOf()) {
      expect([...requires(plan, name)]).toContain("cluster-cluster");
      expect(requires(plan, "cluster-cluster").has(name)).toBe(false);
      // The load balancer of its Service is deleted with the resource group.
      expect(name === "sample-provider" || nameOf(options.deletedWith!) === "cluster-cluster").toBe(true);
    }
  });

  it("has a timeout that is longer than a Windows node and the download of its image take", async () => {
    const [, deployment, service] = await sampleOf();
    for (const { options } of [deployment!, service!]) {
      expect(options.customTimeouts).toEqual({ create: "40m", update: "40m", delete: "20m" });
    }
    // By default Kubernetes, and therefore Pulumi, would give up after 10 minutes.
    expect(redact(deployment!.inputs)).toMatchObject({ spec: { progressDeadlineSeconds: 2400 } });
  });

  it("can have a disk, and an address of the VNET or no load balancer", async () => {
    const stack = (sampleWorkload: object) =>
      updateInline({
        ...minimal(),
        access: { sshPublicKey: publicKey, allowedCidrs: ["203.0.113.0/24"] },
        windowsPools: { win1: {} },
        sampleWorkload,
      });
    const text = (plan: Plan) =>
      formatPlan(plan, { out: "out", files: [] }, { color: false, width: 100, verbose: true });
    const plan = await stack({ internal: true, disk: { storageClass: "managed-csi" } });
    for (const role of ["disk", "disk-service"]) {
      const { options } = resource(plan, `sample-${role}`);
      expect(options.customTimeouts).toEqual({ create: "40m", update: "40m", delete: "20m" });
      expect(nameOf(options.deletedWith!)).toBe("cluster-cluster");
    }
    expect(text(plan)).toMatch(/sample iis +the VNET and what is peered with it/);
    expect(text(plan).replace(/\s+/g, " ")).toContain("sample iis and iis-disk");
    const inCluster = await stack({ serviceType: "ClusterIP" });
    expect(inCluster.update.outputs.sampleWorkloadUrl).toBe("http://iis.default.svc/");
    expect(text(inCluster)).toMatch(/sample iis +pods of the cluster/);
  });

  it("is rendered into its own directory", async () => {
    expect([...planFiles(await planOf("dev")).keys()].filter((path) => path.startsWith("sample/"))).toEqual([
      "sample/00-deployment-iis.yaml",
      "sample/01-service-iis.yaml",
    ]);
  });
});
