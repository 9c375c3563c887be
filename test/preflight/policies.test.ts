import { at as valueAt, textAt } from "../../tools/untyped";
import { at, type Change, refused, skus } from "./armStandIn";
import { type Content, isOf, others, rules } from "./policyCases";
import { azure, rowsOf, withAzure, worst } from "./support";

/** The simulated Azure Policy judges what is sent to it, as policies on properties do. */

withAzure();

type Evaluation = Readonly<Record<string, unknown>>;

const assignmentId = "/subscriptions/1/providers/Microsoft.Authorization/policyAssignments/rule";

const contentOf = (body: unknown): Content => valueAt(body, "resourceDetails", "resourceContent") as Content;

const short = (content: Content): string => textAt(content, "type").replace("Microsoft.", "");

const answering = (evaluations: (content: Content) => readonly Evaluation[]): Change =>
  at(/checkPolicyRestrictions$/, (_, body) => ({
    body: { contentEvaluationResult: { policyEvaluations: evaluations(contentOf(body)) } },
  }));

const denying = (
  denies: (content: Content) => boolean,
  more: Evaluation = { effectDetails: { policyEffect: "Deny" } },
) =>
  answering((content) =>
    denies(content)
      ? [{ policyInfo: { policyAssignmentId: assignmentId }, evaluationResult: "NonCompliant", ...more }]
      : [],
  );

const policyRows = async (change: Change, more: Record<string, unknown> = {}): Promise<string[]> =>
  worst(await rowsOf(change, more));

describe("a policy is asked about what the stack will have:", () => {
  it.each(rules.map(([name, denies, forbidden, complies]) => ({ name, denies, forbidden, complies })))(
    "$name",
    async ({ name, denies, forbidden, complies }) => {
      expect(await policyRows(denying(denies), others[name])).toEqual(
        forbidden === "" ? [] : [`error policies: rule forbids ${forbidden} as planned`],
      );
      if (complies !== undefined) {
        const rows = await policyRows(denying(denies), complies);
        expect(rows.filter((row) => row.includes("policies"))).toEqual([]);
      }
    },
  );
});

const isAddress = (content: Content): boolean => isOf("Network/publicIPAddresses", content);
const allAddresses =
  "Microsoft.Network/publicIPAddresses pip-test-node-natgw, pip-test-management-egress, pip-test-apiserver";

describe("what Azure Policy answers:", () => {
  it.each([
    { what: "a deny", more: { effectDetails: { policyEffect: "deny" } }, row: "forbids" },
    // Versions of the API before 2023-03-01 know no effects.
    { what: "no effect, which is a deny", more: {}, row: "forbids" },
    { what: "an audit", more: { effectDetails: { policyEffect: "Audit" } }, row: "" },
    { what: "a change", more: { effectDetails: { policyEffect: "Modify" } }, row: "" },
  ])("$what", async ({ more, row }) => {
    expect(await policyRows(denying(isAddress, more))).toEqual(
      row === "" ? [] : [`error policies: rule forbids ${allAddresses} as planned`],
    );
  });

  it("a reason, which is passed on", async () => {
    const change = denying(isAddress, {
      evaluationDetails: { reason: "No addresses, says the network team." },
    });
    const rows = await rowsOf(change);
    expect(rows[0]).toEqual({
      state: "error",
      check: "policies",
      found: `rule forbids ${allAddresses} as planned: No addresses, says the network team.`,
      remedy: [
        `az resource show --ids ${assignmentId}`,
        "capz-windows:tags: {NAME: VALUE}   # if the policy requires tags; otherwise ask for an exemption",
      ],
    });
  });

  it("availability sets are forbidden, which CAPZ makes in a region without zones", async () => {
    const denied = denying((content) => isOf("Compute/availabilitySets", content));
    const value = skus.map((size) => ({ ...size, locationInfo: [{ location: "westeurope", zones: [] }] }));
    const zoneless: Change = (...request) =>
      request[1].pathname.endsWith("/skus") ? { body: { value } } : denied(...request);
    const windowsPools = { win1: { kind: "MachineDeployment" } };
    expect(await policyRows(zoneless, { windowsPools })).toEqual([
      "error policies: rule forbids Microsoft.Compute/availabilitySets test_control-plane-as, test_win1-as as planned",
    ]);
  });

  it("disks are forbidden, which may not concern those of machines", async () => {
    expect(await policyRows(denying((content) => isOf("Compute/disks", content)))).toEqual([
      "warning policies: rule forbids Microsoft.Compute/disks test-control-plane-00000_OSDisk, test-control-plane-00000_etcddisk as planned; Azure may exempt disks that it makes with a machine",
    ]);
  });

  it("a failure is no answer about one resource", async () => {
    const failing = denying((content) => isOf("Network/natGateways", content), { evaluationResult: "Error" });
    expect(await policyRows(failing)).toEqual([
      "unknown policies: Azure Policy gives no result for Microsoft.Network/natGateways test-node-natgw and rule: Error",
    ]);
    const refusing = at(/checkPolicyRestrictions$/, (_, body) =>
      isOf("Network/natGateways", contentOf(body))
        ? refused(400, "InvalidResource", "no alias")
        : { body: { contentEvaluationResult: { policyEvaluations: [] } } },
    );
    expect(await policyRows(refusing)).toEqual([
      "unknown policies: Azure Policy gives no result for Microsoft.Network/natGateways test-node-natgw: InvalidResource: no alias",
    ]);
  });

  it("nothing, and the row says what was not asked", async () => {
    const rows = await rowsOf();
    expect(rows.filter(({ check }) => check === "policies")).toEqual([
      {
        state: "ok",
        check: "policies",
        found: "no policy denies the 29 resources that are planned",
        remedy: [
          "Not asked: what AKS makes in its node resource group, what Kubernetes makes later for Services and volumes, data-plane policies, and the content of policies that change or add resources. Addresses and principals that Azure assigns are stand-ins.",
        ],
      },
    ]);
  });
});

it("questions go to the resource group if it exists, and name the parent of a part", async () => {
  const scopes = new Map<string, unknown>();
  const group = "/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/test";
  await rowsOf((_, url, body) => {
    if (url.pathname.endsWith("/checkPolicyRestrictions")) {
      const content = contentOf(body);
      scopes.set(`${short(content)} ${textAt(content, "name")}`, [
        url.pathname.replace(/\/providers\/Microsoft.PolicyInsights.*/, ""),
        valueAt(body, "resourceDetails", "scope"),
        valueAt(body, "resourceDetails", "apiVersion"),
      ]);
      return { body: {} };
    }
    return url.pathname.endsWith("resourceGroups/test")
      ? { body: { location: "westeurope", properties: {} } }
      : undefined;
  });
  const subscription = "/subscriptions/11111111-2222-4333-8444-555555555555";
  const identity = `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/test-capz`;
  expect(Object.fromEntries(scopes)).toMatchObject({
    "Network/virtualNetworks test-vnet": [group, undefined, "2024-05-01"],
    "Compute/virtualMachineScaleSets win1": [group, undefined, "2024-03-01"],
    "ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials capz-manager": [
      ...[group, identity, "2023-01-31"],
    ],
    // Their group does not exist, and a group is made in the subscription.
    "Resources/subscriptions/resourceGroups test": [subscription, undefined, "2024-03-01"],
    "ContainerService/managedClusters test-management": [subscription, undefined, "2025-09-01"],
  });
  expect([...scopes].filter(([key]) => key.startsWith("Authorization/roleAssignments"))).toHaveLength(5);
  expect(azure.asked.filter((each) => /^(PUT|PATCH|DELETE) /.test(each))).toEqual([]);
});
