import { poolObjects } from "../../../components/machinePool/manifests";
import { poolObjectArgs, type PoolObjectArgs } from "../../../components/machinePool/poolObjectArgs";
import { publicKey } from "../../support/stacks";
import { today } from "../../support/platforms";

const args: PoolObjectArgs = {
  ...poolObjectArgs(
    {
      poolName: "pool1",
      clusterName: "c",
      namespace: "n",
      location: "westeurope",
      sshPublicKey: `${publicKey}\n`,
      replicas: 3,
      rollout: { maxSurge: "25%", maxUnavailable: "1", deletePolicy: "Newest" },
      image: { id: "/subscriptions/s/image" },
      kubernetesVersion: "v1.34.3",
      clusterVersion: today.kubernetesVersion,
    },
    "linux",
  ),
  bootstrap: (secret) => ({
    files: [{ path: "/k/azure.json", contentFrom: { secret: { name: secret, key: "k" } } }],
  }),
};

const windows: Partial<PoolObjectArgs> = { os: "windows", windowsServer: "2022" };

function pool(change: Partial<PoolObjectArgs> = {}) {
  const { bootstrap, infrastructure, machines } = poolObjects({ ...args, ...change });
  return {
    bootstrap,
    machines,
    infrastructure,
    template: (infrastructure.spec as { template: Record<string, unknown> }).template,
    spec: machines.spec as Record<string, unknown>,
  };
}

describe("the machines of a pool", () => {
  it("have the pool's operating system", () => {
    expect(pool().template).toMatchObject({ osDisk: { osType: "Linux", diskSizeGB: 64 } });
    expect(pool(windows).template).toMatchObject({ osDisk: { osType: "Windows" } });
  });

  it("have the SSH key in base64 of one line on Linux, and no such field on Windows, because CAPZ fills an empty one", () => {
    expect(Buffer.from(pool().template.sshPublicKey as string, "base64").toString()).toBe(publicKey.trim());
    expect(Object.keys(pool(windows).template)).not.toContain("sshPublicKey");
  });

  it("have annotations with the runtime and the Windows release for CAPZ, and none on Linux", () => {
    expect(pool(windows).infrastructure.metadata.annotations).toEqual({
      runtime: "containerd",
      windowsServerVersion: "windows-2022",
    });
    expect(pool().infrastructure.metadata.annotations).toBeUndefined();
  });

  it("roll as the pool says", () => {
    expect(pool().infrastructure.spec).toMatchObject({
      strategy: {
        type: "RollingUpdate",
        rollingUpdate: { maxSurge: "25%", maxUnavailable: 1, deletePolicy: "Newest" },
      },
    });
  });

  it("have tags when there are some", () => {
    expect(pool({ tags: { team: "a" } }).infrastructure.spec).toMatchObject({
      additionalTags: { team: "a" },
    });
    expect(Object.keys(pool().infrastructure.spec as object)).not.toContain("additionalTags");
  });
});

