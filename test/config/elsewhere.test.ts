import { parse } from "yaml";
import { follow, followAll, problemsOfText, stackText } from "../support/advice";
import { minimal, publicKey } from "../support/stacks";

/**
 * Stack files of people who know other tools, with several mistakes each. One report is enough: all its advice together
 * makes the file valid and keeps its meaning.
 */

type Raw = Readonly<Record<string, unknown>>;

const win1 = (pool: Raw): Raw => ({ windowsPools: { win1: pool } });
const without = (...keys: readonly string[]): Raw =>
  Object.fromEntries(Object.entries(minimal()).filter(([key]) => !keys.includes(key)));

const { azure, access } = minimal() as { readonly azure: Raw; readonly access: Raw };
const identity =
  "/subscriptions/s/resourceGroups/r/providers/Microsoft.ManagedIdentity/userAssignedIdentities/u";

const cases: readonly (readonly [what: string, wrong: Raw, right: Raw])[] = [
  [
    "variables of clusterctl",
    {
      ...without("clusterName", "kubernetesVersion", "azure"),
      CLUSTER_NAME: "demo",
      KUBERNETES_VERSION: "v1.35.6",
      AZURE_LOCATION: "West Europe",
      AZURE_SUBSCRIPTION_ID: azure.subscriptionId,
      AZURE_TENANT_ID: azure.tenantId,
      CONTROL_PLANE_MACHINE_COUNT: 3,
      WINDOWS_WORKER_MACHINE_COUNT: "2",
      windowsPools: { win1: {} },
    },
    {
      clusterName: "demo",
      azure: { location: "westeurope", subscriptionId: azure.subscriptionId },
      controlPlane: { replicas: 3 },
      ...win1({ replicas: 2 }),
    },
  ],
  [
    "pools of AKS",
    {
      ...minimal(),
      agentPoolProfiles: [
        { name: "Win_22", count: 2, osType: "Windows", osDiskSizeGB: 20, availabilityZones: [1, 2] },
        { name: "sys", count: "3", osType: "Linux", mode: "System" },
      ],
    },
    {
      windowsPools: { "win-22": { replicas: 2, osDiskGB: 30, zones: ["1", "2"] } },
      linuxPools: { sys: { replicas: 3 } },
    },
  ],
  [
    "a pool of Terraform",
    {
      ...minimal(),
      windowsPools: [{ name: "win1", node_count: 2, vm_size: "D4s_v5", os_sku: "Windows2025" }],
    },
    win1({ replicas: 2, vmSize: "Standard_D4s_v5", windowsServer: "2025" }),
  ],
  [
    "a Windows that has no images",
    { ...minimal(), kubernetesVersion: "1.35", ...win1({ windowsServer: "2016", count: 3 }) },
    { kubernetesVersion: "v1.35.6", ...win1({ windowsServer: "2022", replicas: 3 }) },
  ],
  [
    "a name and values below it",
    {
      ...minimal(),
      windowsPools: { Win_2022: { replicas: "2", windowsServer: "Windows2022", zones: ["eu-1"] } },
    },
    { windowsPools: { "win-2022": { replicas: 2, windowsServer: "2022", zones: ["1"] } } },
  ],
  [
    "texts of kubectl",
    { ...minimal(), ...win1({ nodeLabels: "disk=ssd,tier=web", taints: ["os=windows:NoSchedule"] }) },
    win1({
      labels: { disk: "ssd", tier: "web" },
      taints: [{ key: "os", value: "windows", effect: "NoSchedule" }],
    }),
  ],
  [
    "two proxies",
    {
      ...minimal(),
      proxy: { httpProxy: "http://p:3128", httpsProxy: "http://p:3128", noProxy: ".corp,10.0.0.0/8" },
    },
    { proxy: { url: "http://p:3128", noProxy: [".corp", "10.0.0.0/8"] } },
  ],
  [
    "switches",
    {
      ...minimal(),
      addons: { metricsServer: true, azureDisk: false },
      sampleWorkload: { enabled: false },
      ...win1({}),
    },
    { addons: { metricsServer: { enabled: true }, azureDisk: { enabled: false } } },
  ],
  [
    "one address",
    { ...minimal(), access: { ...access, allowedCidrs: "198.51.100.17" } },
    { access: { allowedCidrs: ["198.51.100.17/32"] } },
  ],
  [
    "an address for the VNET, and a proxy that is only a URL",
    { ...minimal(), network: { vnetCidr: "10.0.0.0" }, proxy: "proxy.example.com:3128" },
    { network: { vnetCidr: "10.0.0.0/16" }, proxy: { url: "http://proxy.example.com:3128" } },
  ],
  [
    "VM sizes in lowercase, and without their prefix",
    {
      ...minimal(),
      controlPlane: { vmSize: "standard_d8s_v5" },
      ...win1({ vmSize: "E4ds_v5" }),
    },
    { controlPlane: { vmSize: "Standard_D8s_v5" }, ...win1({ vmSize: "Standard_E4ds_v5" }) },
  ],
  [
    "one command that is no list, and memory without a unit",
    {
      ...minimal(),
      ...win1({ preKubeadmCommands: "echo one two", kubelet: { reserved: { memory: 2048 } } }),
    },
    win1({ preKubeadmCommands: ["echo one two"], kubelet: { reserved: { memory: "2048Mi" } } }),
  ],
  [
    "a pool of which each key is an item of a list",
    { ...minimal(), ...win1([{ replicas: 3 }, { osDiskGB: 64 }] as never) },
    win1({ replicas: 3, osDiskGB: 64 }),
  ],
  [
    "keys of all pools beside them",
    { ...minimal(), vmSize: "Standard_D8s_v5", labels: { "example.org/team": "web" }, ...win1({}) },
    { poolDefaults: { vmSize: "Standard_D8s_v5", labels: { "example.org/team": "web" } } },
  ],
  [
    "numbers of Windows nodes of clusterctl's templates",
    {
      ...minimal(),
      WORKER_MACHINE_COUNT: 4,
      WINDOWS_WORKER_MACHINE_COUNT: "5",
      AZURE_NODE_MACHINE_TYPE: "Standard_D8s_v5",
      linuxPools: { linux1: {} },
      ...win1({}),
    },
    {
      linuxPools: { linux1: { replicas: 4 } },
      ...win1({ replicas: 5 }),
      poolDefaults: { vmSize: "Standard_D8s_v5" },
    },
  ],
  [
    "mappings whose keys are not indented",
    {
      ...without("azure", "access"),
      azure: null,
      ...azure,
      access: null,
      ...access,
    },
    { azure, access },
  ],
  [
    "networks of AKS",
    {
      ...minimal(),
      networkProfile: { networkPlugin: "azure", podCidr: "10.244.0.0/16", serviceCidr: "10.0.0.0/16" },
    },
    { network: { podCidr: "10.244.0.0/16", serviceCidr: "10.0.0.0/16" } },
  ],
  [
    "the template of CAPZ",
    {
      ...minimal(),
      ...win1({
        template: { vmSize: "Standard_D4s_v5", osDisk: { diskSizeGB: 64 } },
        userAssignedIdentities: [{ providerID: `azure://${identity}` }],
        strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: "25%" } },
      }),
    },
    win1({ vmSize: "Standard_D4s_v5", osDiskGB: 64, identityIds: [identity], rollout: { maxSurge: "25%" } }),
  ],
  [
    "spot machines",
    { ...minimal(), ...win1({ spot: true, maxPrice: 0.1 }), linuxPools: { linux1: { priority: "Spot" } } },
    { ...win1({ spot: { maxPrice: "0.1" } }), linuxPools: { linux1: { spot: {} } } },
  ],
  [
    "arguments of kubelet",
    {
      ...minimal(),
      ...win1({ kubeletExtraArgs: { "max-pods": "50" }, osDiskType: "Ephemeral", vmSize: "D4ds_v5" }),
    },
    win1({ kubelet: { maxPods: 50 }, ephemeralOsDisk: "ResourceDisk" }),
  ],
  [
    "a management cluster of one's own",
    { ...minimal(), management: { kind: "existing", name: "own" } },
    { management: { kind: "existing", egressCidrs: ["198.51.100.0/24"] } },
  ],
];

