import { registryName } from "capz-windows-platform/azure/containerRegistries";
import { builtInRoles } from "capz-windows-platform/azure/roles";
import { parse } from "yaml";
import { Secret, reveal } from "pulumi-plan-engine";
import type { KubernetesObject } from "capz-types";
import type { Plan } from "../../plan/model/plan";
import { updateInline } from "../support/inlinePlans";
import {
  addressOf,
  exampleStacks,
  expectAfter,
  inputsOf,
  nameOf,
  objectsOf,
  planOf,
  requires,
  resource,
} from "../support/plans";
import { minimal } from "../support/stacks";

const ofType = ({ update }: Plan, type: string) =>
  update.resources.filter((each) => each.type.endsWith(`:${type}`));

const namesIn = (found: readonly { readonly name: string }[]) => found.map(({ name }) => name);

describe("an AKS cluster for management", () => {
  it("allows its own nodes to reach its API server if not everybody is allowed", async () => {
    const plan = await planOf("prod");
    const own = addressOf(plan, "management-aks-egress-ip");
    expect(inputsOf(plan, "management-aks-cluster")).toMatchObject({
      apiServerAccessProfile: { authorizedIPRanges: ["203.0.113.0/24", own] },
    });
    // Without a range everybody is allowed; with the range of its nodes alone no one else would be.
    // The list is empty and not left out, because AKS keeps its ranges if an update has none.
    expect(inputsOf(await planOf("dev"), "management-aks-cluster").apiServerAccessProfile).toEqual({
      authorizedIPRanges: [],
    });
  });
});

describe("the maintenance window of an AKS cluster", () => {
  const schedules = async (management: object) =>
    (await updateInline({ ...minimal(), management: { kind: "aks", ...management } })).update.resources
      .filter(({ type }) => type.endsWith(":MaintenanceConfiguration"))
      .map(({ inputs }) => reveal(inputs));

  it("is chosen by AKS by default", async () => {
    expect(await schedules({})).toEqual([]);
  });

  it("applies to patches and to node images", async () => {
    const window = {
      schedule: { weekly: { dayOfWeek: "Saturday", intervalWeeks: 1 } },
      ...{ startTime: "22:30", durationHours: 4, utcOffset: "+01:00" },
    };
    expect(
      await schedules({
        maintenanceWindow: { dayOfWeek: "Saturday", startTime: "22:30", utcOffset: "+01:00" },
      }),
    ).toEqual(
      ["aksManagedAutoUpgradeSchedule", "aksManagedNodeOSUpgradeSchedule"].map((configName) => ({
        ...{ resourceGroupName: "test-management", resourceName: "test-management", configName },
        maintenanceWindow: window,
      })),
    );
  });
});

describe("the versions of an AKS cluster", () => {
  const aks = async (kubernetesVersion: string) =>
    inputsOf(
      await updateInline({ ...minimal(), management: { kind: "aks", kubernetesVersion } }),
      "management-aks-cluster",
    );

  it("are also set for its nodes, which an upgrade would otherwise not upgrade", async () => {
    expect(await aks("1.34")).toMatchObject({
      kubernetesVersion: "1.34",
      agentPoolProfiles: [{ orchestratorVersion: "1.34" }],
    });
  });

  it("get their patches from AKS, unless the stack names a patch, to which AKS refuses a downgrade", async () => {
    expect(await aks("1.34")).toMatchObject({ autoUpgradeProfile: { upgradeChannel: "patch" } });
    expect(await aks("1.34.2")).toMatchObject({
      kubernetesVersion: "1.34.2",
      autoUpgradeProfile: { upgradeChannel: "none", nodeOSUpgradeChannel: "NodeImage" },
    });
  });
});

describe("access to an AKS cluster", () => {
  const adminGroupObjectIds = ["11111111-2222-4333-8444-777777777777"];
  const withEntra = () =>
    updateInline({ ...minimal(), management: { kind: "aks", entra: { adminGroupObjectIds } } });

  it("is only possible with Microsoft Entra if the stack names groups", async () => {
    expect(inputsOf(await withEntra(), "management-aks-cluster")).toMatchObject({
      aadProfile: { managed: true, enableAzureRBAC: true, adminGroupObjectIDs: adminGroupObjectIds },
      disableLocalAccounts: true,
    });
    const without = inputsOf(await planOf("dev"), "management-aks-cluster");
    expect(Object.keys(without)).not.toContain("aadProfile");
    expect(Object.keys(without)).not.toContain("disableLocalAccounts");
  });

  it("needs neither an interactive login nor a certificate", async () => {
    const { kubeconfig } = resource(await withEntra(), "management-provider").inputs;
    expect(kubeconfig).toBeInstanceOf(Secret);
    const { clusters, users } = parse(reveal(kubeconfig) as string) as Record<string, unknown[]>;
    expect(clusters).toHaveLength(1);
    expect(users).toEqual([
      {
        name: expect.any(String) as string,
        user: {
          exec: {
            apiVersion: "client.authentication.k8s.io/v1beta1",
            command: "kubelogin",
            args: ["get-token", "--login", "azurecli", "--server-id", "6dae42f8-4368-4678-94ff-3960e28e3630"],
          },
        },
      },
    ]);
  });
});