describe("a MachinePool", () => {
  it("has the pool's own version, which may be older than the cluster's", () => {
    expect(pool().spec).toMatchObject({ template: { spec: { version: "v1.34.3" } } });
  });

  it("is spread over the zones that the pool names; without any Azure chooses", () => {
    expect(pool({ zones: ["1", "3"] }).spec.failureDomains).toEqual(["1", "3"]);
    expect(Object.keys(pool().spec)).not.toContain("failureDomains");
  });

  it("has a number of machines, or leaves it to an autoscaler", () => {
    expect(pool().spec.replicas).toBe(3);
    expect(JSON.stringify(pool().machines.metadata)).not.toContain("autoscaler");
    const scaled = pool({ autoscale: { min: 2, max: 6 } });
    expect(Object.keys(scaled.spec)).not.toContain("replicas");
    expect(scaled.machines.metadata.annotations).toMatchObject({
      "cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size": "2",
      "cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size": "6",
    });
  });

  it("has annotations with the resources of a node for an autoscaler, because there may be no node to look at", () => {
    const capacity = (min: number, vmSize: string) =>
      Object.entries(pool({ autoscale: { min, max: 6 }, vmSize }).machines.metadata.annotations ?? {})
        .filter(([key]) => key.startsWith("capacity."))
        .map(([key, value]) => `${key.split("/")[1] ?? ""} ${value}`);
    const labels = (vmSize: string) =>
      `labels kubernetes.io/os=linux,kubernetes.io/arch=amd64,node.kubernetes.io/instance-type=${vmSize},topology.kubernetes.io/region=westeurope`;
    // Without what the kubelet keeps for eviction: 100 MiB of memory, a tenth of the disk (kubelet, eviction defaults).
    expect(capacity(0, "Standard_E8s_v5")).toEqual([
      ...["cpu 8000m", "memory 65436Mi", "ephemeral-disk 57Gi", labels("Standard_E8s_v5"), "maxPods 110"],
    ]);
    expect(capacity(0, "Standard_M8ms")).toEqual([
      "ephemeral-disk 57Gi",
      labels("Standard_M8ms"),
      "maxPods 110",
    ]);
    // Also with nodes: until the first one has joined, the autoscaler would not know which pods fit.
    expect(capacity(1, "Standard_E8s_v5")).toEqual(capacity(0, "Standard_E8s_v5"));
  });

  it.each([
    ["v1.36.0", "v1.25.16", "13836Mi"],
    ["v1.26.0", "v1.26.0", "13836Mi"],
    ["v1.25.16", "v1.25.16", "15884Mi"],
  ])(
    "in a cluster of %s tells an autoscaler what Windows %s leaves to pods: %s",
    (clusterVersion, kubernetesVersion, memory) => {
      const { machines } = poolObjects(
        poolObjectArgs(
          {
            ...{ poolName: "win1", clusterName: "c", location: "westeurope", sshPublicKey: publicKey },
            ...{
              vmSize: "Standard_D4s_v5",
              clusterVersion,
              kubernetesVersion,
              autoscale: { min: 0, max: 3 },
            },
          },
          "windows",
        ),
      );
      expect(machines.metadata.annotations).toMatchObject({
        "capacity.cluster-autoscaler.kubernetes.io/memory": memory,
      });
    },
  );

  it("refers to changed bootstrap data by another name, because CAPZ compares the name only", () => {
    const after = pool({ bootstrap: () => ({ files: [] }) });
    expect(pool().bootstrap.metadata.name).toMatch(/^pool1-[0-9a-f]{8}$/);
    expect(after.bootstrap.metadata.name).not.toBe(pool().bootstrap.metadata.name);
    expect(after.spec).toMatchObject({
      template: { spec: { bootstrap: { configRef: { name: after.bootstrap.metadata.name } } } },
    });
    // Running machines are not replaced.
    expect(after.infrastructure).toEqual(pool().infrastructure);
  });

  it("passes the secret that CAPZ writes for it to its bootstrap data", () => {
    expect(JSON.stringify(pool().bootstrap.spec)).toContain('"name":"pool1-azure-json"');
  });

  it("has no wait of its own", () => {
    expect(pool().machines.metadata.annotations).toMatchObject({ "pulumi.com/skipAwait": "true" });
  });
});

it.each([
  ["0.25", "250m"],
  ["0.05", "50m"],
  ["1", "1"],
  ["1.5", "1500m"],
  ["0.01234", "12340u"],
  ["999.00", "999"],
])("a price of %s is the quantity that the webhook writes, %s", (maxPrice, quantity) => {
  const { infrastructure } = poolObjects({ ...args, spot: { maxPrice } });
  expect(infrastructure.spec).toMatchObject({
    template: { spotVMOptions: { evictionPolicy: "Delete", maxPrice: quantity } },
  });
});

describe("network interfaces", () => {
  it("are left to CAPZ if nothing is set", () => {
    expect(pool().template).not.toHaveProperty("networkInterfaces");
  });

  it("are written out with their subnets and one address each", () => {
    const { template } = pool({
      networkInterfaces: [{ subnet: "web", acceleratedNetworking: false }, { subnet: "node-subnet" }],
    });
    expect(template.networkInterfaces).toEqual([
      { subnetName: "web", acceleratedNetworking: false, privateIPConfigs: 1 },
      { subnetName: "node-subnet", privateIPConfigs: 1 },
    ]);
  });
});
