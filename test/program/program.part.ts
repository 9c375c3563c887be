import { clientsNamespace } from "capz-windows-platform/cluster/clients";
import { Secret, Unknown, redact, walk, type Value } from "pulumi-plan-engine";
import {
  encryptedStacks,
  exampleStacks,
  expectAfter,
  nameOf,
  objectsOf,
  planOf,
  planWithPreview,
  requires,
  resource,
} from "../support/plans";

const isProvider = (type: string): boolean => type.startsWith("pulumi:providers:");

/** Resources in the subscription of the hub. */
const isInHub = (name: string): boolean => /^api-server-(link|record)|-remote$/.test(name);

describe.each(exampleStacks)("the program with the stack %s", (stack) => {
  it("registers the same resources in a first preview and in an update, so none is created inside an apply", async () => {
    const { preview, update } = await planWithPreview(stack);
    const urns = (resources: readonly { urn: string }[]) => resources.map(({ urn }) => urn).sort();
    expect(urns(preview.resources)).toEqual(urns(update.resources));
    expect(preview.resources.length).toBeGreaterThan(25);
  });

  it("knows no ID and no computed value in a first preview", async () => {
    const { preview } = await planWithPreview(stack);
    expect(preview.resources.filter(({ id }) => id !== undefined)).toEqual([]);
    const federated = preview.resources.filter(({ type }) => type.endsWith(":RoleAssignment"));
    expect(federated.length).toBeGreaterThan(0);
    for (const { inputs } of federated) {
      expect(inputs.principalId).toBeInstanceOf(Unknown);
    }
  });

  it("gives every resource an explicit provider, and has no default provider", async () => {
    const { update } = await planOf(stack);
    const providers = update.resources.filter(({ type }) => isProvider(type)).map(({ name }) => name);
    const samples = stack === "dev" ? ["sample-provider"] : [];
    const keys = encryptedStacks.includes(stack) ? ["control-plane-encryption-provider"] : [];
    // For the zone and the VNET in the subscription of the hub.
    const hub =
      stack === "hub-spoke"
        ? ["api-server-provider", "peering-hub-provider"]
        : stack === "spoke"
          ? ["api-server-provider"]
          : [];
    expect(providers.sort()).toEqual([...hub, "azure", ...keys, "management-provider", ...samples].sort());
    for (const { type, custom, provider, name } of update.resources) {
      if (custom && !isProvider(type)) {
        const cluster = name.startsWith("sample-") ? "sample-provider" : "management-provider";
        const expected = type.startsWith("kubernetes:")
          ? cluster
          : type.startsWith("random:")
            ? keys[0]
            : (hub.find((one) => isInHub(name) && name.startsWith(one.replace(/-provider$/, ""))) ?? "azure");
        expect({ name, provider: provider && nameOf(provider.urn) }).toEqual({ name, provider: expected });
      }
    }
  });

  it("calls functions of the cloud only through an explicit provider", async () => {
    const { update, preview } = await planWithPreview(stack);
    for (const { token, provider } of [...update.invokes, ...preview.invokes]) {
      expect({ token, explicit: provider !== undefined }).toEqual({ token, explicit: true });
    }
    // The kubeconfig of a cluster that does not exist yet cannot be read.
    expect(preview.invokes).toEqual([]);
  });

  it("puts every resource into a component and every component registers its outputs", async () => {
    const { update } = await planOf(stack);
    const stackUrn = update.resources.find(({ type }) => type === "pulumi:pulumi:Stack")!.urn;
    const components = update.resources.filter(({ custom }) => !custom);
    for (const { name, registeredOutputs } of components) {
      expect({ name, registered: registeredOutputs !== undefined }).toEqual({ name, registered: true });
    }
    const atTop = update.resources.filter(({ custom, parent }) => custom && parent === stackUrn);
    expect(atTop.map(({ name }) => name)).toEqual(["azure"]);
  });

  it("names every child after its component", async () => {
    const { update } = await planOf(stack);
    const byUrn = new Map(update.resources.map((item) => [item.urn, item]));
    for (const { name, parent } of update.resources) {
      const component = byUrn.get(parent ?? "");
      if (component && component.type !== "pulumi:pulumi:Stack") {
        expect(name.startsWith(`${component.name}-`)).toBe(true);
      }
    }
  });

  it("has no logical name that contains the cluster's name, which differs between environments", async () => {
    const { update, settings } = await planOf(stack);
    const named = update.resources.filter(
      ({ type, name }) => type !== "pulumi:pulumi:Stack" && name.split("-").includes(settings.clusterName),
    );
    expect(named.map(({ name }) => name)).toEqual([]);
  });

  it("keeps kubeconfigs secret in all inputs and outputs", async () => {
    const { update } = await planOf(stack);
    const provider = update.resources.find(({ name }) => name === "management-provider")!;
    expect(provider.inputs.kubeconfig).toBeInstanceOf(Secret);
    expect(update.outputs.managementKubeconfig).toBeInstanceOf(Secret);
    expect(update.outputs.workloadKubeconfig).toBeInstanceOf(Secret);
    for (const { name, inputs, outputs } of update.resources) {
      for (const values of [inputs, outputs]) {
        // After redaction nothing is left of a kubeconfig, such as its context or its server.
        expect({ name, text: JSON.stringify(redact(values)) }).not.toMatchObject({
          text: expect.stringMatching(/current-context|simulated\.invalid/) as unknown,
        });
      }
    }
  });

  it("identifies the management cluster by its name or resource ID, so that a new kubeconfig replaces nothing", async () => {
    const plan = await planOf(stack);
    const { inputs } = resource(plan, "management-provider");
    const { azure, clusterName, management } = plan.settings;
    expect(inputs.clusterIdentifier).toBe(
      management.kind === "existing"
        ? management.name
        : management.kind === "stack"
          ? `/subscriptions/${azure.subscriptionId}/resourceGroups/platform-management/providers/Microsoft.ContainerService/managedClusters/platform-management`
          : `/subscriptions/${azure.subscriptionId}/resourceGroups/${clusterName}-management/providers/Microsoft.ContainerService/managedClusters/${clusterName}-management`,
    );
    // A changed add-on or secret file updates its object instead of replacing it, which would leave a moment without one.
    expect(inputs).toMatchObject({ enableConfigMapMutable: "true", enableSecretMutable: "true" });
  });

  it("reads the workload kubeconfig only after the API server answers", async () => {
    const { update, preview } = await planWithPreview(stack);
    const own = ({ name }: { readonly name: string }): boolean => name !== "management-stack-reference";
    const [read, ...others] = update.reads.filter(own);
    expect([[read!.name, read!.id], ...others]).toEqual([
      ["cluster-kubeconfig", expect.stringMatching(/-kubeconfig$/)],
    ]);
    expect(read!.dependencies.map(nameOf)).toContain("cluster-initialized");
    // With a known ID the first preview would read a Secret that does not exist yet, and fail.
    expect(preview.reads.find(own)!.id).toBeInstanceOf(Unknown);
  });

  it("creates the Cluster last, so that it is deleted before everything that it needs", async () => {
    const plan = await planOf(stack);
    const before = requires(plan, "cluster-cluster");
    // When Cluster API deletes the cluster, only the wait and what depends on it may be gone.
    const afterCluster = new Set(
      plan.update.resources
        .filter(
          ({ name }) => name === "cluster-initialized" || requires(plan, name).has("cluster-initialized"),
        )
        .map(({ urn }) => urn),
    );
    const others = plan.update.resources
      .filter(
        ({ custom, name }) => custom && !["cluster-cluster", "azure", "management-provider"].includes(name),
      )
      // People use the Bastion, and no controller does: nothing waits the ten minutes that Azure takes for it.
      .filter(({ name }) => !/^management-aks|^bastion-|-running$|^sample-/.test(name))
      .filter(({ urn }) => !afterCluster.has(urn))
      .map(({ name }) => name);
    for (const name of others) {
      expect({ name, before: before.has(name) }).toEqual({ name, before: true });
    }
    const cluster = resource(plan, "cluster-cluster");
    expect(cluster.options.customTimeouts).toEqual({ create: "60m", update: "60m", delete: "60m" });
    expect(objectsOf(plan, "Cluster")[0]!.metadata.annotations).toEqual({
      "pulumi.com/deletionPropagationPolicy": "background",
      "pulumi.com/skipAwait": "true",
    });
  });

  it("creates the namespace and the Azure identity before the objects of the cluster, and deletes them after", async () => {
    const plan = await planOf(stack);
    for (const { urn, object } of plan.objects.management) {
      if (
        object.metadata.namespace !== clientsNamespace &&
        ["KubeadmControlPlane", "MachinePool", "AzureMachinePool", "KubeadmConfig", "ConfigMap"].includes(
          object.kind,
        )
      ) {
        expectAfter(plan, nameOf(urn), ["cluster-api-namespace", "cluster-api-cluster-identity"]);
      }
    }
  });

  it("ignores changes only of properties that others own", async () => {
    const { update, settings } = await planOf(stack);
    const pulls = settings.azureContainerRegistries.length > 0 ? ["pull"] : [];
    const ignored = update.resources
      .filter(({ options }) => options.ignoreChanges)
      .map(({ name, options }) => [name, options.ignoreChanges]);
    const aks = [
      ["management-aks-cluster", ["agentPoolProfiles[0].count"]],
      ["management-aks-identity", ["tags"]],
    ];
    const ownNsg = stack === "spoke" ? [] : [["network-node-nsg", ["securityRules"]]];
    const identities = ["controllers", "control-plane", ...pulls].map((name) => [
      `cluster-api-identity-${name}`,
      ["tags"],
    ]);
    expect(ignored).toEqual(
      expect.arrayContaining([...ownNsg, ...identities, ...(settings.management.kind === "aks" ? aks : [])]),
    );
    expect(ignored).toHaveLength((settings.management.kind === "aks" ? 4 : 2) + ownNsg.length + pulls.length);
  });

  it("refuses changes of immutable fields before an update, and in previews", async () => {
    const { update } = await planOf(stack);
    const asked = update.resources.filter(({ options }) => options.hooks?.beforeUpdate);
    for (const { name, options } of asked) {
      expect(options.hooks?.beforeUpdate).toEqual([
        `${name.replace(/-((part|control)-)?[^-]+$/, "")}-refuse`,
      ]);
    }
    const kinds =
      /:(KubeadmControlPlane|Cluster|AzureCluster|(Azure)?MachinePool|MachineDeployment|AzureMachineTemplate|\w+Provider)$/;
    const fixed = update.resources.filter(
      ({ type, name }) =>
        (kinds.test(type) && name !== "control-plane-template" && !type.startsWith("pulumi:")) ||
        (stack !== "dockershim" && name === "calico-part-1"),
    );
    const names = (found: typeof asked) => found.map(({ name }) => name).sort();
    expect(names(asked)).toEqual(names(fixed));
  });

  it("sets no field that a controller owns", async () => {
    const plan = await planOf(stack);
    const paths = new Map<string, string[]>();
    for (const { object } of plan.objects.management) {
      walk(object as unknown as Value, (_, path) => {
        paths.set(object.kind, [...(paths.get(object.kind) ?? []), path]);
      });
    }
    for (const [kind, field] of [
      ["Cluster", "spec.controlPlaneEndpoint"],
      ["AzureCluster", "spec.controlPlaneEndpoint"],
      // A private API server has its address from the stack file.
      [
        "AzureCluster",
        `spec.networkSpec.apiServerLB${["private", "locked-down", "hub-spoke", "spoke"].includes(stack) ? ".name" : ""}`,
      ],
      ["AzureCluster", "spec.networkSpec.subnets.1.natGateway.id"],
      ["AzureCluster", "spec.networkSpec.vnet.id"],
      ["MachinePool", "spec.providerIDList"],
      ["MachinePool", "spec.template.spec.bootstrap.dataSecretName"],
      ["AzureMachinePool", "spec.providerIDList"],
      ["KubeadmConfig", "spec.joinConfiguration.discovery"],
    ] as const) {
      expect(paths.get(kind)).not.toContain(field);
    }
  });

  it("renders no secret and no unknown value", async () => {
    const plan = await planOf(stack);
    for (const { object } of plan.objects.management) {
      const shown = object.kind === "Secret" ? { ...object, stringData: {} } : object;
      expect(JSON.stringify(shown)).not.toMatch(/\[unknown\]|\[secret\]/);
    }
  });
});

it("keeps Azure's DNS on the nodes, whose suffix makes their names resolve", async () => {
  for (const stack of exampleStacks.filter((one) => one !== "spoke" && one !== "hub-spoke")) {
    expect(Object.keys(resource(await planOf(stack), "network-vnet").inputs)).not.toContain("dhcpOptions");
  }
});
