import { parse } from "yaml";
import { planFiles } from "../../plan/render/render";
import { objectsOf, planOf } from "../support/plans";

const delivered = async () =>
  (await planOf("dockershim")).objects.workload.flatMap(({ set, objects }) =>
    objects.map(({ kind, metadata }) => `${set}: ${kind} ${metadata.name}`),
  );

describe("the stack dockershim", () => {
  it("delivers Flannel and kube-proxy, but neither Calico nor the external cloud provider", async () => {
    expect(await delivered()).toEqual([
      "dockershim-flannel: ClusterRole flannel",
      "dockershim-flannel: ClusterRoleBinding flannel",
      "dockershim-flannel: ServiceAccount flannel",
      "dockershim-flannel: ConfigMap kube-flannel-cfg",
      "dockershim-flannel: DaemonSet kube-flannel-linux",
      "dockershim-flannel: ConfigMap kube-flannel-windows",
      "dockershim-flannel: DaemonSet kube-flannel-windows",
      "dockershim-kube-proxy-windows: ConfigMap kube-proxy-windows",
      "dockershim-kube-proxy-windows: DaemonSet kube-proxy-windows",
    ]);
    const [cluster] = objectsOf(await planOf("dockershim"), "Cluster");
    expect(cluster!.metadata.labels).toEqual({
      cni: "dockershim-flannel",
      "cni-windows": "dockershim-flannel",
    });
  });

  it("has pinned providers, images without containerd, and a NAT gateway for its nodes", async () => {
    const plan = await planOf("dockershim");
    const versions = ["CoreProvider", "InfrastructureProvider"].map(
      (kind) => objectsOf(plan, kind)[0]!.spec as { version: string },
    );
    expect(versions).toMatchObject([{ version: "v1.14.2" }, { version: "v1.27.0" }]);
    const windows = objectsOf(plan, "AzureMachinePool").find(({ metadata }) => metadata.name === "win1")!;
    expect(windows.metadata.annotations).toEqual({ windowsServerVersion: "windows-2019" });
    expect(windows.spec).toMatchObject({
      template: { image: { marketplace: { sku: "k8s-1dot22dot9-windows-2019" } } },
    });
    const network = objectsOf(plan, "AzureCluster")[0]!.spec as {
      networkSpec: { subnets: { role: string; natGateway?: object }[] };
    };
    expect(network.networkSpec.subnets.find(({ role }) => role === "node")).toMatchObject({
      natGateway: { name: "dockershim-node-natgw" },
    });
  });

  it("configures one MTU: 1400 on nodes of both operating systems, and 1350 for the check of pods", async () => {
    const files = planFiles(await planOf("dockershim"));
    for (const node of ["control-plane", "linux1"]) {
      const { runcmd } = parse(files.get(`nodes/${node}/user-data.txt`)!.replaceAll(/\{\{.*?\}\}/g, "n")) as {
        runcmd: string[];
      };
      const kubeadm = runcmd.findIndex((command) => command.startsWith("kubeadm "));
      expect(runcmd[kubeadm - 1]).toBe("/usr/local/sbin/set-mtu.sh 1400 || exit 1");
      expect(runcmd[kubeadm + 1]).toBe("/usr/local/sbin/set-mtu.sh 1400");
    }
    expect(files.get("nodes/win1/user-data.txt")).toContain("schedule-mtu.ps1 -HostMtu 1400 -PodMtu 1350");
    const flannel = [...files].find(([path]) => path.endsWith("dockershim-flannel.yaml"));
    expect(flannel?.[1]).toContain("FLANNEL_MTU=1350");
    const { outputs } = (await planOf("dockershim")).update;
    expect(outputs).toMatchObject({ mtu: 1400, podMtu: 1350 });
  });

  it("joins nodes with the v1beta3 API of kubeadm", async () => {
    const files = planFiles(await planOf("dockershim"));
    for (const node of ["control-plane", "linux1", "win1"]) {
      const text = files.get(`nodes/${node}/user-data.txt`);
      expect(text).toContain("apiVersion: kubeadm.k8s.io/v1beta3");
      expect(text).not.toContain("kubeadm.k8s.io/v1beta4");
    }
  });

  it("warns that it is not supported, which images are no longer published, and how to migrate", async () => {
    const { warnings } = await planOf("dockershim");
    const texts = warnings.join("\n");
    for (const part of [
      /kubernetesVersion: Kubernetes 1\.22 received its last patch release in December 2022/,
      /flavor: the components of this flavor are no longer published/,
      /addons: the images quay\.io\/coreos\/flannel, .* are no longer built/,
      /k8s\.gcr\.io by default, which has been frozen since April 2023/,
      /the control plane cannot be upgraded to 1\.23.* flavor containerd and v1\.31 or newer/,
    ]) {
      expect(texts).toMatch(part);
    }
    const today = (await planOf("dev")).warnings.join("\n");
    expect(today).not.toMatch(/last patch release|frozen|no longer published/);
  });
});
