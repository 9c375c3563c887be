import { controlPlaneKubeadmConfigSpec } from "../../bootstrap/controlPlane";
import { linuxWorkerKubeadmConfigSpec } from "../../bootstrap/linux";
import { dockershim, nodePlatform, today } from "../support/platforms";

describe("Linux nodes of the same cluster", () => {
  const setMtu = "/usr/local/sbin/set-mtu.sh";

  it("use the MTU of the stack", () => {
    const spec = linuxWorkerKubeadmConfigSpec({ ...dockershim, mtu: 1380, azureJsonSecret: "s" });
    expect(spec.preKubeadmCommands).toEqual([`${setMtu} 1380 || exit 1`]);
  });

  it("do not set the MTU with Calico, whose MTU is configured", () => {
    for (const platform of [today, nodePlatform("containerd", "v1.25.1")]) {
      const spec = linuxWorkerKubeadmConfigSpec({ ...platform, azureJsonSecret: "s" });
      expect(JSON.stringify(spec)).not.toContain("set-mtu");
    }
  });
});

describe("the control plane of the same cluster", () => {
  it("enables the feature gate of HostProcess containers only with containerd on 1.22", () => {
    const gates = (version: string) =>
      controlPlaneKubeadmConfigSpec({
        ...nodePlatform("containerd", version),
        clusterName: "demo",
        azureJsonSecret: "s",
      }).clusterConfiguration?.apiServer?.extraArgs?.filter(({ name }) => name === "feature-gates");
    expect(gates("v1.22.9")).toEqual([{ name: "feature-gates", value: "WindowsHostProcessContainers=true" }]);
    expect(gates("v1.23.6")).toEqual([]);
  });
});
