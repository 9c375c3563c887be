import fc from "fast-check";
import type { VersionRange } from "./kubernetesVersions";

/** Random valid pools, and options that they share with the control plane. */

type Raw = Record<string, unknown>;

export const guid = fc.uuid();
export const word = fc.stringMatching(/^[a-z][a-z0-9]{1,8}$/);
const percentOrCount = (least: number) =>
  fc.oneof(
    fc.integer({ min: least, max: 5 }),
    fc.integer({ min: Math.max(1, least), max: 100 }).map((n) => `${n}%`),
  );
export const vmSize = fc.constantFrom("Standard_D4s_v5", "Standard_E8ds_v4", "Standard_F16s_v2");
export const some = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(model, { requiredKeys: [] });

const minorOf = (version: string): number => Number(version.split(".")[1]);

export const image = fc.oneof(
  fc.constant({ marketplace: { urn: "publisher:offer:own-sku:1.2.3" } }),
  fc.record({
    marketplace: fc.record({ publisher: word, offer: word, sku: word, version: fc.constant("1.2.3") }),
  }),
  fc.record({ computeGallery: fc.record({ gallery: word, name: word, version: fc.constant("1.35.6") }) }),
  fc.record({
    computeGallery: fc.record({
      gallery: word,
      name: word,
      version: fc.constant("1.35.6"),
      subscriptionId: guid,
      resourceGroup: word,
    }),
  }),
  guid.map((id) => ({
    id: `/subscriptions/${id}/resourceGroups/i/providers/Microsoft.Compute/images/capi`,
  })),
);

/** Contents of files, some of which templates, quoting or line folding would break. */
const content = fc.oneof(
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 200 }),
  fc.constantFrom(
    "{{ ds.meta_data.local_hostname }}",
    "{% raw %}",
    "a: b\n\ttab\r\nline\n",
    "%PATH% ${HOME} `x` 'y' \"z\"",
  ),
);

/** Health checks that are valid for any number of machines. */
export const healthCheck = some({
  enabled: fc.boolean(),
  unhealthyLessThanOrEqualTo: fc.constantFrom(1, 2, "100%"),
  nodeStartupTimeoutSeconds: fc.constantFrom(0, 1500, 3600),
  nodeUnknownTimeoutSeconds: fc.integer({ min: 60, max: 3600 }),
  nodeNotReadyTimeoutSeconds: fc.integer({ min: 60, max: 3600 }),
});

