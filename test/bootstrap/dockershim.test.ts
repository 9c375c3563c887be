import { controlPlaneKubeadmConfigSpec } from "../../bootstrap/controlPlane";
import { linuxWorkerKubeadmConfigSpec } from "../../bootstrap/linux";
import { windowsKubeadmConfigSpec } from "../../bootstrap/windows";
import { dockershim, nodePlatform, today } from "../support/platforms";
import { publicKey } from "../support/stacks";

const windowsSpec = (platform = dockershim) =>
  windowsKubeadmConfigSpec({
    ...platform,
    azureJsonSecret: "win1-azure-json",
    sshPublicKey: publicKey,
    preKubeadmCommands: ["echo mine"],
  });
const linux = linuxWorkerKubeadmConfigSpec({ ...dockershim, azureJsonSecret: "linux1-azure-json" });
const controlPlane = controlPlaneKubeadmConfigSpec({
  ...dockershim,
  clusterName: "demo",
  azureJsonSecret: "demo-cp-azure-json",
});

const inTree = (azureJson: string) => [
  { name: "azure-container-registry-config", value: azureJson },
  { name: "cloud-config", value: azureJson },
  { name: "cloud-provider", value: "azure" },
];

describe("a Windows node with Docker", () => {
  const spec = windowsSpec();

  it("runs kubelet with the in-tree cloud provider and a Windows pause image, on kubeadm's default socket", () => {
    expect(spec.joinConfiguration).toEqual({
      nodeRegistration: {
        name: '{{ ds.meta_data["local_hostname"] }}',
        kubeletExtraArgs: [
          ...inTree("c:/k/azure.json"),
          { name: "pod-infra-container-image", value: "mcr.microsoft.com/oss/kubernetes/pause:1.4.1" },
          { name: "v", value: "2" },
          { name: "windows-priorityclass", value: "ABOVE_NORMAL_PRIORITY_CLASS" },
        ],
      },
    });
  });

  it("creates its overlay network and keeps the MTU, after SSH access is set up and before kubeadm", () => {
    expect(spec.preKubeadmCommands).toEqual([
      expect.stringContaining("administrators_authorized_keys"),
      "powershell -NoProfile -ExecutionPolicy Bypass -File C:/schedule-mtu.ps1 -HostMtu 1400 -PodMtu 1350",
      "powershell -NoProfile -ExecutionPolicy Bypass -File C:/create-external-network.ps1",
      "echo mine",
    ]);
  });

  it("has no files or settings of containerd or Calico", () => {
    expect(JSON.stringify(spec)).not.toMatch(/containerd-containerd|calico|patches|external-cloud/i);
    expect(spec.files?.map(({ path }) => path)).toEqual([
      "c:/k/azure.json",
      "C:/create-external-network.ps1",
      "C:/schedule-mtu.ps1",
      "C:/windows-mtu.ps1",
      "C:/restart-kubelet.ps1",
      "C:/ProgramData/ssh/administrators_authorized_keys",
    ]);
  });

  it("shares no files or settings of Docker with a node that runs containerd", () => {
    for (const platform of [today, nodePlatform("containerd", "v1.22.9")]) {
      expect(JSON.stringify(windowsSpec(platform))).not.toMatch(/create-external-network|pause:1\.4\.1/);
    }
  });
});

describe("Linux nodes of the same cluster", () => {
  const setMtu = "/usr/local/sbin/set-mtu.sh";

  it.each([
    ["worker", linux],
    ["control plane", controlPlane],
  ])(
    "set the MTU before kubeadm, do not join if that fails, and set it again after kubeadm: %s",
    (_what, spec) => {
      expect(spec.preKubeadmCommands?.[0]).toBe(`${setMtu} 1400 || exit 1`);
      expect(spec.postKubeadmCommands?.[0]).toBe(`${setMtu} 1400`);
      expect(spec.files?.find(({ path }) => path === setMtu)).toMatchObject({ permissions: "0755" });
    },
  );

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

  it("use the in-tree cloud provider", () => {
    expect(linux.joinConfiguration?.nodeRegistration?.kubeletExtraArgs).toEqual(
      inTree("/etc/kubernetes/azure.json"),
    );
  });
});

describe("the control plane of the same cluster", () => {
  const volume = {
    name: "cloud-config",
    hostPath: "/etc/kubernetes/azure.json",
    mountPath: "/etc/kubernetes/azure.json",
    readOnly: true,
  };

  it("runs the in-tree cloud provider in the API server and controller manager, and pulls from registry.k8s.io", () => {
    expect(controlPlane.clusterConfiguration).toMatchObject({
      imageRepository: "registry.k8s.io",
      dns: { imageRepository: "registry.k8s.io/coredns" },
      apiServer: {
        extraArgs: [
          { name: "cloud-config", value: "/etc/kubernetes/azure.json" },
          { name: "cloud-provider", value: "azure" },
          { name: "service-account-issuer", value: "https://kubernetes.default.svc.cluster.local" },
        ],
        extraVolumes: [volume],
      },
      controllerManager: {
        extraArgs: [
          { name: "allocate-node-cidrs", value: "true" },
          { name: "cloud-config", value: "/etc/kubernetes/azure.json" },
          { name: "cloud-provider", value: "azure" },
          { name: "cluster-name", value: "demo" },
          { name: "configure-cloud-routes", value: "false" },
        ],
        extraVolumes: [volume],
      },
    });
  });

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