describe("what is in the management cluster", () => {
  const inKubernetes = ({ update }: Plan) =>
    update.resources.filter(
      ({ name, provider }) => provider?.name === "management-provider" && name.startsWith("cluster-api-"),
    );

  it("is deleted together with an AKS cluster of the stack, instead of one by one", async () => {
    const found = inKubernetes(await planOf("dev"));
    expect(found.length).toBeGreaterThan(11);
    const wrong = found.filter(({ options }) => !options.deletedWith?.endsWith("::management-aks-cluster"));
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  it("is deleted one by one from a cluster that stays", async () => {
    for (const { options } of inKubernetes(await planOf("existing"))) {
      expect(options.deletedWith).toBeUndefined();
    }
  });

  it("includes the Cluster, which Cluster API still has to delete before AKS", async () => {
    const plan = await planOf("dev");
    expect(resource(plan, "cluster-cluster").options.deletedWith).toBeUndefined();
    expectAfter(plan, "cluster-cluster", namesIn(inKubernetes(plan)));
    expect(resource(plan, "management-provider").dependencies.map(nameOf)).toContain(
      "management-aks-cluster",
    );
  });
});

describe("Cluster API on the management cluster", () => {
  it("is installed in the order of its webhooks: cert-manager, operator, core, then the other providers", async () => {
    const plan = await planOf("dev");
    const part = (name: string) => `cluster-api-providers-${name}`;
    const steps = ["cert-manager", "operator", "core", "core-installed"].map(part);
    for (const last of ["bootstrap", "control-plane", "infrastructure"].map(part)) {
      [...steps, last].forEach((step, index) => {
        expectAfter(plan, step, steps.slice(0, index));
      });
    }
  });

  const roles = ["core", "bootstrap", "control-plane", "infrastructure"];

  it("is created without a wait, and a patch waits until each provider runs in the wanted version", async () => {
    const plan = await planOf("dev");
    for (const role of roles) {
      const provider = inputsOf(plan, `cluster-api-providers-${role}`) as unknown as KubernetesObject;
      // If an `up` is killed while it waits for a create, the provider exists but is missing from the state.
      expect(provider.metadata.annotations).toEqual({ "pulumi.com/skipAwait": "true" });
      const { version } = provider.spec as { version: string };
      const patch = resource(plan, `cluster-api-providers-${role}-installed`);
      const { metadata, ...rest } = patch.inputs as unknown as KubernetesObject;
      expect(rest).toEqual({ apiVersion: provider.apiVersion, kind: provider.kind });
      const { name, namespace } = provider.metadata;
      expect(metadata).toMatchObject({ name, namespace });
      expect(JSON.parse(metadata.annotations!["pulumi.com/waitFor"]!)).toEqual([
        'jsonpath={.status.conditions[?(@.type=="Ready")].status}=True',
        `jsonpath={.status.installedVersion}=${version}`,
        `jsonpath={.metadata.annotations['capz-windows/awaited']}=${metadata.annotations!["capz-windows/awaited"]!}`,
      ]);
      expect(patch.dependencies.map(nameOf)).toContain(`cluster-api-providers-${role}`);
      expect(patch.options.customTimeouts).toEqual({ create: "20m", update: "20m", delete: "20m" });
    }
  });

  it("waits again for a provider that changes, and for no other", async () => {
    const [before, after] = await Promise.all(
      ["v1.26.0", "v1.27.0"].map(async (azureVersion) => {
        const plan = await updateInline({ ...minimal(), clusterApi: { azureVersion } });
        return roles.map((role) => JSON.stringify(inputsOf(plan, `cluster-api-providers-${role}-installed`)));
      }),
    );
    expect(roles.filter((_, index) => before![index] !== after![index])).toEqual(["infrastructure"]);
  });

  it("has CAPZ look at everything each minute, or as often as the stack says", async () => {
    const periods = [{}, { clusterApi: { syncPeriodMinutes: 10 } }].map(async (more) =>
      inputsOf(await updateInline({ ...minimal(), ...more }), "cluster-api-providers-infrastructure"),
    );
    expect(await Promise.all(periods)).toMatchObject([
      { spec: { manager: { syncPeriod: "1m" } } },
      { spec: { manager: { syncPeriod: "10m" } } },
    ]);
  });

  it("is installed before the cluster's namespace is created, and deleted after it", async () => {
    const plan = await planOf("dev");
    const types = ["InfrastructureProvider", "InfrastructureProviderPatch"];
    const providers = types.flatMap((type) => namesIn(ofType(plan, type)));
    expect(providers).toHaveLength(2);
    expectAfter(plan, "cluster-api-namespace", providers);
  });
});

describe.each(exampleStacks)("the Azure identities of the stack %s", (stack) => {
  const roles = async () => {
    const plan = await planOf(stack);
    return ofType(plan, "RoleAssignment")
      .filter(({ name }) => name.startsWith("cluster-api-identity-"))
      .map(({ name, options }) => ({ name, options, inputs: inputsOf(plan, name) }));
  };

  it("may change the cluster's resource group, the control plane only machines, network and storage, and the controllers read the subscription", async () => {
    const { azure, addons, azureContainerRegistries } = (await planOf(stack)).settings;
    const { subscriptionId, resourceGroup } = azure;
    const subscription = `/subscriptions/${subscriptionId}`;
    const group = `${subscription}/resourceGroups/${resourceGroup}`;
    const may = (await roles())
      .filter(({ name }) => !/-network-[0-9a-f]{8}-role$/.test(name))
      .map(({ name, inputs }) => {
        const guid = (inputs.roleDefinitionId as string).split("/").at(-1);
        const [role] = Object.entries(builtInRoles).find(([, id]) => id === guid) ?? [];
        return `${name}: ${role ?? guid ?? ""} of ${inputs.scope as string}`;
      });
    // azure.roles of everything names custom roles for both identities.
    const custom = "00000000-0000-0000-0000-0000000000";
    expect(may.sort()).toEqual([
      ...(stack === "everything"
        ? [
            `cluster-api-identity-control-plane-custom-role-9a0cb76a: ${custom}12 of ${group}`,
            `cluster-api-identity-control-plane-etcd-f02e07e5-role-9a0cb76a: ${custom}12 of ${subscription}/resourceGroups/platform/providers/Microsoft.KeyVault/vaults/own/keys/etcd`,
            `cluster-api-identity-control-plane-own-f3abbd3d-role: reader of ${subscription}/resourceGroups/platform/providers/Microsoft.Compute/diskEncryptionSets/own`,
          ]
        : [
            `cluster-api-identity-control-plane-machines-role: virtualMachineContributor of ${group}`,
            `cluster-api-identity-control-plane-network-role: networkContributor of ${group}`,
            ...(addons.azureFile.enabled
              ? [`cluster-api-identity-control-plane-storage-role: storageAccountContributor of ${group}`]
              : []),
          ]),
      `cluster-api-identity-controllers-reader-role: reader of ${subscription}`,
      stack === "everything"
        ? `cluster-api-identity-controllers-role-f3aba7d9: ${custom}11 of ${group}`
        : `cluster-api-identity-controllers-role: contributor of ${group}`,
      ...azureContainerRegistries.map(
        (id) => `cluster-api-identity-pull-${registryName(id)}-role: acrPull of ${id}`,
      ),
    ]);
  });

  it("have role assignments that Azure accepts before the identity has replicated, and that are replaced with their identity", async () => {
    for (const { inputs, options } of await roles()) {
      expect(inputs.principalType).toBe("ServicePrincipal");
      expect(options).toMatchObject({ replaceOnChanges: ["principalId"], deleteBeforeReplace: true });
    }
  });

  it("accept tokens of the service accounts of CAPZ and Azure Service Operator", async () => {
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

  it("get one credential after the other, because Azure answers two at the same time with 409", async () => {
    const plan = await planOf(stack);
    const [one = "", other = ""] = namesIn(ofType(plan, "FederatedIdentityCredential"));
    expect(requires(plan, one).has(other) || requires(plan, other).has(one)).toBe(true);
  });

  it("are used by CAPZ for this namespace only, and are deleted after the cluster", async () => {
    const plan = await planOf(stack);
    const [identity] = objectsOf(plan, "AzureClusterIdentity");
    expect(identity!.spec).toMatchObject({
      type: "WorkloadIdentity",
      allowedNamespaces: { list: [identity!.metadata.namespace] },
    });
    const used = [...(await roles()), ...ofType(plan, "FederatedIdentityCredential")];
    expectAfter(plan, "cluster-api-cluster-identity", namesIn(used));
  });
});
