import { loadSettings } from "../../config/load";
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

it("a gallery has a name; its ARM ID is taken apart", () => {
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
      "    write    computeGallery: {gallery: shared, name: capi-win-2022, version: 1.35.6, subscriptionId: 11111111-2222-4333-8444-555555555555, resourceGroup: images}",
    ),
  );
  const parts = { subscriptionId: "11111111-2222-4333-8444-555555555555", resourceGroup: "images" };
  expect(
    settingsWith(windows({ image: { computeGallery: { gallery: "shared", ...own, ...parts } } })),
  ).toBeDefined();
  expect(
    reportWith(windows({ image: { computeGallery: { gallery: "galleries/shared", ...own } } })),
  ).toContain("write    gallery: <name of the gallery>");
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

  it("cannot be named by a URN and by its parts", () => {
    expect(reportWith({ ...marketplace({ urn: published, version: "latest" }), ...old })).toBe(
      block(
        "  windowsPools.win1.image.marketplace",
        `    value    {"urn":"cncf-upstream:capi-windows:windows-2019-containerd-gen1:130.3.20240717","versio...`,
        "    problem  urn contains all four parts and cannot be combined with version",
        "    allowed  urn, or any of publisher, offer, sku and version",
        "    write    marketplace: {urn: cncf-upstream:capi-windows:windows-2019-containerd-gen1:130.3.20240717}",
      ),
    );
  });

  it("has four parts in a URN", () => {
    expect(reportWith({ ...marketplace({ urn: "cncf-upstream:capi-windows:latest" }), ...old })).toBe(
      block(
        "  windowsPools.win1.image.marketplace.urn",
        "    value    cncf-upstream:capi-windows:latest",
        "    problem  expected four parts, separated by colons",
        "    allowed  publisher:offer:sku:version",
        "    write    urn: <publisher:offer:sku:version> # to list them: az vm image list --publisher cncf-upstream --offer capi-windows --all -o table",
      ),
    );
  });

  it.each([
    ["v1.30.2", {}, "this image is for Kubernetes v1.30.3, not v1.30.2"],
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

  it("does not exist for versions newer than the last published one", () => {
    const report = reportWith(marketplace({}, {}, { kubernetesVersion: "v1.30.4" }));
    expect(report).toBe(
      block(
        "  windowsPools.win1.image.marketplace",
        "    value    {}",
        "    problem  the newest image of this offer is for Kubernetes v1.30.3, but the nodes run v1.30.4",
        "    allowed  CAPZ's community gallery, or your own image",
        "    write    image: {computeGallery: {gallery: <your gallery>, name: <image definition>, version: <image version>}} # in windowsPools.win1: docs/images.md",
      ),
    );
  });

  it("needs a version if its build date is not known", () => {
    const report = reportWith({ ...marketplace({}, { windowsServer: "2022" }), ...old });
    expect(report).toBe(
      block(
        "  windowsPools.win1.image.marketplace.version",
        "    value    {}",
        "    problem  the versions of the SKU windows-2022-containerd-gen1 contain a build date, and that of v1.30.3 is not known",
        "    allowed  a version that begins with 130.3.",
        "    write    version: <130.3.YYYYMMDD> # to list them: az vm image list --publisher cncf-upstream --offer capi-windows --sku windows-2022-containerd-gen1 --all -o table",
      ),
    );
    const given = { version: "130.3.20240717" };
    expect(settingsWith({ ...marketplace(given, { windowsServer: "2022" }), ...old })).toBeDefined();
  });

  it("gets a warning that it is being withdrawn, with a command that lists what exists", () => {
    const { warnings } = loadSettings({ ...minimal(), ...marketplace({}), ...old }, "test");
    expect(warnings.filter(({ path }) => path === "windowsPools.win1.image.marketplace")).toEqual([
      {
        path: "windowsPools.win1.image.marketplace",
        message:
          "the images of cncf-upstream have not been updated since July 2024 and are being withdrawn; check that this one still exists: az vm image list --publisher cncf-upstream --offer capi-windows --sku windows-2019-containerd-gen1 --all -o table",
      },
    ]);
  });
});

describe("the community gallery", () => {
  it("no longer has Windows Server 2019, which is accepted with your own image", () => {
    expect(reportWith(windows({ windowsServer: "2019" }))).toBe(
      block(
        "  windowsPools.win1.image",
        "    problem  CAPZ's community gallery no longer publishes images of Windows Server 2019",
        "    allowed  windowsServer 2022 or 2025, or your own image",
        '    write    windowsServer: "2022" # or image: {computeGallery: ...} with your own (docs/images.md)',
      ),
    );
    expect(settingsWith(windows({ windowsServer: "2019", image: noDefaults }))).toBeDefined();
  });

  const gallery = "ClusterAPI-f72ceb4f-5159-4c26-a0fe-2ea738f0d019";
  const named = (name: string, version: string) =>
    windows({ image: { computeGallery: { gallery, name, version } } });

  it("accepts only images for the version and release of the nodes", () => {
    expect(settingsWith(named("capi-win-2022-containerd", "1.35.6"))).toBeDefined();
    expect(reportWith(named("capi-win-2022-containerd", "latest"))).toContain(
      "in this gallery, the image version is the Kubernetes version, and the nodes run v1.35.6",
    );
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

  it("does not restrict the versions in your own gallery", () => {
    const computeGallery = { gallery: "own", name: "capi-windows-2022-containerd", version: "0.0.1" };
    expect(settingsWith(windows({ image: { computeGallery } }))).toBeDefined();
  });

  it.each([
    ["v1.34.9", true],
    ["v1.35.0", false],
  ])(
    "drops images of minors that are not maintained, with a warning for %s: %s",
    (kubernetesVersion, warned) => {
      const { warnings } = loadSettings({ ...minimal(), kubernetesVersion }, "test");
      const found = warnings.filter(({ path }) => path === "controlPlane.image");
      expect(found.length > 0).toBe(warned);
      expect(found.every(({ message }) => message.includes("older than v1.35"))).toBe(true);
    },
  );
});