export const pool = (
  { versions, skew, ...range }: VersionRange,
  version: string,
  os: "linux" | "windows",
) => {
  const drive = os === "windows" ? "C:/k" : "/etc";
  const model = {
    replicas: fc.integer({ min: 0, max: 12 }),
    vmSize,
    kubernetesVersion: fc.constantFrom(
      ...versions.filter(
        // A newer patch is valid, a newer minor is not.
        (other) => minorOf(other) <= minorOf(version) && minorOf(other) >= minorOf(version) - skew,
      ),
    ),
    zones: fc.subarray(["1", "2", "3"]),
    autoscale: fc.integer({ min: 0, max: 20 }).map((min) => ({ min, max: min + 5 })),
    image,
    rollout: fc.oneof(
      fc.record({ maxSurge: percentOrCount(1), maxUnavailable: percentOrCount(0) }),
      fc.record({
        maxSurge: percentOrCount(0),
        // No small percentages: CAPZ rounds down, which would be 0 in a small pool.
        maxUnavailable: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.constant("100%")),
        deletePolicy: fc.constantFrom("Oldest", "Newest", "Random"),
      }),
    ),
    files: fc
      .uniqueArray(fc.tuple(word, content), { maxLength: 3, selector: ([name]) => name })
      .map((files) =>
        files.map(([name, text], index) => ({
          path: `${drive}/own-${name}.txt`,
          // The first file has its content, the others come from Secrets.
          ...([{ content: text }, { contentFrom: { secretFile: "licence.key" } }][index] ?? {
            contentFrom: { secret: { name: "theirs", key: "own" } },
          }),
        })),
      ),
    preKubeadmCommands: fc.array(fc.constantFrom("echo before", "hostname"), { maxLength: 2 }),
    postKubeadmCommands: fc.array(fc.constantFrom("echo after", "hostname"), { maxLength: 2 }),
    osDiskGB: fc.integer({ min: 30, max: 2048 }),
    dataDisks: fc.constantFrom(
      [],
      [{ name: "data", sizeGB: 256, ...(os === "windows" ? { letter: "F" } : { mountPath: "/data" }) }],
      [
        {
          ...{ name: "one", sizeGB: 64, type: "Premium_LRS" },
          ...(os === "windows" ? { letter: "G" } : { mountPath: "/var/lib/kubelet" }),
        },
        { name: "two", sizeGB: 128, ...(os === "windows" ? { letter: "F" } : { mountPath: "/data/two" }) },
      ],
    ),
    vmExtensions: fc.constantFrom(
      [],
      [{ name: "Agent", publisher: "Own", version: "1.0", settings: { a: "b" } }],
      [{ name: "Agent", publisher: "Own", version: "1.1" }],
    ),
    subnet: fc.constantFrom("web", "other"),
    acceleratedNetworking: fc.boolean(),
    additionalNetworkInterfaces: fc.constantFrom([], [{}], [{ subnet: "web", acceleratedNetworking: false }]),
    spot: some({
      evictionPolicy: fc.constantFrom("Delete", "Deallocate"),
      maxPrice: fc.constantFrom("0.05", "1"),
    }),
    osDiskType: fc.constantFrom("Premium_LRS", "StandardSSD_LRS"),
    ephemeralOsDisk: fc.constantFrom("CacheDisk", "ResourceDisk"),
    encryptionAtHost: fc.boolean(),
    diskEncryptionSetId: guid.map(
      (id) => `/subscriptions/${id}/resourceGroups/k/providers/Microsoft.Compute/diskEncryptionSets/k`,
    ),
    identityIds: fc.constantFrom(
      [],
      ["a", "b"].map(
        (name) =>
          `/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/i/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`,
      ),
    ),
    ...(os === "windows" ? { hybridBenefit: fc.boolean() } : {}),
    terminationNoticeMinutes: fc.integer({ min: 5, max: 15 }),
    deletion: some({
      drain: fc.boolean(),
      drainBeforeRemoval: fc.boolean(),
      waitForVolumeDetach: fc.boolean(),
      nodeDeletionTimeoutSeconds: fc.integer({ min: 0, max: 3600 }),
      ...(os === "windows"
        ? {
            nodeDrainTimeoutSeconds: fc.integer({ min: 1, max: 3600 }),
            nodeVolumeDetachTimeoutSeconds: fc.integer({ min: 1, max: 3600 }),
          }
        : {}),
    }),
    labels: fc.constantFrom(
      {},
      { "example.org/team": "web", "node-role.kubernetes.io/own": "" },
      { "node.cluster.x-k8s.io/pool": "own" },
    ),
    taints: fc.subarray([
      { key: "example.org/dedicated", value: "iis", effect: "PreferNoSchedule" },
      { key: "example.org/other", effect: "PreferNoSchedule" },
    ]),
    ...(minorOf(version) < 26
      ? {}
      : {
          kubelet: some({
            maxPods: fc.integer({ min: 10, max: 250 }),
            reserved: fc.oneof(
              some({
                enabled: fc.constant(true),
                cpu: fc.constant("500m"),
                memory: fc.constantFrom("1Gi", "1500Mi"),
              }),
              fc.constant({ enabled: false }),
            ),
            imageGC: fc.record({
              highPercent: fc.integer({ min: 60, max: 100 }),
              lowPercent: fc.integer({ min: 0, max: 59 }),
              minAgeMinutes: fc.integer({ min: 0, max: 100 }),
            }),
            configuration: fc.constantFrom(
              { podsPerCore: 20, evictionHard: { "memory.available": "500Mi" } },
              {
                ...{ nodeStatusUpdateFrequency: "20s", memorySwap: {}, enableSystemLogQuery: true },
                featureGates: { NodeLogQuery: true },
              },
            ),
            // A pool may be three minors older than its cluster.
            logQuery: fc.boolean().map((wanted) => wanted && minorOf(version) >= 30),
            maxParallelImagePulls: fc.integer({ min: 1, max: 20 }),
            containerLogs: some({
              maxSizeMi: fc.integer({ min: 1, max: 1024 }),
              maxFiles: fc.integer({ min: 2, max: 100 }),
            }),
          }),
        }),
    overrides: some({
      MachinePool: fc.constant({ spec: { template: { metadata: { annotations: { team: "web" } } } } }),
      AzureMachinePool: fc.constantFrom(
        { spec: { template: { diagnostics: { boot: { storageAccountType: "Managed" } } } } },
        { spec: { additionalTags: { pool: "own" } } },
      ),
      KubeadmConfig: fc.constant({ spec: { ntp: { enabled: true, servers: ["time.example.org"] } } }),
      ...(os === "windows"
        ? {
            MachineDeployment: fc.constant({ metadata: { labels: { team: "web" } } }),
            AzureMachineTemplate: fc.constant({
              spec: {
                template: { spec: { diagnostics: { boot: { storageAccountType: "Disabled" } } } },
              },
            }),
            KubeadmConfigTemplate: fc.constant({ spec: { template: { spec: { verbosity: 4 } } } }),
            MachineHealthCheck: fc.constant({ metadata: { labels: { team: "web" } } }),
          }
        : {}),
    }),
    ...(os === "windows"
      ? {
          windowsServer: fc.constantFrom(...range.windowsServers),
          kind: fc.constantFrom("MachinePool", "MachineDeployment"),
          healthCheck,
          trustedLaunch: fc.constantFrom({}, { secureBoot: false }, { vTpm: false, secureBoot: true }),
        }
      : {}),
  };
  const needed = range.ownImages ? ["image", ...(os === "windows" ? ["windowsServer"] : [])] : [];
  return fc
    .record(model, { requiredKeys: needed as (keyof typeof model)[] })
    .map((own: Raw) => (own.kind === "MachineDeployment" ? singleMachines(own, version) : own))
    .map(withOwnOverrides)
    .map(withRightLaunch)
    .map(withRightDeletion)
    .map(withRightDisk);
};

