import { join } from "node:path";
import { isSecret, plan as runEngine, reveal, Secret } from "pulumi-plan-engine";
import { diffPlans } from "../../plan/compare/diffPlans";
import { impactsOf } from "../../plan/impact/impacts";
import type { Plan } from "../../plan/model/plan";
import { clusterSections } from "../../plan/reports/clusterRows";
import { planStack } from "../../plan/cli/planStack";
import { refuseReplacement } from "capz-windows-platform/cluster/keptManagement";
import { planFileInline, planInline, updateInline } from "../support/inlinePlans";
import { documentOf, without } from "../support/planDocuments";
import { inputsOf, nameOf, objectsOf, planOf, planWithPreview, requires, resource } from "../support/plans";
import { existingManagement, minimal, projectDir, readExample } from "../support/stacks";

const client = (stack: string) => ({ ...minimal(), management: { kind: "stack", stack } });

describe("a stack that makes only a management cluster", () => {
  it("has outputs by which other stacks use it, the kubeconfig a secret", async () => {
    const { update, preview } = await planWithPreview("management");
    expect(isSecret(update.outputs.managementKubeconfig)).toBe(true);
    expect(isSecret(preview.outputs.managementKubeconfig)).toBe(true);
    const others = Object.entries(update.outputs).filter(([key]) => key !== "managementKubeconfig");
    expect(Object.fromEntries(others)).toEqual({
      managementClusterId:
        "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/platform-management/providers/Microsoft.ContainerService/managedClusters/platform-management",
      egressCidrs: [expect.stringMatching(/^0\.[\d.]+\/32$/) as string],
      oidcIssuerUrl: expect.stringMatching(/^https:\/\/westeurope\.oic\.prod-aks\.azure\.com\//) as string,
      syncPeriodMinutes: 5,
      bootstrapTtlMinutes: 90,
      clientsNamespace: "capz-windows-clients",
      nextSteps: expect.stringContaining("kubectl get clusters.cluster.x-k8s.io --all-namespaces") as string,
    });
  });

  it("shows nothing of a region where it makes no management cluster and installs no Cluster API", async () => {
    const { clusterName, azure } = minimal();
    const { management, managementKubeconfig } = existingManagement;
    const plan = await updateInline({
      ...{ clusterName, azure, managementKubeconfig },
      management: { ...management, only: true },
    });
    const sections = clusterSections(plan.cluster).filter(({ rows }) => rows.length > 0);
    expect(sections.map(({ title }) => title)).toEqual(["Clusters", "Access, once it runs"]);
  });

  it("installs Cluster API with its sync period, and makes nothing of a workload cluster", async () => {
    const plan = await planOf("management");
    expect(objectsOf(plan, "InfrastructureProvider")[0]).toMatchObject({
      spec: { manager: { syncPeriod: "5m" } },
    });
    const kinds = new Set(plan.objects.management.map(({ object }) => object.kind));
    expect([...kinds].filter((kind) => /^(Azure|Cluster$|Kubeadm|Machine)/.test(kind))).toEqual([]);
    const groups = plan.update.resources.filter(({ type }) => type.endsWith(":ResourceGroup"));
    expect(groups.map(({ inputs }) => inputs.resourceGroupName)).toEqual(["platform-management"]);
  });

  const inRegion = async (location: string, more: object = {}) => {
    const { azure, management, ...others } = {
      ...minimal(),
      management: { kind: "aks", only: true, authorizedCidrs: ["203.0.113.0/24"], ...more },
    } as Record<string, object>;
    const raw = {
      clusterName: others.clusterName,
      protect: false,
      management,
      azure: { ...azure, location },
    };
    return updateInline(raw);
  };
  const otherWayOut = { network: { vnetCidr: "10.50.0.0/24", outbound: { type: "nat" } } };
  const why =
    "Azure fixes it when it makes the cluster: Pulumi would delete the management cluster and create it again, empty, and the clusters of its clients would be lost";
  const instead =
    "restore the value; for another management cluster, create new stacks for it and for its clusters, and move the workloads to these; without clients, `pulumi destroy` and `pulumi up` make it anew";

  it.each([
    ["azure.location from westeurope to northeurope", "location westeurope → northeurope", "northeurope", {}],
    [
      "management.network.outbound.type from loadBalancer to nat",
      "outboundType loadBalancer → userAssignedNATGateway",
      "westeurope",
      otherWayOut,
    ],
  ])(
    "refuses another AKS cluster without `protect`, too, in the plan and by its hook: %s",
    async (change, forcing, location, more) => {
      const [before, after] = [await inRegion("westeurope"), await inRegion(location, more)];
      const [base, head] = [documentOf(before), documentOf(after)];
      const [first, ...others] = impactsOf({ base, head, diff: diffPlans(base, head) });
      expect(first).toMatchObject({
        ...{ rule: "management-cluster-lost", severity: "refused", why, instead },
        what: expect.stringContaining(forcing) as string,
      });
      expect(first?.what).not.toContain("authorizedIPRanges");
      expect(others.filter(({ severity }) => severity === "destroys")).toEqual([]);
      expect(resource(after, "management").options.hooks).toEqual({ beforeUpdate: ["management-keep"] });
      const inputs = { oldInputs: inputsOf(before, "management"), newInputs: inputsOf(after, "management") };
      expect(() => {
        refuseReplacement({ name: "management", ...inputs });
      }).toThrow(`management cannot be updated:\n  ${change}: ${why}: ${instead}`);
    },
  );

  it("lets the rest of its AKS cluster change", async () => {
    const [before, after] = [await inRegion("westeurope"), await inRegion("westeurope", { maxNodeCount: 9 })];
    const inputs = { oldInputs: inputsOf(before, "management"), newInputs: inputsOf(after, "management") };
    expect(inputs.oldInputs).not.toEqual(inputs.newInputs);
    expect(() => {
      refuseReplacement({ name: "management", ...inputs });
    }).not.toThrow();
  });

  it("deletes its guard before anything else, by a request to the API server", async () => {
    const plan = await planOf("management");
    const guard = resource(plan, "shared-guard");
    // With deletedWith, Pulumi would drop the guard from its state without a request.
    expect(guard.options.deletedWith).toBeUndefined();
    const before = requires(plan, "shared-guard");
    const others = plan.update.resources
      .filter(({ custom, urn }) => custom && urn !== guard.urn)
      .map(({ name }) => name);
    expect(others.filter((name) => !before.has(name))).toEqual(["azure"]);
  });
});

describe("a stack on the management cluster of another stack", () => {
  it("gets the outputs of the other stack from its file, in previews too", async () => {
    const [plan, other] = [await planOf("team-a"), await planOf("management")];
    const provider = resource(plan, "management-provider");
    expect(isSecret(provider.inputs.kubeconfig)).toBe(true);
    expect(reveal(provider.inputs.kubeconfig)).toBe(reveal(other.update.outputs.managementKubeconfig));
    expect(isSecret(plan.update.outputs.managementKubeconfig)).toBe(true);
    const rules = JSON.stringify(inputsOf(plan, "network-control-plane-nsg"));
    expect(rules).toContain((other.update.outputs.egressCidrs as string[])[0]);
    for (const account of ["capz-manager", "azureserviceoperator-default"]) {
      const credential = inputsOf(plan, `cluster-api-identity-federated-${account}`);
      expect(credential.issuer).toBe(other.update.outputs.oidcIssuerUrl);
      expect(credential.resourceGroupName).toBe("team-a");
    }
    expect(plan.warnings.filter((text) => text.includes("management.stack"))).toEqual([]);
  });

  it("shares neither names nor identities with another client", async () => {
    const [a, b] = [await planOf("team-a"), await planOf("team-b")];
    const titles = (plan: typeof a) =>
      plan.objects.management.map(
        ({ object: { kind, metadata } }) => `${kind} ${metadata.namespace ?? ""}/${metadata.name}`,
      );
    expect(titles(a).filter((title) => titles(b).includes(title))).toEqual([]);
    const ids = (plan: typeof a) => plan.objects.azure.map(({ id }) => id);
    expect(ids(a).filter((id) => ids(b).includes(id))).toEqual([]);
  });

  it("is counted as a client before the first object of its cluster exists, and until the last one is gone", async () => {
    const plan = await planOf("team-a");
    expect(inputsOf(plan, "management-client")).toMatchObject({
      metadata: {
        name: "team-a.team-a",
        namespace: "capz-windows-clients",
        labels: { "capz-windows/client": "true" },
      },
      data: { stack: "capz-windows/team-a", cluster: "team-a/team-a" },
    });
    for (const { urn, object } of plan.objects.management) {
      if (/^(Cluster|AzureCluster|KubeadmControlPlane|MachinePool)$/.test(object.kind)) {
        expect([...requires(plan, nameOf(urn))]).toContain("management-client");
      }
    }
  });

  it("its plan and that of the management stack know of each other by their files", async () => {
    const [client, management] = await Promise.all(["team-a", "management"].map(planOf));
    expect(client!.cluster.management.syncPeriodMinutes).toBe(5);
    expect(client!.cluster.management.bootstrapTtlMinutes).toBe(90);
    expect(client!.warnings.filter((text) => text.includes("token"))).toEqual([]);
    expect(management!.cluster.management.clients).toEqual(["team-a", "team-b"]);
    const rows = (plan: Plan): unknown[] =>
      clusterSections(plan.cluster)[0]!.rows.filter(({ label }) => label === "clients");
    expect(rows(management!)).toEqual([
      {
        label: "clients",
        lines: ["team-a, team-b: a destroy of this stack fails while their clusters live"],
      },
    ]);
    expect(rows(client!)).toEqual([]);
    const base = documentOf(management!);
    const head = without(base, ({ type }) => type.endsWith(":ManagedCluster"));
    const lost = impactsOf({ base, head, diff: diffPlans(base, head) });
    expect(lost.find(({ rule }) => rule === "management-cluster-lost")?.why).toBe(
      "it is no longer in the plan; what Cluster API created in Azure is no longer managed, nor are the clusters of stack team-a and stack team-b",
    );
  });

  it("without the file of the other stack has simulated outputs, and a warning that says so", async () => {
    const plan = await planInline(client("acme/platform/management"), "lonely");
    expect(inputsOf(plan, "management-provider").clusterIdentifier).toBe(
      "acme/platform/management (simulated)",
    );
    expect(plan.warnings).toContain(
      "management.stack: it is of the project platform, so the plan simulates the outputs of acme/platform/management: addresses of the management cluster, its issuer and its name are not the real ones",
    );
    const windows = { ...client("acme/platform/management"), windowsPools: { win1: {} } };
    expect((await planInline(windows, "lonely")).warnings).toContain(
      "management.stack: whether the bootstrap tokens of acme/platform/management live long enough for Windows nodes is not known: its output bootstrapTtlMinutes must say at least 90 (npx pulumi stack output bootstrapTtlMinutes --stack acme/platform/management). In a rollout, a Windows node whose first boot takes longer than half of the life of its token may never join, and the rollout then waits for ever",
    );
    const missing = { ...readExample("team-a"), file: "test/support/sharing/Pulumi.team-a.yaml" };
    expect((await planFileInline(missing)).warnings).toContain(
      "management.stack: there is no test/support/sharing/Pulumi.management.yaml, so the plan simulates the outputs of organization/capz-windows/management: addresses of the management cluster, its issuer and its name are not the real ones",
    );
  });

  it("registers nothing where the outputs of the other stack are wrong, and says all that is wrong with them", async () => {
    const { config, secretKeys } = readExample("team-a");
    const outputs = {
      clientsNamespace: "c",
      managementKubeconfig: new Secret("kubeconfig"),
      egressCidrs: "all",
    };
    const { exitCode, diagnostics, resources } = await runEngine({
      ...{ projectDir, project: "capz-windows", stack: "team-a", config, secretKeys, mode: "preview" },
      program: () => jest.requireActual<() => unknown>("../../index")(),
      simulate: [{ invokes: { "pulumi:pulumi:readStackOutputs": () => ({ outputs }) } }],
    });
    expect(exitCode).not.toBe(0);
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    expect(errors.map(({ message }) => message.trim())).toEqual([
      "management.stack: the outputs of the stack organization/capz-windows/management are wrong: managementClusterId: Invalid input: expected string, received undefined; egressCidrs: Invalid input: expected array, received string. With the release of this program, run `npx pulumi up --stack organization/capz-windows/management`",
    ]);
    expect(resources.map(({ type }) => type)).toEqual(["pulumi:pulumi:Stack"]);
  });

  it("does not refer to itself, or to a stack with a workload cluster", async () => {
    const at = (stack: string) => ({
      projectDir,
      stack,
      configFile: join("test/support/sharing", `Pulumi.${stack}.yaml`),
    });
    await expect(planStack(at("itself"))).rejects.toThrow(
      /management\.stack\n\s+value\s+organization\/capz-windows\/itself\n\s+problem\s+the stack refers to itself\n\s+allowed\s+ORGANIZATION\/PROJECT\/STACK of another stack, which makes the management cluster \(management\.only\)$/,
    );
    await expect(planStack(at("other"))).rejects.toThrow(
      /problem\s+the stack itself does not make a management cluster for other stacks\n\s+allowed\s+a stack with management\.only: true$/,
    );
  });
});
