import fc from "fast-check";
import { loadSettings } from "../../config/load";
import { optionPaths } from "../support/optionPaths";
import { artifactParts } from "capz-windows-platform/cluster/artifacts";
import { ConfigError } from "capz-windows-kit/problem";
import { isRecord } from "capz-windows-kit/untyped";
import { rightConfig } from "../support/rightConfigs";
import { customRoleChanges } from "./customRoleChanges";
import { subnetId } from "../support/rightManagement";
import { existing } from "../support/rightSubnets";
import { existingManagement, minimal } from "../support/stacks";

/** Pairs of valid configs that differ in one key of the schema. */
type Raw = Record<string, unknown>;

/** Stacks with keys that have one value in the whole sample, or change together with others only. */
const inVnetOfOthers = (own: Raw): Raw => {
  const { subscriptionId } = minimal().azure as { subscriptionId: string };
  const subnets = { controlPlaneSubnetCidr: "10.20.1.0/28", nodeSubnetCidr: "10.20.16.0/20" };
  const network = {
    vnetCidr: "10.20.0.0/16",
    ...subnets,
    poolSubnets: { web: "10.20.64.0/20", other: "10.20.32.0/24" },
  };
  return {
    ...minimal(),
    protect: false,
    network: { ...network, existing: { ...existing(subscriptionId), ...own } },
  };
};
const privately = (apiServer: Raw | undefined): Raw => ({
  ...minimal(),
  ...existingManagement,
  protect: false,
  network: { ...(apiServer && { apiServer }) },
});
const leaving = (outbound: Raw | undefined, isPrivate = false): Raw => {
  const own = isPrivate
    ? privately({ private: true, linkedVnetIds: [vnet] })
    : { ...minimal(), protect: false };
  return { ...own, network: { ...(own.network as Raw | undefined), ...(outbound && { outbound }) } };
};
const ofOthers = (type: string, name: string): string =>
  another(vnet, name).replace("/virtualNetworks/", `/${type}/`);
const natOfOthers = (name: string, egressCidr: string): Raw => ({
  type: "existingNat",
  natGatewayId: ofOthers("natGateways", name),
  egressCidrs: [egressCidr],
});
const toFirewall = (key: string, value: string): Raw => leaving({ type: "firewall", [key]: value }, true);
const peered = (own: Raw): Raw => ({
  ...minimal(),
  protect: false,
  network: { peerings: { hub: { vnetId: vnet, addressSpaces: ["10.204.0.0/24"], ...own } } },
});
const aksIn = (network: Raw): Raw => ({ ...minimal(), protect: false, management: { kind: "aks", network } });
const withApiServer = (apiServer: Raw): Raw => aksIn({ vnetCidr: "10.207.0.0/24", apiServer });
const behind = (type: string, egressCidr: string, id = subnetId): Raw =>
  aksIn({ subnetId: id, outbound: { type, egressCidrs: [egressCidr] } });
const reached = (own: Raw): Raw => ({ ...minimal(), protect: false, network: { bastion: own } });
const ownBastion = { kind: "stack", range: "10.10.1.0/26", allowedCidrs: ["203.0.113.0/24"] };
const throughOthers = (key: string, value: string): Raw =>
  reached({ kind: key === "bastionId" ? "existing" : "jumpHost", [key]: value });
const withLogin = (clientId: string): Raw => ({
  ...minimal(),
  protect: false,
  controlPlane: { authentication: { entra: { clientId } } },
});
/** A vault that was moved to another group: its key is the same. */
const encryptedIn = (group: string): Raw => ({
  ...minimal(),
  protect: false,
  controlPlane: {
    encryption: {
      keys: ["v"],
      keyVaultKeys: {
        v: `/subscriptions/s/resourceGroups/${group}/providers/Microsoft.KeyVault/vaults/own/keys/etcd/versions/${"0f".repeat(16)}`,
      },
    },
  },
});
const another = (id: string, name: string): string => id.replace(/[^/]*$/, name);
const ids = existing((minimal().azure as { subscriptionId: string }).subscriptionId);
const byHand = { private: true, dns: { manual: true } };
const vnet = another(ids.nodeSubnetId, "").replace("/subnets/", "");

