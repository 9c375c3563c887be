import { join } from "node:path";
import { apiServerHost } from "capz-windows-platform/cluster/naming";
import { redact, plan, type Recording } from "pulumi-plan-engine";
import { clouds } from "../../../plan/simulation";
import { projectDir } from "../../support/stacks";
import { consumer } from "./consumer";

const program = `import { Provider } from "@pulumi/azure-native/provider";
import { Provider as Kubernetes } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import {
  ClusterApi, LinuxControlPlane, ManagementCluster, VirtualNetwork, WindowsPool, WindowsWorkload, WorkloadCluster,
} from "capz-windows";

const azure = new Provider("azure", { subscriptionId: "sub" });
const kubernetes = new Kubernetes("kubernetes", { kubeconfig: pulumi.secret("{}") });
const place = { clusterName: "theirs", subscriptionId: "sub", resourceGroup: "group", location: "westeurope" };
const network = new VirtualNetwork("net", { clusterName: "theirs", location: pulumi.output("westeurope") }, {
  provider: azure,
  aliases: [{ name: "former-net" }],
  transforms: [({ type, props, opts }) =>
    type === "azure-native:network:VirtualNetwork" ? { props: { ...props, tags: { by: "transform" } }, opts } : undefined],
});
const api = new ClusterApi("capi", {
  ...place, tenantId: "tenant", resourceGroupId: network.resourceGroupId, install: false,
  oidcIssuerUrl: "https://issuer.example/",
}, { providers: [azure, kubernetes] });
const inCluster = { provider: kubernetes, dependsOn: api.ready };
const nodes = { clusterName: "theirs", location: "westeurope", kubernetesVersion: "v1.35.6", sshPublicKey: "ssh-ed25519 AAAA x" };
const controlPlane = new LinuxControlPlane("cp", { ...nodes, identityId: api.controlPlaneIdentityId }, inCluster);
const pool = new WindowsPool("win", { ...nodes, poolName: "win1" }, { ...inCluster, protect: true });
const cluster = new WorkloadCluster("cluster", {
  ...place, kubernetesVersion: "v1.35.6", identityName: pulumi.output(api.identityName), wait: false,
}, { provider: kubernetes, dependsOn: pulumi.output([network, controlPlane, pool]) });
const workload = new Kubernetes("workload", { kubeconfig: pulumi.secret("{}") });
const inWorkload = { provider: workload, deletedWith: cluster.cluster, dependsOn: cluster };
const image = pulumi.output("r.example/shop:1-ltsc2022");
new WindowsWorkload("shop", { image, ports: [8080], replicas: 2, service: { port: 80 } }, inWorkload);
new WindowsWorkload("agent", { kind: "DaemonSet", image, namespace: "agents" }, inWorkload);
const disk = { name: "data", mountPath: "C:/data", storageClass: "managed-csi", sizeGiB: 8 };
new WindowsWorkload("store", { kind: "StatefulSet", workloadName: "db", image, volumes: [disk] }, inWorkload);
export const host = cluster.apiServerHost;
export const nodesOfPool = pool.firstNodes;
`;

