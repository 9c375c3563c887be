/** The last part of an ARM ID: the name of the resource. */
export const lastPart = (id: string): string => id.split("/").at(-1) ?? id;

/** Subscription, resource group and name in the ARM ID of a resource that is directly in its group, such as a VNET. */
export function resourceParts(id: string): { subscriptionId: string; resourceGroup: string; name: string } {
  const [, , subscriptionId = "", , resourceGroup = "", , , , name = ""] = id.split("/");
  return { subscriptionId, resourceGroup, name };
}
