import fc from "fast-check";
import { roleAssignmentName } from "capz-windows-platform/azure/roles";
import { computerName, scaleSetName } from "capz-windows-platform/machines/naming";
import { apiServerHost, fnv1a32, networkNames } from "capz-windows-platform/cluster/naming";
import { always } from "capz-windows-test-kit/always";

const poolName = fc.stringMatching(/^[a-z]([-a-z0-9]{0,38}[a-z0-9])?$/);

describe("the name of a scale set", () => {
  it.each([
    ["demo-mp-win", "win-p-win"],
    ["mp-win", "mp-win"],
    ["winpool01", "winpool01"],
    ["winpool012", "win-ol012"],
    ["cluster-pool-win", "win-l-win"],
    ["foobarabcd-win1", "win--win1"],
  ])("of the Windows pool %s is %s", (pool, name) => {
    expect(scaleSetName(pool, "windows")).toBe(name);
  });

  it("of a Linux pool is the pool's name", () => {
    expect(scaleSetName("demo-mp-linux-long", "linux")).toBe("demo-mp-linux-long");
  });

  it(
    "fits into a Windows computer name: 9 characters and the 6 that Azure appends are NetBIOS's 15",
    always(poolName, fc.integer({ min: 0, max: 36 ** 6 - 1 }), (pool, index) => {
      expect(scaleSetName(pool, "windows").length).toBeLessThanOrEqual(9);
      const name = computerName(pool, "windows", index);
      expect(name.length).toBeLessThanOrEqual(15);
      expect(name).toBe(name.toLowerCase());
      expect(name.startsWith(scaleSetName(pool, "windows"))).toBe(true);
    }),
  );

  it("is followed by a number in base 36 for each machine", () => {
    expect([0, 9, 10, 35, 36].map((index) => computerName("win1", "windows", index))).toEqual([
      "win1000000",
      "win1000009",
      "win100000a",
      "win100000z",
      "win1000010",
    ]);
  });
});

it("security groups and route table have CAPZ's default names, which azure.json contains", () => {
  // Source: CAPZ v1.27.0, api/v1beta1 defaults of AzureCluster.
  expect(networkNames("dev")).toMatchObject({
    controlPlaneNsg: "dev-controlplane-nsg",
    nodeNsg: "dev-node-nsg",
    routeTable: "dev-node-routetable",
  });
});

describe("the API server's host", () => {
  it("contains the FNV-1a hash of subscription, resource group and public IP, without padding", () => {
    // Published test vectors of FNV-1a, 32 bits.
    expect([fnv1a32(""), fnv1a32("a"), fnv1a32("foobar")]).toEqual(["811c9dc5", "e40c292c", "bf9cf968"]);
    const place = { clusterName: "dev", subscriptionId: "s", resourceGroup: "rg", location: "WestEurope" };
    expect(apiServerHost(place)).toBe(
      `dev-${fnv1a32("s/rg/pip-dev-apiserver")}.westeurope.cloudapp.azure.com`,
    );
  });

  it("fits into a DNS label for the longest cluster name", () => {
    const clusterName = "c".repeat(44);
    const host = apiServerHost({
      clusterName,
      subscriptionId: "s",
      resourceGroup: "r",
      location: "westeurope",
    });
    expect(host.split(".")[0]!.length).toBeLessThanOrEqual(63);
  });
});

it("the name of a role assignment is a GUID that depends only on logical names", () => {
  const name = roleAssignmentName("sub", "rg", "dev", "nodes");
  expect(name).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(roleAssignmentName("sub", "rg", "dev", "nodes")).toBe(name);
  expect(roleAssignmentName("sub", "rg", "dev", "controllers")).not.toBe(name);
});
