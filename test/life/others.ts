import type { KubernetesObject } from "capz-types";
import { at, isRecord, list, strings, textAt } from "capz-windows-kit/untyped";
import type { Body } from "./azure/resource";

/** Resources that a stack uses but does not create. A life creates them, and keeps them when the stack is deleted. */

/** Resource groups of these IDs that are not among the IDs themselves, for example that of a container registry. */
export function groupsOfOthers(ids: readonly string[]): string[] {
  const own = new Set(ids.map((id) => id.toLowerCase()));
  const groups = ids.flatMap((id) => /^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+/i.exec(id)?.[0] ?? []);
  return [...new Set(groups)].filter((group) => !own.has(group.toLowerCase()));
}

/** Names and keys of Secrets from which files come (`contentFrom`), at any depth of an object. */
function contentsFrom(value: unknown): { name: string; key: string }[] {
  if (Array.isArray(value)) {
    return value.flatMap(contentsFrom);
  }
  if (!isRecord(value)) {
    return [];
  }
  const [name, key] = [
    textAt(value, "contentFrom", "secret", "name"),
    textAt(value, "contentFrom", "secret", "key"),
  ];
  return [...(name === "" ? [] : [{ name, key }]), ...Object.values(value).flatMap(contentsFrom)];
}

/** Secrets outside of the stack from which objects take files, with a text under every key that is used. */
export function secretsOfOthers(objects: readonly KubernetesObject[]): KubernetesObject[] {
  const own = new Set(objects.filter(({ kind }) => kind === "Secret").map(({ metadata }) => metadata.name));
  const secrets = new Map<string, KubernetesObject & { stringData: Record<string, string> }>();
  for (const object of objects) {
    for (const { name, key } of contentsFrom(object).filter((one) => !own.has(one.name))) {
      const { namespace } = object.metadata;
      const id = `${namespace}/${name}`;
      const secret = secrets.get(id) ?? {
        apiVersion: "v1",
        kind: "Secret",
        metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
        stringData: {},
      };
      secret.stringData[key] = "of another owner";
      secrets.set(id, secret);
    }
  }
  return [...secrets.values()];
}

/** The network of `network.existing`, as the network team has made it: its parts before what names them. */
export function networksOfOthers(objects: readonly KubernetesObject[]): { id: string; body: Body }[] {
  return objects
    .filter(({ kind }) => kind === "AzureCluster")
    .flatMap(({ spec }) => {
      const subnets = list(at(spec, "networkSpec", "subnets")).filter(
        (subnet) => textAt(subnet, "id") !== "",
      );
      const [vnet] = textAt(subnets[0], "id").split("/subnets/");
      if (vnet === undefined || vnet === "") {
        return [];
      }
      const network = vnet.replace(/[^/]+\/[^/]+$/, "");
      const idOf = (subnet: unknown, part: string, type: string): string[] => {
        const name = textAt(subnet, part, "name");
        return name === "" ? [] : [`${network}${type}/${name}`];
      };
      const groups = subnets.map((subnet) => idOf(subnet, "securityGroup", "networkSecurityGroups"));
      const tables = subnets.map((subnet) => idOf(subnet, "routeTable", "routeTables"));
      const bodies = subnets.map((subnet, index) => ({
        name: textAt(subnet, "name"),
        properties: {
          addressPrefix: strings(at(subnet, "cidrBlocks"))[0],
          ...Object.fromEntries(groups[index]!.map((id) => ["networkSecurityGroup", { id }])),
          ...Object.fromEntries(tables[index]!.map((id) => ["routeTable", { id }])),
        },
      }));
      const addressPrefixes = at(spec, "networkSpec", "vnet", "cidrBlocks");
      return [
        ...[...new Set([...groups, ...tables].flat())].map((id) => ({ id, body: { properties: {} } })),
        { id: vnet, body: { properties: { addressSpace: { addressPrefixes }, subnets: bodies } } },
      ];
    });
}