it.each(cases)("%s", (_what, wrong, right) => {
  const text = stackText(wrong);
  const problems = problemsOfText(text);
  const after = followAll(text, problems);
  expect(problemsOfText(after).map(({ path, problem }) => `${path}: ${problem}`)).toEqual([]);
  const { config } = parse(after) as { readonly config: Raw };
  const expected = Object.entries(right).map(([key, value]) => [`capz-windows:${key}`, value]);
  expect(config).toMatchObject(Object.fromEntries(expected));
  // Each mistake is reported once.
  expect(new Set(problems.map(({ path, problem }) => `${path}: ${problem}`)).size).toBe(problems.length);
  expect(
    problems.filter(({ problem, path }) => problem === "this key is required" && after.includes(path)),
  ).toEqual([]);
});

describe("the apimodel of a blog", () => {
  /** The file that acs-engine's documentation of Windows began with, under `config:`. */
  const apimodel = {
    orchestratorProfile: { orchestratorType: "Kubernetes", orchestratorVersion: "1.11.1" },
    masterProfile: { count: 3, dnsPrefix: "kubernetes-windows", vmSize: "Standard_D2_v3" },
    agentPoolProfiles: [
      {
        name: "windowspool1",
        count: 3,
        vmSize: "Standard_D2_v3",
        availabilityProfile: "AvailabilitySet",
        osType: "Windows",
      },
      { name: "Linux1", count: 2, vmSize: "Standard_D2_v3", osDiskSizeGB: 100, osType: "Linux" },
    ],
    windowsProfile: { adminUsername: "me", adminPassword: "PLANTED" },
    linuxProfile: {
      adminUsername: "azure",
      ssh: { publicKeys: [{ keyData: publicKey }] },
    },
    servicePrincipalProfile: { clientId: "", secret: "" },
  };

  it("becomes a stack file by its advice", () => {
    const { clusterName, kubernetesVersion, azure } = minimal();
    let text = stackText({ clusterName, kubernetesVersion, azure, ...apimodel });
    expect(text).toContain("PLANTED");
    for (let round = 0; round < 20; round++) {
      const [first] = problemsOfText(text);
      if (first === undefined) {
        break;
      }
      expect(JSON.stringify(first)).not.toContain("PLANTED");
      text = follow(text, first);
    }
    expect(problemsOfText(text)).toEqual([]);
    expect(parse(text)).toMatchObject({
      config: {
        "capz-windows:controlPlane": { replicas: 3, vmSize: "Standard_D2s_v5" },
        "capz-windows:linuxPools": { linux1: { replicas: 2, vmSize: "Standard_D2s_v5", osDiskGB: 100 } },
        "capz-windows:windowsPools": {
          windowspool1: { replicas: 3, vmSize: "Standard_D2s_v5", kind: "MachineDeployment" },
        },
        // A report does not show the key, because it might be a secret.
        "capz-windows:access": { sshPublicKey: expect.stringMatching(/^ssh-ed25519 .* me$/) as unknown },
      },
    });
  });
});
