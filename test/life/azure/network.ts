import { resourceParts } from "capz-windows-platform/azure/resourceParts";
import { at, list, strings, textAt } from "capz-windows-kit/untyped";
import type { Answer, Body, Properties, Resource } from "./resource";
import { failure } from "./resource";
import type { Store } from "./store";

/** What Microsoft.Network adds to the bodies that it gets, and which deletions it refuses. */

const parts = [
  "frontendIPConfigurations",
  "backendAddressPools",
  "loadBalancingRules",
  "probes",
  "outboundRules",
  "inboundNatPools",
  "subnets",
  "ipConfigurations",
  "securityRules",
  "routes",
] as const;

/** Properties with the IDs of a resource's parts, which other resources name. */
function withIds(id: string, properties: Properties): Properties {
  const named = parts
    .filter((part) => part in properties)
    .map((part) => [
      part,
      list(properties[part]).map((item) => ({ ...item, id: `${id}/${part}/${textAt(item, "name")}` })),
    ]);
  return { ...properties, ...(Object.fromEntries(named) as Properties) };
}

/** Assigns addresses one after another. No test may rely on which. */
export class Addresses {
  private count = 0;

  next(prefix: string): string {
    this.count += 1;
    return `${prefix}.${Math.floor(this.count / 200)}.${(this.count % 200) + 4}`;
  }
}

/** The resource as it is stored. */
export function networkShape(
  id: string,
  type: string,
  body: Body,
  addresses: Addresses,
  known?: Resource,
): Body {
  const properties = withIds(id, body.properties ?? {});
  switch (type.toLowerCase()) {
    case "microsoft.network/networkinterfaces": {
      const before = list(known?.properties.ipConfigurations);
      const ipConfigurations = list(properties.ipConfigurations).map((config, index) => {
        const old = textAt(before[index], "properties", "privateIPAddress");
        const inner = config.properties as Properties;
        return {
          ...config,
          properties: { ...inner, privateIPAddress: old === "" ? addresses.next("10.250") : old },
        };
      });
      return { ...body, properties: { ...properties, ipConfigurations } };
    }
    case "microsoft.network/publicipaddresses": {
      const old = textAt(known, "properties", "ipAddress");
      return {
        ...body,
        properties: { ...properties, ipAddress: old === "" ? addresses.next("198.18") : old },
      };
    }
    default:
      return { ...body, properties };
  }
}

/** Whether a list of subscriptions, or of all, has this one. */
const names = (service: Resource, set: "visibility" | "autoApproval", subscription: string): boolean =>
  strings(at(service.properties, set, "subscriptions")).some((one) =>
    ["*", subscription.toLowerCase()].includes(one.toLowerCase()),
  );

/**
 * The answer to a PUT that a private link makes impossible. Undefined if it may pass. What Azure answers to an endpoint without its
 * service is a guess, and so is that it is made, but Pending, where its subscription is not approved.
 * https://learn.microsoft.com/azure/private-link/disable-private-link-service-network-policy
 * https://learn.microsoft.com/azure/private-link/private-link-service-overview#control-service-exposure
 */
export function refusedLink(
  store: Store,
  id: string,
  type: string,
  { properties }: Body,
): Answer | undefined {
  if (/\/privateLinkServices$/i.test(type)) {
    const open = list(at(properties, "ipConfigurations"))
      .map((one) => textAt(one, "properties", "subnet", "id"))
      .filter(
        (subnet) =>
          textAt(store.get(subnet), "properties", "privateLinkServiceNetworkPolicies") !== "Disabled",
      );
    return open.length === 0
      ? undefined
      : failure(
          400,
          "PrivateLinkServiceCannotBeCreatedInSubnetThatHasNetworkPoliciesEnabled",
          `Private link service ${id} cannot be created in a subnet ${open.join(", ")} since it has private link service network policies enabled.`,
        );
  }
  const wanted = /\/privateEndpoints$/i.test(type)
    ? list(at(properties, "privateLinkServiceConnections"))
    : [];
  const missing = wanted
    .map((one) => textAt(one, "properties", "privateLinkServiceId"))
    .filter((one) => {
      const service = store.get(one);
      return service === undefined || !names(service, "visibility", resourceParts(id).subscriptionId);
    });
  return missing.length === 0
    ? undefined
    : failure(
        400,
        "InvalidResourceReference",
        `Resource ${missing.join(", ")} referenced by ${id} was not found.`,
      );
}

/** Whether the private endpoint carries connections. */
export const isApproved = (store: Store, endpoint: Resource): boolean =>
  list(endpoint.properties.privateLinkServiceConnections).every((one) => {
    const service = store.get(textAt(one, "properties", "privateLinkServiceId"));
    return service !== undefined && names(service, "autoApproval", resourceParts(endpoint.id).subscriptionId);
  });

/**
 * Refused deletions of resources in use, by the type of the resource. Codes as in
 * https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/common-deployment-errors and in messages
 * that users quote. For load balancers only scale sets count (an assumption: Azure empties pools of NICs itself).
 */
const inUse: Readonly<Record<string, { readonly code: string; readonly by?: RegExp }>> = {
  "microsoft.network/virtualnetworks": { code: "InUseSubnetCannotBeDeleted" },
  "microsoft.network/virtualnetworks/subnets": { code: "InUseSubnetCannotBeDeleted" },
  "microsoft.network/networksecuritygroups": { code: "InUseNetworkSecurityGroupCannotBeDeleted" },
  "microsoft.network/routetables": { code: "InUseRouteTableCannotBeDeleted" },
  "microsoft.network/natgateways": { code: "InUseNatGatewayCannotBeDeleted" },
  "microsoft.network/publicipaddresses": { code: "PublicIPAddressCannotBeDeleted" },
  "microsoft.network/privatelinkservices": {
    code: "PrivateLinkServiceWithPrivateEndpointConnectionsCannotBeDeleted",
  },
  "microsoft.network/networkinterfaces": {
    code: "NicInUse",
    by: /^Microsoft\.Compute\/virtualMachines$/i,
  },
  "microsoft.network/loadbalancers": {
    code: "LoadBalancerInUseByVirtualMachineScaleSet",
    by: /^Microsoft\.Compute\/virtualMachineScaleSets$/i,
  },
  "microsoft.compute/disks": {
    code: "OperationNotAllowed",
    by: /^Microsoft\.Compute\/virtualMachines$/i,
  },
};

/** The answer to a DELETE of a resource in use. Undefined if it may be deleted. */
export function refusedDeletion(store: Store, resource: Resource): Answer | undefined {
  const rule = inUse[resource.type.toLowerCase()];
  if (!rule) {
    return undefined;
  }
  const users = store
    .usersOf(resource.id)
    .filter(({ type }) => rule.by === undefined || rule.by.test(type))
    .map(({ id }) => id);
  return users.length === 0
    ? undefined
    : failure(
        400,
        rule.code,
        `${resource.id} is in use by ${users.sort().join(", ")} and cannot be deleted.`,
      );
}
