import { readFileSync } from "node:fs";
import { join } from "node:path";
import { at } from "capz-windows-kit/untyped";
import { formatImport, shortened } from "../../commands/import/report";
import { importText, templateVariables } from "./support";

test.each([
  { properties: { agentPoolProfiles: [{ name: "a", count: 2 }] } },
  [{ name: "win", osType: "Windows", vmSize: "Standard_D4s_v5", count: 2 }],
  { name: "web", agentPoolProfiles: [{ name: "win", vmSize: "Standard_D4s_v5" }] },
  { name: "tailspin1", count: 1, vmSize: "Standard_D2_v2", storageProfile: "" },
])("a file that describes no whole cluster is refused with the reason: %j", async (file) => {
  await expect(importText(JSON.stringify(file))).rejects.toThrow(
    "This describes a cluster of AKS, or pools of a cluster, and no cluster whose control plane is machines. docs/migrating-from-aks-engine.md#from-node-pools-of-aks says which key replaces which field of a pool of AKS; of aks-engine, import the apimodel.json of the cluster.",
  );
});

test("a cluster that refers to no control plane is refused for that, and not for a name", async () => {
  const text = readFileSync(join(__dirname, "sources/template.yaml"), "utf8");
  const without = text.replace(/\n {2}controlPlaneRef:(?: .*|(?:\n {4}.*)+)/, "");
  expect(without).not.toBe(text);
  await expect(importText(without, templateVariables)).rejects.toThrow(
    /^Cluster \S+ names no object that this import needs of it: a control plane, machines and their templates\.$/,
  );
});

test("a size with a GPU is not replaced by one without", async () => {
  const template = readFileSync(join(__dirname, "sources/template.yaml"), "utf8");
  const capz = await importText(
    template.replaceAll(/vmSize: .*/g, "vmSize: Standard_NC6"),
    templateVariables,
  );
  expect(at(capz.config, "windowsPools", "win", "vmSize")).toBe("Standard_NC4as_T4_v3");
});

test("an image with a purchase plan is carried without the plan, with the reason of the stack's own rules", async () => {
  const template = readFileSync(join(__dirname, "sources/template.yaml"), "utf8");
  const bought =
    "image: { computeGallery: { gallery: g, name: win, version: 1.0.0, plan: { publisher: p, offer: o, sku: s } } }";
  const indented = template.replace(/\n( +)vmSize: [^\n]*(?![\s\S]*\n +vmSize: )/, `$&\n$1${bought}`);
  expect(indented).not.toBe(template);
  const { leftOut } = await importText(indented, templateVariables);
  const plans = leftOut.filter(({ from }) => from.includes("image.computeGallery.plan"));
  expect(new Set(plans.map(({ why, instead = "" }) => `${why}; instead: ${instead}`))).toEqual(
    new Set([
      "an override may not change this: machines of a stack name no purchase plan, and Azure refuses to make them of an image that has one; instead: other fields; for this one, an image without a purchase plan",
    ]),
  );
});

