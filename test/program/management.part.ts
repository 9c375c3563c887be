import { builtInRoles } from "../../domain/azure/roles";
import type { Plan } from "../../plan/model/plan";
import { addressOf, exampleStacks, inputsOf, objectsOf, planOf, requires } from "../support/plans";

const ofType = ({ update }: Plan, type: string) =>
  update.resources.filter((each) => each.type.endsWith(`:${type}`));

describe("an AKS cluster for management", () => {
  it("signs service account tokens that Microsoft Entra takes, and hands them to pods", async () => {
    expect(inputsOf(await planOf("dev"), "management-aks-cluster")).toMatchObject({
      oidcIssuerProfile: { enabled: true },
      securityProfile: { workloadIdentity: { enabled: true } },
    });
  });

  it("may use its egress address before it is made", async () => {
    const before = requires(await planOf("dev"), "management-aks-cluster");
    expect([...before]).toEqual(
      expect.arrayContaining(["management-aks-egress-ip", "management-aks-network-role"]),
    );
  });

  it("lets its own nodes in where it does not let in everybody", async () => {
    const plan = await planOf("prod");
    const own = addressOf(plan, "management-aks-egress-ip");
    expect(inputsOf(plan, "management-aks-cluster")).toMatchObject({
      apiServerAccessProfile: { authorizedIPRanges: ["203.0.113.0/24", own] },
    });
    // With no range at all everybody may; with its own alone nobody could.
    expect(inputsOf(await planOf("dev"), "management-aks-cluster").apiServerAccessProfile).toEqual({});
  });
});

describe("Cluster API on the management cluster", () => {
  it("is installed in the order of its webhooks: certificates, operator, core, then the other providers", async () => {
    const plan = await planOf("dev");
    const part = (name: string) => `cluster-api-providers-${name}`;
    const steps = ["cert-manager", "operator", "core"].map(part);
    for (const last of ["bootstrap", "control-plane", "infrastructure"].map(part)) {
      [...steps, last].forEach((step, index) => {
        expect([...requires(plan, step)]).toEqual(expect.arrayContaining(steps.slice(0, index)));
      });
    }
  });

  it("waits for each provider until it runs in the wanted version", async () => {
    const plan = await planOf("dev");
    const providers = plan.objects.management.filter(({ object }) =>
      object.apiVersion.startsWith("operator."),
    );
    expect(providers).toHaveLength(4);
    for (const { object } of providers) {
      const { version } = object.spec as { version: string };
      const wait = object.metadata.annotations?.["pulumi.com/waitFor"];
      expect(JSON.parse(wait!)).toEqual([
        "condition=Ready",
        `jsonpath={.status.installedVersion}=${version}`,
      ]);
    }
  });

  it("gets cert-manager with its CRDs, and from the operator's chart no provider of its own", async () => {
    const plan = await planOf("dev");
    expect(inputsOf(plan, "cluster-api-providers-cert-manager").values).toEqual({ crds: { enabled: true } });
    expect(inputsOf(plan, "cluster-api-providers-operator").values).toEqual({ enableHelmHook: false });
  });

  it("is there before the cluster's namespace, and until that is gone", async () => {
    const providers = ofType(await planOf("dev"), "InfrastructureProvider").map(({ name }) => name);
    expect(providers).toHaveLength(1);
    expect([...requires(await planOf("dev"), "cluster-api-namespace")]).toEqual(
      expect.arrayContaining(providers),
    );
  });
});

describe.each(exampleStacks)("the Azure identities of the stack %s", (stack) => {
  const roles = async () => {
    const plan = await planOf(stack);
    return ofType(plan, "RoleAssignment")
      .filter(({ name }) => name.startsWith("cluster-api-identity-"))
      .map(({ name, options }) => ({ name, options, inputs: inputsOf(plan, name) }));
  };

  it("may change the cluster's resource group, and the controllers read the subscription; nothing else", async () => {
    const { subscriptionId, resourceGroup } = (await planOf(stack)).settings.azure;
    const subscription = `/subscriptions/${subscriptionId}`;
    const group = `${subscription}/resourceGroups/${resourceGroup}`;
    const may = (await roles()).map(({ name, inputs }) => {
      const guid = (inputs.roleDefinitionId as string).split("/").at(-1);
      const [role] = Object.entries(builtInRoles).find(([, id]) => id === guid) ?? [];
      return `${name}: ${role ?? ""} of ${inputs.scope as string}`;
    });
    expect(may.sort()).toEqual([
      `cluster-api-identity-control-plane-role: contributor of ${group}`,
      `cluster-api-identity-controllers-reader-role: reader of ${subscription}`,
      `cluster-api-identity-controllers-role: contributor of ${group}`,
    ]);
  });

  it("have roles that Azure gives at once, and that follow their identity", async () => {
    for (const { inputs, options } of await roles()) {
      expect(inputs.principalType).toBe("ServicePrincipal");
      expect(options).toMatchObject({ replaceOnChanges: ["principalId"], deleteBeforeReplace: true });
    }
  });

  it("are those of CAPZ and of Azure Service Operator, in tokens that Microsoft Entra takes", async () => {
    const plan = await planOf(stack);
    const credentials = ofType(plan, "FederatedIdentityCredential").map(({ name }) => inputsOf(plan, name));
    expect(credentials.map(({ subject }) => subject).sort()).toEqual([
      "system:serviceaccount:capz-system:azureserviceoperator-default",
      "system:serviceaccount:capz-system:capz-manager",
    ]);
    for (const { audiences } of credentials) {
      expect(audiences).toEqual(["api://AzureADTokenExchange"]);
    }
  });

  it("get one credential after the other, for Azure answers two at once with 409", async () => {
    const plan = await planOf(stack);
    const [one = "", other = ""] = ofType(plan, "FederatedIdentityCredential").map(({ name }) => name);
    expect(requires(plan, one).has(other) || requires(plan, other).has(one)).toBe(true);
  });

  it("are used by CAPZ for this namespace only, and until the cluster is gone", async () => {
    const plan = await planOf(stack);
    const [identity] = objectsOf(plan, "AzureClusterIdentity");
    expect(identity!.spec).toMatchObject({
      type: "WorkloadIdentity",
      allowedNamespaces: { list: [identity!.metadata.namespace] },
    });
    const before = [...requires(plan, "cluster-api-cluster-identity")];
    expect(before).toEqual(expect.arrayContaining((await roles()).map(({ name }) => name)));
    expect(before).toEqual(
      expect.arrayContaining(ofType(plan, "FederatedIdentityCredential").map(({ name }) => name)),
    );
  });
});
