import type { Path } from "../../config/advice/steps";
import { entraPrefix } from "../../platform/login/issuers";
import { at, isRecord, strings, text } from "../../tools/untyped";
import { withoutUndefined } from "../../tools/without";
import { autoscalerKey } from "./capz/addons";
import { ofPrivate, unlinked } from "./capz/placedNetwork";
import { omitted } from "./findings";
import { nothing, put, type Own, type OwnKeys } from "./foreign";

/** What `az aks show` says of a whole cluster, as keys of a stack file. */

/** The fields of a mapping that have a value. */
export const entriesOf = (value: unknown): (readonly [string, unknown])[] =>
  Object.entries(isRecord(value) ? value : {}).filter(
    ([, one]) => one !== null && one !== undefined && one !== "",
  );

const autoscalerFlag = (field: string): string =>
  field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const authentication = ["controlPlane", "authentication"];

/**
 * Login by Microsoft Entra, for which AKS has its own application. The CLI and the REST API write names of fields in
 * different cases.
 */
function loginOf(value: unknown, tenant: unknown): Own {
  const entries = entriesOf(value).map(([field, one]) => [field, field.toLowerCase(), one] as const);
  const [, , tenantId] = entries.find(([, field]) => field === "tenantid") ?? [];
  const [, , groups] = entries.find(([, field]) => field === "admingroupobjectids") ?? [];
  const administrators = strings(groups).map((group) => `${entraPrefix}${group}`);
  return {
    set: [
      { set: [...authentication, "entra"], value: tenantId === tenant ? {} : withoutUndefined({ tenantId }) },
      ...(administrators.length === 0
        ? []
        : [{ set: [...authentication, "administrators"], value: { groups: administrators } }]),
    ],
    leftOut: entries.flatMap(([field, name, one]) =>
      name === "enableazurerbac" && one === true
        ? [
            {
              from: `aadProfile.${field}`,
              why: "role assignments in Azure say nothing to this API server: it knows RoleBindings alone",
              instead: "controlPlane.authentication.administrators and readers, and bindings in the cluster",
            },
          ]
        : ["clientappid", "serverappid"].includes(name)
          ? [
              {
                from: `aadProfile.${field}`,
                why: "AKS's older login has an application for the server and one for people; here one is for both",
                instead:
                  'controlPlane.authentication.entra.clientId (docs/operations.md, "Login by Entra ID or OIDC")',
              },
            ]
          : [],
    ),
  };
}

/** Fields of AKS's private API server that have no counterpart. */
const ofPrivateAks = /^(privateDnsZone|enablePrivateClusterPublicFqdn|enableVnetIntegration|subnetId)$/i;

/**
 * Fields of a cluster that become keys, or have a reason of their own.
 * @param tenant - of the stack, if it is known
 * @param hasSubnet - whether its pools are in subnets that others have made
 */
export const translated = (windowsPools: readonly Path[], tenant: unknown, hasSubnet: boolean): OwnKeys => ({
  aadProfile: (value) => loginOf(value, tenant),
  disableLocalAccounts: (value) =>
    value === true
      ? {
          why: "the certificate of the administrator in workloadKubeconfig stays: Cluster API works with one, too",
          instead:
            "loginKubeconfig for people; who reads the stack's outputs and the Secrets of the management cluster has the certificate",
        }
      : nothing,
  apiServerAccessProfile: (value) => {
    const ranges = strings(at(value, "authorizedIpRanges")).map((one) =>
      one.includes("/") ? one : `${one}/32`,
    );
    const set = ranges.length === 0 ? [] : [{ set: ["access", "allowedCidrs"], value: ranges }];
    return at(value, "enablePrivateCluster") !== true
      ? { set }
      : {
          set: [
            ...set,
            { set: ["network", "apiServer"], value: { private: true } },
            ...Object.entries(ofPrivate.config).map(([key, one]) => ({ set: [key], value: one })),
          ],
          open: [...ofPrivate.open, unlinked],
          leftOut: entriesOf(value)
            .filter(([key, one]) => ofPrivateAks.test(key) && one !== false && one !== "system")
            .map(([key]) => ({
              from: `apiServerAccessProfile.${key}`,
              why: "AKS names its zone and its API server in its own way; here, the API server has an address in the control plane's subnet, and apiserver.ZONE as its name",
              instead: "network.apiServer.dns",
            })),
        };
  },
  outboundType: (value) =>
    value === "userDefinedRouting"
      ? hasSubnet
        ? {
            set: [],
            open: [
              {
                path: "network.existing.routeTable",
                what: "name of the route table of the subnets, which leads to your firewall",
              },
            ],
          }
        : {
            ...put({ type: "firewall" }, "network", "outbound"),
            open: [
              {
                path: "network.outbound.firewallAddress",
                what: "private address of the firewall to which the routes of AKS lead",
              },
            ],
          }
      : value === "userAssignedNATGateway" && hasSubnet
        ? // The subnet has it already, and its addresses are asked for (network.existing.egressCidrs).
          nothing
        : {
            why: "by default, nodes leave through a NAT gateway of the stack, or as the subnets of others let them",
            instead:
              "network.outbound, with type: nat, existingNat, firewall or none (docs/private-networks.md)",
          },
  autoScalerProfile: (value) => {
    const found = entriesOf(value).map(
      ([field, one]) => [field, autoscalerKey(autoscalerFlag(field), text(one))] as const,
    );
    return {
      set: found.flatMap(([, keys]) =>
        Object.entries(keys ?? {}).map(([key, one]) => ({
          set: ["addons", "clusterAutoscaler", key],
          value: one,
        })),
      ),
      leftOut: found
        .filter(([, keys]) => keys === undefined)
        .map(([field]) => ({
          from: `autoScalerProfile.${field}`,
          why: "no key sets this flag of the autoscaler, which keeps its default",
          instead: "addons.clusterAutoscaler, for the flags that have keys",
        })),
    };
  },
  networkPlugin: (value) =>
    value === "none"
      ? put(value, "addons", "cni")
      : {
          why: "CAPZ has no Azure CNI and no kubenet for Windows nodes: the stack installs Calico with VXLAN",
          instead: "addons.cni: none, and extraManifests for a CNI of your own (docs/own-cni.md)",
        },
  windowsProfile: () => nothing,
  adminUsername: () => ({
    why: "the user is always capi, who logs in with a public key",
    instead: "access.sshPublicKey",
  }),
  enableCsiProxy: () => ({
    why: "CSI drivers for Windows run as HostProcess containers and need no CSI proxy",
  }),
  licenseType: (value) =>
    value === "Windows_Server"
      ? { set: windowsPools.map((pool) => ({ set: [...pool, "hybridBenefit"], value: true })) }
      : nothing,
  gmsaProfile: (value) =>
    at(value, "enabled") === true
      ? {
          ...put(true, "addons", "gmsa", "enabled"),
          leftOut: entriesOf(omitted(value, "enabled")).map(([field]) => ({
            from: `windowsProfile.gmsaProfile.${field}`,
            why: "the credential specs name the domain, and machines use the DNS of Azure",
            instead:
              "the GMSACredentialSpec of the domain, addons.gmsa.keyVaultIdentity, and a DNS zone or forwarder that resolves the domain in the VNET",
          })),
        }
      : nothing,
});
