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
/** A version of which the gallery has no images any more, so that only the pool is judged. */
const old = { controlPlane: { image: noDefaults } };
const published = "cncf-upstream:capi-windows:windows-2019-containerd-gen1:130.3.20240717";

const block = (...lines: string[]): string => ["Pulumi.test.yaml: 1 problem", "", ...lines].join("\n");

describe("a Marketplace image", () => {
  it.each([
    ["computed", {}],
    ["as a URN", { urn: published }],
    ["by some of its parts", { sku: "windows-2019-containerd-gen1" }],
    ["of another publisher, with all its parts", { publisher: "p", offer: "o", sku: "s", version: "1.0.0" }],
  ])("is taken %s", (_how, image) => {
    expect(settingsWith({ ...marketplace(image), ...old })).toBeDefined();
  });

  it("is not named twice", () => {
    expect(reportWith({ ...marketplace({ urn: published, version: "latest" }), ...old })).toBe(
      block(
        "  windowsPools.win1.image.marketplace",
        `    value    {"urn":"cncf-upstream:capi-windows:windows-2019-containerd-gen1:130.3.20240717","versio...`,
        "    problem  urn has all four parts already, and version is given too",
        "    allowed  urn, or any of publisher, offer, sku and version",
        "    write    urn: publisher:offer:sku:version, and nothing else",
      ),
    );
  });

  it("has four parts in a URN", () => {
    expect(reportWith({ ...marketplace({ urn: "cncf-upstream:capi-windows:latest" }), ...old })).toBe(
      block(
        "  windowsPools.win1.image.marketplace.urn",
        "    value    cncf-upstream:capi-windows:latest",
        "    problem  it does not have four parts with colons between them",
        "    allowed  publisher:offer:sku:version",
        "    write    urn: a line of: az vm image list --publisher cncf-upstream --offer capi-windows --all -o table",
      ),
    );
  });

  it.each([
    ["v1.30.2", {}, "this image is of Kubernetes v1.30.3, not v1.30.2"],
    ["v1.30.3", { windowsServer: "2022" }, "this image is of Windows Server 2019, not Windows Server 2022"],
  ])("is of the machines' version and release: %s %j", (kubernetesVersion, pool, problem) => {
    expect(reportWith({ ...marketplace({ urn: published }, pool, { kubernetesVersion }), ...old })).toContain(
      `    problem  ${problem}\n`,
    );
  });

  it("of Linux is refused for Windows, and of dockershim for containerd", () => {
    const linux = "cncf-upstream:capi:ubuntu-2204-gen1:130.3.20240717";
    expect(reportWith({ ...marketplace({ urn: linux }), ...old })).toContain(
      "this image is of Linux, not Windows Server 2019",
    );
    const docker = "cncf-upstream:capi-windows:windows-2019-gen1:130.3.20240717";
    expect(reportWith({ ...marketplace({ urn: docker }), ...old })).toContain(
      "this image is for dockershim, and the flavor is containerd",
    );
  });

  it("does not exist for versions after the last that was published", () => {
    const report = reportWith(marketplace({}, {}, { kubernetesVersion: "v1.30.4" }));
    expect(report).toBe(
      block(
        "  windowsPools.win1.image.marketplace",
        "    value    {}",
        "    problem  nothing newer than Kubernetes v1.30.3 was published in this offer, and the machines are to have v1.30.4",
        "    allowed  CAPZ's community gallery, or an image of your own",
        "    write    take image out, or image: {computeGallery: ...} with your own (docs/images.md)",
      ),
    );
  });

  it("needs a version where nobody can know the day of its build", () => {
    const report = reportWith({ ...marketplace({}, { windowsServer: "2022" }), ...old });
    expect(report).toBe(
      block(
        "  windowsPools.win1.image.marketplace.version",
        "    value    {}",
        "    problem  the SKU windows-2022-containerd-gen1 has a version for each Kubernetes version and day, and that of v1.30.3 is not known",
        "    allowed  a version that begins with 130.3.",
        "    write    version: one of: az vm image list --publisher cncf-upstream --offer capi-windows --sku windows-2022-containerd-gen1 --all -o table",
      ),
    );
    const given = { version: "130.3.20240717" };
    expect(settingsWith({ ...marketplace(given, { windowsServer: "2022" }), ...old })).toBeDefined();
  });

  it("is told to be withdrawn, with the command that tells what is left", () => {
    const { warnings } = loadSettings({ ...minimal(), ...marketplace({}), ...old }, "test");
    expect(warnings.filter(({ path }) => path === "windowsPools.win1.image.marketplace")).toEqual([
      {
        path: "windowsPools.win1.image.marketplace",
        message:
          "the images of cncf-upstream get no updates since July 2024 and are withdrawn one after the other; see whether this one is left: az vm image list --publisher cncf-upstream --offer capi-windows --sku windows-2019-containerd-gen1 --all -o table",
      },
    ]);
  });
});

describe("the community gallery", () => {
  it("has no Windows Server 2019 any more; an image of one's own may be of it", () => {
    expect(reportWith(windows({ windowsServer: "2019" }))).toBe(
      block(
        "  windowsPools.win1.image",
        "    problem  CAPZ's community gallery gets no images of Windows Server 2019 any more",
        "    allowed  windowsServer 2022 or 2025, or an image of your own",
        '    write    image: {computeGallery: ...} with your own (docs/images.md), or windowsServer: "2022"',
      ),
    );
    expect(settingsWith(windows({ windowsServer: "2019", image: noDefaults }))).toBeDefined();
  });

  const gallery = "ClusterAPI-f72ceb4f-5159-4c26-a0fe-2ea738f0d019";
  const named = (name: string, version: string) =>
    windows({ image: { computeGallery: { gallery, name, version } } });

  it("has images for the machines' version and release only", () => {
    expect(settingsWith(named("capi-win-2022-containerd", "1.35.6"))).toBeDefined();
    expect(reportWith(named("capi-win-2022-containerd", "latest"))).toContain(
      "in this gallery it is the version of the kubelet inside, and the machines are to have v1.35.6",
    );
    expect(reportWith(named("capi-win-2025-containerd", "1.35.6"))).toContain(
      "by its name this is an image of Windows Server 2025, and the machines are Windows Server 2022",
    );
    expect(reportWith(named("capi-ubun2-2404", "1.35.6"))).toContain("by its name this is an image of Linux");
  });

  it("is where a named image of it must be replicated to, too", () => {
    const azure = { ...(minimal().azure as object), location: "polandcentral" };
    const change = { ...named("capi-win-2022-containerd", "1.35.6"), ...old, azure };
    expect(reportWith(change)).toContain(
      "CAPZ's community gallery has no images there, and windowsPools.win1 use it",
    );
    expect(settingsWith({ ...windows({ image: noDefaults }), ...old, azure })).toBeDefined();
  });

  it("leaves galleries of one's own their versions", () => {
    const computeGallery = { gallery: "own", name: "capi-windows-2022-containerd", version: "latest" };
    expect(settingsWith(windows({ image: { computeGallery } }))).toBeDefined();
  });

  it.each([
    ["v1.33.9", true],
    ["v1.34.0", false],
  ])("drops images of minors that are not maintained: %s is warned of: %s", (kubernetesVersion, warned) => {
    const { warnings } = loadSettings({ ...minimal(), kubernetesVersion }, "test");
    const found = warnings.filter(({ path }) => path === "controlPlane.image");
    expect(found.length > 0).toBe(warned);
    expect(found.every(({ message }) => message.includes("older than v1.34"))).toBe(true);
  });
});