const without = (own: Raw, ...keys: readonly string[]): Raw =>
  Object.fromEntries(Object.entries(own).filter(([key]) => !keys.includes(key)));

/** Removes what scale sets cannot have (health checks, limits of a drain), and limits of a drain that is skipped. */
function withRightDeletion(own: Raw): Raw {
  const isDeployment = own.kind === "MachineDeployment";
  const { deletion, ...others } = isDeployment ? own : without(own, "healthCheck");
  const all = (deletion ?? {}) as Raw;
  const wrong = [
    ...(isDeployment && all.drain !== false ? [] : ["nodeDrainTimeoutSeconds"]),
    ...(isDeployment && all.waitForVolumeDetach !== false ? [] : ["nodeVolumeDetachTimeoutSeconds"]),
  ];
  return deletion === undefined ? others : { ...others, deletion: without(all, ...wrong) };
}

/** Removes Trusted Launch unless the pool has single machines and an image of its own. */
function withRightLaunch(own: Raw): Raw {
  const { marketplace } = (own.image ?? { marketplace: {} }) as { marketplace?: unknown };
  return own.kind === "MachineDeployment" && marketplace === undefined ? own : without(own, "trustedLaunch");
}

/** An ephemeral OS disk has no type and no encryption set, and needs a VM size with enough space for it. */
function withRightDisk(own: Raw): Raw {
  const { spot, ...others } = without(own, "osDiskType", "diskEncryptionSetId");
  return own.ephemeralOsDisk === undefined
    ? own
    : {
        ...others,
        vmSize: "Standard_E16ds_v5",
        osDiskGB: 100,
        ...(spot === undefined ? {} : { spot: { ...(spot as object), evictionPolicy: "Delete" } }),
      };
}

/** Keeps only overrides of kinds that a pool of this kind has. */
function withOwnOverrides(own: Raw): Raw {
  const others =
    own.kind === "MachineDeployment"
      ? ["MachinePool", "AzureMachinePool", "KubeadmConfig"]
      : ["MachineDeployment", "AzureMachineTemplate", "KubeadmConfigTemplate", "MachineHealthCheck"];
  return own.overrides === undefined
    ? own
    : {
        ...own,
        overrides: Object.fromEntries(
          Object.entries(own.overrides as object).filter(([kind]) => !others.includes(kind)),
        ),
      };
}

/** Changes a pool to a MachineDeployment, which has at most one zone and the control plane's minor version. */
function singleMachines(pool: Raw, version: string): Raw {
  const { kubernetesVersion, ...own } = without(pool, "terminationNoticeMinutes");
  return {
    ...own,
    ...(own.zones ? { zones: (own.zones as string[]).slice(0, 1) } : {}),
    ...(typeof kubernetesVersion === "string" && minorOf(kubernetesVersion) === minorOf(version)
      ? { kubernetesVersion }
      : {}),
  };
}
