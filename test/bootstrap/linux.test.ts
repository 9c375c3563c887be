import { controlPlaneKubeadmConfigSpec } from "../../bootstrap/controlPlane";
import { linuxWorkerKubeadmConfigSpec } from "../../bootstrap/linux";
import { today } from "../support/platforms";

describe("bootstrap data of a Linux worker", () => {
  it("contains azure.json, the computer name as node name, and the external cloud provider", () => {
    expect(linuxWorkerKubeadmConfigSpec({ ...today, azureJsonSecret: "linux1-azure-json" })).toEqual({
      files: [
        {
          path: "/etc/kubernetes/azure.json",
          owner: "root:root",
          permissions: "0644",
          contentFrom: { secret: { name: "linux1-azure-json", key: "worker-node-azure.json" } },
        },
      ],
      joinConfiguration: {
        nodeRegistration: {
          name: '{{ ds.meta_data["local_hostname"] }}',
          kubeletExtraArgs: [{ name: "cloud-provider", value: "external" }],
        },
      },
    });
  });

  it("includes the user's files and commands, and omits empty lists, which Cluster API rejects", () => {
    const spec = linuxWorkerKubeadmConfigSpec({
      ...today,
      azureJsonSecret: "linux1-azure-json",
      extraFiles: [{ path: "/etc/motd", content: "hello\n" }],
      preKubeadmCommands: ["date +%s"],
      postKubeadmCommands: [],
    });
    expect(spec.files?.map(({ path }) => path)).toEqual(["/etc/kubernetes/azure.json", "/etc/motd"]);
    expect(spec.preKubeadmCommands).toEqual(["date +%s"]);
    expect(spec).not.toHaveProperty("postKubeadmCommands");
  });
});

describe("bootstrap data of the control plane", () => {
  const spec = controlPlaneKubeadmConfigSpec({
    ...today,
    clusterName: "demo",
    azureJsonSecret: "demo-cp-12345678-azure-json",
  });

  it("has argument lists, as bootstrap v1beta2 requires", () => {
    expect(spec.clusterConfiguration).toEqual({
      apiServer: {
        extraArgs: [
          { name: "service-account-issuer", value: "https://kubernetes.default.svc.cluster.local" },
        ],
      },
      controllerManager: {
        extraArgs: [
          { name: "allocate-node-cidrs", value: "false" },
          { name: "cloud-provider", value: "external" },
          { name: "cluster-name", value: "demo" },
        ],
      },
      etcd: {
        local: {
          dataDir: "/var/lib/etcddisk/etcd",
          extraArgs: [{ name: "quota-backend-bytes", value: "8589934592" }],
        },
      },
    });
  });

  it("waits 20 minutes for the API server, in both init and join", () => {
    const configuration = {
      nodeRegistration: {
        name: '{{ ds.meta_data["local_hostname"] }}',
        kubeletExtraArgs: [{ name: "cloud-provider", value: "external" }],
      },
      timeouts: { controlPlaneComponentHealthCheckSeconds: 1200 },
    };
    expect(spec.initConfiguration).toEqual(configuration);
    expect(spec.joinConfiguration).toEqual(configuration);
  });

  it("puts etcd on the data disk at LUN 0", () => {
    expect(spec.diskSetup).toEqual({
      partitions: [
        { device: "/dev/disk/azure/scsi1/lun0", layout: true, overwrite: false, tableType: "gpt" },
      ],
      filesystems: [
        {
          device: "/dev/disk/azure/scsi1/lun0",
          filesystem: "ext4",
          label: "etcd_disk",
          extraOpts: ["-E", "lazy_itable_init=1,lazy_journal_init=1"],
        },
        { device: "ephemeral0.1", filesystem: "ext4", label: "ephemeral0", replaceFS: "ntfs" },
      ],
    });
    expect(spec.mounts).toEqual([["LABEL=etcd_disk", "/var/lib/etcddisk"]]);
  });

  it("takes azure.json from the secret of its template, and sets kubeadm's highest verbosity", () => {
    expect(spec.files).toEqual([
      {
        path: "/etc/kubernetes/azure.json",
        owner: "root:root",
        permissions: "0644",
        contentFrom: { secret: { name: "demo-cp-12345678-azure-json", key: "control-plane-azure.json" } },
      },
    ]);
    expect(spec.verbosity).toBe(10);
  });

  it("has no commands", () => {
    expect(spec).not.toHaveProperty("preKubeadmCommands");
    expect(spec).not.toHaveProperty("postKubeadmCommands");
  });
});
