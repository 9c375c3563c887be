import { readFileSync } from "node:fs";
import { join } from "node:path";
import { importText } from "./support";

const sourceOf = (file: string): string => readFileSync(join(__dirname, "sources", file), "utf8");

describe("node pools of AKS", () => {
  test("become pools of a stack", async () => {
    const imported = await importText(sourceOf("nodepools.json"));
    expect(imported.config).toMatchObject({
      clusterName: "shop",
      kubernetesVersion: "v1.35.6",
      linuxPools: {
        sys: { replicas: 3, vmSize: "Standard_D4s_v5", osDiskGB: 128, kubelet: { maxPods: 110 } },
      },
      windowsPools: {
        win: {
          ...{ zones: ["1", "2"], autoscale: { min: 1, max: 6 }, vmSize: "Standard_D8ds_v5", osDiskGB: 256 },
          ...{ windowsServer: "2025", rollout: { maxSurge: "33%" }, spot: { maxPrice: "0.5" } },
          labels: { "example.org/team": "shop" },
          taints: [{ key: "example.org/os", value: "windows", effect: "NoSchedule" }],
        },
      },
    });
    expect(imported.leftOut.filter(({ from }) => from.includes("clusterName"))).toEqual([]);
    expect(imported.open.map(({ path }) => path)).toEqual([
      "azure.tenantId",
      "azure.location",
      "access.sshPublicKey",
    ]);
  });
});

test("the name of an AKS cluster that is not allowed here is replaced and named", async () => {
  const text = sourceOf("nodepools.json").replaceAll("/managedClusters/shop", "/managedClusters/1_Shop");
  const { config, leftOut } = await importText(text);
  expect(config.clusterName).toBe("cluster-1-shop");
  expect(leftOut).toContainEqual({
    from: 'clusterName: "1_shop"',
    why: "invalid format",
    instead: "clusterName: cluster-1-shop",
  });
});

describe("node pools of AKS with every field that the CLI prints", () => {
  const cli = JSON.parse(sourceOf("nodepools-all-fields.json")) as Record<string, unknown>[];
  const rest = {
    value: cli.map(({ id, name, ...properties }) => ({
      id,
      name,
      type: "Microsoft.ContainerService",
      properties,
    })),
  };

  test.each([
    ["az aks nodepool list", cli],
    ["the REST API", rest],
    ["az aks show", { name: "shop", location: "westeurope", agentPoolProfiles: cli }],
  ])("%s: carries kubelet's limits, rollout and pools of several sizes", async (_, document) => {
    const { config, leftOut, open } = await importText(JSON.stringify(document));
    expect(config).toMatchObject({
      windowsPools: {
        npwin: {
          ...{
            autoscale: { min: 2, max: 10 },
            encryptionAtHost: true,
            osDiskGB: 200,
            windowsServer: "2022",
          },
          kubelet: {
            ...{ maxPods: 60, containerLogs: { maxFiles: 5, maxSizeMi: 50 } },
            imageGC: { highPercent: 80, lowPercent: 60 },
          },
          rollout: { maxSurge: "10%", maxUnavailable: 0 },
        },
      },
      linuxPools: {
        system: { replicas: 3, ephemeralOsDisk: "CacheDisk" },
        vms: { replicas: 2, vmSize: "Standard_D2s_v5" },
        vms2: { replicas: 1, vmSize: "Standard_D4s_v5" },
      },
    });
    const from = leftOut.map((one) => one.from);
    expect(from).toContain("pool npwin.upgradeSettings.drainTimeoutInMinutes");
    expect(from).toContain("pool npwin.enableFips");
    // A feature that is off is not reported as left out.
    expect(
      from.filter((one) => /enableNodePublicIp|enableUltraSsd|securityProfile|containerLog/.test(one)),
    ).toEqual([]);
    expect(open.map(({ path }) => path)).not.toContain("windowsPools.npwin.vmSize");
  });
});

