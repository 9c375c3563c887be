import { communityGallery } from "capz-windows-platform/machines/communityGallery";
import {
  monthsBetween,
  patchLevel,
  patchMonthOf,
  patchText,
} from "capz-windows-platform/machines/patchMonths";

const own = (version: string) => ({ computeGallery: { gallery: "own", name: "capi-windows-2022", version } });
const community = (version: string) => ({
  computeGallery: { gallery: communityGallery, name: "capi-win-2022-containerd", version },
});

describe("the month of an image's Windows patches", () => {
  test.each([
    // image-builder pins this base image for 2019, of 2024-09-05, which is independent of the table's source.
    [own("17763.6293.240905"), { month: "2024-09", by: "build", build: "17763.6293" }],
    [own("20348.5386.1"), { month: "2026-07", by: "build", build: "20348.5386" }],
    // A build between those of two months belongs to the older one.
    [own("20348.5300.1"), { month: "2026-06", by: "build", build: "20348.5300" }],
    [own("26100.7462.251212"), { month: "2025-12", by: "build", build: "26100.7462" }],
    [own("2026.07.13"), { month: "2026-06", by: "date" }],
    [own("2026.07.14"), { month: "2026-07", by: "date" }],
    [own("20260115.1.0"), { month: "2026-01", by: "date" }],
    [
      {
        marketplace: {
          publisher: "p",
          offer: "o",
          sku: "windows-2019-containerd-gen1",
          version: "130.3.20240717",
        },
      },
      { month: "2024-07", by: "date" },
    ],
    [
      {
        id: "/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/galleries/g/images/i/versions/2026.8.1",
      },
      undefined,
    ],
    [
      { id: "/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/images/win-20260811" },
      { month: "2026-08", by: "date" },
    ],
    // On 2026-06-12 the patches of June were three days old.
    [community("1.35.6"), { month: "2026-06", by: "kubernetes" }],
    [community("1.35.0"), { month: "2025-12", by: "kubernetes" }],
    [community("1.99.0"), undefined],
    // The same version in another gallery does not say when the image was built.
    [own("1.35.6"), undefined],
    [own("20348.1.1"), undefined],
    [own("120348.5386.1"), undefined],
  ])("%j", (image, expected) => {
    expect(patchLevel(image)).toEqual(expected);
  });

  test("changes on the second Tuesday", () => {
    expect(
      ["2026-11-09", "2026-11-10", "2026-01-12", "2026-01-13", "2026-09-07", "2026-09-08"].map(patchMonthOf),
    ).toEqual(["2026-10", "2026-11", "2025-12", "2026-01", "2026-08", "2026-09"]);
  });

  test("is counted over years, and never backwards", () => {
    expect(monthsBetween("2025-11", "2026-02")).toBe(3);
    expect(monthsBetween("2026-02", "2025-11")).toBe(0);
  });

  test.each([
    [own("20348.5386.1"), "Windows patches of July 2026 (20348.5386), 4 months behind November 2026"],
    [
      own("2026.10.20"),
      "Windows patches of October 2026 at the latest (the date in its version), 1 month behind November 2026",
    ],
    [
      own("2026.11.20"),
      "Windows patches of November 2026 at the latest (the date in its version), as new as November 2026",
    ],
    [
      community("1.35.6"),
      "Windows patches of about June 2026 (when its Kubernetes was released), 5 months behind November 2026",
    ],
    [own("7.0.1"), "its version does not tell which Windows patches it has"],
  ])("%j in words", (image, text) => {
    expect(patchText(image)).toBe(text);
  });
});
