import { isRecord, list, strings } from "../../../tools/untyped";
import type { PlanResource } from "../../plan/model/planDocument";
import { isAzure } from "../../plan/model/resourceTypes";

/** A resource as Azure Resource Manager will be asked to create it. */
export interface Planned {
  /** Microsoft.Network/virtualNetworks */
  readonly type: string;
  /** None where a controller makes the name up. */
  readonly name?: string | undefined;
  readonly apiVersion: string;
  /** ARM id of the resource group that it will be in, or of the subscription. */
  readonly within: string;
  /** ARM id of what it is a part of, or a role assignment is about. */
  readonly scope?: string | undefined;
  readonly content: Readonly<Record<string, unknown>>;
}

type Fields = Readonly<Record<string, unknown>>;

/** Versions of the API with which @pulumi/azure-native 3.28.0 makes the resources of these namespaces. */
const apiVersions: Readonly<Record<string, string>> = {
  "Microsoft.Authorization": "2022-04-01",
  "Microsoft.ContainerService": "2025-09-01",
  "Microsoft.ManagedIdentity": "2023-01-31",
  "Microsoft.Network": "2024-05-01",
  "Microsoft.Resources": "2024-03-01",
};

/** Inputs of azure-native that are top-level in Resource Manager, too. All others are below `properties`. */
const top = new Set(["location", "tags", "sku", "zones", "identity", "kind", "plan"]);

const nameInput = /^(resourceGroupName|resourceName|\w+Name|scope)$/;

/** Lists of parts of a resource, each of which has `properties`. */
const partLists = new Set(["subnets", "securityRules", "routes", "ipConfigurations"]);

const part = ({ name, id, ...properties }: Fields): Fields => ({
  name,
  ...(id === undefined ? {} : { id }),
  properties,
});

/** azure-native takes a list of identities, Resource Manager a mapping. */
const identityOf = ({ type, userAssignedIdentities }: Fields): Fields => ({
  type,
  userAssignedIdentities: Object.fromEntries(strings(userAssignedIdentities).map((id) => [id, {}])),
});

/** The body with which azure-native makes a resource, from its inputs. */
export function armContent(inputs: Fields): Fields & { readonly properties: Fields } {
  const entries = Object.entries(inputs);
  const above = entries.filter(([key]) => top.has(key));
  const below = entries.filter(([key]) => !top.has(key) && !nameInput.test(key));
  return {
    ...Object.fromEntries(
      above.map(([key, value]) => [key, key === "identity" && isRecord(value) ? identityOf(value) : value]),
    ),
    properties: Object.fromEntries(
      below.map(([key, value]) => [key, partLists.has(key) ? list(value).map(part) : value]),
    ),
  };
}

const groupOrSubscription = /^\/subscriptions\/[^/]+(\/resourceGroups\/[^/]+)?/i;

/** What an ARM id says about a resource. */
function placeOf(id: string): Pick<Planned, "type" | "name" | "within" | "scope"> {
  const at = id.lastIndexOf("/providers/");
  const name = id.split("/").at(-1);
  if (at < 0) {
    const within = /^\/subscriptions\/[^/]+/.exec(id)?.[0] ?? "";
    return { type: "Microsoft.Resources/subscriptions/resourceGroups", name, within };
  }
  const [namespace = "", ...rest] = id.slice(at + "/providers/".length).split("/");
  const types = rest.filter((_, index) => index % 2 === 0);
  const parent = types.length > 1 ? id.split("/").slice(0, -2).join("/") : undefined;
  return {
    type: [namespace, ...types].join("/"),
    name,
    within: groupOrSubscription.exec(id)?.[0] ?? "",
    scope: namespace === "Microsoft.Authorization" ? id.slice(0, at) : parent,
  };
}

/** The resources that Pulumi makes in Azure. */
export const pulumiResources = (resources: readonly PlanResource[]): Planned[] =>
  resources
    .filter(({ type, custom, id }) => custom && isAzure(type) && id !== undefined)
    .map(({ id = "", inputs }) => {
      const place = placeOf(id);
      const apiVersion = apiVersions[place.type.split("/")[0] ?? ""] ?? "";
      return { ...place, apiVersion, content: armContent(inputs) };
    });