test("az aks show: autoscaler, gMSA, hybrid benefit and authorized ranges are carried over, and the rest has a reason", async () => {
  const [id] = (JSON.parse(sourceOf("nodepools.json")) as { id: string }[]).map((pool) => pool.id);
  const { config, leftOut } = await importText(
    JSON.stringify({
      ...{ id: id?.replace(/\/agentPools.*/i, ""), name: "shop", location: "westeurope" },
      apiServerAccessProfile: { authorizedIpRanges: ["203.0.113.0/24", "198.51.100.7"] },
      autoScalerProfile: { expander: "random", scaleDownUnneededTime: "15m", scanInterval: "10s" },
      networkProfile: { networkPlugin: "azure" },
      windowsProfile: {
        ...{ adminUsername: "azureuser", adminPassword: null, licenseType: "Windows_Server" },
        gmsaProfile: { enabled: true, dnsServer: "10.1.0.4", rootDomainName: "corp.example.org" },
      },
      agentPoolProfiles: JSON.parse(sourceOf("nodepools.json")) as unknown,
    }),
  );
  expect(config).toMatchObject({
    access: { allowedCidrs: ["203.0.113.0/24", "198.51.100.7/32"] },
    addons: {
      clusterAutoscaler: { expander: "random", scaleDownUnneededMinutes: 15 },
      gmsa: { enabled: true },
    },
    windowsPools: { win: { hybridBenefit: true } },
  });
  const ofDomain = {
    why: "the credential specs name the domain, and machines use the DNS of Azure",
    instead:
      "the GMSACredentialSpec of the domain, addons.gmsa.keyVaultIdentity, and a DNS zone or forwarder that resolves the domain in the VNET",
  };
  expect(leftOut.filter(({ from }) => !from.startsWith("pool "))).toEqual([
    {
      from: "autoScalerProfile.scanInterval",
      why: "no key sets this flag of the autoscaler, which keeps its default",
      instead: "addons.clusterAutoscaler, for the flags that have keys",
    },
    {
      from: "networkProfile.networkPlugin",
      why: "CAPZ has no Azure CNI and no kubenet for Windows nodes: the stack installs Calico with VXLAN",
      instead: "addons.cni: none, and extraManifests for a CNI of your own (docs/own-cni.md)",
    },
    {
      from: "windowsProfile.adminUsername",
      why: "the user is always capi, who logs in with a public key",
      instead: "access.sshPublicKey",
    },
    { from: "windowsProfile.gmsaProfile.dnsServer", ...ofDomain },
    { from: "windowsProfile.gmsaProfile.rootDomainName", ...ofDomain },
  ]);
});

describe("az aks show: login by Microsoft Entra", () => {
  const [group, tenant, other] = [7, 8, 9].map(
    (digit) => `11111111-2222-4333-8444-${String(digit).repeat(12)}`,
  ) as [string, string, string];
  const imported = async (aadProfile: object | null, more: object = {}) =>
    importText(
      JSON.stringify({
        ...{ name: "shop", location: "westeurope", identity: { type: "SystemAssigned", tenantId: tenant } },
        ...{ aadProfile, ...more },
        agentPoolProfiles: JSON.parse(sourceOf("nodepools.json")) as unknown,
      }),
    );
  const ofLogin = (leftOut: readonly { from: string }[]) =>
    leftOut.filter(({ from }) => /aadProfile|disableLocalAccounts|authentication/.test(from));

  test.each([
    ["the CLI", { adminGroupObjectIDs: [group], enableAzureRbac: false, tenantId: tenant }],
    ["the REST API", { adminGroupObjectIDs: [group], enableAzureRBAC: false, tenantID: tenant }],
  ])("of %s becomes that of the stack, with the groups of administrators", async (_, profile) => {
    const { config, leftOut, open } = await imported({ managed: true, adminUsers: null, ...profile });
    expect(config.controlPlane).toEqual({
      authentication: {
        entra: { clientId: "<GUID of the app registration>" },
        administrators: { groups: [`entra:${group}`] },
      },
    });
    expect(open).toContainEqual({
      path: "controlPlane.authentication.entra.clientId",
      what: "GUID of the app registration",
    });
    expect(ofLogin(leftOut)).toEqual([]);
  });

  test("keeps another tenant, and leaves out with a reason what only AKS has", async () => {
    const { config, leftOut } = await imported(
      { managed: true, enableAzureRbac: true, serverAppId: other, serverAppSecret: null, tenantId: other },
      { disableLocalAccounts: true },
    );
    expect(config.controlPlane).toEqual({
      authentication: { entra: { clientId: "<GUID of the app registration>", tenantId: other } },
    });
    expect(ofLogin(leftOut)).toEqual([
      {
        from: "aadProfile.enableAzureRbac",
        why: "role assignments in Azure say nothing to this API server: it knows RoleBindings alone",
        instead: "controlPlane.authentication.administrators and readers, and bindings in the cluster",
      },
      {
        from: "aadProfile.serverAppId",
        why: "AKS's older login has an application for the server and one for people; here one is for both",
        instead:
          'controlPlane.authentication.entra.clientId (docs/operations.md, "Login by Entra ID or OIDC")',
      },
      {
        from: "disableLocalAccounts",
        why: "the certificate of the administrator in workloadKubeconfig stays: Cluster API works with one, too",
        instead:
          "loginKubeconfig for people; who reads the stack's outputs and the Secrets of the management cluster has the certificate",
      },
    ]);
  });

  test("is left out where there is none", async () => {
    const { config, leftOut } = await imported(null, { disableLocalAccounts: false });
    expect(config.controlPlane).toBeUndefined();
    expect(ofLogin(leftOut)).toEqual([]);
  });
});

