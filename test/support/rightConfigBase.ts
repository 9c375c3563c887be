import fc from "fast-check";
import type { VersionRange } from "./kubernetesVersions";
import { versionRanges } from "./kubernetesVersions";
import { exampleAuthority } from "./certificates";
import { clusterApi, management } from "./rightManagement";
import { guid, healthCheck, image, pool, some, vmSize } from "./rightPools";
import { alone, defaultsWish, withPoolDefaults } from "./rightPoolDefaults";
import { withWorkloads, workloadWishes } from "./rightWorkloads";
import { subnets } from "./rightSubnets";
import { minimal, otherKey } from "./stacks";

/**
 * Random valid configs with the whole range of options. A test compares them with the schema and fails if an option is
 * missing here.
 */

type Raw = Record<string, unknown>;

/** Arbitraries that are created once, because their creation takes time. */
const texts = {
  poolStart: fc.stringMatching(/^[a-z][a-z0-9]{0,3}$/),
  poolEnd: fc.stringMatching(/^[a-z0-9]{3}$/),
  clusterName: fc.stringMatching(/^[a-z][a-z0-9-]{0,42}[a-z0-9]$/),
  namespace: fc.stringMatching(/^[a-z][a-z0-9]{0,20}$/),
  resourceGroup: fc.stringMatching(/^[A-Za-z][-\w.()]{0,30}[A-Za-z]$/),
  tag: fc.stringMatching(/^[a-z]{1,9}$/),
  tagValue: fc.stringMatching(/^[a-z ]{0,20}$/),
};

/**
 * Pools whose names have up to 9 characters, which CAPZ keeps, or are long and differ in their last 5. The first letter
 * distinguishes Linux from Windows pools.
 */
const pools = (range: VersionRange, version: string, os: "linux" | "windows") =>
  fc
    .uniqueArray(
      fc.tuple(
        fc.oneof(texts.poolStart, fc.constant("long-pool-name-")),
        texts.poolEnd,
        pool(range, version, os),
      ),
      { maxLength: 4, selector: ([, end]) => end },
    )
    .map((list) =>
      Object.fromEntries(
        list.map(([start, end, settings]) => [`${os.slice(0, 1)}${start}${os.slice(0, 1)}0${end}`, settings]),
      ),
    );

/** Networks that do not overlap and are large enough for the pools. */
const network = ({ podCidrs }: VersionRange) =>
  some({
    vnetCidr: fc.constantFrom("10.10.0.0/16", "172.16.0.0/12", "10.0.0.0/15"),
    podCidr: fc.constantFrom(...podCidrs),
    serviceCidr: fc.constantFrom("10.96.0.0/12", "10.100.0.0/20"),
    mtu: fc.integer({ min: 1330, max: 1400 }),
  });

/** Removes the health check of a control plane with one machine, which cannot have one. */
const withRightHealthCheck = (own: Raw): Raw =>
  own.replicas === 1 ? Object.fromEntries(Object.entries(own).filter(([key]) => key !== "healthCheck")) : own;

const controlPlane = ({ ownImages }: VersionRange) => {
  const model = {
    os: fc.constant("linux"),
    replicas: fc.constantFrom(1, 3, 5, 7),
    vmSize,
    osDiskGB: fc.integer({ min: 30, max: 2048 }),
    etcdDiskGB: fc.integer({ min: 4, max: 4096 }),
    image,
    certificatesExpiryDays: fc.constantFrom(0, 7, 30, 180),
    healthCheck,
    deletion: some({
      nodeDrainTimeoutSeconds: fc.integer({ min: 1, max: 3600 }),
      nodeVolumeDetachTimeoutSeconds: fc.integer({ min: 1, max: 3600 }),
      nodeDeletionTimeoutSeconds: fc.integer({ min: 0, max: 3600 }),
    }),
    overrides: some({
      KubeadmControlPlane: fc.constant({ spec: { kubeadmConfigSpec: { verbosity: 4 } } }),
      AzureMachineTemplate: fc.constant({
        spec: { template: { spec: { diagnostics: { boot: { storageAccountType: "Managed" } } } } },
      }),
      MachineHealthCheck: fc.constant({ metadata: { labels: { team: "web" } } }),
    }),
  };
  return fc.record(model, { requiredKeys: ownImages ? ["image"] : [] }).map(withRightHealthCheck);
};

