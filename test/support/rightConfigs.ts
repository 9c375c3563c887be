import fc from "fast-check";
import { minor } from "semver";
import { calicoImages } from "../../addons/calicoImages";
import { calicoRelease } from "../../addons/calicoReleases";
import { firstWithAuthentication } from "../../bootstrap/authentication";
import { platformOf, type Flavor } from "capz-windows-platform/cluster/platform";
import { oldestWithKeyVault } from "capz-windows-platform/encryption/keyVault";
import { firstWithPodSecurity, podSecurityLevels } from "capz-windows-platform/cluster/podSecurity";
import { policyIds } from "../../config/policy/policyIds";
import { balancerAddresses } from "capz-windows-platform/cluster/privateApiServer";
import { withoutUndefined } from "capz-windows-kit/without";
import { exampleAuthority } from "./certificates";
import { waysIn, withWayIn } from "./rightBastion";
import { rightConfigBase } from "./rightConfigBase";
import { outbound, withOutbound } from "./rightOutbound";
import { peered, withPeerings } from "./rightPeerings";
import { subnetId } from "./rightManagement";
import { some } from "./rightPools";
import { existing } from "./rightSubnets";
import { existingManagement } from "./stacks";

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

const keyOf = (vault: string): string =>
  `/subscriptions/s/resourceGroups/keys/providers/Microsoft.KeyVault/vaults/${vault}/keys/etcd/versions/${"0f".repeat(16)}`;

const encryption = fc
  .tuple(
    fc.constantFrom<{ keys: string[]; keyVaultKeys?: Record<string, string> }>(
      { keys: ["key1"] },
      { keys: ["b", "a"] },
      { keys: ["identity", "a-2026"] },
      { keys: ["v"], keyVaultKeys: { v: keyOf("own") } },
      { keys: ["a", "v", "w"], keyVaultKeys: { v: keyOf("own"), w: keyOf("Other-1") } },
    ),
    fc.constantFrom({}, { resources: ["secrets", "configmaps"] }, { resources: ["configmaps"] }),
  )
  .map(([keys, resources]) => ({ ...keys, ...resources }));

type Raw = Record<string, unknown>;

const vnet = "/subscriptions/s/resourceGroups/hub/providers/Microsoft.Network/virtualNetworks/hub";
const zone =
  "/subscriptions/s/resourceGroups/hub/providers/Microsoft.Network/privateDnsZones/k8s.example.com";

/** Private API servers; `ip` says that there is an address of one's own. */
const apiServer = fc.constantFrom<Raw>(
  { ip: "the first one", linkedVnetIds: [vnet], dns: { zoneId: zone } },
  { ip: "the first one", dns: { manual: true, zoneName: "blue.k8s.example.com" } },
  { linkedVnetIds: [vnet] },
  { privateLink: { subnetId: `${vnet}/subnets/endpoints`, location: "northeurope" } },
  { privateLink: { manual: true, subscriptions: ["22222222-2222-4333-8444-555555555555"] } },
);

/** Whether Calico's pods reach a private API server. */
const mayBePrivate = ({ flavor, kubernetesVersion }: Raw) =>
  flavor !== "dockershim" && /^v?1\.(3[5-9]|[4-9]\d)\./.test(String(kubernetesVersion));

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
  // The controllers on a management cluster that the stack makes would not reach it.
  const management = config.management as Raw | undefined;
  const reaching =
    management?.kind === "existing"
      ? config
      : management?.kind === "stack" && own.privateLink !== undefined
        ? { ...config, management: { ...management, peering: undefined } }
        : management?.kind === "stack" && own.dns === undefined
          ? {
              ...config,
              management: { ...management, peering: network?.existing === undefined ? "stack" : "others" },
            }
          : { ...config, ...existingManagement };
  const clusterApi = reaching.clusterApi as Raw | undefined;
  return {
    ...reaching,
    // CAPZ makes private link services from v1.27 on.
    ...(own.privateLink === undefined || clusterApi === undefined
      ? {}
      : { clusterApi: { ...clusterApi, azureVersion: "v1.27.0" } }),
    network: { ...network, apiServer: JSON.parse(JSON.stringify(apiServer)) as Raw },
  };
};

const guid = "11111111-2222-4333-8444-555555555555";

/** Logins by issuers whose prefixes differ. */
const authentication = fc
  .tuple(
    fc.constantFrom(
      { entra: { clientId: guid }, oidc: [] },
      { entra: { clientId: guid, tenantId: guid, usernameClaim: "upn" } },
      {
        oidc: [
          { issuerUrl: "https://login.example.com/", audiences: ["kubernetes", "other"] },
          {
            ...{ issuerUrl: "https://dex.example.com:5556/dex", audiences: ["kubernetes"] },
            ...{ usernameClaim: "email", usernamePrefix: "dex-", groupsClaim: "roles", groupsPrefix: "dex/" },
            certificateAuthority: exampleAuthority,
          },
        ],
      },
    ),
    fc.boolean(),
  )
  .map(([issuers, hasRights]) => {
    const prefix = "entra" in issuers ? "entra:" : "oidc:";
    const subjects = { groups: [`${prefix}${guid}`], users: [`${prefix}ada`] };
    return hasRights ? { ...issuers, administrators: subjects, readers: subjects } : issuers;
  });

/** Levels of namespaces without labels. */
const podSecurity = some({
  enforce: fc.constantFrom(...podSecurityLevels),
  audit: fc.constantFrom(...podSecurityLevels),
  warn: fc.constantFrom(...podSecurityLevels),
  exemptNamespaces: fc.uniqueArray(fc.constantFrom("agents", "on", "kube-system"), { maxLength: 2 }),
});