const subscription = "/subscriptions/11111111-2222-4333-8444-555555555555";
const vnet = `${subscription}/resourceGroups/network/providers/Microsoft.Network/virtualNetworks/spoke`;
const clusterWith = (more: object, subnets: readonly (string | null)[] = [`${vnet}/subnets/aks`]) =>
  importText(
    JSON.stringify({
      ...{ name: "corp", location: "westeurope", kubernetesVersion: "1.35.6" },
      id: `${subscription}/resourceGroups/corp/providers/Microsoft.ContainerService/managedClusters/corp`,
      agentPoolProfiles: subnets.map((vnetSubnetId, index) => ({
        ...{ name: `win${index + 1}`, osType: "Windows", count: 2, vmSize: "Standard_D4s_v5", vnetSubnetId },
      })),
      ...more,
    }),
  );

test("a private AKS cluster in a VNET of others behind a firewall becomes a private one there, with what AKS does not say to be filled in", async () => {
  const { config, open, leftOut } = await clusterWith({
    apiServerAccessProfile: { enablePrivateCluster: true, privateDnsZone: `${subscription}/zone` },
    networkProfile: { outboundType: "userDefinedRouting" },
  });
  expect(config).toMatchObject({
    network: {
      existing: { nodeSubnetId: `${vnet}/subnets/aks` },
      apiServer: { private: true },
    },
    management: { kind: "existing" },
  });
  expect(open.map(({ path }) => path).filter((path) => path.startsWith("network."))).toEqual([
    "network.existing.controlPlaneSubnetId",
    "network.existing.nodeSecurityGroup",
    "network.existing.egressCidrs",
    "network.vnetCidr",
    "network.controlPlaneSubnetCidr",
    "network.nodeSubnetCidr",
    "network.apiServer.linkedVnetIds",
    "network.existing.routeTable",
  ]);
  expect(leftOut).toEqual([
    {
      from: "apiServerAccessProfile.privateDnsZone",
      why: "AKS names its zone and its API server in its own way; here, the API server has an address in the control plane's subnet, and apiserver.ZONE as its name",
      instead: "network.apiServer.dns",
    },
  ]);
});

test("pools of AKS in several subnets keep them", async () => {
  const { config, open, leftOut } = await clusterWith(
    { networkProfile: { outboundType: "userAssignedNATGateway" } },
    [`${vnet}/subnets/aks`, `${vnet}/subnets/Web_Tier`, `${vnet}/subnets/aks`],
  );
  expect(config).toMatchObject({
    network: {
      existing: {
        nodeSubnetId: `${vnet}/subnets/aks`,
        poolSubnetIds: { "web-tier": `${vnet}/subnets/Web_Tier` },
      },
    },
    windowsPools: { win2: { subnet: "web-tier" } },
  });
  expect(config).not.toHaveProperty("windowsPools.win1.subnet");
  expect(config).not.toHaveProperty("network.apiServer");
  expect(open.map(({ path }) => path)).toContain("network.poolSubnets.web-tier");
  expect(leftOut).toEqual([]);
});