/** Changes of such keys, by key: the stack before and after. */
const chosen: Readonly<Record<string, readonly [Raw, Raw]>> = {
  "controlPlane.encryption.keyVaultKeys": [encryptedIn("keys"), encryptedIn("moved")],
  ...Object.fromEntries(
    Object.entries({
      controlPlaneSubnetId: another(ids.controlPlaneSubnetId, "another"),
      nodeSubnetId: another(ids.nodeSubnetId, "another"),
      poolSubnetIds: { ...ids.poolSubnetIds, web: another(ids.nodeSubnetId, "another") },
      nodeSecurityGroup: "another",
      egressCidrs: ["198.51.100.11/32"],
    }).map(([key, value]) => [
      `network.existing.${key}`,
      [inVnetOfOthers({}), inVnetOfOthers({ [key]: value })] as const,
    ]),
  ),
  "network.apiServer.private": [privately(byHand), privately(undefined)],
  "network.apiServer.dns.manual": [privately(byHand), privately({ private: true, linkedVnetIds: [vnet] })],
  "network.outbound.type": [leaving(undefined), leaving(natOfOthers("one", "198.51.100.10/32"))],
  "network.outbound.addresses": [leaving({ type: "nat" }), leaving({ type: "nat", addresses: 2 })],
  "network.outbound.prefixLength": [
    leaving({ type: "nat", prefixLength: 31 }),
    leaving({ type: "nat", prefixLength: 30 }),
  ],
  "network.outbound.idleTimeoutMinutes": [
    leaving({ type: "nat" }),
    leaving({ type: "nat", idleTimeoutMinutes: 10 }),
  ],
  "network.outbound.natGatewayId": [
    leaving(natOfOthers("one", "198.51.100.10/32")),
    leaving(natOfOthers("other", "198.51.100.10/32")),
  ],
  "network.outbound.egressCidrs": [
    leaving(natOfOthers("one", "198.51.100.10/32")),
    leaving(natOfOthers("one", "198.51.100.11/32")),
  ],
  "network.outbound.firewallAddress": [
    toFirewall("firewallAddress", "10.50.0.4"),
    toFirewall("firewallAddress", "10.50.0.5"),
  ],
  "network.outbound.routeTableId": [
    toFirewall("routeTableId", ofOthers("routeTables", "one")),
    toFirewall("routeTableId", ofOthers("routeTables", "other")),
  ],
  "network.bastion.kind": [reached(ownBastion), reached({ ...ownBastion, kind: "none" })],
  "network.bastion.range": [reached(ownBastion), reached({ ...ownBastion, range: "10.10.2.0/26" })],
  "network.bastion.allowedCidrs": [
    reached(ownBastion),
    reached({ ...ownBastion, allowedCidrs: ["198.51.100.0/24"] }),
  ],
  "network.bastion.zones": [reached(ownBastion), reached({ ...ownBastion, zones: ["1"] })],
  "network.bastion.bastionId": [
    throughOthers("bastionId", ofOthers("bastionHosts", "one")),
    throughOthers("bastionId", ofOthers("bastionHosts", "other")),
  ],
  "network.bastion.jumpHost": [
    throughOthers("jumpHost", "10.50.0.10"),
    throughOthers("jumpHost", "ops@10.50.0.10"),
  ],
  "network.peerings.<name>.vnetId": [peered({}), peered({ vnetId: another(vnet, "other") })],
  "network.peerings.<name>.addressSpaces": [peered({}), peered({ addressSpaces: ["10.205.0.0/24"] })],
  "network.peerings.<name>.remoteSide": [peered({}), peered({ remoteSide: "stack" })],
  "network.peerings.<name>.allowForwardedTraffic": [peered({}), peered({ allowForwardedTraffic: false })],
  "network.peerings.<name>.useRemoteGateways": [peered({}), peered({ useRemoteGateways: true })],
  "management.network.apiServer.private": [
    withApiServer({ vnetIntegration: true }),
    withApiServer({ vnetIntegration: true, private: true }),
  ],
  "management.network.apiServer.vnetIntegration": [
    withApiServer({}),
    withApiServer({ vnetIntegration: true }),
  ],
  "management.network.apiServer.subnetId": [
    aksIn({ subnetId, apiServer: { vnetIntegration: true, subnetId: another(subnetId, "one") } }),
    aksIn({ subnetId, apiServer: { vnetIntegration: true, subnetId: another(subnetId, "other") } }),
  ],
  "management.network.apiServer.privateDnsZone": [
    withApiServer({ private: true }),
    withApiServer({ private: true, privateDnsZone: "none" }),
  ],
  "management.network.apiServer.publicFqdn": [
    withApiServer({ private: true }),
    withApiServer({ private: true, publicFqdn: false }),
  ],
  "management.network.apiServer.linkedVnetIds": [
    withApiServer({ private: true, privateDnsZone: "own" }),
    withApiServer({ private: true, privateDnsZone: "own", linkedVnetIds: [vnet] }),
  ],
  "management.network.vnetCidr": [aksIn({ vnetCidr: "10.207.0.0/24" }), aksIn({ vnetCidr: "10.208.0.0/24" })],
  "management.network.subnetId": [
    behind("firewall", "198.51.100.20/32"),
    behind("firewall", "198.51.100.20/32", another(subnetId, "another")),
  ],
  "management.network.outbound.type": [
    behind("existingNat", "198.51.100.20/32"),
    behind("firewall", "198.51.100.20/32"),
  ],
  "management.network.outbound.egressCidrs": [
    behind("firewall", "198.51.100.20/32"),
    behind("firewall", "198.51.100.21/32"),
  ],
  "management.peering": ["stack", "manual"].map((peering) => ({
    ...privately({ private: true }),
    management: { kind: "stack", stack: "acme/platform/management", peering },
    managementKubeconfig: undefined,
  })) as unknown as readonly [Raw, Raw],
  imageDigests: ["a", "b"].map((digit) => ({
    ...{ ...minimal(), protect: false },
    imageDigests: { "registry.k8s.io/metrics-server/metrics-server:v0.9.0": `sha256:${digit.repeat(64)}` },
  })) as unknown as readonly [Raw, Raw],
  ...Object.fromEntries(
    artifactParts.map((part) => [
      `clusterApi.digests.${part}`,
      ["a", "b"].map((digit) => ({
        ...{ ...minimal(), protect: false },
        clusterApi: { digests: { [part]: `sha256:${digit.repeat(64)}` } },
      })) as unknown as readonly [Raw, Raw],
    ]),
  ),
  ...customRoleChanges,
  "controlPlane.authentication.entra.clientId": [
    withLogin("11111111-2222-4333-8444-555555555555"),
    withLogin("11111111-2222-4333-8444-666666666666"),
  ],
};

