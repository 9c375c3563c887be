import fc from "fast-check";
import { canonicalJson } from "../../../capi/contentHash";
import { machineDeploymentObjects } from "../../../components/machinePool/machineDeployment";
import { poolObjectArgs, type PoolObjectArgs } from "../../../components/machinePool/poolObjectArgs";
import { poolObjects } from "../../../components/machinePool/manifests";
import { defaultUnhealthyLimit } from "capz-windows-platform/machines/healthChecks";
import { machinePrefix } from "capz-windows-platform/machines/naming";
import { today } from "../../support/platforms";

const args: PoolObjectArgs = {
  ...poolObjectArgs(
    {
      poolName: "win1",
      clusterName: "c",
      namespace: "n",
      location: "westeurope",
      sshPublicKey: "ssh-ed25519 AAAA",
      kind: "MachineDeployment",
      replicas: 5,
      image: { id: "/subscriptions/s/image" },
      kubernetesVersion: today.kubernetesVersion,
      windowsServer: "2025",
    },
    "windows",
  ),
  bootstrap: (secret) => ({
    files: [
      { path: "c:/k/azure.json", contentFrom: { secret: { name: secret, key: "worker-node-azure.json" } } },
    ],
  }),
};

const specOf = (change: Partial<PoolObjectArgs>) => {
  const { bootstrap, infrastructure, machines, healthCheck } = machineDeploymentObjects({
    ...args,
    ...change,
  });
  return { bootstrap, infrastructure, machines, healthCheck: healthCheck! };
};

describe("a MachineDeployment", () => {
  it("stops repairs by the number of machines that it surely has: with an autoscaler, the least", () => {
    const limit = (change: Partial<PoolObjectArgs>) =>
      specOf(change).healthCheck.spec.remediation?.triggerIf?.unhealthyLessThanOrEqualTo;
    expect(limit({ replicas: 20 })).toBe(defaultUnhealthyLimit(20));
    expect(limit({ replicas: 20, autoscale: { min: 3, max: 20 } })).toBe(defaultUnhealthyLimit(3));
    expect(defaultUnhealthyLimit(3)).not.toBe(defaultUnhealthyLimit(20));
  });

  it("names its templates by their content, and its bootstrap data the secret of the machine template", () => {
    const { bootstrap, infrastructure, machines } = specOf({});
    const template = infrastructure.metadata.name;
    expect(template).toMatch(/^win1-[0-9a-f]{8}$/);
    expect(machines.spec).toMatchObject({
      template: {
        spec: {
          bootstrap: { configRef: { kind: "KubeadmConfigTemplate", name: bootstrap.metadata.name } },
          infrastructureRef: { kind: "AzureMachineTemplate", name: template },
        },
      },
    });
    expect(JSON.stringify(bootstrap.spec)).toContain(`"name":"${template}-azure-json"`);
  });

  it.each([
    ["vmSize", { vmSize: "Standard_D8s_v5" }],
    ["image", { image: { id: "/subscriptions/s/other" } }],
    ["Windows release", { windowsServer: "2022" }],
    ["tags", { tags: { team: "a" } }],
  ] as const)("gets new templates, both, by another %s", (_what, change) => {
    const before = specOf({});
    const after = specOf(change);
    expect(after.infrastructure.metadata.name).not.toBe(before.infrastructure.metadata.name);
    // It names the secret of the machine template.
    expect(after.bootstrap.metadata.name).not.toBe(before.bootstrap.metadata.name);
  });

  it("has the limits of its health check and drain in the fields that Cluster API reads, and keeps its templates", () => {
    const before = specOf({});
    const after = specOf({
      healthCheck: { nodeStartupTimeoutSeconds: 3600, unhealthyLessThanOrEqualTo: "60%" },
      deletion: { waitForVolumeDetach: false, nodeDrainTimeoutSeconds: 600 },
    });
    expect(before.healthCheck.spec).toMatchObject({
      checks: {
        nodeStartupTimeoutSeconds: 2400,
        unhealthyNodeConditions: [{ timeoutSeconds: 300 }, { timeoutSeconds: 1200 }],
      },
      remediation: { triggerIf: { unhealthyLessThanOrEqualTo: 2 } },
    });
    expect(after.healthCheck.spec).toMatchObject({
      checks: { nodeStartupTimeoutSeconds: 3600 },
      remediation: { triggerIf: { unhealthyLessThanOrEqualTo: "60%" } },
    });
    expect(after.machines.spec.template).toMatchObject({
      metadata: {
        annotations: { "machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach": "true" },
      },
      spec: { deletion: { nodeDrainTimeoutSeconds: 600 } },
    });
    expect(after.infrastructure.metadata.name).toBe(before.infrastructure.metadata.name);
    expect(after.bootstrap.metadata.name).toBe(before.bootstrap.metadata.name);
  });

  it("has no health check if it is disabled", () => {
    expect(machineDeploymentObjects({ ...args, healthCheck: undefined })).not.toHaveProperty("healthCheck");
  });

  it("keeps its templates when only the number of machines changes", () => {
    const { bootstrap, infrastructure } = specOf({});
    const after = specOf({
      replicas: 9,
      rollout: { maxSurge: 3, maxUnavailable: 1, deletePolicy: "Newest" },
    });
    expect(canonicalJson([after.bootstrap, after.infrastructure])).toBe(
      canonicalJson([bootstrap, infrastructure]),
    );
  });

  it("has the Windows release in the inner metadata, where CAPZ reads it", () => {
    const { infrastructure } = specOf({});
    expect(infrastructure.metadata.annotations).toBeUndefined();
    expect(infrastructure.spec).toMatchObject({
      template: {
        metadata: { annotations: { runtime: "containerd", windowsServerVersion: "windows-2025" } },
        spec: { osDisk: { osType: "Windows" } },
      },
    });
  });

  it("has the same machines as a scale set", () => {
    const pool = poolObjects({ ...args, kind: "MachinePool" }).infrastructure.spec as { template: object };
    const deployment = specOf({}).infrastructure.spec as { template: { spec: object } };
    expect(deployment.template.spec).toEqual(pool.template);
  });

  it("selects its machines and no others, and so does its health check", () => {
    const { machines, healthCheck } = specOf({});
    const labels = { "cluster.x-k8s.io/cluster-name": "c", "cluster.x-k8s.io/deployment-name": "win1" };
    expect(machines.spec).toMatchObject({
      selector: { matchLabels: labels },
      template: { metadata: { labels } },
    });
    expect(healthCheck.spec).toMatchObject({ selector: { matchLabels: labels } });
  });

  it("leaves the number to an autoscaler, and its zone to Azure unless one is named", () => {
    expect(specOf({}).machines.spec).toMatchObject({ replicas: 5 });
    const { machines } = specOf({ autoscale: { min: 1, max: 3 }, zones: ["2"] });
    expect(Object.keys(machines.spec as object)).not.toContain("replicas");
    expect(machines.metadata.annotations).toMatchObject({
      "cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size": "1",
      "cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size": "3",
    });
    expect(specOf({ autoscale: { min: 0, max: 3 } }).machines.metadata.annotations).toMatchObject({
      "capacity.cluster-autoscaler.kubernetes.io/labels": expect.stringMatching(
        /^kubernetes\.io\/os=windows,kubernetes\.io\/arch=amd64,node\.kubernetes\.io\/windows-build=10\.0\.\d{5},/,
      ) as string,
    });
    expect(machines.spec).toMatchObject({ template: { spec: { failureDomain: "2" } } });
    expect(JSON.stringify(specOf({}).machines)).not.toContain("failureDomain");
  });

  it.each([
    [1, 1],
    [2, 1],
    [5, 2],
    [10, 4],
  ])("of %s machines has them replaced while up to %s are lost", (replicas, least) => {
    expect(specOf({ replicas }).healthCheck.spec).toMatchObject({
      remediation: { triggerIf: { unhealthyLessThanOrEqualTo: least } },
    });
  });
});