const ofSubnet = subnetId.slice(0, subnetId.indexOf("resourceGroups"));

const policyExceptions = fc.array(
  fc
    .tuple(fc.constantFrom(...policyIds), fc.constantFrom("2020-02-29", "2099-12-31"), fc.boolean())
    .map(([rule, until, isAtPath]) => ({
      ...{ rule, reason: "until spring: a # and a 'quote'", until },
      ...(isAtPath ? { path: "windowsPools" } : {}),
    })),
  { minLength: 1, maxLength: 2 },
);

const imageDigests = fc.dictionary(
  fc.constantFrom("registry.k8s.io/metrics-server/metrics-server:v0.9.0", "example.com:5000/own:1.0"),
  fc.constantFrom(`sha256:${"a".repeat(64)}`, `sha256:${"b".repeat(64)}`),
);

const calicoDigests = ({ addons, kubernetesVersion }: Raw): Raw => {
  const { calicoVersion } = (addons ?? {}) as { calicoVersion?: string };
  const release = calicoRelease({ calicoVersion, kubernetesVersion: String(kubernetesVersion) });
  return Object.fromEntries(calicoImages(release).map((image) => [image, `sha256:${"c".repeat(64)}`]));
};

/** In a VNET of others, where the config names the subnets of its pools. */
const inVnetOfOthers = (config: Raw): Raw => {
  const network = config.network as Raw | undefined;
  const { subscriptionId } = config.azure as { subscriptionId: string };
  return network?.poolSubnets === undefined
    ? config
    : { ...config, network: { ...network, existing: existing(subscriptionId) } };
};

/** With the subnet of AKS in the subscription of the config. */
const inOwnSubscription = (config: Raw): Raw => {
  const { subscriptionId } = config.azure as { subscriptionId: string };
  const text = JSON.stringify(config.management ?? null).replaceAll(
    ofSubnet,
    `/subscriptions/${subscriptionId}/`,
  );
  return config.management === undefined ? config : { ...config, management: JSON.parse(text) as Raw };
};

const roleId = (digit: number): string =>
  `/subscriptions/s/providers/Microsoft.Authorization/roleDefinitions/00000000-0000-4000-8000-00000000000${digit}`;

const customRoles = fc.constantFrom<Raw>(
  { controlPlane: roleId(1) },
  { controlPlane: roleId(1), controllers: roleId(2) },
);

/** Without a role for an identity to which the stack assigns none. */
function withRoles(config: Raw, roles: Raw | undefined): Raw {
  const { identity } = (config.clusterApi ?? {}) as { identity?: Raw };
  const hasPrincipal = identity === undefined || identity.principalId !== undefined;
  return roles === undefined
    ? config
    : {
        ...config,
        azure: {
          ...(config.azure as Raw),
          roles: hasPrincipal ? roles : { controlPlane: roles.controlPlane },
        },
      };
}

/** Without an approver of certificates. */
const isInTree = ({ flavor = "containerd", kubernetesVersion }: Raw): boolean =>
  platformOf(flavor as Flavor, String(kubernetesVersion)).cloudProvider === "in-tree";

const maybe = <T>(values: fc.Arbitrary<T>, freq = 2) => fc.option(values, { nil: undefined, freq });

export const rightConfig: fc.Arbitrary<Raw> = fc
  .record({
    base: fc
      .tuple(rightConfigBase, fc.boolean())
      .map(([config, ofOthers]) => inOwnSubscription(ofOthers ? inVnetOfOthers(config) : config)),
    audit: maybe(audit),
    encryption: maybe(encryption),
    apiServer: maybe(apiServer),
    authentication: maybe(authentication),
    podSecurity: maybe(podSecurity),
    policyExceptions: maybe(policyExceptions),
    wayOut: maybe(outbound, 5),
    certificates: fc.constantFrom(undefined, "selfSigned", "issued", "verified"),
    peerings: maybe(peered),
    digests: maybe(imageDigests),
    wayIn: maybe(waysIn),
    ofCalico: fc.boolean(),
    roles: maybe(customRoles),
  })
  .map(({ base, digests, roles, ...own }) => {
    const reached = withOutbound(withApiServer(base, own.apiServer), own.wayOut);
    const config: Raw = {
      ...withWayIn(withPeerings(reached, own.peerings), own.wayIn),
      ...withoutUndefined({
        policyExceptions: own.policyExceptions,
        // Calico's operator wants all or none; what another network than Calico's does not use does no harm.
        imageDigests: digests && { ...digests, ...(own.ofCalico ? calicoDigests(base) : {}) },
        kubeletCertificates: isInTree(base) ? undefined : own.certificates,
      }),
    };
    const release = minor(String(config.kubernetesVersion));
    const hasKeyVault = own.encryption?.keyVaultKeys !== undefined;
    const more = withoutUndefined({
      audit: own.audit,
      encryption: release < oldestWithKeyVault && hasKeyVault ? undefined : own.encryption,
      authentication: release < firstWithAuthentication ? undefined : own.authentication,
      podSecurity: release < firstWithPodSecurity ? undefined : own.podSecurity,
    });
    const whole = withRoles(config, roles);
    return Object.keys(more).length === 0
      ? whole
      : { ...whole, controlPlane: { ...(whole.controlPlane as Raw | undefined), ...more } };
  });
