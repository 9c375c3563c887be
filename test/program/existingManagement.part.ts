import { builtInRoles } from "capz-windows-platform/azure/roles";
import type { Plan } from "../../plan/model/plan";
import { planInline, updateInline } from "../support/inlinePlans";
import { inputsOf, requires, resource } from "../support/plans";
import { existingManagement, minimal } from "../support/stacks";

/** Config with a management cluster that existed before the stack. */

const existing = (change: Record<string, unknown> = {}): Record<string, unknown> => ({
  ...minimal(),
  ...existingManagement,
  ...change,
});

const namesOf = ({ update }: Plan): string[] => update.resources.map(({ name }) => name);

describe("Cluster API on an existing management cluster", () => {
  it("is not installed, unless the stack says so", async () => {
    const installs = (plan: Plan) => namesOf(plan).includes("cluster-api-providers-core");
    expect(installs(await updateInline(existing()))).toBe(false);
    expect(installs(await updateInline(existing({ clusterApi: { install: true } })))).toBe(true);
    expect(installs(await updateInline(minimal()))).toBe(true);
  });

  it("is installed with the cert-manager that exists", async () => {
    const plan = await updateInline(existing({ clusterApi: { install: true, installCertManager: false } }));
    expect(namesOf(plan).filter((name) => name.includes("cert-manager"))).toEqual([]);
    expect([...requires(plan, "cluster-api-providers-core")]).toContain("cluster-api-providers-operator");
  });
});

describe("a namespace that exists already", () => {
  it("is neither created nor deleted, and is read by the first preview", async () => {
    const plan = await planInline(existing({ namespace: "team", createNamespace: false }));
    expect(namesOf(plan)).not.toContain("cluster-api-namespace");
    for (const { reads } of [plan.preview, plan.update]) {
      expect(reads.filter(({ type }) => type.endsWith(":Namespace")).map(({ id }) => id)).toEqual(["team"]);
    }
    expect(plan.objects.management.map(({ object }) => object.metadata.namespace)).toContain("team");
  });

  it("is created otherwise, and protected like the stack", async () => {
    const { options } = resource(await updateInline(existing()), "cluster-api-namespace");
    expect(options.protect).toBe(true);
    const open = resource(await updateInline(existing({ protect: false })), "cluster-api-namespace");
    expect(open.options.protect).toBeUndefined();
  });
});

describe("an identity that several stacks share", () => {
  const identity = {
    clientId: "11111111-2222-4333-8444-555555555555",
    principalId: "11111111-2222-4333-8444-777777777777",
  };

  it("gets no role at the subscription, because Azure accepts only one assignment of a role", async () => {
    const plan = await updateInline(existing({ clusterApi: { identity } }));
    const own = plan.update.resources
      .filter(({ type }) => type.endsWith(":RoleAssignment"))
      .map(({ name }) => inputsOf(plan, name))
      .filter(({ principalId }) => principalId === identity.principalId);
    expect(own.map(({ scope }) => scope)).toEqual([
      "/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/test",
    ]);
    expect(own[0]!.roleDefinitionId).toContain(builtInRoles.contributor);
  });

  it("gets a warning that it needs that role, with the command that assigns it", async () => {
    const { warnings } = await updateInline(existing({ clusterApi: { identity } }));
    expect(warnings).toContain(
      "clusterApi.identity.principalId: the stack does not assign Reader on the subscription, which several stacks may share; once: az role assignment create --role Reader --assignee-object-id 11111111-2222-4333-8444-777777777777 --assignee-principal-type ServicePrincipal --scope /subscriptions/11111111-2222-4333-8444-555555555555",
    );
  });
});
