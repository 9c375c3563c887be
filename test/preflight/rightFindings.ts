import { existingManagement } from "../support/stacks";
import type { Change } from "./armStandIn";
import { at, named, refused, type Row } from "./findings";

/** Obstacles by deny assignments, dates of images, and a provider that is not registered. */

const denies = (properties: Readonly<Record<string, unknown>>): Change =>
  at(/^\/subscriptions\/[^/]+\/providers\/Microsoft.Authorization\/denyAssignments$/, () => ({
    body: {
      value: [
        {
          id: "/subscriptions/1/providers/Microsoft.Authorization/denyAssignments/2",
          properties: {
            denyAssignmentName: "platform stack",
            permissions: [
              { actions: ["Microsoft.Network/*/write"], notActions: ["Microsoft.Network/virtualNetworks/*"] },
            ],
            principals: [{ id: "00000000-0000-0000-0000-000000000000", type: "SystemDefined" }],
            ...properties,
          },
        },
      ],
    },
  }));

const forbidden =
  "Microsoft.Network/natGateways/write, Microsoft.Network/publicIPAddresses/write, Microsoft.Network/networkSecurityGroups/write, Microsoft.Network/routeTables/write";

const image = (endOfLifeDate: string): Change =>
  at(/communityGalleries\/.*\/capi-win-2022-containerd\//, () => ({
    body: { properties: { endOfLifeDate } },
  }));

const inDays = (days: number): string => new Date(Date.now() + days * 24 * 3600 * 1000).toISOString();

const rows: readonly Row[] = [
  [
    "a deny assignment for everybody",
    denies({}),
    new RegExp(
      `^error roles: the deny assignment "platform stack" forbids ${forbidden} on the subscription$`,
    ),
    /^az rest --method get --url "https:\/\/management.azure.com\/subscriptions\/1\/providers\/Microsoft.Authorization\/denyAssignments\/2\?api-version=2022-04-01"$/,
  ],
  [
    "a deny assignment with exceptions",
    denies({ excludePrincipals: [{ id: "p-2" }] }),
    new RegExp(`^warning roles: the deny .* forbids ${forbidden} on the subscription to everybody but p-2$`),
    /ask the owner to exclude this login/,
  ],
  [
    "a deny assignment for others",
    denies({ principals: [{ id: "p-3" }] }),
    /^warning roles: .* on the subscription to p-3, which may be a group of this login$/,
    /ask the owner to exclude this login/,
  ],
  [
    "an image at the end of its life",
    image("2026-01-31T00:00:00Z"),
    /^warning image of windowsPools.win1: \S+\/capi-win-2022-containerd\/1.35.6 reached the end of its life on 2026-01-31: once its publisher removes it, no new machine starts from it$/,
    /^az sig image-version list-community/,
  ],
  [
    "an image that will not live long",
    image(inDays(20)),
    /^warning image of windowsPools.win1: \S+ reaches the end of its life on \d{4}-\d\d-\d\d: /,
    /^capz-windows:windowsPools: \{win1: \{image: \{...\}\}\}$/,
  ],
  [
    "Azure Policy is not registered",
    at(/checkPolicyRestrictions$/, () =>
      refused(
        409,
        "MissingSubscriptionRegistration",
        "The subscription is not registered to use namespace 'Microsoft.PolicyInsights'. See https://aka.ms/rps-not-found for how to register subscriptions.",
      ),
    ),
    /^unknown policies: Microsoft.PolicyInsights, which answers this, is not registered in the subscription$/,
    /^az provider register --namespace Microsoft.PolicyInsights --wait$/,
  ],
  [
    "no right to read AKS's kubeconfig",
    at(/permissions$/, () => ({
      body: {
        value: [
          {
            actions: ["*"],
            notActions: ["Microsoft.ContainerService/managedClusters/listClusterUserCredential/action"],
          },
        ],
      },
    })),
    /^error roles: this login lacks Microsoft.ContainerService\/managedClusters\/listClusterUserCredential\/action on the subscription$/,
    /--role Contributor/,
    {
      management: {
        kind: "aks",
        entra: { adminGroupObjectIds: ["11111111-2222-4333-8444-777777777777"] },
      },
    },
  ],
];

/** A gallery in the stack's subscription, where CAPZ's identity is Reader, and an identity whose principal is unknown. */
const ownGallery = {
  windowsPools: {
    win1: {
      image: {
        computeGallery: {
          ...{ gallery: "mine", name: "win", version: "1.0.0", resourceGroup: "images" },
          subscriptionId: "11111111-2222-4333-8444-555555555555",
        },
      },
    },
  },
  ...existingManagement,
  clusterApi: { identity: { clientId: "11111111-2222-4333-8444-888888888888" } },
};

/** What is no obstacle. */
export const harmless: readonly { name: string; change: Change; more?: Record<string, unknown> }[] = [
  {
    name: "a denial of actions that `up` does not need",
    change: denies({ permissions: [{ actions: ["Microsoft.Sql/*"] }] }),
  },
  {
    name: "a denial that does not reach what is below its scope",
    change: denies({
      doNotApplyToChildScopes: true,
      scope: "/providers/Microsoft.Management/managementGroups/m",
    }),
  },
  { name: "an image that lives for a while", change: image(inDays(60)) },
  {
    name: "a gallery of the stack's subscription, on which no role is needed",
    change: at(/\/galleries\//, () => ({ body: { location: "westeurope", properties: {} } })),
    more: ownGallery,
  },
];

export const rightFindings = rows.map(named);
