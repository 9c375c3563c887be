import { registryName } from "../../platform/azure/containerRegistries";
import { builtInRoles } from "../../platform/azure/roles";
import { parse } from "yaml";
import { Secret, reveal } from "../../packages/plan-engine";
import type { Plan } from "../../plan/model/plan";
import { updateInline } from "../support/inlinePlans";
import { exampleStacks, inputsOf, planOf, resource } from "../support/plans";
import { minimal } from "../support/stacks";

const ofType = ({ update }: Plan, type: string) =>
  update.resources.filter((each) => each.type.endsWith(`:${type}`));

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

describe("Cluster API on the management cluster", () => {
  const roles = ["core", "bootstrap", "control-plane", "infrastructure"];

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
});
