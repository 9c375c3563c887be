import { kubeProxyWindowsObjects, type KubeProxyWindowsArgs } from "../../addons/kubeProxyWindows";
import { scriptContent } from "../../bootstrap/files";
import { Flavor, platformOf } from "capz-windows-platform/cluster/platform";
import { gateFault, settingsMinors } from "capz-windows-platform/cluster/programSettings";
import { upcoming } from "capz-windows-platform/compatibility";
import { titles, workloadsOf } from "./fixtures";

/** Feature gates that the image's start.ps1 sets (sig-windows-tools 401ee6f hostprocess/calico/kube-proxy/start.ps1). */
const imageScriptGates = ["WinDSR", "WinOverlay"];

const image = "registry.example/kube-proxy:v1.38.0";
const withVersion = (kubernetesVersion: string, more: Partial<KubeProxyWindowsArgs> = {}) =>
  kubeProxyWindowsObjects({ kubernetesVersion, ...more });
const startOf = (objects: ReturnType<typeof withVersion>) => {
  const [container] = workloadsOf(objects)[0]!.spec.template.spec.containers;
  return container as { image: string; command?: string[]; args: string[] };
};
const own = "$env:CONTAINER_SANDBOX_MOUNT_POINT/scripts/kube-proxy-hostprocess.ps1";
const ofImage = "$env:CONTAINER_SANDBOX_MOUNT_POINT/kube-proxy/start.ps1";

describe("kube-proxy for Windows", () => {
  it("is started by the image's script exactly where the release knows the gates that it sets", () => {
    for (let minor = settingsMinors.oldest; minor <= upcoming.minor; minor++) {
      const unknown = imageScriptGates.flatMap((gate) => gateFault(gate, true, {}, minor) ?? []);
      const { args } = startOf(withVersion(`v1.${minor}.0`));
      expect([minor, args]).toEqual([minor, [unknown.length === 0 ? ofImage : own]]);
    }
    expect(startOf(withVersion("v1.22.9")).args).toEqual([ofImage]);
    expect(startOf(withVersion("v1.99.0")).args).toEqual([own]);
  });

  it("has the script of this program in a ConfigMap, and restarts when it changes", () => {
    const objects = withVersion("v1.38.0", { image });
    expect(titles(objects)).toEqual(["ConfigMap kube-proxy-windows", "DaemonSet kube-proxy-windows"]);
    expect(objects[0]).toMatchObject({
      data: { "kube-proxy-hostprocess.ps1": scriptContent("kube-proxy-hostprocess.ps1") },
    });
    expect(startOf(objects)).toMatchObject({ image, command: ["powershell.exe"], args: [own] });
    const { metadata, spec } = workloadsOf(objects)[0]!.spec.template;
    expect(metadata).toMatchObject({
      annotations: { "capz-windows/script": expect.stringMatching(/^\w{8,}$/) as string },
    });
    expect(spec.volumes).toEqual([
      { name: "kube-proxy", configMap: { name: "kube-proxy" } },
      { name: "scripts", configMap: { name: "kube-proxy-windows" } },
      { name: "work", emptyDir: {} },
    ]);
    expect(spec.containers[0]?.volumeMounts).toEqual([
      { name: "kube-proxy", mountPath: "/var/lib/kube-proxy" },
      { name: "scripts", mountPath: "/scripts" },
      { name: "work", mountPath: "/var/lib/kube-proxy-windows" },
    ]);
  });

  it("leaves the start to an image for a CNI of one's own, which waits for another network", () => {
    const platform = platformOf(Flavor.containerd, "v1.38.0", true);
    expect(startOf(withVersion("v1.38.0", { platform, image })).args).toEqual([ofImage]);
    expect(startOf(withVersion("v1.38.0", { platform })).args).toEqual([own]);
  });
});
