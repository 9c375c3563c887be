import { linuxWorkerKubeadmConfigSpec } from "../../bootstrap/linux";
import { controlPlaneKubeadmConfigSpec } from "../../bootstrap/controlPlane";
import type { NodeEgress } from "../../bootstrap/egress";
import { linuxEgress, windowsEgress } from "../../bootstrap/egress";
import { hostsFolder, hostsToml, mirrorApi, mirroredRegistries } from "../../bootstrap/registryMirror";
import { windowsKubeadmConfigSpec } from "../../bootstrap/windows";
import { noProxy } from "capz-windows-platform/company-network/noProxy";
import { exampleAuthority } from "../support/certificates";
import { today } from "../support/platforms";
import { publicKey } from "../support/stacks";

const targets = {
  vnetCidr: "10.10.0.0/16",
  podCidr: "192.168.0.0/16",
  serviceCidr: "10.96.0.0/12",
  location: "westeurope",
};
const proxy = { url: "http://proxy.example.com:3128", noProxy: noProxy(targets, [".example.com", ".svc"]) };
const list =
  "localhost,127.0.0.1,169.254.169.254,168.63.129.16,10.10.0.0/16,192.168.0.0/16,10.96.0.0/12,.svc,.cluster.local,.westeurope.cloudapp.azure.com,.example.com";

const contents = (egress: NodeEgress, os: "linux" | "windows"): Record<string, string | undefined> =>
  Object.fromEntries(
    (os === "linux" ? linuxEgress : windowsEgress)(egress).files.map(({ path, content }) => [path, content]),
  );

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

describe("a proxy", () => {
  it("reaches containerd, kubelet and logins on Linux, and no other line of /etc/environment is lost", () => {
    const { files, preKubeadmCommands } = linuxEgress({ proxy });
    const service = `[Service]\nEnvironment="HTTP_PROXY=${proxy.url}"\nEnvironment="HTTPS_PROXY=${proxy.url}"\nEnvironment="NO_PROXY=${list}"\n`;
    expect(contents({ proxy }, "linux")).toEqual({
      "/etc/systemd/system/containerd.service.d/http-proxy.conf": service,
      "/etc/systemd/system/kubelet.service.d/http-proxy.conf": service,
      "/etc/environment": `HTTP_PROXY=${proxy.url}\nhttp_proxy=${proxy.url}\nHTTPS_PROXY=${proxy.url}\nhttps_proxy=${proxy.url}\nNO_PROXY=${list}\nno_proxy=${list}\n`,
    });
    expect(files.map(({ append }) => append)).toEqual([undefined, undefined, true]);
    expect(preKubeadmCommands).toEqual(["systemctl daemon-reload", "systemctl restart containerd"]);
  });

  it("reaches containerd before the join on Windows, and kubelet after it, because the image recreates its service", () => {
    const set = (service: string) =>
      `powershell -NoProfile -ExecutionPolicy Bypass -File C:/set-proxy.ps1 -Service ${service} -Proxy ${proxy.url} -NoProxy "${list}" -Direct "169.254.169.254;168.63.129.16"`;
    const restart = (service: string) =>
      `powershell -NoProfile -Command "Restart-Service -Name ${service} -Force"`;
    const spec = windowsKubeadmConfigSpec({
      ...today,
      azureJsonSecret: "win1-azure-json",
      sshPublicKey: publicKey,
      egress: { proxy },
      preKubeadmCommands: ["echo before"],
      postKubeadmCommands: ["echo after"],
    });
    expect(spec.preKubeadmCommands?.slice(1)).toEqual([
      set("containerd"),
      restart("containerd"),
      "echo before",
    ]);
    expect(spec.postKubeadmCommands).toEqual([
      "powershell -NoProfile -ExecutionPolicy Bypass -File C:/restart-kubelet.ps1",
      set("kubelet"),
      restart("kubelet"),
      "powershell -NoProfile -ExecutionPolicy Bypass -File C:/defender-exclude-calico.ps1",
      "echo after",
    ]);
    expect(spec.files?.map(({ path }) => path)).toContain("C:/set-proxy.ps1");
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

  it("is configured on the control plane and on workers of both operating systems, in a file for each registry", () => {
    const folders = mirroredRegistries(registryMirror).map(hostsFolder);
    expect(folders).toContain("registry.example_5000_");
    const linux = folders.map((folder) => `/etc/containerd/certs.d/${folder}/hosts.toml`);
    const egress = { registryMirror };
    const args = { ...today, azureJsonSecret: "x-azure-json", egress };
    for (const spec of [
      linuxWorkerKubeadmConfigSpec(args),
      controlPlaneKubeadmConfigSpec({ ...args, clusterName: "demo" }),
    ]) {
      expect(spec.files?.slice(1).map(({ path }) => path)).toEqual(linux);
      // containerd reads hosts.toml at each pull.
      expect(spec.preKubeadmCommands).toBeUndefined();
    }
    const windows = windowsEgress(egress);
    expect(windows.files.map(({ path }) => path)).toEqual([
      "C:/set-registry-folder.ps1",
      ...folders.map((folder) => `C:/ProgramData/containerd/certs.d/${folder}/hosts.toml`),
    ]);
    expect(windows.preKubeadmCommands).toEqual([
      "powershell -NoProfile -ExecutionPolicy Bypass -File C:/set-registry-folder.ps1",
      'powershell -NoProfile -Command "Restart-Service -Name containerd -Force"',
    ]);
  });
});

describe("a certificate authority", () => {
  const egress = { trustedCertificates: [exampleAuthority.trim().replaceAll("\n", "\r\n")] };

  it("is trusted by the operating system before containerd starts again", () => {
    const name = "capz-windows-941113eb.crt";
    expect(contents(egress, "linux")).toEqual({
      [`/usr/local/share/ca-certificates/${name}`]: exampleAuthority,
    });
    expect(linuxEgress(egress).preKubeadmCommands).toEqual([
      "update-ca-certificates",
      "systemctl restart containerd",
    ]);
    expect(contents(egress, "windows")).toEqual({ [`C:/k/ca/${name}`]: exampleAuthority });
    expect(windowsEgress(egress).preKubeadmCommands).toEqual([
      `certutil -addstore -f Root C:\\k\\ca\\${name}`,
      'powershell -NoProfile -Command "Restart-Service -Name containerd -Force"',
    ]);
  });
});
