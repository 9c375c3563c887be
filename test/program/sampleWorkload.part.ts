import type { Plan } from "../../plan/model/plan";
import { formatPlan } from "../../plan/reports/planText";
import { updateInline } from "../support/inlinePlans";
import { nameOf, resource } from "../support/plans";
import { minimal, publicKey } from "../support/stacks";

describe("the sample workload", () => {
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
    expect(text(plan)).toMatch(/sample iis-disk +a StatefulSet with a disk of Azure/);
    const inCluster = await stack({ serviceType: "ClusterIP" });
    expect(inCluster.update.outputs.sampleWorkloadUrl).toBe("http://iis.default.svc/");
    expect(text(inCluster)).toMatch(/sample iis +pods of the cluster/);
  });
});