const cluster = (range: VersionRange, version: string) =>
  fc.record(
    {
      kubernetesVersion: fc.constant(version),
      clusterName: texts.clusterName,
      namespace: texts.namespace,
      flavor: fc.constant(range.flavor),
      azure: fc
        .tuple(guid, guid, some({ resourceGroup: texts.resourceGroup }))
        .map(([subscriptionId, tenantId, group]) => ({
          subscriptionId,
          tenantId,
          location: "westeurope",
          ...group,
        })),
      network: fc.tuple(network(range), subnets).map(([base, own]) => ({ ...base, ...own })),
      controlPlane: controlPlane(range),
      windowsPools: pools(range, version, "windows"),
      linuxPools: pools(range, version, "linux"),
      addons: some(
        Object.fromEntries(
          Object.entries(range.addons).map(([option, values]) => [option, fc.constantFrom(...values)]),
        ),
      ),
      access: some({
        additionalSshPublicKeys: fc.constantFrom([], [otherKey]),
        allowedCidrs: fc.constantFrom(
          [],
          ["203.0.113.0/24"],
          ["203.0.113.0/24", "203.0.113.7/32", "0.0.0.0/0"],
        ),
      }).map((own) => ({ ...(minimal().access as Raw), ...own })),
      workloads: workloadWishes,
      extraManifests,
      protect: fc.boolean(),
      overrides: some({
        Cluster: fc.constant({ metadata: { labels: { team: "web" } } }),
        AzureCluster: fc.constant({ spec: { additionalTags: { cluster: "own" } } }),
      }),
      wait: fc.constantFrom("nodes", "controlPlane", "none"),
      tags: fc.dictionary(texts.tag, texts.tagValue),
    },
    {
      requiredKeys: [
        "kubernetesVersion",
        ...(range.flavor === "containerd" ? [] : (["flavor"] as const)),
        ...(range.ownImages ? (["controlPlane"] as const) : []),
      ],
    },
  );

const quota = (name: string) => ({
  apiVersion: "v1",
  kind: "ResourceQuota",
  metadata: { name, namespace: "default" },
  spec: { hard: { pods: "100" } },
});

/** Manifests of the user; those with a url are left out, because a plan does not have their content. */
const extraManifests = some({
  files: fc.record({
    file: fc.constantFrom("docs/workloads/network-policy.yaml", "docs/workloads/first-pod.yaml"),
    strategy: fc.constantFrom("Reconcile", "ApplyOnce"),
  }),
  downloads: fc.record({
    url: fc.constantFrom("https://example.com/v1/web.yaml", "https://example.com/v2/web.yaml"),
    sha256: fc.constantFrom("0".repeat(64), "a1".repeat(32)),
  }),
  inline: fc.record(
    {
      objects: fc.constantFrom([quota("first")], [quota("first"), quota("second")]),
      strategy: fc.constantFrom("Reconcile", "ApplyOnce"),
    },
    { requiredKeys: ["objects"] },
  ),
});

/** Proxy, mirror and certificates of nodes, which nodes with Docker do not support. */
const egress = some({
  proxy: fc.record({
    url: fc.constant("http://proxy.example.com:3128"),
    noProxy: fc.constantFrom([], [".example.com", "10.50.0.0/16"]),
  }),
  registryMirror: fc
    .tuple(
      fc.constantFrom("https://mirror.example.com", "https://mirror.example.com:8443/cache"),
      some({
        paths: fc.constantFrom({ registry: "docker-hub" }, { mirrored: "own/images" }),
        fallback: fc.boolean(),
      }),
    )
    .map(([url, more]) => ({ url, ...more })),
  trustedCertificates: fc.constantFrom([], [exampleAuthority]),
});

/** Azure container registries, which kubelets before 1.26 cannot log in to. */
const registries = fc.constantFrom(
  {},
  {
    azureContainerRegistries: ["one", "Two"].map(
      (name) =>
        `/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/r/providers/Microsoft.ContainerRegistry/registries/${name}`,
    ),
  },
);

const sample = fc
  .tuple(
    some({
      replicas: fc.integer({ min: 1, max: 3 }),
      image: fc.constant("registry.example/iis:10"),
      serviceType: fc.constantFrom("LoadBalancer", "ClusterIP", "NodePort"),
      disk: fc.record(
        { storageClass: fc.constant("managed-csi"), sizeGiB: fc.integer({ min: 1, max: 64 }) },
        { requiredKeys: ["storageClass"] },
      ),
    }),
    fc.record({
      requests: some({ cpu: fc.constantFrom("100m", "0.5"), memory: fc.constantFrom("300Mi", "1Gi") }),
      limits: fc.record({ cpu: fc.constantFrom("1", "1500m"), memory: fc.constantFrom("1Gi", "2048Mi") }),
    }),
  )
  .map(([pods, resources]): Raw => ({ ...pods, ...resources }))
  .chain((own) =>
    ["LoadBalancer", undefined].includes(own.serviceType as string | undefined)
      ? some({ internal: fc.boolean() }).map((more) => ({ ...own, ...more }))
      : fc.constant(own),
  );