test("the neighbour in a list that depends on a variable is said, and an identity is asked for only", async () => {
  const text = readFileSync(join(__dirname, "sources/template.yaml"), "utf8")
    .replace(
      /\n( +)apiServer:\n/,
      '\n$1controllerManager: { extraArgs: { v: "4", cluster-name: "${CLUSTER_NAME}" } }$&',
    )
    .replace(
      /\n( +)strategy: \{ type: RollingUpdate/,
      '\n$1identity: UserAssigned\n$1userAssignedIdentities: [{ providerID: "${USER_IDENTITY}" }]$&',
    );
  const { CLUSTER_NAME, ...variables } = templateVariables;
  const imported = await importText(text, variables);
  expect(CLUSTER_NAME).toBe("web");
  expect(imported.config).toHaveProperty("windowsPools.win.identityIds", ["<USER_IDENTITY>"]);
  const left = imported.leftOut.filter(({ from }) => /dentities|extraArgs\[v\]/.test(from));
  expect(left.map(({ why, instead }) => [why, instead])).toEqual([
    [
      "an override has the whole list, of which cluster-name depends on CLUSTER_NAME",
      "the variable, with --variables FILE, and another import",
    ],
  ]);
});

test("a text that is no description gets one line, without an excerpt", async () => {
  await expect(
    importText("# Clusters\n\n[Cluster API](https://a.example/) (CAPI)\n", {}, "README.md"),
  ).rejects.toThrow(
    /^README\.md: this is neither YAML nor JSON: Unexpected scalar at node end at line 3, column 1\d$/,
  );
});

test("a long place is cut with a mark", () => {
  expect([shortened("spec.a", 6), shortened("spec.ab", 6)]).toEqual(["spec.a", "spec.…"]);
});

test("a long name of a cluster leaves room for the names of its machines", async () => {
  const template = readFileSync(join(__dirname, "sources/template.yaml"), "utf8");
  const variables = { ...templateVariables, CLUSTER_NAME: "w".repeat(60) };
  expect((await importText(template, variables)).config.clusterName).toBe("w".repeat(44));
});

test("mappings of CAPZ that say something by being there are not lost when they are empty", async () => {
  const template = readFileSync(join(__dirname, "sources/template.yaml"), "utf8")
    .replace("spotVMOptions: { evictionPolicy: Delete, maxPrice: 250m }", "spotVMOptions: {}")
    .replace("  networkSpec:\n", "  bastionSpec: { azureBastion: {} }\n  networkSpec:\n");
  const { config, leftOut } = await importText(template, templateVariables);
  expect(at(config, "windowsPools", "web-win", "spot") ?? at(config, "windowsPools", "win", "spot")).toEqual(
    {},
  );
  expect(leftOut.map(({ from }) => from)).toContain("AzureCluster spec.bastionSpec.azureBastion");
});

test("a version before 1.23 is raised before its Windows pools are judged", async () => {
  const model = {
    apiVersion: "vlabs",
    properties: {
      orchestratorProfile: { orchestratorType: "Kubernetes", orchestratorVersion: "1.22.15" },
      masterProfile: { count: 3, dnsPrefix: "shop", vmSize: "Standard_D2s_v3" },
      agentPoolProfiles: [{ name: "winpool", count: 2, vmSize: "Standard_D4s_v3", osType: "Windows" }],
    },
  };
  const { config, leftOut } = await importText(JSON.stringify(model), {}, "apimodel.json");
  expect([config.kubernetesVersion, at(config, "windowsPools", "winpool", "replicas")]).toEqual([
    "v1.36.5",
    2,
  ]);
  expect(leftOut).toContainEqual({
    from: 'kubernetesVersion: "1.22.15"',
    why: "Kubernetes before 1.23 supports only Windows Server 2019",
    instead: "kubernetesVersion: v1.36.5",
  });
});

test("a name in capitals, and the subscription of a VNET of others, are those of an apimodel", async () => {
  const subnet =
    "/subscriptions/5f0c9a1e-0000-4333-8444-555555555555/resourceGroups/net/providers/Microsoft.Network/virtualNetworks/hub/subnets/";
  const model = {
    properties: {
      orchestratorProfile: { orchestratorVersion: "1.36.5" },
      masterProfile: {
        count: 3,
        dnsPrefix: "shop",
        vmSize: "Standard_D2s_v3",
        vnetSubnetId: `${subnet}cp`,
        vnetCidr: "10.0.0.0/16",
      },
      agentPoolProfiles: [
        { name: "win", count: 2, vmSize: "Standard_D4s_v3", osType: "Windows", vnetSubnetId: `${subnet}web` },
      ],
      windowsProfile: { WindowsSku: "2025-datacenter-core-ctrd", WindowsPublisher: "p" },
    },
  };
  const { config, leftOut, open } = await importText(JSON.stringify(model), {}, "apimodel.json");
  expect(at(config, "network", "existing", "controlPlaneSubnetId")).toBe(`${subnet}cp`);
  expect(at(config, "windowsPools", "win", "windowsServer")).toBe("2025");
  expect(at(config, "azure", "subscriptionId")).toBe("5f0c9a1e-0000-4333-8444-555555555555");
  expect(at(config, "network", "vnetCidr")).toBe("10.0.0.0/16");
  expect(open.filter(({ path }) => path.includes("Cidr"))).toEqual([
    {
      path: "network.existing.egressCidrs",
      what: expect.stringContaining("Addresses from which machines leave the VNET") as string,
    },
    {
      path: "network.controlPlaneSubnetCidr",
      what: "range of the subnet of the control plane as a CIDR, which others have made and the source does not say",
    },
    {
      path: "network.nodeSubnetCidr",
      what: "range of the subnet of the nodes as a CIDR, which others have made and the source does not say",
    },
  ]);
  expect(leftOut.find(({ from }) => from.includes("indowsPublisher"))?.why).toBe(
    "images of this program have kubelet, containerd and their tools in them",
  );
});

test.each([
  ["containerd", undefined],
  [
    "docker",
    "nodes run containerd, and Docker only with the flavor dockershim and its Kubernetes; instead: flavor",
  ],
])("the container runtime %s of an apimodel is a flavor", async (containerRuntime, left) => {
  const model = {
    properties: {
      orchestratorProfile: { orchestratorVersion: "1.36.5", kubernetesConfig: { containerRuntime } },
      masterProfile: { count: 3, dnsPrefix: "shop", vmSize: "Standard_D2s_v3" },
      agentPoolProfiles: [{ name: "winpool", count: 2, vmSize: "Standard_D4s_v3", osType: "Windows" }],
    },
  };
  const imported = await importText(JSON.stringify(model), {}, "apimodel.json");
  const found = imported.leftOut.find(({ from }) => from === "kubernetesConfig.containerRuntime");
  expect(found && `${found.why}; instead: ${found.instead ?? ""}`).toBe(left);
  expect(formatImport(imported, "x.yaml")).toMatch(
    /^apimodel: which of its fields are kept is not counted\.\n/,
  );
});

test("a field that no type has is not known, also an empty one, apart from what is left out for a reason", async () => {
  const template = readFileSync(join(__dirname, "sources/template.yaml"), "utf8").replace(
    "  networkSpec:\n",
    "  bastionSpec: { azureBastion: {} }\n  brandNew: { inner: {} }\n  other: { deep: [1] }\n  networkSpec:\n",
  );
  const imported = await importText(template, templateVariables);
  const unknown = imported.leftOut.filter((one) => one.unknown);
  expect(unknown.map(({ from }) => from)).toEqual([
    "AzureCluster spec.brandNew",
    "AzureCluster spec.other.deep",
  ]);
  const report = formatImport(imported, "x.yaml");
  const [, notKnown = ""] = report.split(
    "Not known, 2 parts: the types of Cluster API and CAPZ here have no such field, so what it does was not looked at:\n",
  );
  expect(notKnown).toMatch(/^ {2}there is no such field in spec; .*\n {4}AzureCluster spec\.brandNew\n/);
  expect(notKnown).not.toContain("azureBastion");
  expect(report).toContain("AzureCluster spec.bastionSpec.azureBastion\n");
});

test("kubelet's flags of an apimodel are keys of pools, their texts numbers, and its extensions scripts", async () => {
  const model = {
    apiVersion: "vlabs",
    properties: {
      orchestratorProfile: {
        orchestratorType: "Kubernetes",
        orchestratorVersion: "1.24.9",
        kubernetesConfig: {
          kubeletConfig: {
            ...{ "--max-pods": "60", "--image-gc-high-threshold": "90", "--system-reserved": "memory=2Gi" },
            ...{
              "--container-log-max-size": "50Mi",
              "--eviction-hard": "memory.available<1Gi,nodefs.available<10%",
            },
            "--event-qps": "0",
          },
        },
      },
      masterProfile: { count: 3, dnsPrefix: "shop", vmSize: "Standard_D2s_v3" },
      agentPoolProfiles: [
        {
          ...{ name: "winpool", count: 2, vmSize: "Standard_D4s_v3", osType: "Windows" },
          kubernetesConfig: { kubeletConfig: { "--max-pods": "30" } },
          extensions: [{ name: "winrm" }],
        },
      ],
    },
  };
  const { config, leftOut } = await importText(JSON.stringify(model), {}, "apimodel.json");
  expect(config.poolDefaults).toEqual({
    kubelet: {
      maxPods: 60,
      reserved: { memory: "2Gi" },
      imageGC: { highPercent: 90 },
      containerLogs: { maxSizeMi: 50 },
      configuration: { evictionHard: { "memory.available": "1Gi", "nodefs.available": "10%" } },
    },
  });
  expect(at(config, "windowsPools", "winpool", "kubelet")).toEqual({ maxPods: 30 });
  expect(leftOut.filter(({ from }) => /kubelet|extensions/.test(from))).toEqual([
    {
      from: "kubeletConfig --event-qps",
      why: "the program, kubeadm and the defaults of kubelet set its flags",
      instead: "kubelet.configuration of a pool, where kubelet has a field for it",
    },
    {
      from: "kubeletConfig, of the control plane",
      why: "only pools have keys for kubelet: that of the control plane has none of these flags",
      instead: "controlPlane.overrides, with kubeletExtraArgs",
    },
    {
      from: "agentPoolProfiles[0].extensions",
      why: "scripts and files of machines are part of their bootstrap data here",
      instead:
        "files and preKubeadmCommands of a pool, vmExtensions with their publisher, and controlPlane.overrides",
    },
  ]);
});
