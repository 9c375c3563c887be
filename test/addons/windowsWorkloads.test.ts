import { windowsWorkloadObjects, type WindowsWorkloadsArgs } from "../../addons/windowsWorkloads";
import { addonNamespaces } from "capz-windows-platform/cluster/addonNamespaces";
import {
  className,
  isolationOf,
  runtimeClassObject,
  windowsClasses,
} from "capz-windows-platform/workloads/runtimeClasses";
import { exampleStacks, planOf } from "../support/plans";

const args: WindowsWorkloadsArgs = {
  windowsServers: ["2025", "2022", "2022"],
  ...{ runtimeClasses: true, hyperV: false, policy: "none", hostProcessNamespaces: [] },
};
const titles = (change: Partial<WindowsWorkloadsArgs>) =>
  windowsWorkloadObjects({ ...args, ...change }).map(({ kind, metadata }) => `${kind} ${metadata.name}`);

describe("what is delivered for workloads on Windows nodes", () => {
  it("has a RuntimeClass for each release, and with Hyper-V isolation a second one", () => {
    expect(titles({})).toEqual(["RuntimeClass windows-2022", "RuntimeClass windows-2025"]);
    expect(titles({ hyperV: true })).toEqual([
      ...["RuntimeClass windows-2022", "RuntimeClass windows-2022-hyperv"],
      ...["RuntimeClass windows-2025", "RuntimeClass windows-2025-hyperv"],
    ]);
    expect(titles({ runtimeClasses: false })).toEqual([]);
  });

  it("has a policy for pods and for each kind that creates pods, bound as the stack file says", () => {
    const roles = ["pods", "workloads", "jobs", "cronjobs"];
    expect(titles({ policy: "warn", runtimeClasses: false })).toEqual(
      roles.flatMap((role) => [
        `ValidatingAdmissionPolicy capz-windows-${role}`,
        `ValidatingAdmissionPolicyBinding capz-windows-${role}`,
      ]),
    );
    for (const [policy, action] of [
      ["audit", "Audit"],
      ["warn", "Warn"],
      ["deny", "Deny"],
    ] as const) {
      const bindings = windowsWorkloadObjects({ ...args, policy }).filter(({ kind }) =>
        kind.endsWith("Binding"),
      );
      expect(bindings.map(({ spec }) => (spec as { validationActions: unknown }).validationActions)).toEqual(
        roles.map(() => [action]),
      );
    }
  });

  it("selects nodes and runtime by the release, and adds the overhead of a virtual machine", () => {
    const [process, hyperv] = windowsClasses(["2022"], true).map(runtimeClassObject);
    expect(process).toMatchObject({
      ...{ handler: "runhcs-wcow-process", metadata: { name: className("2022", "process") } },
      scheduling: {
        nodeSelector: { "kubernetes.io/os": "windows", "node.kubernetes.io/windows-build": "10.0.20348" },
        tolerations: [{ key: "os", operator: "Equal", value: "windows", effect: "NoSchedule" }],
      },
    });
    expect(process).not.toHaveProperty("overhead");
    expect(hyperv).toMatchObject({
      ...{ handler: "runhcs-wcow-hypervisor", metadata: { name: className("2022", "hyperv") } },
      overhead: { podFixed: { cpu: "100m", memory: "512Mi" } },
    });
    expect(isolationOf("runhcs-wcow-hypervisor")).toBe("hyperv");
    expect(isolationOf("kata")).toBeUndefined();
  });

  it.each(exampleStacks)(
    "stops no add-on of the stack %s: no policy concerns their namespaces",
    async (stack) => {
      const { objects } = await planOf(stack);
      const namespaces = objects.workload
        // Manifests of the user's are in namespaces of the user's.
        .filter(({ set }) => !/-(extra|once)-/.test(set))
        .flatMap((stream) => stream.objects)
        // A Role in a namespace does not mean that there are pods in it.
        .filter(({ kind }) => !/^Role(Binding)?$/.test(kind))
        .flatMap(({ kind, metadata }) => (kind === "Namespace" ? metadata.name : (metadata.namespace ?? [])));
      expect([...new Set(namespaces)].filter((name) => !addonNamespaces.includes(name))).toEqual([]);
      expect(namespaces).toContain("kube-system");
    },
  );
});
