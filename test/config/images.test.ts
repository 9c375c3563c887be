import { minimal, reportWith, settingsWith } from "../support/stacks";

type Change = Record<string, unknown>;

const windows = (pool: Change, change: Change = {}): Change => ({ ...change, windowsPools: { win1: pool } });
const marketplace = (image: Change, pool: Change = {}, change: Change = {}): Change =>
  windows(
    { windowsServer: "2019", ...pool, image: { marketplace: image } },
    { kubernetesVersion: "v1.30.3", ...change },
  );

const noDefaults = { id: "/subscriptions/s/image" };
/** Settings with which the control plane has a valid image, so that only the pool can be invalid. */
const old = { controlPlane: { image: noDefaults } };
const published = "cncf-upstream:capi-windows:windows-2019-containerd-gen1:130.3.20240717";

const block = (...lines: string[]): string => ["Pulumi.test.yaml: 1 problem", "", ...lines].join("\n");

it("a gallery has a name, not an ARM ID", () => {
  const own = { name: "capi-win-2022", version: "1.35.6" };
  const id =
    "/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/images/providers/Microsoft.Compute/galleries/shared";
  const report = reportWith(windows({ image: { computeGallery: { gallery: id, ...own } } }));
  expect(report).toBe(
    block(
      "  windowsPools.win1.image.computeGallery.gallery",
      `    value    ${id.slice(0, 87)}...`,
      "    problem  a name is expected, and this is an ARM ID or a path",
      "    allowed  the name of a gallery; subscriptionId and resourceGroup say where your own gallery is",
    ),
  );
  const parts = { subscriptionId: "11111111-2222-4333-8444-555555555555", resourceGroup: "images" };
  expect(
    settingsWith(windows({ image: { computeGallery: { gallery: "shared", ...own, ...parts } } })),
  ).toBeDefined();
});

describe("a Marketplace image", () => {
  it.each([
    ["computed", {}],
    ["as a URN", { urn: published }],
    ["by some of its parts", { sku: "windows-2019-containerd-gen1" }],
    ["of another publisher, with all its parts", { publisher: "p", offer: "o", sku: "s", version: "1.0.0" }],
  ])("is accepted %s", (_how, image) => {
    expect(settingsWith({ ...marketplace(image), ...old })).toBeDefined();
  });

  it.each([
    ["v1.30.3", { windowsServer: "2022" }, "this image is for Windows Server 2019, not Windows Server 2022"],
  ])("must match the version and release of the nodes: %s %j", (kubernetesVersion, pool, problem) => {
    expect(reportWith({ ...marketplace({ urn: published }, pool, { kubernetesVersion }), ...old })).toContain(
      `    problem  ${problem}\n`,
    );
  });

  it("for Linux is rejected for Windows, and one for dockershim with containerd", () => {
    const linux = "cncf-upstream:capi:ubuntu-2204-gen1:130.3.20240717";
    expect(reportWith({ ...marketplace({ urn: linux }), ...old })).toContain(
      "this image is for Linux, not Windows Server 2019",
    );
    const docker = "cncf-upstream:capi-windows:windows-2019-gen1:130.3.20240717";
    expect(reportWith({ ...marketplace({ urn: docker }), ...old })).toContain(
      "this image is for dockershim, not containerd (flavor)",
    );
  });

});

describe("the community gallery", () => {
  const gallery = "ClusterAPI-f72ceb4f-5159-4c26-a0fe-2ea738f0d019";
  const named = (name: string, version: string) =>
    windows({ image: { computeGallery: { gallery, name, version } } });

  it("accepts only images for the version and release of the nodes", () => {
    expect(reportWith(named("capi-win-2025-containerd", "1.35.6"))).toContain(
      "the name denotes an image of Windows Server 2025, but the nodes run Windows Server 2022",
    );
    expect(reportWith(named("capi-ubun2-2404", "1.35.6"))).toContain(
      "the name denotes an image of Linux, but the nodes run Windows Server 2022",
    );
  });

  it("must be replicated to the region of an image that is named explicitly, too", () => {
    const azure = { ...(minimal().azure as object), location: "polandcentral" };
    const change = { ...named("capi-win-2022-containerd", "1.35.6"), ...old, azure };
    expect(reportWith(change)).toContain(
      "CAPZ's community gallery has no images in this region; it is used by windowsPools.win1",
    );
    expect(settingsWith({ ...windows({ image: noDefaults }), ...old, azure })).toBeDefined();
  });
});
