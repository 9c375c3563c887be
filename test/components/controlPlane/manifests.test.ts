import {
  kubeadmControlPlaneObject,
  machineHealthCheckObject,
  machineTemplateObject,
  type MachineTemplateArgs,
} from "../../../components/controlPlane/manifests";
import { publicKey } from "../../support/stacks";

const args: MachineTemplateArgs = {
  clusterName: "c",
  namespace: "n",
  vmSize: "Standard_D4s_v5",
  osDiskGB: 128,
  etcdDiskGB: 256,
  image: { id: "/subscriptions/s/image" },
  sshPublicKey: `${publicKey}\n`,
  identityId:
    "/subscriptions/s/resourceGroups/g/providers/Microsoft.ManagedIdentity/userAssignedIdentities/i",
  tags: {},
};

const machineOf = (change: Partial<MachineTemplateArgs> = {}) => {
  const { metadata, spec } = machineTemplateObject({ ...args, ...change });
  return {
    name: metadata.name,
    spec: (spec as { template: { spec: Record<string, unknown> } }).template.spec,
  };
};

describe("a machine of the control plane", () => {
  it("runs Linux, on the disks that were asked for", () => {
    expect(machineOf().spec).toMatchObject({
      vmSize: "Standard_D4s_v5",
      osDisk: { osType: "Linux", diskSizeGB: 128 },
      dataDisks: [{ lun: 0, diskSizeGB: 256 }],
    });
  });

  it("writes through to etcd's disk: a cache would lose what etcd took for written", () => {
    expect(machineOf().spec).toMatchObject({ dataDisks: [{ cachingType: "None" }] });
  });

  it("has the key as CAPZ reads it: one line in base64", () => {
    const key = Buffer.from(machineOf().spec.sshPublicKey as string, "base64").toString("utf8");
    expect(key).toBe(publicKey.trim());
  });

  it("has its identity by a provider id, from which CAPZ cuts azure:// off", () => {
    expect(machineOf().spec).toMatchObject({
      identity: "UserAssigned",
      userAssignedIdentities: [{ providerID: `azure://${args.identityId}` }],
    });
  });

  it("has tags when there are some; CAPZ takes no empty ones", () => {
    expect(machineOf({ tags: { team: "a" } }).spec.additionalTags).toEqual({ team: "a" });
    expect(Object.keys(machineOf().spec)).not.toContain("additionalTags");
  });

  it.each<[string, Partial<MachineTemplateArgs>]>([
    ["size", { vmSize: "Standard_D8s_v5" }],
    ["disk", { etcdDiskGB: 512 }],
    ["image", { image: { id: "/subscriptions/s/other" } }],
    ["key", { sshPublicKey: "ssh-rsa AAAA" }],
    ["tags", { tags: { team: "a" } }],
  ])("is of another template by another %s, because templates cannot change", (_what, change) => {
    expect(machineOf().name).toMatch(/^c-cp-[0-9a-f]{8}$/);
    expect(machineOf(change).name).not.toBe(machineOf().name);
  });
});

describe("the control plane", () => {
  const spec = (replicas: number) =>
    kubeadmControlPlaneObject({
      clusterName: "c",
      namespace: "n",
      replicas,
      kubernetesVersion: "v1.34.3",
      machineTemplateName: "c-cp-1",
      bootstrap: {},
    }).spec;

  it.each([1, 3, 5])("of %i machines rolls by one more, for etcd may lose none", (replicas) => {
    expect(spec(replicas)).toMatchObject({
      replicas,
      version: "v1.34.3",
      rollout: { strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1 } } },
    });
  });
});

describe("the health check of the control plane", () => {
  const { selector, checks, remediation } = machineHealthCheckObject("c", "n", {}).spec;

  it("looks at the control plane of its own cluster", () => {
    expect(selector.matchLabels).toEqual({
      "cluster.x-k8s.io/cluster-name": "c",
      "cluster.x-k8s.io/control-plane": "",
    });
  });

  it("takes a node for lost that says so, and one that says nothing", () => {
    expect(checks!.unhealthyNodeConditions!.map(({ type, status }) => `${type} ${status}`).sort()).toEqual([
      "Ready False",
      "Ready Unknown",
    ]);
  });

  it("replaces one at a time: with two lost, three members have no majority to add one", () => {
    expect(remediation!.triggerIf).toEqual({ unhealthyLessThanOrEqualTo: 1 });
  });
});