describe("a program in another folder that imports the components", () => {
  let recording: Recording;
  const theirs = consumer(program);
  beforeAll(async () => {
    recording = await plan({
      ...{ projectDir: theirs.dir, project: "theirs", stack: "test", mode: "update" },
      ...{ simulate: clouds, tsconfig: join(projectDir, "tsconfig.pulumi.json") },
    });
  });
  afterAll(theirs.remove);

  const found = (name: string) => {
    const resource = recording.resources.find((candidate) => candidate.name === name);
    if (resource === undefined) {
      throw new Error(`no resource ${name}: ${JSON.stringify(recording.diagnostics)}`);
    }
    return { ...resource, plain: redact(resource.inputs) as Record<string, unknown> };
  };

  it("runs, and gets the outputs that are known before a deployment", () => {
    expect(recording.diagnostics).toEqual([]);
    expect(recording.exitCode).toBe(0);
    expect(redact(recording.outputs)).toEqual({
      host: apiServerHost({
        ...{ clusterName: "theirs", subscriptionId: "sub", resourceGroup: "group", location: "westeurope" },
      }),
      nodesOfPool: ["win1000000", "win1000001"],
    });
  });

  it("gets defaults that the component fills in, without any stack config", () => {
    expect(found("net-vnet").plain).toMatchObject({
      resourceGroupName: "theirs",
      addressSpace: { addressPrefixes: ["10.10.0.0/16"] },
      subnets: [{ addressPrefix: "10.10.0.0/24" }, { addressPrefix: "10.10.128.0/17" }],
    });
    expect(found("win-azure").plain).toMatchObject({
      metadata: { name: "win1", namespace: "theirs" },
      spec: {
        template: { vmSize: "Standard_D4s_v5", osDisk: { diskSizeGB: 128, osType: "Windows" } },
        strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0, deletePolicy: "Oldest" } },
      },
    });
    expect(found("cp-kubeadm").plain).toMatchObject({ spec: { replicas: 3, version: "v1.35.6" } });
    expect(found("cluster-cluster").plain).toMatchObject({
      spec: { clusterNetwork: { pods: { cidrBlocks: ["192.168.0.0/16"] } } },
    });
  });

  it("gets workloads for Windows nodes, which are deleted with the Cluster", () => {
    const pod = { spec: { os: { name: "windows" }, containers: [{ image: "r.example/shop:1-ltsc2022" }] } };
    expect(found("shop-deployment").plain).toMatchObject({ spec: { replicas: 2, template: pod } });
    expect(found("shop-service").plain).toMatchObject({ spec: { ports: [{ port: 80, targetPort: 8080 }] } });
    expect(found("agent-daemonset").plain).toMatchObject({
      ...{ metadata: { name: "agent", namespace: "agents" }, spec: { template: pod } },
    });
    expect(found("store-statefulset").plain).toMatchObject({
      metadata: { name: "db" },
      spec: { serviceName: "db-pods", volumeClaimTemplates: [{ spec: { storageClassName: "managed-csi" } }] },
    });
    expect(found("store-pods").plain).toMatchObject({ metadata: { name: "db-pods" } });
    for (const name of ["shop-deployment", "shop-service", "agent-daemonset", "store-statefulset"]) {
      const { provider, options, dependencies } = found(name);
      expect(provider?.name).toBe("workload");
      expect(options.deletedWith).toBe(found("cluster-cluster").urn);
      expect(options.customTimeouts).toMatchObject({ create: "40m", update: "40m" });
      expect(dependencies).toContain(found("cluster-cluster").urn);
    }
    expect(redact(found("shop").registeredOutputs!)).toEqual({
      workloadName: "shop",
      host: "shop.default.svc",
    });
  });

  it("sees its args in the state, and keeps its providers, aliases, transforms and protection", () => {
    expect(found("net").plain).toEqual({ clusterName: "theirs", location: "westeurope" });
    expect(found("win").plain).toMatchObject({ poolName: "win1", kubernetesVersion: "v1.35.6" });
    expect(found("net").options.aliases).toEqual([expect.objectContaining({ name: "former-net" })]);
    expect(found("net-vnet").plain.tags).toEqual({ by: "transform" });
    expect(found("net-routes").plain.tags).toEqual({});
    expect(found("capi-namespace").provider?.name).toBe("kubernetes");
    expect(found("capi-identity-control-plane").provider?.name).toBe("azure");
    expect(found("win-pool").options.protect).toBe(true);
    expect(found("cluster-cluster").dependencies).toEqual(
      expect.arrayContaining([found("win-pool").urn, found("cp-kubeadm").urn, found("net-vnet").urn]),
    );
  });
});

it("a mistake is told at the component, without a stack trace", async () => {
  const theirs = consumer(`import { ManagementCluster } from "capz-windows";
new ManagementCluster("management", {});
`);
  try {
    const { diagnostics, exitCode } = await plan({
      ...{ projectDir: theirs.dir, project: "theirs", stack: "test", mode: "preview" },
      ...{ simulate: clouds, tsconfig: join(projectDir, "tsconfig.pulumi.json") },
    });
    expect(exitCode).not.toBe(0);
    expect(diagnostics.map((diagnostic) => diagnostic.message.trim())).toEqual([
      "give exactly one of aks, existing and stack",
    ]);
  } finally {
    theirs.remove();
  }
});