/** Removes subnets and further network interfaces of pools if the VNET has no subnets for pools. */
function withRightSubnets(config: Raw): Raw {
  const { poolSubnets } = (config.network ?? {}) as { poolSubnets?: object };
  const right = (pool: Raw): Raw =>
    poolSubnets === undefined
      ? Object.fromEntries(
          Object.entries(pool).filter(([key]) => !["subnet", "additionalNetworkInterfaces"].includes(key)),
        )
      : pool;
  const all = (pools: unknown): Raw =>
    Object.fromEntries(
      Object.entries((pools ?? {}) as Raw).map(([name, pool]) => [name, right(pool as Raw)]),
    );
  return {
    ...config,
    ...(config.poolDefaults === undefined ? {} : { poolDefaults: right(config.poolDefaults as Raw) }),
    ...(config.linuxPools === undefined ? {} : { linuxPools: all(config.linuxPools) }),
    ...(config.windowsPools === undefined ? {} : { windowsPools: all(config.windowsPools) }),
  };
}

/** Adds the sample workload if the cluster can run it and users can reach it. */
function withSample(config: Raw, sampleWorkload: Raw | undefined): Raw {
  type Pools = Record<string, { replicas?: number; autoscale?: { min: number } }>;
  const pool = Object.entries((config.windowsPools ?? {}) as Pools).find(
    ([, { replicas = 2, autoscale }]) => (autoscale?.min ?? replicas) > 0,
  )?.[0];
  const { allowedCidrs = [] } = config.access as { allowedCidrs?: string[] };
  return sampleWorkload && pool !== undefined && allowedCidrs.length > 0 && config.wait !== "none"
    ? { ...config, sampleWorkload: { ...sampleWorkload, pool } }
    : config;
}

/** Which CNI and which kube-proxy for Windows the cluster has. */
const networkChoice: fc.Arbitrary<Raw> = fc.constantFrom<Raw>(
  ...[{}, {}, {}],
  { cni: "calico" },
  { cni: "none" },
  { cni: "none", kubeProxyWindows: true },
  { kubeProxyWindows: false },
);

/** Sets these choices, and removes options that need Calico or would wait for ever for the user's CNI. */
function withNetworkChoice(config: Raw, { cni, ...choice }: Raw): Raw {
  const own = cni === "none" && config.flavor !== "dockershim";
  const unused = [
    ...(own ? ["calicoVersion", "calicoBlockSize", "azureMetadata"] : []),
    ...((choice.kubeProxyWindows ?? !own) === true ? [] : ["kubeProxyWindowsImage"]),
  ];
  const kept = Object.entries((config.addons ?? {}) as Raw).filter(([key]) => !unused.includes(key));
  const addons = {
    ...Object.fromEntries(kept),
    ...(cni === undefined || config.flavor === "dockershim" ? {} : { cni }),
    ...choice,
  };
  const stalls = own && Object.keys(config.extraManifests ?? {}).length === 0;
  const { sampleWorkload, ...others } = config;
  return {
    ...others,
    ...(sampleWorkload === undefined || stalls ? {} : { sampleWorkload }),
    ...(stalls && config.wait === "nodes" ? { wait: "controlPlane" } : {}),
    ...(config.addons === undefined && Object.keys(addons).length === 0 ? {} : { addons }),
  };
}

/** Adds control plane machines until there are enough Linux nodes for Typha: at most three for up to 399 nodes. */
function withTypha(config: Raw): Raw {
  type Pools = Record<string, { replicas?: number; autoscale?: { max: number } }>;
  const windows = Object.values((config.windowsPools ?? {}) as Pools).reduce(
    (sum, { replicas = 2, autoscale }) => sum + (autoscale?.max ?? replicas),
    0,
  );
  const controlPlane = (config.controlPlane ?? {}) as { replicas?: number };
  return windows > 1 && controlPlane.replicas === 1
    ? { ...config, controlPlane: { ...controlPlane, replicas: 3 } }
    : config;
}

/** All options but the audit log. Mistakes are made in these, so that random wrong files stay what they are. */
export const rightConfigBase: fc.Arbitrary<Raw> = fc
  .tuple(
    fc.oneof(...versionRanges.flatMap((range) => range.versions.map((version) => cluster(range, version)))),
    management,
    clusterApi,
    fc.option(sample, { nil: undefined, freq: 3 }),
    egress,
    defaultsWish,
    registries,
    networkChoice,
  )
  .map(([own, place, providers, sampleWorkload, outside, defaults, pulls, choice]) => {
    const config: Raw = {
      ...minimal(),
      ...own,
      ...place,
      secretFiles: "licence.key: text {{ of }} a secret\n",
      ...(own.flavor === "dockershim" ? {} : outside),
      ...(Number(own.kubernetesVersion.split(".")[1]) < 26 ? {} : pulls),
      clusterApi: { ...providers, ...("clusterApi" in place ? place.clusterApi : {}) },
    };
    const few = defaults === "alone" ? alone(config) : config;
    return withRightSubnets(
      withPoolDefaults(
        withNetworkChoice(withSample(withWorkloads(withTypha(few)), sampleWorkload), choice),
        defaults !== "no",
      ),
    );
  });
