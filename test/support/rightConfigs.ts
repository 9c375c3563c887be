import fc from "fast-check";
import { balancerAddresses } from "../../platform/cluster/privateApiServer";
import { rightConfigBase } from "./rightConfigBase";
import { some } from "./rightPools";

/** Audit logs that fit every OS disk, and policies that every version of Kubernetes reads. */

const policies = [
  { apiVersion: "audit.k8s.io/v1", kind: "Policy", rules: [{ level: "Metadata" }] },
  {
    ...{ apiVersion: "audit.k8s.io/v1", kind: "Policy", metadata: { name: "own" } },
    omitStages: ["RequestReceived", "Panic"],
    rules: [
      { level: "None", users: ["system:kube-proxy"], verbs: ["watch"], nonResourceURLs: ["/healthz*", "*"] },
      {
        ...{ level: "Metadata", userGroups: ["system:authenticated"], namespaces: ["", "web"] },
        resources: [{ group: "", resources: ["secrets", "pods/exec"], resourceNames: ["own"] }],
        omitStages: ["ResponseStarted"],
      },
      { level: "RequestResponse", resources: [{ group: "apps" }] },
    ],
  },
];

const audit = fc
  .tuple(
    some({
      maxAgeDays: fc.integer({ min: 1, max: 3650 }),
      maxBackups: fc.integer({ min: 1, max: 20 }),
      maxSizeMiB: fc.integer({ min: 1, max: 300 }),
    }),
    fc.constantFrom(
      {},
      { policyFile: "test/support/audit-policy.yaml" },
      ...policies.map((policy) => ({ policy })),
    ),
  )
  .map(([size, policy]) => ({ ...size, ...policy }));

const encryption = fc
  .tuple(
    fc.constantFrom(["key1"], ["b", "a"], ["identity", "a-2026"]),
    fc.constantFrom({}, { resources: ["secrets", "configmaps"] }, { resources: ["configmaps"] }),
  )
  .map(([keys, resources]) => ({ keys, ...resources }));

type Raw = Record<string, unknown>;

const vnet = "/subscriptions/s/resourceGroups/hub/providers/Microsoft.Network/virtualNetworks/hub";
const zone =
  "/subscriptions/s/resourceGroups/hub/providers/Microsoft.Network/privateDnsZones/k8s.example.com";

/** Private API servers; `ip` says that there is an address of one's own. */
const apiServer = fc.constantFrom<Raw>(
  { linkedVnetIds: [vnet] },
  { linkedVnetIds: [vnet], dns: { zoneName: "blue.k8s.example.com" } },
  { linkedVnetIds: [], dns: { zoneId: zone } },
  { ip: "the first one", dns: { manual: true } },
);

/** Whether the rules allow a private API server: its controllers reach it, and Calico's pods too. */
const mayBePrivate = ({ management, flavor, kubernetesVersion }: Raw) =>
  (management as Raw | undefined)?.kind === "existing" &&
  flavor !== "dockershim" &&
  /^v?1\.(3[5-9]|[4-9]\d)\./.test(String(kubernetesVersion));

/** An address of the subnet that the config has, which need not be the default. */
const addressIn = (network: Raw | undefined) =>
  typeof network?.controlPlaneSubnetCidr === "string"
    ? balancerAddresses(network.controlPlaneSubnetCidr).first
    : network?.vnetCidr === undefined
      ? "10.10.0.200"
      : undefined;

const withApiServer = (config: Raw, own: Raw | undefined): Raw => {
  const network = config.network as Raw | undefined;
  if (own === undefined || !mayBePrivate(config)) {
    return config;
  }
  const ip = "ip" in own ? addressIn(network) : undefined;
  const apiServer = { private: true, ...own, ip };
  return { ...config, network: { ...network, apiServer: JSON.parse(JSON.stringify(apiServer)) as Raw } };
};

export const rightConfig: fc.Arbitrary<Raw> = fc
  .tuple(
    rightConfigBase,
    fc.option(audit, { nil: undefined, freq: 2 }),
    fc.option(encryption, { nil: undefined, freq: 2 }),
    fc.option(apiServer, { nil: undefined, freq: 2 }),
  )
  .map(([config, log, keys, privateApiServer]) =>
    log === undefined && keys === undefined
      ? withApiServer(config, privateApiServer)
      : {
          ...withApiServer(config, privateApiServer),
          controlPlane: {
            ...(config.controlPlane as Raw | undefined),
            ...(log === undefined ? {} : { audit: log }),
            ...(keys === undefined ? {} : { encryption: keys }),
          },
        },
  );
