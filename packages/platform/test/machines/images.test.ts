import {
  communityGallery,
  galleryRegions,
  parseDefinition,
} from "capz-windows-platform/machines/communityGallery";
import type { ImageTarget } from "capz-windows-platform/machines/images";
import { capzImage, imageText, listImagesCommand } from "capz-windows-platform/machines/images";

const linux: ImageTarget = { os: "linux" };
const windows = (
  windowsServer: string,
  runtime: "containerd" | "dockershim" = "containerd",
): ImageTarget => ({
  os: "windows",
  windowsServer,
  runtime,
});

describe("the image of a machine", () => {
  it("defaults to CAPZ's own choice, set explicitly", () => {
    expect(capzImage(undefined, windows("2025"), "v1.35.6")).toEqual({
      computeGallery: {
        gallery: "ClusterAPI-f72ceb4f-5159-4c26-a0fe-2ea738f0d019",
        name: "capi-win-2025-containerd",
        version: "1.35.6",
      },
    });
    expect(capzImage(undefined, linux, "v1.35.6").computeGallery?.name).toBe("capi-ubun2-2404");
  });

  it.each([
    [
      windows("2019"),
      "v1.22.1",
      "cncf-upstream:capi-windows:k8s-1dot22dot1-windows-2019-containerd:2021.10.15",
    ],
    [
      windows("2019", "dockershim"),
      "v1.22.1",
      "cncf-upstream:capi-windows:k8s-1dot22dot1-windows-2019:latest",
    ],
    [linux, "v1.22.1", "cncf-upstream:capi:k8s-1dot22dot1-ubuntu-2004:latest"],
    [linux, "v1.30.3", "cncf-upstream:capi:ubuntu-2204-gen1:130.3.20240717"],
  ] as const)("with marketplace: {} for %j and %s is %s", (node, version, urn) => {
    expect(imageText(capzImage({ marketplace: {} }, node, version))).toBe(urn);
  });

  it("keeps the parts that the user gave, in parts or as a URN", () => {
    const own = { sku: "k8s-1dot22dot1-windows-2019-containerd", version: "2021.12.01" };
    expect(imageText(capzImage({ marketplace: own }, windows("2019"), "v1.22.1"))).toBe(
      "cncf-upstream:capi-windows:k8s-1dot22dot1-windows-2019-containerd:2021.12.01",
    );
    expect(capzImage({ marketplace: { urn: "p:o:s:1.2.3" } }, linux, "v1.35.6")).toEqual({
      marketplace: { publisher: "p", offer: "o", sku: "s", version: "1.2.3" },
    });
  });

  it("passes your own gallery on under CAPZ's field names", () => {
    const gallery = { gallery: "g", name: "capi-windows-2022-containerd", version: "latest" };
    expect(
      capzImage(
        { computeGallery: { ...gallery, subscriptionId: "s", resourceGroup: "r" } },
        linux,
        "v1.35.6",
      ),
    ).toEqual({ computeGallery: { ...gallery, subscriptionID: "s", resourceGroup: "r" } });
    expect(capzImage({ computeGallery: gallery }, linux, "v1.35.6")).toEqual({ computeGallery: gallery });
  });
});

it.each([
  [
    undefined,
    `az sig image-version list-community --public-gallery-name ${communityGallery} --gallery-image-definition capi-win-2022-containerd --location uksouth -o table`,
  ],
  [
    {
      computeGallery: { gallery: "g", name: "n", version: "1.0.0", subscriptionId: "s", resourceGroup: "r" },
    },
    "az sig image-version list --subscription s --resource-group r --gallery-name g --gallery-image-definition n -o table",
  ],
  [
    { marketplace: { urn: "p:o:s:1.2.3" } },
    "az vm image list --publisher p --offer o --sku s --all -o table",
  ],
  [{ id: "/subscriptions/s/x" }, "az resource show --ids /subscriptions/s/x -o table"],
])("%j is listed by %s", (image, command) => {
  expect(listImagesCommand(capzImage(image, windows("2022"), "v1.35.6"), "uksouth")).toBe(command);
});

it.each([
  ["capi-win-2022-containerd", { os: "windows", windowsServer: "2022" }],
  ["capi-windows-2025-containerd", { os: "windows", windowsServer: "2025" }],
  ["capi-ubun2-2404", { os: "linux" }],
  ["capi-ubuntu-2404", { os: "linux" }],
  ["flatcar", { os: "linux" }],
  ["our-hardened-windows", undefined],
])("the image definition %s denotes %j", (name, parsed) => {
  expect(parseDefinition(name)).toEqual(parsed);
});

it("lists each region of the community gallery once, in its short form", () => {
  expect(new Set(galleryRegions).size).toBe(12);
  expect(galleryRegions.filter((region) => !/^[a-z0-9]+$/.test(region))).toEqual([]);
});
