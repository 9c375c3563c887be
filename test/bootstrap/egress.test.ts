import { linuxEgress, windowsEgress } from "../../bootstrap/egress";
import { hostsToml, mirrorApi, mirroredRegistries } from "../../bootstrap/registryMirror";

describe("a node without proxy, mirror and certificates", () => {
  it("gets nothing", () => {
    const nothing = { files: [], preKubeadmCommands: [], postKubeadmCommands: [] };
    expect([linuxEgress(), linuxEgress({ trustedCertificates: [] }), windowsEgress()]).toEqual([
      nothing,
      nothing,
      nothing,
    ]);
  });
});

describe("a mirror", () => {
  const registryMirror = {
    url: "https://mirror.example.com:8443/cache",
    paths: { "docker.io": "docker-hub", "registry.example:5000": "own/images" },
  };

  it("has the images of a registry below its name, or below the path that the user sets", () => {
    expect(mirroredRegistries(registryMirror).map((one) => mirrorApi(registryMirror, one))).toEqual([
      "https://mirror.example.com:8443/v2/cache/docker-hub",
      "https://mirror.example.com:8443/v2/cache/ghcr.io",
      "https://mirror.example.com:8443/v2/cache/mcr.microsoft.com",
      "https://mirror.example.com:8443/v2/cache/quay.io",
      "https://mirror.example.com:8443/v2/cache/own/images",
      "https://mirror.example.com:8443/v2/cache/registry.k8s.io",
    ]);
    expect(mirrorApi({ url: "https://mirror.example.com" }, "quay.io")).toBe(
      "https://mirror.example.com/v2/quay.io",
    );
  });

  it("is the only source, unless the fallback is on", () => {
    expect(hostsToml(registryMirror, "docker.io")).toBe(
      'server = "https://mirror.example.com:8443/v2/cache/docker-hub"\ncapabilities = ["pull", "resolve"]\noverride_path = true\n',
    );
    expect(hostsToml({ ...registryMirror, fallback: true }, "docker.io")).toBe(
      'server = "https://registry-1.docker.io"\n\n[host."https://mirror.example.com:8443/v2/cache/docker-hub"]\n  capabilities = ["pull", "resolve"]\n  override_path = true\n',
    );
  });
});
