import { impactsOfPlans } from "./between";
import { refusedChanges } from "capz-windows-platform/cluster/refusedChanges";
import { updateInline } from "../../support/inlinePlans";
import { documentOf } from "../../support/planDocuments";
import { objectsOf } from "../../support/plans";
import { privateStack } from "../../support/networks";
import { minimal } from "../../support/stacks";

const subnetId =
  "/subscriptions/99999999-2222-4333-8444-555555555555/resourceGroups/platform/providers/Microsoft.Network/virtualNetworks/platform-vnet/subnets/endpoints";

/** The impacts of a change of privateLink, none of which CAPZ or the hook of AzureCluster refuses. */
async function changed(before: object | undefined, after: object | undefined) {
  const of = (privateLink: object | undefined) =>
    updateInline({ ...minimal(), ...privateStack({ ...(privateLink && { privateLink }) }) });
  const [was, is] = [await of(before), await of(after)];
  const [one, other] = [was, is].map((plan) => objectsOf(plan, "AzureCluster")[0]);
  expect(refusedChanges(one, other)).toEqual([]);
  return impactsOfPlans(documentOf(was), documentOf(is)).map(({ severity, what }) => `${severity}: ${what}`);
}

describe("a private link of a running cluster", () => {
  it.each([
    [
      "is added",
      undefined,
      { subnetId },
      [
        "changes: The API server gets a private link",
        "metadata: What `pulumi up` waits for changes: cluster-private-link",
      ],
    ],
    [
      "is removed",
      { subnetId },
      undefined,
      [
        "replaces: The private link to the API server is deleted",
        "metadata: What `pulumi up` waits for changes: cluster-private-link",
      ],
    ],
    [
      "gets its endpoint in another subnet",
      { subnetId },
      { subnetId: `${subnetId}2` },
      ["replaces: The private endpoint of the management cluster is deleted"],
    ],
    [
      "accepts another subscription",
      { manual: true },
      { manual: true, subscriptions: ["22222222-2222-4333-8444-555555555555"] },
      [expect.stringMatching(/^changes: The private link to the API server changes: subscriptions /)],
    ],
  ])("%s", async (_, before, after, impacts) => {
    expect(await changed(before, after)).toEqual(impacts);
  });
});
