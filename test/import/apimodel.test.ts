import { readFileSync } from "node:fs";
import { join } from "node:path";
import { nodeAt } from "../../config/jsonSchema";
import { draftOfApimodel } from "../../older/import/apimodel";
import { masterReasons } from "../../older/import/leftOut";
import { newestRelease } from "../../commands/import/complete";
import { at } from "capz-windows-kit/untyped";
import { importText } from "./support";

/** The page about aks-engine, and reasons for fields that are left out, name keys that there are. */

const page = readFileSync(join(__dirname, "../../docs/migrating-from-aks-engine.md"), "utf8");
const rows = (/\| apimodel [^]*?\n\n/.exec(page)?.[0] ?? "").split("\n").slice(2, -2);
const fieldsIn = (row: string): string[] =>
  [...(row.split("|")[1] ?? "").matchAll(/`(?:\w+\.)?(\w+)`/g)].map(([, field = ""]) => field);

test("reasons name only keys that there are", () => {
  const places = [[], ["linuxPools", "a"], ["windowsPools", "a"]];
  const key = /(?<![\w/.-])[a-z]\w*(?:\.[a-z]\w*)+(?!\w)/gi;
  const told = Object.values(masterReasons).map((reason) => reason("x", []));
  const keys = told.flatMap((one) => ("why" in one ? (one.instead?.match(key) ?? []) : []));
  expect(keys.length).toBeGreaterThan(30);
  expect(
    keys.filter((name) => places.every((place) => nodeAt([...place, ...name.split(".")]) === undefined)),
  ).toEqual([]);
});

