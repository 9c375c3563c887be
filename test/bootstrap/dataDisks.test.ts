import { linuxWorkerKubeadmConfigSpec } from "../../bootstrap/linux";
import { windowsKubeadmConfigSpec } from "../../bootstrap/windows";
import { renderUserData } from "../../bootstrap/userData/renderUserData";
import { today } from "../support/platforms";
import { publicKey } from "../support/stacks";
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

it("cloud-init formats and mounts the disks of a Linux node by their LUNs", () => {
  expect(linux.diskSetup?.partitions?.map(({ device, overwrite }) => [device, overwrite])).toEqual([
    ["/dev/disk/azure/scsi1/lun0", false],
    ["/dev/disk/azure/scsi1/lun1", false],
  ]);
  expect(linux.diskSetup?.filesystems?.map(({ device, label }) => [device, label])).toEqual([
    ["/dev/disk/azure/scsi1/lun0", "kubelet"],
    ["/dev/disk/azure/scsi1/lun1", "data"],
  ]);
  expect(linux.mounts).toEqual([
    ["LABEL=kubelet", "/var/lib/kubelet"],
    ["LABEL=data", "/data"],
  ]);
  expect(linuxWorkerKubeadmConfigSpec(args)).not.toHaveProperty("diskSetup");
});

it("a script gives the disks of a Windows node their letters, before anything else of the user", () => {
  const spec = windowsKubeadmConfigSpec({
    ...args,
    sshPublicKey: publicKey,
    preKubeadmCommands: ["echo own"],
    dataDisks: [
      { name: "data", letter: "F" },
      { name: "logs", letter: "L" },
    ],
  });
  expect(spec.files?.map(({ path }) => path)).toContain("C:/initialize-data-disks.ps1");
  expect(spec.preKubeadmCommands?.slice(1)).toEqual([
    "powershell -NoProfile -ExecutionPolicy Bypass -File C:/initialize-data-disks.ps1 -Disks 0=F=data,1=L=logs",
    "echo own",
  ]);
  expect(JSON.stringify(windowsKubeadmConfigSpec({ ...args, sshPublicKey: publicKey }))).not.toContain(
    "data-disks",
  );
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
