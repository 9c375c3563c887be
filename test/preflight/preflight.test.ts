import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Arm, ArmError } from "../../commands/azure/arm";
import { LoginError } from "../../commands/azure/credential";
import { exitCode, formatRows } from "../../commands/preflight/preflight";
import type { Row } from "../../commands/preflight/row";
import { existingManagement } from "../support/stacks";
import { at, type Change, own, refused, skus } from "./armStandIn";
import { azure, endpoint, planOf, rowsOf, withAzure, worst } from "./support";

withAzure();

it("a clean run: every check answers, nothing is written, and the exit code is 0", async () => {
  const rows = await rowsOf();
  expect(worst(rows)).toEqual([]);
  expect(rows.map(({ check }) => check)).toEqual([
    ...["subscription", "resource providers", "roles", "sizes", "quota", "public addresses"],
    ...["images", "names", "resource group", "network", "own address"],
  ]);
  expect(exitCode(rows)).toBe(0);
  expect(formatRows(rows, "dev")).toMatch(
    /\nNothing that was asked stands in the way of pulumi up --stack dev\.\n$/,
  );
  const changing = azure.asked.filter((asked) => !asked.startsWith("GET "));
  expect(changing).toEqual([]);
  expect(azure.asked.filter((asked) => !/ \d{4}-\d\d-\d\d Bearer simulated$/.test(asked))).toEqual([]);
});

it("what was not checked is counted apart from what warns", () => {
  const rows = (["unknown", "warning", "ok"] as const).map((state) => ({
    ...{ state, check: "c", found: "f", remedy: [] },
  }));
  expect(formatRows(rows, "dev")).toMatch(
    /\nNothing is known to stand in the way; 1 thing was not checked \(\?\), 1 line warns \(!\)\.\n$/,
  );
});

describe("reported is that", () => {
  it("the own address is outside of access.allowedCidrs", async () => {
    expect(worst(await rowsOf(undefined, {}, { get: own("192.0.2.1") }))).toEqual([
      "warning own address: 192.0.2.1 is not in access.allowedCidrs: kubectl and ssh will not work from here",
    ]);
  });

  it("the own address is outside of management.authorizedCidrs, so `up` cannot reach the management cluster", async () => {
    const management = { kind: "aks", authorizedCidrs: ["198.51.100.0/24"] };
    expect(worst(await rowsOf(undefined, { management }))).toEqual([
      "error own address: 203.0.113.7 is not in management.authorizedCidrs: `up` from here cannot reach the management cluster",
    ]);
  });

  it("roles at the resource groups are sufficient if both groups exist and the identity is given", async () => {
    const nothing = { body: { value: [{ actions: ["*/read"], notActions: [] }] } };
    const all = { body: { value: [{ actions: ["*"], notActions: [] }] } };
    const identity = {
      clientId: "11111111-2222-4333-8444-888888888888",
      principalId: "11111111-2222-4333-8444-999999999999",
    };
    const change: Change = (_, url) =>
      /resourceGroups\/[\w-]+$/.test(url.pathname)
        ? { body: { location: "westeurope", properties: {} } }
        : url.pathname.endsWith("/permissions")
          ? url.pathname.includes("/resourceGroups/")
            ? all
            : nothing
          : undefined;
    const roles = async (more: Record<string, unknown>): Promise<string[]> =>
      (await rowsOf(change, more)).filter(({ check }) => check === "roles").map(({ found }) => found);
    expect(await roles({ ...existingManagement, clusterApi: { identity } })).toEqual([
      "this login may do everything that `pulumi up` does",
    ]);
    // An identity that the stack creates gets the role Reader at the subscription.
    expect(await roles({})).toEqual([
      "this login lacks Microsoft.Authorization/roleAssignments/write on the subscription",
    ]);
  });

  it.each([
    ["", {}],
    [
      " with Azure Bastion and a prefix of addresses",
      {
        network: {
          bastion: { kind: "stack", range: "10.10.1.0/26" },
          outbound: { type: "nat", prefixLength: 31 },
        },
      },
    ],
    [" with AKS in a VNET", { management: { kind: "aks", network: { vnetCidr: "10.200.0.0/22" } } }],
  ])("the custom role of the plan%s is enough for up, and not without a part of it", async (_, more) => {
    const { people } = (await planOf(more)).cluster.rights;
    const actions = people.find(({ key }) => key === "up")?.actions ?? [];
    const roles = async (given: readonly string[]): Promise<string[]> => {
      const permissions = [...given, "*/read", "Microsoft.Authorization/roleAssignments/write"];
      const change: Change = (__, url) =>
        url.pathname.endsWith("/permissions")
          ? { body: { value: [{ actions: permissions, notActions: [] }] } }
          : undefined;
      return (await rowsOf(change, more)).filter(({ check }) => check === "roles").map(({ found }) => found);
    };
    expect(await roles(actions)).toEqual(["this login may do everything that `pulumi up` does"]);
    const table = "Microsoft.Network/routeTables/write";
    expect(await roles(actions.filter((action) => action !== table))).toEqual([
      `this login lacks ${table} on the subscription`,
    ]);
  });

  it("the own address is unknown", async () => {
    const rows = await rowsOf(undefined, {}, { get: () => Promise.reject(new Error("offline")) });
    expect(worst(rows)).toEqual(["unknown own address: your public address is unknown: Error"]);
    expect(exitCode(rows)).toBe(2);
  });
});