test("has the fields of the page about aks-engine where the page says", () => {
  const all = Object.fromEntries(rows.flatMap(fieldsIn).map((field) => [field, "x"]));
  const kubernetesConfig = {
    ...all,
    privateCluster: { enabled: true, jumpboxProfile: { name: "x" } },
    kubeletConfig: { "--max-pods": "30" },
  };
  const { leftOut, config } = draftOfApimodel({
    properties: {
      ...all,
      orchestratorProfile: { kubernetesConfig },
      masterProfile: all,
      agentPoolProfiles: [{ ...all, name: "pool0", osType: "Windows" }],
      linuxProfile: all,
      windowsProfile: all,
    },
  });
  const wrong = rows.flatMap((row) => {
    const tops = [
      ...(row.split("|")[2] ?? "").matchAll(/`(?:(?:linux|windows)Pools\.<name>\.)?(\w+(?:\.\w+)?)/g),
    ].map(([, key = ""]) => key);
    const isTold = (field: string): boolean =>
      leftOut.some(
        ({ from, instead = "" }) =>
          from.split(/[.: -]+/).includes(field) && tops.some((top) => instead.includes(top)),
      ) ||
      [[], ["windowsPools", "pool0"], ["poolDefaults"]].some((place) =>
        tops.some((top) => at(config, ...place, ...top.split(".")) !== undefined),
      );
    return fieldsIn(row).filter((field) => tops.length > 0 && !isTold(field));
  });
  expect(rows.length).toBeGreaterThan(10);
  expect(wrong).toEqual([]);
});

test("keeps what decides of machines: accelerated networking, spot, a private API server, the disk of etcd", () => {
  const pool = (osType: string) => ({
    ...{ name: osType.toLowerCase(), osType, vmSize: "Standard_D8s_v5", spotMaxPrice: 0.5 },
    ...{ scaleSetPriority: "Spot", diskEncryptionSetID: "/subscriptions/x" },
    ...{ acceleratedNetworkingEnabled: true, acceleratedNetworkingEnabledWindows: false },
  });
  const kubernetesConfig = {
    privateCluster: { enabled: true, jumpboxProfile: { name: "j" } },
    etcdDiskSizeGB: "256",
  };
  const { config, leftOut } = draftOfApimodel({
    properties: {
      orchestratorProfile: { kubernetesConfig },
      masterProfile: { count: 3 },
      agentPoolProfiles: [pool("Windows"), pool("Linux")],
    },
  });
  const common = {
    vmSize: "Standard_D8s_v5",
    spot: { maxPrice: 0.5 },
    diskEncryptionSetId: "/subscriptions/x",
  };
  expect(config).toMatchObject({
    network: { apiServer: { private: true } },
    controlPlane: { replicas: 3, etcdDiskGB: 256 },
    windowsPools: { windows: { ...common, acceleratedNetworking: false } },
    linuxPools: { linux: { ...common, acceleratedNetworking: true } },
  });
  expect(leftOut.filter(({ from }) => from.includes("kubernetesConfig"))).toEqual([
    {
      from: "kubernetesConfig.privateCluster.jumpboxProfile",
      why: "a way into the network of the cluster is made by other means here",
      instead: "network.bastion, network.peerings",
    },
  ]);
});

test("keeps an ephemeral OS disk that has a size, and no other", () => {
  const drafts = [40, undefined].map((osDiskSizeGB) =>
    draftOfApimodel({
      properties: {
        masterProfile: { count: 3 },
        agentPoolProfiles: [
          {
            name: "win",
            osType: "Windows",
            vmSize: "Standard_D2s_v3",
            storageProfile: "Ephemeral",
            osDiskSizeGB,
          },
        ],
      },
    }),
  );
  expect(drafts.map(({ config }) => at(config, "windowsPools", "win", "ephemeralOsDisk"))).toEqual([
    "CacheDisk",
    undefined,
  ]);
  expect(drafts.map(({ leftOut }) => leftOut.filter(({ from }) => from.includes("storageProfile")))).toEqual([
    [],
    [
      {
        from: "agentPoolProfiles[0].storageProfile",
        why: "its OS disk had the size of its image, and the cache of the VM size may not hold the one of this stack",
        instead:
          "ephemeralOsDisk: CacheDisk of the pool, with an osDiskGB that fits (npm run preflight compares them)",
      },
    ],
  ]);
});

/** An apimodel with one Linux pool. */
const modelWith = (properties: object, master: object = {}, pool: object = {}) => ({
  properties: {
    masterProfile: { count: 3, ...master },
    agentPoolProfiles: [{ name: "one", vmSize: "Standard_D4s_v5", ...pool }],
    ...properties,
  },
});

const newest = newestRelease();

test("what a feature flag did with the network is told", () => {
  const flags = {
    enableIPv6DualStack: true,
    blockOutboundInternet: true,
    enableTelemetry: true,
    enableWinDSR: false,
    constructor: true,
  };
  const { leftOut } = draftOfApimodel(modelWith({ featureFlags: flags }));
  expect(leftOut.filter(({ from }) => from.startsWith("featureFlags"))).toEqual([
    {
      from: "featureFlags.enableIPv6DualStack",
      why: "networks of a stack are IPv4 only: the cluster loses IPv6",
      instead: "network",
    },
    {
      from: "featureFlags.blockOutboundInternet",
      why: "how machines reach the Internet is of the whole network here, and they do reach it by default",
      instead: "network.outbound",
    },
    { from: "featureFlags.enableTelemetry", why: "this import knows no key for it" },
    { from: "featureFlags.constructor", why: "this import knows no key for it" },
  ]);
});

test("the control plane loses the flags of kubelet, and flags are named as they were", () => {
  const kubeletConfig = { "--max-pods": "110", "-v": "5" };
  const { config, leftOut } = draftOfApimodel(
    modelWith({
      orchestratorProfile: { orchestratorVersion: "1.24.1", kubernetesConfig: { kubeletConfig } },
    }),
  );
  expect(config.poolDefaults).toEqual({ kubelet: { maxPods: 110 } });
  expect(leftOut).toEqual([
    {
      from: "kubeletConfig -v",
      why: "the program, kubeadm and the defaults of kubelet set its flags",
      instead: "kubelet.configuration of a pool, where kubelet has a field for it",
    },
    {
      from: "kubeletConfig, of the control plane",
      why: "only pools have keys for kubelet: that of the control plane has none of these flags",
      instead: "controlPlane.overrides, with kubeletExtraArgs",
    },
  ]);
});

test("a minor version alone is no wrong format: the tool chose the patch", () => {
  const { config, leftOut } = draftOfApimodel(
    modelWith({ orchestratorProfile: { orchestratorRelease: "1.21" } }),
  );
  expect(config.kubernetesVersion).toBe(newest);
  expect(leftOut).toEqual([
    {
      from: "orchestratorProfile: Kubernetes 1.21",
      why: "the tool chose the newest patch that it had of this minor version",
      instead: `kubernetesVersion: ${newest}`,
    },
  ]);
});

test("automatic updates of Windows that were off stay off, and are told where they were on", () => {
  const [off, on] = [false, true].map((enableAutomaticUpdates) =>
    draftOfApimodel(modelWith({ windowsProfile: { enableAutomaticUpdates } })).leftOut.filter(({ from }) =>
      from.startsWith("windowsProfile"),
    ),
  );
  expect(off).toEqual([]);
  expect(on).toEqual([
    {
      from: "windowsProfile.enableAutomaticUpdates",
      why: "CAPZ turns the automatic updates of each Windows machine off",
      instead: "newer images, with which pools roll (docs/images.md)",
    },
  ]);
});

test("a subnet whose subscription is a word: no example of a trial is told, nothing of the lost VNET is asked", async () => {
  const subnet =
    "/subscriptions/SUB/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v/subnets/default";
  const model = modelWith(
    { orchestratorProfile: { kubernetesConfig: {} } },
    { vnetCidr: "10.0.0.0/16", vnetSubnetId: subnet },
    { vnetSubnetId: subnet },
  );
  const { config, leftOut, open } = await importText(JSON.stringify(model), {}, "apimodel.json");
  expect(config.network).toEqual({ vnetCidr: "10.0.0.0/16" });
  expect(leftOut[0]).toEqual({
    from: expect.stringContaining("network.existing.controlPlaneSubnetId") as string,
    why: "in another subscription than the stack (<GUID of your subscription>): Azure attaches machines and subnets only to what is in theirs; without it, the stack makes its own VNET",
    instead: "what is in the subscription <GUID of your subscription>",
  });
  expect(open.map(({ path }) => path).filter((path) => path.startsWith("network"))).toEqual([]);
});

test("a subnet that is a variable is a VNET of others, and a pool is not called after the mark of a variable", async () => {
  const model = modelWith(
    { orchestratorProfile: { kubernetesConfig: {} } },
    { vnetCidr: "10.0.0.0/16", vnetSubnetId: "${vnet_masters}" },
    { name: "${pool_name}", vnetSubnetId: "${vnet_pools}" },
  );
  const { config, leftOut } = await importText(JSON.stringify(model), {}, "apimodel.json");
  expect(config).toMatchObject({
    network: { vnetCidr: "10.0.0.0/16", existing: {} },
    linuxPools: { "pool-name": {} },
  });
  expect(leftOut.filter(({ from }) => /vnet|name/i.test(from))).toEqual([
    {
      from: "agentPoolProfiles[0].name",
      why: "the name of a pool is a key of the stack file, and no variable",
      instead: "linuxPools.pool-name",
    },
  ]);
});

test("with many pools is not copied for each of their keys", () => {
  const model = JSON.parse(readFileSync(join(__dirname, "sources/apimodel.json"), "utf8")) as {
    properties: { agentPoolProfiles: unknown[] };
  };
  const names = Array.from({ length: 200 }, (_, index) => `p${index}`);
  model.properties.agentPoolProfiles = names.map((name) => ({ name, count: 1, vmSize: "Standard_D4s_v5" }));
  const copy = jest.spyOn(globalThis, "structuredClone");
  const { config } = draftOfApimodel(model);
  const copied = copy.mock.calls.reduce((sum, [value]) => sum + JSON.stringify(value).length, 0);
  copy.mockRestore();
  expect(Object.keys(config.linuxPools as object)).toEqual(names);
  expect(copied).toBeLessThan(JSON.stringify(model).length);
});
