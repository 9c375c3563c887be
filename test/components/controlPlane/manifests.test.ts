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

  it("has no cache on etcd's disk, which could lose data that etcd regards as written", () => {
    expect(machineOf().spec).toMatchObject({ dataDisks: [{ cachingType: "None" }] });
  });

  it("has the SSH key in base64 of one line, as CAPZ reads it", () => {
    const key = Buffer.from(machineOf().spec.sshPublicKey as string, "base64").toString("utf8");
    expect(key).toBe(publicKey.trim());
  });

  it("names its identity by a provider ID, from which CAPZ removes azure://", () => {
    expect(machineOf().spec).toMatchObject({
      identity: "UserAssigned",
      userAssignedIdentities: [{ providerID: `azure://${args.identityId}` }],
    });
  });

  it("has tags only if there are some, because CAPZ refuses an empty mapping", () => {
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
  const spec = (replicas: number, certificatesExpiryDays = 30) =>
    kubeadmControlPlaneObject({
      clusterName: "c",
      namespace: "n",
      replicas,
      kubernetesVersion: "v1.34.3",
      machineTemplateName: "c-cp-1",
      bootstrap: {},
      certificatesExpiryDays,
    }).spec;

  it("renews its certificates by new machines, and only if asked to, because Cluster API refuses 0", () => {
    expect(spec(3).rollout?.before).toEqual({ certificatesExpiryDays: 30 });
    expect(spec(3, 0).rollout).not.toHaveProperty("before");
  });

  it.each([1, 3, 5])(
    "of %i machines rolls by adding one, because etcd must not lose a member",
    (replicas) => {
      expect(spec(replicas)).toMatchObject({
        replicas,
        version: "v1.34.3",
        rollout: { strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1 } } },
      });
    },
  );
});

describe("the health check of the control plane", () => {
  const { selector, checks, remediation } = machineHealthCheckObject("c", "n", {}).spec;

  it("selects the control plane of its cluster", () => {
    expect(selector.matchLabels).toEqual({
      "cluster.x-k8s.io/cluster-name": "c",
      "cluster.x-k8s.io/control-plane": "",
    });
  });

  it("regards a node as unhealthy if it is NotReady or does not report", () => {
    expect(checks!.unhealthyNodeConditions!.map(({ type, status }) => `${type} ${status}`).sort()).toEqual([
      "Ready False",
      "Ready Unknown",
    ]);
  });

  it("replaces one at a time: with two lost, three members have no majority to add one", () => {
    expect(remediation!.triggerIf).toEqual({ unhealthyLessThanOrEqualTo: 1 });
  });
});
