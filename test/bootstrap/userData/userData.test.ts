import { controlPlane, kubeadmConfigs, paths, read, render, windows } from "./support";
import { renderUserData } from "../../../bootstrap/userData/renderUserData";
import { publicKey } from "../../support/stacks";

describe("user data of a Windows node", () => {
  const text = render(windows, { os: "windows" });

  it("begins with the lines by which cloudbase-init recognizes a template and a cloud-config", () => {
    expect(text.startsWith("## template: jinja\n#cloud-config\n\nwrite_files:\n")).toBe(true);
  });

  it("writes the files of the spec, then kubeadm's, then the one that creates the sentinel's folder", () => {
    expect(paths(text)).toEqual([
      ...(windows.files ?? []).map(({ path }) => path),
      "/run/kubeadm/kubeadm-join-config.yaml",
      "/run/cluster-api/placeholder",
    ]);
  });

  it("contains every file unchanged", () => {
    for (const { path, content, permissions } of windows.files ?? []) {
      const found = read(text).write_files.find((one) => one.path === path);
      expect(found?.permissions).toBe(permissions);
      expect(found?.content).toBe(content ?? "<from secret win1-azure-json, key worker-node-azure.json>\n");
    }
  });

  it("runs kubeadm between the pre- and post-commands, and writes the sentinel afterwards", () => {
    expect(read(text).runcmd).toEqual([
      ...(windows.preKubeadmCommands ?? []),
      "kubeadm join --config /run/kubeadm/kubeadm-join-config.yaml  && echo success > /run/cluster-api/bootstrap-success.complete",
      ...(windows.postKubeadmCommands ?? []),
    ]);
  });

  it("has the user, and no keys that the spec does not set", () => {
    expect(read(text).users).toEqual([
      { name: "capi", groups: "Administrators", ssh_authorized_keys: [publicKey] },
    ]);
    expect(Object.keys(read(text))).toEqual(["write_files", "runcmd", "users"]);
  });

  it("contains one template: the node name", () => {
    expect(text.match(/\{\{|\{%|\{#/g)).toEqual(["{{"]);
  });

  it("joins with kubeadm's v1beta4", () => {
    expect(kubeadmConfigs(text).JoinConfiguration).toEqual({
      apiVersion: "kubeadm.k8s.io/v1beta4",
      kind: "JoinConfiguration",
      discovery: {
        bootstrapToken: {
          apiServerEndpoint: "demo-1a.westeurope.cloudapp.azure.com:6443",
          caCertHashes: ["<sha256 of the cluster's CA>"],
          token: "<bootstrap token>",
        },
      },
      nodeRegistration: {
        name: "win1000000",
        criSocket: "npipe:////./pipe/containerd-containerd",
        kubeletExtraArgs: [
          { name: "cloud-provider", value: "external" },
          { name: "v", value: "2" },
          { name: "windows-priorityclass", value: "ABOVE_NORMAL_PRIORITY_CLASS" },
        ],
        // The bootstrap provider adds this taint to every worker.
        taints: [{ key: "node.cluster.x-k8s.io/uninitialized", effect: "NoSchedule" }],
      },
      patches: { directory: "C:/k/patches" },
    });
  });

  it("joins with v1beta3 below Kubernetes 1.31, where arguments are a mapping", () => {
    const { JoinConfiguration: join } = kubeadmConfigs(render(windows, { kubernetesVersion: "v1.30.14" }));
    expect(join).toMatchObject({
      apiVersion: "kubeadm.k8s.io/v1beta3",
      nodeRegistration: { kubeletExtraArgs: { "cloud-provider": "external", v: "2" } },
      patches: { directory: "C:/k/patches" },
    });
  });

  it("does not exist for a control plane role", () => {
    expect(() => render(windows, { os: "windows", role: "init" })).toThrow("does not run on Windows");
  });
});

describe("user data of the control plane", () => {
  const init = render(controlPlane, { role: "init" });
  const join = render(controlPlane, { role: "join-control-plane" });
  const pki = [
    "ca.crt",
    "ca.key",
    "etcd/ca.crt",
    "etcd/ca.key",
    "front-proxy-ca.crt",
    "front-proxy-ca.key",
    "sa.pub",
    "sa.key",
  ];

  it("writes the CA files first, with placeholders, and with keys that only root can read", () => {
    for (const text of [init, join]) {
      const files = read(text).write_files;
      expect(files.slice(0, 8).map(({ path }) => path)).toEqual(
        pki.map((name) => `/etc/kubernetes/pki/${name}`),
      );
      expect(files.slice(0, 8).map(({ permissions }) => permissions)).toEqual(
        pki.map((name) => (name.endsWith(".key") ? "0600" : "0640")),
      );
      expect(files[1]!.content).toBe("<from secret demo-ca, key tls.key>\n");
      expect(files[8]!.path).toBe("/etc/kubernetes/azure.json");
    }
  });

  it("initializes the first machine with ClusterConfiguration and InitConfiguration", () => {
    const { ClusterConfiguration: cluster, InitConfiguration: first } = kubeadmConfigs(init);
    expect(cluster).toEqual({
      apiVersion: "kubeadm.k8s.io/v1beta4",
      kind: "ClusterConfiguration",
      ...controlPlane.clusterConfiguration,
      clusterName: "demo",
      controlPlaneEndpoint: "demo-1a.westeurope.cloudapp.azure.com:6443",
      dns: {},
      featureGates: { ControlPlaneKubeletLocalMode: true },
      kubernetesVersion: "v1.35.6",
      networking: { podSubnet: "192.168.0.0/16", serviceSubnet: "10.96.0.0/12" },
      proxy: {},
      scheduler: {},
    });
    expect(first).toEqual({
      apiVersion: "kubeadm.k8s.io/v1beta4",
      kind: "InitConfiguration",
      localAPIEndpoint: {},
      nodeRegistration: {
        name: "win1000000",
        kubeletExtraArgs: [{ name: "cloud-provider", value: "external" }],
        taints: null,
      },
      timeouts: { controlPlaneComponentHealthCheck: "20m0s" },
    });
    expect(read(init).runcmd).toEqual([
      "kubeadm init --config /run/kubeadm/kubeadm.yaml --v 10 && echo success > /run/cluster-api/bootstrap-success.complete",
    ]);
  });

  it("joins the other machines to the control plane", () => {
    expect(Object.keys(kubeadmConfigs(join))).toEqual(["JoinConfiguration"]);
    expect(kubeadmConfigs(join).JoinConfiguration).toMatchObject({
      controlPlane: { localAPIEndpoint: {} },
      nodeRegistration: { taints: null },
      timeouts: { controlPlaneComponentHealthCheck: "20m0s" },
    });
  });

  it("sets up the etcd disk", () => {
    expect(Object.keys(read(init))).toEqual(["write_files", "runcmd", "disk_setup", "fs_setup", "mounts"]);
    expect(read(init)).toMatchObject({
      disk_setup: { "/dev/disk/azure/scsi1/lun0": { table_type: "gpt", layout: true, overwrite: false } },
      fs_setup: [
        {
          label: "etcd_disk",
          filesystem: "ext4",
          device: "/dev/disk/azure/scsi1/lun0",
          extra_opts: ["-E", "lazy_itable_init=1,lazy_journal_init=1"],
        },
        { label: "ephemeral0", filesystem: "ext4", device: "ephemeral0.1", replace_fs: "ntfs" },
      ],
      mounts: [["LABEL=etcd_disk", "/var/lib/etcddisk"]],
    });
  });

  it.each([
    ["v1.30.14", undefined, "20m0s"],
    ["v1.31.0", { ControlPlaneKubeletLocalMode: true }, undefined],
    ["v1.36.0", undefined, undefined],
  ])(
    "has in %s the feature gate that the control plane provider sets, and the old timeout",
    (version, gates, timeout) => {
      const cluster = kubeadmConfigs(
        render(controlPlane, { role: "init", kubernetesVersion: version }),
      ).ClusterConfiguration;
      expect(cluster?.featureGates).toEqual(gates);
      expect((cluster?.apiServer as { timeoutForControlPlane?: string }).timeoutForControlPlane).toBe(
        timeout,
      );
    },
  );

  it("uses kubeadm's default service range if the cluster sets none", () => {
    const text = renderUserData({
      spec: controlPlane,
      os: "linux",
      role: "init",
      kubernetesVersion: "v1.35.6",
      clusterName: "demo",
      controlPlaneEndpoint: "h:6443",
      podCidr: "192.168.0.0/16",
    });
    expect(kubeadmConfigs(text).ClusterConfiguration?.networking).toEqual({ podSubnet: "192.168.0.0/16" });
  });
});
