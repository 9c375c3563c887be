import type { Plan } from "../../plan/model/plan";
import { allExamples, furtherStacks, planOf, resource } from "../support/plans";
import { azureTypes, refusalOf, withoutTypes } from "./azureTypes";
import { requestsOf } from "./azureNative";
import { refusedBodies } from "./refusedBodies";

/** The plan with another input of a resource. */
function changed(plan: Plan, name: string, key: string, value: unknown): Plan {
  const found = resource(plan, name);
  const other = { ...found, inputs: { ...found.inputs, [key]: value } } as typeof found;
  const resources = plan.update.resources.map((one) => (one === found ? other : one));
  return { ...plan, update: { ...plan.update, resources } };
}

describe("Azure's own types", () => {
  if (azureTypes === undefined) {
    it.skip(withoutTypes, () => undefined);
    return;
  }
  it.each([...allExamples, ...furtherStacks])("take what azure-native sends for %s", async (stack) => {
    const plan = await planOf(stack);
    expect(requestsOf(plan).length).toBeGreaterThan(0);
    expect(refusedBodies(plan)).toEqual([]);
  });

  it.each<[string, string, unknown, string]>([
    ["an unknown field", "rules", [], "properties.rules is unknown"],
    ["a text in place of a mapping", "tags", "blue", "tags is no object"],
    [
      "a part without what it needs",
      "securityRules",
      [{ name: "a", protocol: "Tcp", access: "Allow", direction: "Inbound", port: 22 }],
      "properties.securityRules[0].properties.port is unknown; properties.securityRules[0].properties.priority is missing",
    ],
    [
      "a text in place of yes or no",
      "flushConnection",
      "yes",
      'properties.flushConnection is neither true nor false: "yes"',
    ],
  ])("refuse %s", async (_, key, value, what) => {
    const plan = changed(await planOf("dev"), "network-node-nsg", key, value);
    expect(refusedBodies(plan)).toEqual([
      `Microsoft.Network/networkSecurityGroups dev-node-nsg: The request content was invalid and could not be deserialized: '${what}'.`,
    ]);
  });

  it("have no type of resource that Azure does not have: no body stays unjudged", () => {
    expect(refusalOf("Microsoft.Network/virtualNets", "2024-05-01", { location: "x" })).toEqual({
      code: "InvalidResourceType",
      message:
        "The resource type 'virtualNets' could not be found in the namespace 'Microsoft.Network' for api version '2024-05-01'.",
    });
  });

  it("have no version of an API that a type does not have", () => {
    expect(refusalOf("Microsoft.Network/privateDnsZones", "2024-05-01", { location: "global" })).toEqual({
      code: "NoRegisteredProviderFound",
      message:
        "No registered resource provider found for API version '2024-05-01' for type 'privateDnsZones' of 'Microsoft.Network'.",
    });
  });
});
