import { type Change, type Reply, skus } from "./armStandIn";

/** Obstacles for a stack as Azure shows them, and what the report must say about each. */

export const at =
  (path: RegExp, reply: (url: URL, body: unknown) => Reply): Change =>
  (_, url, body) =>
    path.test(decodeURIComponent(url.pathname)) ? reply(url, body) : undefined;

export const refused = (status: number, code: string, message = code): Reply => ({
  status,
  body: { error: { code, message } },
});

export const size = (name: string, change: Record<string, unknown>): Change =>
  at(/\/skus$/, () => ({
    body: { value: skus.map((each) => (each.name === name ? { ...each, ...change } : each)) },
  }));

export const capability = (name: string, value: string): Change =>
  at(/\/skus$/, () => ({
    body: {
      value: skus.map((each) => ({
        ...each,
        capabilities: [
          ...(each.capabilities as { name: string }[]).filter((one) => one.name !== name),
          { name, value },
        ],
      })),
    },
  }));

export type Row = readonly [
  name: string,
  change: Change,
  found: RegExp,
  remedy: RegExp,
  more?: Readonly<Record<string, unknown>>,
];

const machines: readonly Row[] = [
  [
    "no such subscription",
    at(/^\/subscriptions\/[^/]+$/, () => refused(404, "SubscriptionNotFound")),
    /error subscription: .* does not exist, or this login has no access to it: SubscriptionNotFound/,
    /^az login --tenant/,
  ],
  [
    "a disabled subscription",
    at(/^\/subscriptions\/[^/]+$/, () => ({ body: { displayName: "Old", state: "Disabled", tenantId: "" } })),
    /error subscription: Old is Disabled/,
    /subscription-disabled$/,
  ],
  [
    "another tenant",
    at(/^\/subscriptions\/[^/]+$/, () => ({ body: { displayName: "P", state: "Enabled", tenantId: "t-2" } })),
    /error tenant: the subscription is in the tenant t-2, and the stack file says/,
    /^capz-windows:azure: \{tenantId: t-2\}$/,
  ],
  [
    "a provider",
    at(/[^/]{36}\/providers$/, () => ({
      body: { value: [{ namespace: "Microsoft.Compute", registrationState: "NotRegistered" }] },
    })),
    /error resource providers: Microsoft.Compute is not registered/,
    /^az provider register --namespace Microsoft.Compute --wait$/,
  ],
  [
    "no role",
    at(/permissions$/, () => ({ body: { value: [{ actions: ["*/read"], notActions: [] }] } })),
    /error roles: this login lacks Microsoft.Resources\/subscriptions\/resourceGroups\/write, /,
    /--role Contributor/,
  ],
  [
    "Contributor may not assign roles",
    at(/permissions$/, () => ({
      body: { value: [{ actions: ["*"], notActions: ["Microsoft.Authorization/*/Write"] }] },
    })),
    /error roles: this login lacks Microsoft.Authorization\/roleAssignments\/write on/,
    /Role Based Access Control Administrator/,
  ],
  [
    "a size that is not there",
    () => undefined,
    /error size of windowsPools.win1: Standard_D4s_v3 does not exist in westeurope/,
    /^capz-windows:windowsPools: \{win1: \{vmSize: A-SIZE/,
    { windowsPools: { win1: { vmSize: "Standard_D4s_v3" } } },
  ],
  [
    "a size that is not for us",
    size("Standard_D4s_v5", {
      restrictions: [{ type: "Location", reasonCode: "NotAvailableForSubscription" }],
    }),
    /error size of management: Standard_D4s_v5 is not available to this subscription in westeurope: NotAvailableForSubscription/,
    /^capz-windows:management: \{nodeSize: /,
  ],
  [
    "a zone",
    size("Standard_D4s_v5", { locationInfo: [{ location: "westeurope", zones: ["2", "3"] }] }),
    /error size of windowsPools.win1: Standard_D4s_v5 is not available in zone 1/,
    /^capz-windows:windowsPools: \{win1: \{zones: \["2", "3"\]\}\}$/,
  ],
  [
    "a zone that is restricted",
    size("Standard_D4s_v5", {
      restrictions: [
        { type: "Zone", reasonCode: "NotAvailableForSubscription", restrictionInfo: { zones: ["1"] } },
      ],
    }),
    /error size of windowsPools.win1: Standard_D4s_v5 is not available in zone 1/,
    /zones: \["2", "3"\]/,
  ],
  [
    "generation 2 only",
    capability("HyperVGenerations", "V2"),
    /warning size of controlPlane: Standard_D4s_v5 boots generation 2/,
    /vmSize: Standard_D4s_v5/,
  ],
  [
    "Arm",
    capability("CpuArchitectureType", "Arm64"),
    /error size of controlPlane: Standard_D4s_v5 is Arm64/,
    /./,
  ],
  [
    "no accelerated networking",
    capability("AcceleratedNetworkingEnabled", "False"),
    /warning size of controlPlane: .* does not support accelerated networking/,
    /./,
  ],
  [
    "the family's cores",
    at(/Compute\/locations\/westeurope\/usages$/, () => ({
      body: {
        value: [
          { name: { value: "standardDSv5Family", localizedValue: "DSv5" }, currentValue: 90, limit: 100 },
        ],
      },
    })),
    /error quota: DSv5 in westeurope: 100 approved, 90 used, \d+ more needed/,
    /^az quota update --resource-name standardDSv5Family .* --limit-object value=\d+$/,
  ],
];

const networks: readonly Row[] = [
  [
    "public addresses",
    at(/Network\/locations\/westeurope\/usages$/, () => ({
      body: {
        value: [
          {
            name: { value: "PublicIPAddresses", localizedValue: "Public IP Addresses" },
            currentValue: 18,
            limit: 20,
          },
        ],
      },
    })),
    /error public addresses: Public IP Addresses in westeurope: 20 allowed, 18 used, 3 more needed/,
    /^az network list-usages/,
  ],
  [
    "a community image",
    at(/communityGalleries/, () => refused(404, "GalleryImageNotFound")),
    /error image of controlPlane: ClusterAPI-\S+\/capi-ubun2-2404\/1.35.6 is not in westeurope/,
    /^az sig image-version list-community/,
  ],
  [
    "an own image in other regions",
    at(/\/galleries\//, () => ({
      body: { properties: { publishingProfile: { targetRegions: [{ name: "North Europe" }] } } },
    })),
    /error image of windowsPools.win1: mine\/win\/1.0.0 is replicated to northeurope, but not to westeurope/,
    /^az sig image-version update --resource-group \S+ --gallery-name \S+ --gallery-image-definition \S+ --gallery-image-version \S+ --subscription 11111111\S+ --add publishingProfile.targetRegions name=westeurope$/,
    {
      windowsPools: {
        win1: {
          image: {
            computeGallery: {
              gallery: "mine",
              name: "win",
              version: "1.0.0",
              subscriptionId: "11111111-2222-4333-8444-555555555555",
              resourceGroup: "images",
            },
          },
        },
      },
    },
  ],
  [
    "the terms of a Marketplace image",
    (_, url) =>
      url.pathname.includes("/agreements/")
        ? { body: { properties: { accepted: false } } }
        : url.pathname.includes("/artifacttypes/")
          ? { body: { properties: { plan: { publisher: "cncf", product: "capi", name: "sku" } } } }
          : undefined,
    /error image of windowsPools.win1: the terms of cncf:capi:sku are not accepted/,
    /^az vm image terms accept --publisher cncf --offer capi --plan sku$/,
    { windowsPools: { win1: { image: { marketplace: { urn: "cncf:capi:sku:1.2.3" } } } } },
  ],
  [
    "a Marketplace image that is not there",
    () => undefined,
    /error image of windowsPools.win1: cncf:capi:sku:1.2.3 is not in westeurope/,
    /^az vm image list --publisher cncf/,
    { windowsPools: { win1: { image: { marketplace: { urn: "cncf:capi:sku:1.2.3" } } } } },
  ],
  [
    "the DNS name",
    at(/CheckDnsNameAvailability$/, () => ({ body: { available: false } })),
    /error names: test-\w+.westeurope.cloudapp.azure.com is taken by another cluster or tenant/,
    /^capz-windows:clusterName: ANOTHER-NAME$/,
  ],
  [
    "a resource group that is being deleted",
    at(/resourceGroups\/test$/, () => ({
      body: { location: "westeurope", properties: { provisioningState: "Deleting" } },
    })),
    /error resource group: test is being deleted/,
    /^az group wait --deleted/,
  ],
  [
    "a resource group elsewhere",
    at(/resourceGroups\/test$/, () => ({ body: { location: "northeurope", properties: {} } })),
    /error resource group: test exists in northeurope, and the stack is in westeurope/,
    /resourceGroup: ANOTHER-NAME/,
  ],
  [
    "another range",
    at(/resourceGroups\/test(\/.*virtualNetworks.*)?$/, (url) =>
      url.pathname.includes("virtualNetworks")
        ? { body: { properties: { addressSpace: { addressPrefixes: ["10.99.0.0/16"] } } } }
        : { body: { location: "westeurope", properties: {} } },
    ),
    /error network: test-vnet exists with 10.99.0.0\/16, and the stack file says 10.10.0.0\/16/,
    /vnetCidr: 10.99.0.0\/16/,
  ],
  [
    "a delegated subnet",
    at(/resourceGroups\/test(\/.*virtualNetworks.*)?$/, (url) =>
      url.pathname.includes("virtualNetworks")
        ? {
            body: {
              properties: {
                addressSpace: { addressPrefixes: ["10.10.0.0/16"] },
                subnets: [{ name: "node-subnet", properties: { delegations: [{ name: "d" }] } }],
              },
            },
          }
        : { body: { location: "westeurope", properties: {} } },
    ),
    /error network: the subnet node-subnet of test-vnet is delegated/,
    /--remove delegations$/,
  ],
  [
    "the AKS version",
    at(/kubernetesVersions$/, () => ({ body: { values: [{ version: "1.36", patchVersions: {} }] } })),
    /error AKS version: 1.35 is not offered in westeurope, which has 1.36/,
    /kubernetesVersion: "1.36"/,
  ],
];

export const named = ([name, change, found, remedy, more = {}]: Row) => ({
  name,
  change,
  found,
  remedy,
  more,
});

export const findings = [...machines, ...networks].map(named);
