import { linuxWorkerKubeadmConfigSpec } from "../../bootstrap/linux";
import { renderUserData } from "../../bootstrap/userData/renderUserData";
import { today } from "../support/platforms";
import { cloudInit, python } from "./readers";

/** Data disks of pools: what formats them, and when. */

const args = { ...today, kubernetesVersion: "v1.35.6", mtu: 1400, azureJsonSecret: "s" };

const linux = linuxWorkerKubeadmConfigSpec({
  ...args,
  dataDisks: [
    { name: "kubelet", mountPath: "/var/lib/kubelet" },
    { name: "data", mountPath: "/data" },
  ],
});

if (python === undefined) {
  it.skip("skipped: CAPZ_WINDOWS_PYTHON names no Python with cloud-init", () => undefined);
} else {
  it("cloud-init's schema accepts the disks", () => {
    const text = renderUserData({
      spec: linux,
      os: "linux",
      role: "worker",
      clusterName: "c",
      controlPlaneEndpoint: "c:6443",
      podCidr: "192.168.0.0/16",
      serviceCidr: "10.96.0.0/12",
      kubernetesVersion: "v1.35.6",
    });
    expect(text).toContain("  - label: kubelet\n");
    const [result] = cloudInit([{ text, computerName: "linux1000000" }]);
    expect(result?.log.filter((line) => /error|invalid/i.test(line))).toEqual([]);
  });
}