describe("the quota of cores, of machines with 4 vCPUs each", () => {
  const machines = {
    // 33 % of 5 are 2 more; AKS makes them during an upgrade.
    management: { kind: "aks", nodeCount: 3, maxNodeCount: 5 },
    // Cluster API makes one more.
    controlPlane: { replicas: 3 },
    linuxPools: { linux1: { replicas: 4, rollout: { maxSurge: "25%" } } },
    windowsPools: { win1: { autoscale: { min: 0, max: 6 }, rollout: { maxSurge: 2 } } },
  };
  const wanted = 4 * (5 + 2 + (3 + 1) + (4 + 1) + (6 + 2));
  const limited = (limit: number): Change =>
    at(/Compute\/locations\/westeurope\/usages$/, () => ({
      body: {
        value: [
          { name: { value: "standardDSv5Family", localizedValue: "DSv5" }, currentValue: 10, limit },
          { name: { value: "cores", localizedValue: "Cores" }, currentValue: 10, limit: 1000 },
        ],
      },
    }));

  it("may be used up", async () => {
    const rows = await rowsOf(limited(10 + wanted), machines);
    expect(rows.filter(({ check }) => check === "quota")).toEqual([
      {
        state: "ok",
        check: "quota",
        found: `${wanted} cores fit, even if everything rolls at once`,
        remedy: [],
      },
    ]);
    const { quota } = (await planOf(machines)).cluster;
    expect(quota.vcpus).toEqual([{ family: "DSv5", steady: 4 * (3 + 3 + 4), peak: wanted }]);
  });

  it("lacks one core", async () => {
    expect(worst(await rowsOf(limited(10 + wanted - 1), machines))).toEqual([
      "error quota: DSv5 in westeurope: 105 approved, 10 used, 96 more needed while everything rolls",
    ]);
  });
});

