import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parsePath } from "../life/azure/resource";
import { isRecord, list, strings } from "capz-windows-kit/untyped";
import { isAzure } from "../../plan/model/resourceTypes";
import type { Plan } from "../../plan/model/plan";
import type { RegisteredResource } from "pulumi-plan-engine";
import { redact } from "pulumi-plan-engine";
import { projectDir } from "../support/projectDir";

/** The requests with which @pulumi/azure-native makes a stack's resources. */

type Fields = Readonly<Record<string, unknown>>;

export type Content = Fields & { readonly properties: Fields };

export interface AzureRequest {
  readonly type: string;
  readonly name: string;
  readonly apiVersion: string;
  readonly content: Content;
}

/** Inputs that are top-level in Resource Manager, too. All others are below `properties`. */
const top = new Set(["location", "tags", "sku", "zones", "identity", "kind", "plan", "extendedLocation"]);

/** Inputs that may stand in the path of the request, and then are not in its body. */
const pathInput = /^(\w+Name|scope|recordType)$/;

const isInPath = (id: string, key: string, value: unknown): boolean =>
  pathInput.test(key) &&
  typeof value === "string" &&
  `${id}/`.toLowerCase().includes(`${value}/`.toLowerCase());

/** Parts of a resource that have an id, a name and `properties` of their own; azure-native has all at one level. */
const parts = new Set([
  ...["subnets", "securityRules", "routes", "ipConfigurations", "privateLinkServiceConnections", "subnet"],
  "delegations",
  ...["natGateway", "networkSecurityGroup", "routeTable", "publicIPAddress", "remoteVirtualNetwork"],
]);

function part({ name, id, ...properties }: Fields): Fields {
  return {
    ...(name === undefined ? {} : { name }),
    ...(id === undefined ? {} : { id }),
    ...(Object.keys(properties).length === 0 ? {} : { properties: withParts(properties) }),
  };
}

/** The properties of a resource with those of its parts where Resource Manager has them. */
export const withParts = (properties: Fields): Fields =>
  Object.fromEntries(
    Object.entries(properties).map(([key, value]) => {
      if (!parts.has(key)) {
        return [key, value];
      }
      return [key, isRecord(value) ? part(value) : list(value).map(part)];
    }),
  );

/** azure-native takes a list of identities, Resource Manager a mapping. */
const identityOf = ({ type, userAssignedIdentities }: Fields): Fields => ({
  type,
  userAssignedIdentities: Object.fromEntries(strings(userAssignedIdentities).map((id) => [id, {}])),
});

/** The body of the request, from the inputs of a resource with this id. */
export function armContent(id: string, inputs: Fields): Content {
  const entries = Object.entries(inputs);
  const above = entries.filter(([key]) => top.has(key));
  const below = entries.filter(([key, value]) => !top.has(key) && !isInPath(id, key, value));
  return {
    ...Object.fromEntries(
      above.map(([key, value]) => [key, key === "identity" && isRecord(value) ? identityOf(value) : value]),
    ),
    properties: withParts(Object.fromEntries(below)),
  };
}

/**
 * The version of the API, which the SDK names in the comment of each resource.
 * @param type - "azure-native:network:VirtualNetwork"
 * @throws Error if the SDK does not have the resource
 */
export function apiVersionOf(type: string): string {
  const [, module = "", name = ""] = type.split(":");
  const file = `${name.charAt(0).toLowerCase()}${name.slice(1)}.d.ts`;
  const text = readFileSync(join(projectDir, "node_modules/@pulumi/azure-native", module, file), "utf8");
  const [, version] = /Uses Azure REST API version ([\d-]+(?:-preview)?)\./.exec(text) ?? [];
  if (version === undefined) {
    throw new Error(`${file} of @pulumi/azure-native names no version of its API`);
  }
  return version;
}

export function requestOf({ id = "", type, inputs }: RegisteredResource): AzureRequest {
  const { type: armType = "", names = [] } = parsePath(id) ?? {};
  const content = armContent(id, redact(inputs) as Fields);
  return { type: armType, name: names.join("/"), apiVersion: apiVersionOf(type), content };
}

/** What the program asks Azure for. */
export const requestsOf = ({ update }: Plan): AzureRequest[] =>
  update.resources
    .filter(({ type, custom, id }) => custom && isAzure(type) && id !== undefined)
    .map(requestOf);
