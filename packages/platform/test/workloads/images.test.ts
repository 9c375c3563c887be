import fc from "fast-check";
import { fittingImage } from "capz-windows-platform/workloads/imageFit";
import {
  movedReference,
  parseReference,
  referenceFor,
  taggedVersion,
} from "capz-windows-platform/workloads/imageReferences";
import { startsOn } from "capz-windows-platform/workloads/windowsVersions";
import { always } from "capz-windows-test-kit/always";

const of = (build: number) => ({ major: 10, minor: 0, build });

describe("a container on a host", () => {
  /** The cases of containerd's own tests: github.com/containerd/platforms, Test_PlatformCompat. */
  it.each([
    [17763, 17763, true],
    [17763, 20348, false],
    [20348, 17763, false],
    [20348, 20348, true],
    [22621, 17763, false],
    [22621, 20348, true],
    [25398, 17763, false],
    [25398, 20348, true],
    [26100, 20348, true],
    [20348, 26100, false],
    [20348, 22621, false],
    [26100, 22621, true],
    [26200, 20348, true],
    [26200, 26100, true],
    [26200, 22621, true],
    [26200, 17763, false],
  ])("host %i, container %i: %s", (host, container, starts) => {
    expect(startsOn(of(host), of(container), "process")).toBe(starts);
  });

  it("of another version of Windows does not start, and the monthly patch makes no difference", () => {
    expect(startsOn(of(20348), { major: 6, minor: 3, build: 20348 }, "process")).toBe(false);
    expect(startsOn({ ...of(20348), revision: 1 }, { ...of(20348), revision: 4000 }, "process")).toBe(true);
  });

  it(
    "with Hyper-V isolation starts if it is not newer",
    always(fc.integer({ min: 14393, max: 27000 }), fc.integer({ min: 14393, max: 27000 }), (h, c) => {
      expect(startsOn(of(h), of(c), "hyperv")).toBe(c <= h);
      // A container that starts without it also starts with it.
      expect(!startsOn(of(h), of(c), "process") || startsOn(of(h), of(c), "hyperv")).toBe(true);
    }),
  );
});