/** Keys whose change means another management cluster, in which there is nothing to update. */
const elsewhere: readonly string[] = [
  ...["management.kind", "management.name", "management.only", "management.stack"],
  "managementKubeconfig",
];

export interface Change {
  /** The key as in docs/config.md, with `<name>` for the name of a pool. */
  readonly key: string;
  readonly before: Raw;
  readonly after: Raw;
}

function isRight(raw: Raw): boolean {
  try {
    loadSettings(raw, "test");
    return true;
  } catch (error) {
    if (error instanceof ConfigError) {
      return false;
    }
    throw error;
  }
}

/** The paths of a schema key in a config: one, or one in each pool. */
function placesOf(config: unknown, [step = "", ...rest]: readonly string[]): string[][] {
  const names = !isRecord(config)
    ? []
    : step === "<name>"
      ? Object.keys(config)
      : step in config
        ? [step]
        : [];
  return names.flatMap((name) =>
    rest.length === 0 ? [[name]] : placesOf((config as Raw)[name], rest).map((place) => [name, ...place]),
  );
}

const valueAt = (config: unknown, place: readonly string[]): unknown =>
  place.reduce<unknown>((value, step) => (value as Raw)[step], config);

/** The config with another value at a path; `undefined` removes it, and mappings that are then empty. */
function withValue(config: Raw, [step = "", ...rest]: readonly string[], value: unknown): Raw {
  const { [step]: old, ...others } = config;
  const inner = rest.length === 0 ? value : withValue(old as Raw, rest, value);
  return inner === undefined ? others : { ...others, [step]: inner };
}

