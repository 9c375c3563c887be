import type { Change } from "./armStandIn";
import { at, named, type Row } from "./findings";

/** Keys in Key Vault by which API servers encrypt. */

const vaultId =
  "/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/platform/providers/Microsoft.KeyVault/vaults/own";
const version = "0123456789abcdef0123456789abcdef";
const more = {
  controlPlane: {
    encryption: {
      keys: ["vault"],
      keyVaultKeys: { vault: `${vaultId}/keys/etcd/versions/${version}` },
    },
  },
};

type Properties = Readonly<Record<string, unknown>>;

/** A vault and a key as they should be, with changes. */
const inAzure =
  (vault: Properties = {}, key: Properties = {}, permissions: readonly string[] = ["*"]): Change =>
  (...request) =>
    [
      at(/\/vaults\/own$/, () => ({
        body: {
          properties: {
            ...{ tenantId: "11111111-2222-4333-8444-666666666666", enableRbacAuthorization: true },
            ...{ enablePurgeProtection: true, publicNetworkAccess: "Enabled", ...vault },
          },
        },
      })),
      at(new RegExp(`/vaults/own/keys/etcd/versions/${version}$`), () => ({
        body: {
          properties: {
            ...{ kty: "RSA", keyOps: ["encrypt", "decrypt", "sign"], attributes: { enabled: true }, ...key },
          },
        },
      })),
      at(/\/vaults\/own\/keys\/etcd\/providers\/Microsoft.Authorization\/permissions$/, () => ({
        body: { value: [{ actions: permissions, notActions: [] }] },
      })),
    ]
      .map((change) => change(...request))
      .find((reply) => reply !== undefined);

const row = (
  name: string,
  change: Change,
  found: string,
  remedy: string,
  state: "error" | "warning" = "error",
): Row => [
  name,
  change,
  new RegExp(`^${state} keys in Key Vault: ${found}$`),
  new RegExp(`^${remedy}`),
  more,
];

const update = "az keyvault update --name own";
const set = `az keyvault key set-attributes --vault-name own --name etcd --version ${version}`;
const endpoint = (status: string) => ({
  privateEndpointConnections: [{ properties: { privateLinkServiceConnectionState: { status } } }],
});
const denies = { networkAcls: { defaultAction: "Deny", ipRules: [{ value: "203.0.113.9" }] } };

const rows: readonly Row[] = [
  row(
    "no vault",
    () => undefined,
    "own does not exist, or this login may not read it",
    "az keyvault show --name own --query id$",
  ),
  row(
    "no such version of a key",
    at(/\/vaults\/own$/, () => ({ body: {} })),
    `the version ${version} of etcd in own does not exist, or this login may not read it`,
    "az keyvault key list-versions --vault-name own --name etcd$",
  ),
  row(
    "a vault of another tenant",
    inAzure({ tenantId: "t-2" }),
    "own is in the tenant t-2, and the identity of the control plane in 11111111-2222-4333-8444-666666666666",
    "capz-windows:controlPlane: ",
  ),
  row(
    "access policies",
    inAzure({ enableRbacAuthorization: false }),
    "own has access policies, so the role that `up` assigns does not count",
    `${update} --enable-rbac-authorization true `,
  ),
  row(
    "a vault that is closed",
    inAzure({ publicNetworkAccess: "Disabled", ...endpoint("Pending") }),
    "own has no public access and no approved private endpoint, so no API server reaches it",
    "az keyvault show --name own --query properties.privateEndpointConnections$",
  ),
  row(
    "a firewall",
    inAzure(denies),
    "own lets in only 203.0.113.9: the control plane must come from there, or no API server becomes ready",
    "az keyvault network-rule add --name own --ip-address ADDRESS ",
    "warning",
  ),
  row(
    "a disabled version",
    inAzure({}, { attributes: { enabled: false } }),
    `the key etcd in own is disabled in the version ${version}`,
    `${set} --enabled true$`,
  ),
  row(
    "an elliptic curve",
    inAzure({}, { kty: "EC" }),
    "the key etcd in own is of the type EC, and the plugin encrypts with RSA keys only",
    "az keyvault key create --vault-name own --name NEW-NAME --kty RSA --size 2048 --ops encrypt decrypt$",
  ),
  row(
    "a key that may only wrap",
    inAzure({}, { keyOps: ["wrapKey", "unwrapKey"] }),
    "the key etcd in own allows wrapKey, unwrapKey, and the plugin encrypts and decrypts",
    `${set} --ops encrypt decrypt$`,
  ),
  row(
    "a key that ends",
    inAzure({}, { attributes: { enabled: true, exp: Date.UTC(2098, 0, 31) / 1000 } }),
    "the key etcd in own encrypts until 2098-01-31 only; without a new key before, no API server can write then",
    `${set} --expires `,
    "warning",
  ),
  row(
    "a key that has ended",
    inAzure({}, { attributes: { enabled: true, exp: Date.UTC(2020, 0, 31) / 1000 } }),
    "the key etcd in own encrypts until 2020-01-31 only; without a new key before, no API server can write then",
    `${set} --expires `,
  ),
  row(
    "no protection against purging",
    inAzure({ enablePurgeProtection: undefined }),
    "own has no purge protection: whoever purges etcd makes every Secret unreadable, in backups, too",
    `${update} --enable-purge-protection true `,
    "warning",
  ),
  [
    "a key on which this login may not assign roles",
    inAzure({}, {}, ["*/read"]),
    /^error roles: this login lacks Microsoft.Authorization\/roleAssignments\/write on the key etcd$/,
    /--role "Role Based Access Control Administrator" --assignee YOU --scope .*\/vaults\/own\/keys\/etcd$/,
    more,
  ],
];

export const keyVaultFindings = rows.map(named);

export const rightVaults = [
  { name: "a key as it should be", change: inAzure(), more },
  {
    name: "a vault with a private endpoint alone",
    change: inAzure({ publicNetworkAccess: "Disabled", ...denies, ...endpoint("Approved") }),
    more,
  },
];