it("before an upgrade, existing machines are not counted twice", async () => {
  const limits = at(/Compute\/locations\/westeurope\/usages$/, () => ({
    body: {
      value: [
        { name: { value: "standardDSv5Family", localizedValue: "DSv5" }, currentValue: 90, limit: 128 },
      ],
    },
  }));
  const there: Change = (method, url, body) =>
    url.pathname.endsWith("/virtualMachineScaleSets")
      ? {
          body: {
            value: [
              {
                sku: {
                  name: "Standard_D4s_v5",
                  capacity: url.pathname.includes("test-management-nodes") ? 1 : 2,
                },
              },
            ],
          },
        }
      : url.pathname.endsWith("/virtualMachines")
        ? { body: { value: [{ properties: { hardwareProfile: { vmSize: "Standard_D4s_v5" } } }] } }
        : limits(method, url, body);
  const needed = (rows: Row[]): number => Number(/(\d+) more needed/.exec(worst(rows)[0] ?? "")?.[1] ?? 0);
  const [first, upgrade] = [await rowsOf(limits), await rowsOf(there)];
  // Four machines with 4 vCPUs exist: two of the pool, one of the control plane, one of AKS.
  expect(needed(first) - needed(upgrade)).toBe(16);
});

describe("if Azure gives no result:", () => {
  it("short throttling is waited for", async () => {
    let left = 2;
    const rows = await rowsOf(
      at(/\/skus$/, () =>
        left-- > 0
          ? { ...refused(429, "TooManyRequests"), headers: { "retry-after": "1" } }
          : { body: { value: skus } },
      ),
    );
    expect(worst(rows)).toEqual([]);
  });

  it("long throttling is reported", async () => {
    const rows = await rowsOf(
      at(/\/skus$/, () => ({
        ...refused(429, "TooManyRequests", "come back later"),
        headers: { "retry-after": "3600" },
      })),
    );
    expect(worst(rows)).toEqual([
      "unknown sizes: Azure throttles requests to this subscription: come back later",
      "unknown quota: Azure throttles requests to this subscription: come back later",
    ]);
    expect(exitCode(rows)).toBe(2);
  });

  it("a missing permission is reported for its check only", async () => {
    const rows = await rowsOf(at(/permissions$/, () => refused(403, "AuthorizationFailed")));
    expect(worst(rows)).toEqual([
      "unknown roles: this login is not authorized to read this: AuthorizationFailed",
    ]);
    expect(rows[0]?.remedy[0]).toContain("--role Reader");
  });

  it("an error of Azure is reported", async () => {
    expect(
      worst(await rowsOf(at(/permissions$/, () => refused(500, "InternalServerError", "oops")))),
    ).toEqual(["unknown roles: Azure answers 500 InternalServerError: oops"]);
  });

  it("a timeout and a failed connection are reported", async () => {
    const silent = createServer(() => undefined).listen(0, "127.0.0.1");
    await new Promise((resolve) => silent.once("listening", resolve));
    const { port } = silent.address() as AddressInfo;
    const hangs = new Arm({
      ...{ endpoint: `http://127.0.0.1:${port}`, timeoutMs: 50 },
      token: () => Promise.resolve("t"),
    });
    await expect(hangs.get("/subscriptions/x", "2022-12-01")).rejects.toMatchObject({
      status: 0,
      code: "Timeout",
    });
    silent.closeAllConnections();
    silent.close();
    const dead = new Arm({ endpoint: "http://127.0.0.1:59999", token: () => Promise.resolve("t") });
    await expect(dead.get("/", "x")).rejects.toEqual(
      new ArmError(0, "Unreachable", "no connection: ECONNREFUSED"),
    );
    const rows = await rowsOf(undefined, {}, { arm: { endpoint: "http://127.0.0.1:59999" } });
    expect(worst(rows)).toEqual(["unknown subscription: Unreachable: no connection: ECONNREFUSED"]);
  });

  it("all pages of a list are read", async () => {
    const rows = await rowsOf(
      at(/\/skus$/, (url) =>
        url.searchParams.has("skip")
          ? { body: { value: skus } }
          : { body: { value: [], nextLink: `${endpoint()}${url.pathname}?api-version=2021-07-01&skip=1` } },
      ),
    );
    expect(worst(rows)).toEqual([]);
  });

  it("it is an error to have no login", async () => {
    const rows = rowsOf(
      undefined,
      {},
      { arm: { token: () => Promise.reject(new LoginError("There is no login")) } },
    );
    await expect(rows).rejects.toThrow(new LoginError("There is no login"));
  });
});