/** Other values for required keys that have the same value in the whole sample. */
const others: Readonly<Record<string, unknown>> = {
  "azure.location": "northeurope",
  "management.egressCidrs": ["198.51.100.9/32"],
  "proxy.url": "http://proxy.example.com:8080",
  "sampleWorkload.disk.storageClass": "another-class",
  secretFiles: "own: another text\n",
  "access.sshPublicKey":
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKFwQe4cBdoWLMHy9MI59G0upaxktpmiI3qQYPo1DbyW another-example-replace-me",
};

/** How many values of a key, and how many configs, are tried; more would take long and find nothing. */
const tried = { values: 4, places: 8 };

const unique = (values: readonly unknown[]): unknown[] => [
  ...new Map(values.map((value) => [JSON.stringify(value), value])).values(),
];

function changeOf(key: string, sample: readonly Raw[]): Change | undefined {
  const places = sample.flatMap((config) =>
    placesOf(config, key.split(".")).map((place) => ({ config, place })),
  );
  const values = [
    undefined,
    ...unique(places.map(({ config, place }) => valueAt(config, place))).slice(0, tried.values),
    ...(key in others ? [others[key]] : []),
    ...(key.endsWith(".version") ? ["2.0.0"] : []),
  ];
  for (const { config, place } of places.slice(0, tried.places)) {
    const own = JSON.stringify(valueAt(config, place));
    const after = values
      .filter((value) => JSON.stringify(value) !== own)
      .map((value) => withValue(config, place, value))
      .find(isRight);
    if (after) {
      return { key, before: config, after };
    }
  }
  return undefined;
}

/** How many samples are searched, because one sample may not contain every key. */
const samples = 4;

/**
 * One change of each key of the schema: its removal if that is valid, otherwise another value.
 * @returns the changes, and the keys for which none was found
 */
export function changesOfEveryKey(seed: number, size: number): { changes: Change[]; without: string[] } {
  const leaves = optionPaths().filter((key, _, all) => !all.some((other) => other.startsWith(`${key}.`)));
  const found = new Map<string, Change>();
  for (const [key, [before, after]] of Object.entries(chosen)) {
    // Errors are not caught: a wrong stack says itself what is wrong.
    [before, after].forEach((raw) => loadSettings(raw, "test"));
    found.set(key, { key, before, after });
  }
  const missing = (): string[] => leaves.filter((key) => !found.has(key) && !elsewhere.includes(key));
  for (let round = 0; round < samples && missing().length > 0; round++) {
    const sample = fc
      .sample(rightConfig, { numRuns: size, seed: seed + 1000 * round })
      .map((config): Raw => ({ ...config, protect: false }))
      // Small stacks first: they are planned and applied in less time, and more changes start from the same one.
      .sort((one, other) => JSON.stringify(one).length - JSON.stringify(other).length);
    for (const key of missing()) {
      const change = changeOf(key, sample);
      if (change) {
        found.set(key, change);
      }
    }
  }
  return { changes: leaves.flatMap((key) => found.get(key) ?? []), without: missing() };
}
