import { allows } from "../../commands/preflight/checks/permissions";
import fc from "fast-check";
import { skus, type Change, type Reply } from "./armStandIn";
import { rowsOf, withAzure, worst } from "./support";

/** Answers that Azure never gives: no check fails because of them, and what has no answer is not fine. */

withAzure();

const scalar = fc.constantFrom<unknown>(null, 7, -1, true, "", "x", [], {}, [null], { a: null });
const entry = fc.oneof(
  scalar,
  fc.dictionary(
    fc.constantFrom(
      "name",
      "id",
      "location",
      "properties",
      "capabilities",
      "restrictions",
      "limit",
      "currentValue",
      "actions",
    ),
    fc.oneof(
      scalar,
      fc.dictionary(
        fc.constantFrom("value", "name", "addressPrefixes", "provisioningState", "subnets"),
        scalar,
      ),
    ),
  ),
);

/** The answer to each question but that about the subscription, after which there are no others. */
const others =
  (reply: Reply): Change =>
  (_method, { pathname }) =>
    /^\/subscriptions\/[^/]+$/.test(pathname) ? undefined : reply;

it("a list of anything, or no list at all", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        scalar,
        fc.array(entry, { maxLength: 4 }).map((value) => ({ value })),
      ),
      async (body) => {
        const rows = await rowsOf(others({ body }));
        expect(rows.filter(({ state }) => state !== "ok")).not.toEqual([]);
      },
    ),
    { numRuns: 30 },
  );
});
it.each([[{}], [{ message: "sign in" }], ["sign in"]])(
  "what answers 200 to everything is no resource: %j",
  async (body) => {
    const rows = await rowsOf(others({ body }));
    const fine = rows.filter(({ state }) => state === "ok").map(({ check }) => check);
    expect(fine).toEqual(["subscription", "own address"]);
  },
);

const codes = ["ResourceNotFound", "LinkedAuthorizationNotFound", "BackendNotFound"];

it.each<Reply>([
  ...["sign in", {}, { message: "not found" }, { error: "NotFound" }].map((body) => ({ status: 404, body })),
  { status: 404, body: { error: { code: "BackendNotFound" } } },
  ...[400, 403, 409, 500].flatMap((status) =>
    codes.map((code) => ({ status, body: { error: { code, message: "x" } } })),
  ),
])("nothing is missing, and nothing fine, because of %j", async (reply) => {
  const rows = await rowsOf(others(reply));
  const fine = rows.filter(({ state }) => state === "ok").map(({ check }) => check);
  expect(fine).toEqual(["subscription", "own address"]);
  expect(rows.filter(({ state }) => state === "error")).toEqual([]);
});

it("an error that is not Azure's is named by its status, and the subscription is not missing for it", async () => {
  const rows = await rowsOf(() => ({ status: 404, body: "<html>not found</html>" }));
  expect(worst(rows)).toEqual([
    "unknown subscription: the answer is not that of Azure: HTTP 404 without what was asked for",
  ]);
});

it.each(["ResourceGroupNotFound", "ResourceNotFound", "SubscriptionNotFound"])(
  "a list of rights that is not there (%s) allows nothing",
  async (code) => {
    const rows = await rowsOf((_method, { pathname }) =>
      pathname.endsWith("/permissions")
        ? { status: 404, body: { error: { code, message: "x" } } }
        : undefined,
    );
    expect(worst(rows)).toEqual([
      "unknown roles: what this login may do on the subscription is not known: Azure does not find it",
    ]);
  },
);

it("a list of usage without what was asked for is no quota that suffices", async () => {
  const rows = await rowsOf((_method, { pathname }) =>
    pathname.endsWith("/usages") ? { body: { value: [] } } : undefined,
  );
  expect(
    rows
      .filter(({ state }) => state !== "ok")
      .map(({ state, check, found }) => `${state} ${check}: ${found}`),
  ).toEqual([
    "unknown quota: Azure lists no quota standardDSv5Family in westeurope",
    "unknown quota: Azure lists no quota cores in westeurope",
    "unknown public addresses: Azure lists no quota of public addresses in westeurope",
  ]);
});

/** What is not fine where lists at a path are other ones. */
const wrongWith = async (path: RegExp, value: readonly unknown[]): Promise<string[]> =>
  (await rowsOf((_method, { pathname }) => (path.test(pathname) ? { body: { value } } : undefined)))
    .filter(({ state }) => state !== "ok")
    .map(({ state, check, found }) => `${state} ${check}: ${found}`);

it.each([[undefined], ["-4"], ["0"], ["many"]])(
  "a size with %j vCPUs is not counted, and its quota not fine",
  async (value) => {
    const vcpus = value === undefined ? [] : [{ name: "vCPUs", value }];
    expect(
      await wrongWith(
        /Microsoft.Compute\/skus$/,
        skus.map((size) => ({
          ...size,
          capabilities: [
            ...vcpus,
            ...size.capabilities.filter((one) => (one as { name: string }).name !== "vCPUs"),
          ],
        })),
      ),
    ).toEqual(["unknown quota: Azure does not say how many vCPUs Standard_D4s_v5 has"]);
  },
);

it.each([
  [-10, 200],
  [10, -1],
  [10, 1.5],
  [undefined, 200],
])("a quota of which %j are used and %j approved is not known", async (currentValue, limit) => {
  const usage = (value: string) => ({ name: { value }, currentValue, limit });
  const names = ["cores", "standardDSv5Family", "PublicIPAddresses"];
  expect(await wrongWith(/\/usages$/, names.map(usage))).toEqual([
    "unknown quota: Azure gives no numbers for the quota standardDSv5Family in westeurope",
    "unknown quota: Azure gives no numbers for the quota cores in westeurope",
    "unknown public addresses: Azure gives no numbers for PublicIPAddresses in westeurope",
  ]);
});

it("null in a list is none of its elements", async () => {
  const rows = await rowsOf((_method, { pathname }) =>
    pathname.endsWith("/virtualMachineScaleSets") ? { body: { value: [null] } } : undefined,
  );
  expect(worst(rows)).toEqual([]);
});

it.each([
  ["*", "a/b/read", true],
  ["A/*/read", "a/b/c/READ", true],
  ["Microsoft.NetworkX/*", "Microsoft.Network/virtualNetworks/write", false],
  ["a/*/read", "a/read", false],
  ["a/b", "a/b", true],
  ["a/b", "a/b/c", false],
  ["a.b/*", "axb/read", false],
  ["*/join/action", "a/b/join/action", true],
  ["aa*aa", "aaa", false],
  // As a regular expression, this one never ends.
  [`${"*a".repeat(40)}b`, "a".repeat(100), false],
])("the action %s of a role is a pattern of text and * alone: %s", (pattern, action, expected) => {
  expect(allows([{ actions: [pattern] }], action)).toBe(expected);
});
