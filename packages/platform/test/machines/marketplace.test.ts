import fc from "fast-check";
import type { MarketplaceNode } from "capz-windows-platform/machines/marketplace";
import {
  kubernetesVersionOfImage,
  listMarketplaceCommand,
  marketplaceSku,
  marketplaceUbuntu,
  marketplaceVersion,
  parseMarketplaceSku,
  parseUrn,
  urnOf,
} from "capz-windows-platform/machines/marketplace";

const containerd2019 = { os: "windows", windowsServer: "2019", runtime: "containerd" } as const;
const docker2019 = { os: "windows", windowsServer: "2019", runtime: "dockershim" } as const;
const ubuntu = (release: string) => ({ os: "linux", ubuntu: release }) as const;

const nodes: fc.Arbitrary<MarketplaceNode> = fc.oneof(
  fc.constantFrom("1804", "2004", "2204").map(ubuntu),
  fc.record({
    os: fc.constant("windows" as const),
    windowsServer: fc.constantFrom("2019", "2022"),
    runtime: fc.constantFrom("containerd" as const, "dockershim" as const),
  }),
);
const versions = fc
  .tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 40 }))
  .map(([minor, patch]) => `v1.${minor}.${patch}`);

describe("the SKU of a Marketplace image", () => {
  // The last version before and the first version after each change of CAPZ's naming.
  it.each([
    ["v1.22.1", containerd2019, "k8s-1dot22dot1-windows-2019-containerd"],
    ["v1.18.13", docker2019, "k8s-1dot18dot13-windows-2019"],
    ["v1.22.9", ubuntu("2004"), "k8s-1dot22dot9-ubuntu-2004"],
    ["v1.22.10", ubuntu("2004"), "ubuntu-2004-gen1"],
    ["v1.21.12", docker2019, "k8s-1dot21dot12-windows-2019"],
    ["v1.21.13", docker2019, "windows-2019-gen1"],
    ["v1.23.6", containerd2019, "k8s-1dot23dot6-windows-2019-containerd"],
    ["v1.23.7", containerd2019, "windows-2019-containerd-gen1"],
    ["v1.24.0", { ...containerd2019, windowsServer: "2022" }, "windows-2022-containerd-gen1"],
  ] as const)("for %s is %j → %s", (version, node, sku) => {
    expect(marketplaceSku(node, version)).toBe(sku);
  });

  it("parses into the parts that it was built from", () => {
    fc.assert(
      fc.property(nodes, versions, (node, version) => {
        const parsed = parseMarketplaceSku(marketplaceSku(node, version));
        expect(parsed?.node).toEqual(node);
        expect([version, undefined]).toContain(parsed?.kubernetesVersion);
      }),
    );
  });

  it.each([
    "",
    "k8s-1dot22-windows-2019",
    "k8s-1dot022dot1-windows-2019",
    "windows-2019-containerd",
    "windows-2019-docker-gen1",
    "k8s-1dot22dot1-windows-2019-containerd-gen1",
    "ubuntu-22.04-gen1",
    "2022-datacenter-core",
  ])("%j follows another naming scheme", (sku) => {
    expect(parseMarketplaceSku(sku)).toBeUndefined();
  });

  it("is not computed from an invalid version", () => {
    expect(() => marketplaceSku(docker2019, "1.22")).toThrow(
      "1.22 is not a Kubernetes version such as v1.22.1",
    );
  });
});

it.each([
  ["v1.17.17", "1804"],
  ["v1.18.19", "1804"],
  ["v1.18.20", "2004"],
  ["v1.21.1", "1804"],
  ["v1.21.2", "2004"],
  ["v1.22.0", "2004"],
  ["v1.25.2", "2004"],
  ["v1.25.3", "2204"],
  ["v1.30.3", "2204"],
])("Ubuntu for %s is %s", (version, release) => {
  expect(marketplaceUbuntu(version)).toBe(release);
});

describe("the version of a Marketplace image", () => {
  it.each([
    ["k8s-1dot22dot1-windows-2019-containerd", "v1.22.1", "2021.10.15"],
    ["k8s-1dot22dot1-windows-2019-containerd", "v1.22.2", undefined],
    ["k8s-1dot22dot3-windows-2019-containerd", "v1.22.3", "latest"],
    ["windows-2019-containerd-gen1", "v1.30.3", "130.3.20240717"],
    ["windows-2019-containerd-gen1", "v1.25.3", undefined],
    ["ubuntu-2204-gen1", "v1.30.0", "130.0.20240506"],
    ["2022-datacenter", "v1.30.0", undefined],
  ])("of %s for %s is %s", (sku, kubernetesVersion, version) => {
    expect(marketplaceVersion(sku, kubernetesVersion)).toBe(version);
  });

  it.each([
    ["130.3.20240717", "v1.30.3"],
    ["122.16.20221117", "v1.22.16"],
    ["2021.10.15", undefined],
    ["230.3.20240717", undefined],
    ["latest", undefined],
  ])("%s is of Kubernetes %s", (version, kubernetesVersion) => {
    expect(kubernetesVersionOfImage(version)).toBe(kubernetesVersion);
  });
});

describe("a URN", () => {
  it("parses into the parts that it was built from", () => {
    const part = fc.stringMatching(/^[a-z0-9][a-z0-9._-]{0,20}$/);
    fc.assert(
      fc.property(part, part, part, part, (publisher, offer, sku, version) => {
        const image = { publisher, offer, sku, version };
        expect(parseUrn(urnOf(image))).toEqual(image);
      }),
    );
  });

  it.each(["", "a:b:c", "a:b:c:d:e", "a::c:d", "a:b:c:", "a:b:c d:e", "a:b:c:d\n"])(
    "%j is not a URN",
    (text) => {
      expect(parseUrn(text)).toBeUndefined();
    },
  );
});

it("has commands that list an offer and one of its SKUs", () => {
  expect(listMarketplaceCommand("capi-windows")).toBe(
    "az vm image list --publisher cncf-upstream --offer capi-windows --all -o table",
  );
  expect(listMarketplaceCommand("capi", "ubuntu-2004-gen1")).toContain(
    " --offer capi --sku ubuntu-2004-gen1 ",
  );
});
