import { bash } from "capz-windows-kit/shell";
import { lastPart } from "capz-windows-platform/azure/resourceParts";
import { usableIn } from "capz-windows-platform/network/addressing";
import { at, list, strings, textAt } from "capz-windows-kit/untyped";
import { type Row, row } from "../row";

/** What the checks of resources of others have in common. */

/** Azure ignores the case of IDs. */
export const sameId = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/**
 * The ID of a part of a resource, for a command that changes it. The resource is one that the stack names, and an answer chooses no more
 * than the name of the part.
 */
export function partId(resourceId: string, type: string, part: unknown): string {
  const name = textAt(part, "name");
  return `${resourceId}/${type}/${/^\w[\w.-]*$/.test(name) ? name : "NAME"}`;
}

export const prefixesOf = (subnet: unknown): string[] => [
  ...strings(at(subnet, "properties", "addressPrefixes")),
  ...[textAt(subnet, "properties", "addressPrefix")].filter((prefix) => prefix !== ""),
];

/** The services to which a subnet is delegated. */
export const delegationsOf = (subnet: unknown): string[] =>
  list(at(subnet, "properties", "delegations")).map(
    (one) => textAt(one, "properties", "serviceName") || textAt(one, "name"),
  );

/** Addresses of a subnet that Azure gives to machines, and how many are taken. */
export const roomOf = (subnet: unknown) => ({
  room: usableIn(prefixesOf(subnet)),
  taken: list(at(subnet, "properties", "ipConfigurations")).length,
});

/** The region in its short form, such as westeurope. */
export const regionOf = (found: unknown): string =>
  textAt(found, "location").replace(/\s/g, "").toLowerCase();

/**
 * A resource that Azure does not have.
 * @param line - of the stack file that names it
 * @param what - with which words; default: its name
 */
export const missingRow = (
  check: string,
  id: string,
  line: string,
  what = `${lastPart(id)} does not exist`,
): Row => row("error", check, what, line, bash`az resource show --ids ${id}`);
