import fc from "fast-check";
import { featureGates, platformOf } from "capz-windows-platform/cluster/platform";
import { always } from "capz-windows-test-kit/always";

describe("the platform of a flavor and version", () => {
  it.each([
    ["dockershim", "v1.22.0", "flannel", "in-tree"],
    ["dockershim", "v1.23.17", "flannel", "in-tree"],
    ["containerd", "v1.22.0", "calico-manifests", "in-tree"],
    ["containerd", "v1.25.16", "calico-manifests", "in-tree"],
    ["containerd", "v1.26.0", "calico", "external"],
    ["containerd", "v1.36.1", "calico", "external"],
  ] as const)("%s, %s: %s, cloud provider %s", (flavor, version, cni, cloudProvider) => {
    expect(platformOf(flavor, version)).toEqual({ flavor, cni, cloudProvider });
  });
});

describe("feature gates", () => {
  const components = [
    "kube-apiserver",
    "kube-controller-manager",
    "kubelet-linux",
    "kubelet-windows",
  ] as const;
  const gatesOf = (flavor: "containerd" | "dockershim", version: string) =>
    components.map((component) => featureGates(component, platformOf(flavor, version), version));
  const disk = "CSIMigrationAzureDisk=false";
  const file = "CSIMigrationAzureFile=false";
  const hostProcess = "WindowsHostProcessContainers=true";

  it.each([
    // HostProcess containers: only the API server and the Windows kubelet of 1.22, and never with Docker.
    ["containerd", "v1.22.17", [hostProcess, "", "", hostProcess]],
    ["containerd", "v1.23.0", ["", disk, disk, disk]],
    ["containerd", "v1.24.17", ["", `${disk},${file}`, `${disk},${file}`, `${disk},${file}`]],
    // The gate is locked in 1.25: a component does not start if it is set to false.
    ["containerd", "v1.25.0", ["", file, file, file]],
    ["containerd", "v1.26.0", ["", "", "", ""]],
    ["dockershim", "v1.22.9", ["", "", "", ""]],
    ["dockershim", "v1.23.6", ["", disk, disk, disk]],
  ] as const)("%s, %s", (flavor, version, expected) => {
    expect(gatesOf(flavor, version)).toEqual(expected);
  });

  it("of a kubelet follow its own version, not the control plane's", () => {
    const platform = platformOf("containerd", "v1.24.1");
    expect(featureGates("kubelet-windows", platform, "v1.22.9")).toBe(hostProcess);
  });

  it(
    "are empty from 1.26 on, because later versions remove these gates",
    always(fc.integer({ min: 26, max: 60 }), fc.nat({ max: 40 }), (minor, patch) => {
      expect(gatesOf("containerd", `v1.${minor}.${patch}`).join("")).toBe("");
    }),
  );
});