/** Source: CAPZ v1.27.0 azure/scope/machine.go, Name(). */
const windowsMachineName = (azureMachineName: string): string =>
  azureMachineName.length > 15
    ? `${azureMachineName.slice(0, 9).replace(/-$/, "")}-${azureMachineName.slice(-5)}`
    : azureMachineName;

describe("the name of a Windows machine without a scale set", () => {
  it.each(["win1-abcde", "abc-12345-67890"])("of the AzureMachine %s is its own", (machine) => {
    expect(windowsMachineName(machine)).toBe(machine);
  });

  it.each([
    ["win1-abcde-fghij", "win1-abcd-fghij"],
    ["dev-md-win-abcde-fghij", "dev-md-wi-fghij"],
    ["frontend-abcde-fghij", "frontend-fghij"],
    // CAPZ trims one hyphen only.
    ["abcdefg--abcde-fghij", "abcdefg--fghij"],
  ])("of the AzureMachine %s is %s", (machine, name) => {
    expect(windowsMachineName(machine)).toBe(name);
    expect(name.startsWith(machinePrefix(machine.slice(0, -12)))).toBe(true);
  });

  it("has at most NetBIOS's 15 characters, and begins as was predicted", () => {
    const random = fc.stringMatching(/^[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    const pool = fc.stringMatching(/^[a-z]([-a-z0-9]{0,38}[a-z0-9])?$/);
    fc.assert(
      fc.property(pool, random, random, (name, set, machine) => {
        const computer = windowsMachineName(`${name}-${set}-${machine}`);
        expect(computer.length).toBeLessThanOrEqual(15);
        expect(computer.startsWith(machinePrefix(name))).toBe(true);
        expect(computer.endsWith(machine)).toBe(true);
      }),
    );
  });
});