describe("an image reference", () => {
  it.each([
    ["nginx", "nginx", "", ""],
    ["localhost:5000/nginx", "localhost:5000/nginx", "", ""],
    ["localhost:5000/nginx:1", "localhost:5000/nginx", "1", ""],
    ["r.example/a/b:1@sha256:ab", "r.example/a/b", "1", "sha256:ab"],
    ["r.example/a/b@sha256:ab", "r.example/a/b", "", "sha256:ab"],
  ])("%s is %s, %s, %s", (reference, name, tag, digest) => {
    expect(parseReference(reference)).toEqual({ name, tag, digest });
  });

  it.each([
    ["mcr.microsoft.com/windows/servercore:ltsc2019", 17763],
    ["mcr.microsoft.com/windows/nanoserver:1809", 17763],
    ["mcr.microsoft.com/windows/nanoserver:1809-amd64", 17763],
    ["mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022", 20348],
    ["mcr.microsoft.com/dotnet/framework/aspnet:4.8.1-20240312-windowsservercore-ltsc2022", 20348],
    ["mcr.microsoft.com/dotnet/aspnet:8.0-nanoserver-ltsc2025", 26100],
    ["mcr.microsoft.com/windows/servercore:10.0.20348.2700-amd64", 20348],
    ["microsoft/windowsservercore:1709", 16299],
    ["r.example/app:1.2-win1809", 17763],
    ["r.example/app:1.2-windows2022", 20348],
    ["r.example/app:WINDOWSSERVERCORE-LTSC2022", 20348],
    ["mcr.microsoft.com/windows/server:ltsc2016", 14393],
    // Versions and dates of other things.
    ["r.example/app:1809", undefined],
    ["r.example/app:2022", undefined],
    ["r.example/app:2022.10.1", undefined],
    ["r.example/app:110.0.20348.1", undefined],
    ["mcr.microsoft.com/dotnet/aspnet:8.0", undefined],
    ["mcr.microsoft.com/mssql/server:2022-latest", undefined],
    ["sigwindowstools/kube-proxy:v1.35.6-calico-hostprocess", undefined],
    ["nginx", undefined],
  ])("%s is of build %s", (reference, build) => {
    expect(taggedVersion(reference)?.build).toBe(build);
  });

  it.each([
    [
      "mcr.microsoft.com/windows/servercore:ltsc2019",
      "2022",
      "mcr.microsoft.com/windows/servercore:ltsc2022",
    ],
    ["mcr.microsoft.com/windows/nanoserver:1809", "2022", "mcr.microsoft.com/windows/nanoserver:ltsc2022"],
    ["mcr.microsoft.com/windows/nanoserver:ltsc2022", "2019", "mcr.microsoft.com/windows/nanoserver:1809"],
    // Nobody knows whether others have published such an image.
    ["r.example/app:1-win2019-amd64", "2025", undefined],
    ["stefanscherer/whoami:windows-amd64-1.7.0-1803", "2022", undefined],
    ["mcr.microsoft.com/dotnet/aspnet:2.1-nanoserver-1809", "2022", undefined],
    ["mcr.microsoft.com/windows/nanoserver:ltsc2022-KB5005039", "2025", undefined],
    [
      "mcr.microsoft.com/dotnet/framework/sdk:4.7.2-20190910-windowsservercore-ltsc2019",
      "2022",
      "mcr.microsoft.com/dotnet/framework/sdk:4.8-windowsservercore-ltsc2022",
    ],
    [
      "mcr.microsoft.com/windows/servercore:10.0.17763.5@sha256:ab",
      "2022",
      "mcr.microsoft.com/windows/servercore:ltsc2022",
    ],
    ["r.example/app:1", "2022", undefined],
    [
      "mcr.microsoft.com/dotnet/framework/sdk:4.7.2-20190910-windowsservercore-ltsc2019",
      "2025",
      "mcr.microsoft.com/dotnet/framework/sdk:4.8.1-windowsservercore-ltsc2025",
    ],
    [
      "mcr.microsoft.com/dotnet/framework/aspnet:3.5-windowsservercore-ltsc2019",
      "2025",
      "mcr.microsoft.com/dotnet/framework/aspnet:3.5-windowsservercore-ltsc2025",
    ],
  ])("%s for Windows Server %s is %s", (reference, release, expected) => {
    expect(referenceFor(reference, release)).toBe(expected);
  });

  it("for a release names that release, whatever it named before", () => {
    const tag = fc.constantFrom("ltsc2019", "ltsc2022", "ltsc2025", "10.0.20348.2700");
    const release = fc.constantFrom("2019", "2022", "2025");
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z.]{0,8}$/), tag, release, (start, name, windowsServer) => {
        const image = `mcr.microsoft.com/windows/servercore:${start}-${name}`;
        const found = referenceFor(image, windowsServer) ?? "";
        expect(() => fittingImage(found, windowsServer)).not.toThrow();
        expect(taggedVersion(found)?.build).toBe(
          { "2019": 17763, "2022": 20348, "2025": 26100 }[windowsServer],
        );
      }),
    );
  });
});

test.each([
  ["microsoft/nanoserver:1709", "2022", "mcr.microsoft.com/windows/nanoserver:ltsc2022"],
  ["docker.io/microsoft/nanoserver", "2019", "mcr.microsoft.com/windows/nanoserver:1809"],
  ["microsoft/windowsservercore:ltsc2016", "2025", "mcr.microsoft.com/windows/servercore:ltsc2025"],
  [
    "microsoft/aspnet:4.7.2",
    "2022",
    "mcr.microsoft.com/dotnet/framework/aspnet:4.8-windowsservercore-ltsc2022",
  ],
  [
    "microsoft/aspnet:4.7.2",
    "2025",
    "mcr.microsoft.com/dotnet/framework/aspnet:4.8.1-windowsservercore-ltsc2025",
  ],
  ["r.example/microsoft/iis", "2022", undefined],
  ["mcr.microsoft.com/windows/servercore/iis", "2022", undefined],
])("%s has moved, for %s: %s", (image, release, expected) => {
  expect(movedReference(image, release)).toBe(expected);
});
