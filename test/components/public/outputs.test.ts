import { join } from "node:path";
import { redact, plan } from "pulumi-plan-engine";
import { clouds } from "../../../plan/simulation";
import { kubeconfig } from "../../../plan/simulation/values";
import { projectDir } from "../../support/stacks";
import { consumer } from "./consumer";

/** A program that creates one of each public component, and tells the fields that each one adds to those of the SDK. */
const program = `import { Provider } from "@pulumi/azure-native/provider";
import { Provider as Kubernetes } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import * as capz from "capz-windows";

const azure = new Provider("azure", { subscriptionId: "sub" });
const provider = new Kubernetes("kubernetes", { kubeconfig: pulumi.secret("{}") });
const clusterName = "theirs";
const location = "westeurope";
const place = { clusterName, subscriptionId: "sub", resourceGroup: "group", location };
const nodes = { clusterName, location, kubernetesVersion: "v1.35.6", sshPublicKey: "ssh-ed25519 AAAA x" };
const network = new capz.VirtualNetwork("network", { clusterName, location }, { provider: azure });
const existing = {
  name: "theirs", kubeconfig: pulumi.secret("{}"), egressCidrs: ["192.0.2.1/32"], oidcIssuerUrl: "https://issuer.example/",
};
const api = new capz.ClusterApi("api", {
  ...place, tenantId: "tenant", resourceGroupId: network.resourceGroupId, install: false, oidcIssuerUrl: existing.oidcIssuerUrl,
}, { providers: [azure, provider] });
const poolId = "theirs/win1";
const kubeconfig = pulumi.secret(${JSON.stringify(kubeconfig("theirs"))});
const cluster = new capz.WorkloadCluster("cluster", {
  ...place, kubernetesVersion: "v1.35.6", identityName: api.identityName,
}, { provider });
const inCluster = { provider, deletedWith: cluster.cluster };
const created = [
  network,
  new capz.ApiServerZone("zone", {
    clusterName, subscriptionId: "s", tenantId: "t", resourceGroupName: "g", vnetId: network.vnetId,
    ip: "10.10.0.254", zoneName: "own.k8s.example.com",
  }, { provider: azure }),
  new capz.AzureBastion("bastion", {
    clusterName, resourceGroupName: "g", location: "westeurope", vnetId: network.vnetId,
  }, { provider: azure }),
  new capz.VnetPeerings("peering", {
    clusterName, subscriptionId: "s", tenantId: "t", resourceGroupName: "g", vnetId: network.vnetId, peerings: {},
  }, { provider: azure }),
  new capz.ExistingNetwork("existing", {
    existing: { controlPlaneSubnetId: "c", nodeSubnetId: "n", nodeSecurityGroup: "g", egressCidrs: ["192.0.2.1/32"] },
    resourceGroup: "others", location: "westeurope", subnetCidrs: ["10.0.0.0/24"],
  }, { provider: azure }),
  api,
  new capz.ManagementCluster("management", { existing }),
  new capz.LinuxControlPlane("controlPlane", { ...nodes, identityId: api.controlPlaneIdentityId }, { provider }),
  new capz.LinuxPool("linux", { ...nodes, poolName: "linux1" }, { provider }),
  new capz.WindowsPool("windows", { ...nodes, poolName: "win1" }, { provider }),
  cluster,
  new capz.ClusterAutoscaler("autoscaler", { clusterName, kubernetesVersion: "v1.35.6", wait: false }, { provider }),
  new capz.ClusterResourceSet("set", {
    name: "set", namespace: "theirs", clusterSelector: { own: "yes" },
    entries: [{ key: "a", yaml: "apiVersion: v1\\nkind: ConfigMap\\nmetadata: {name: a, namespace: default}\\n" }],
  }, { provider }),
  new capz.RunningPools("running", {
    namespace: "theirs", pools: [{ poolName: "win1", poolId, kind: "MachinePool", contentHash: "x", ordersUpgrades: false }],
  }, inCluster),
  new capz.UpgradeOrder("order", { clusterName, namespace: "theirs", controlPlaneId: "theirs/cp" }, inCluster),
  new capz.SampleWorkload("sample", { kubeconfig, clusterIdentifier: "x", allowedCidrs: ["192.0.2.0/24"] }),
  new capz.WindowsWorkload("workload", { image: "r.example/shop:1-ltsc2022", ports: [80], service: { port: 80 } }, { provider }),
];
const plain = new pulumi.ComponentResource("theirs:index:Plain", "plain");
new pulumi.ComponentResource("theirs:index:Plain", "child", {}, { parent: plain });
const ofTheSdk = new Set(Object.keys(plain));
export const fields = Object.fromEntries(created.map((one) => [
  one.constructor.name,
  Object.entries(one).filter(([key, value]) => !ofTheSdk.has(key) && value !== undefined).map(([key]) => key).sort(),
]));
export const components = Object.entries(capz)
  .filter(([, value]) => typeof value === "function" && value.prototype instanceof pulumi.ComponentResource)
  .map(([name]) => name).sort();
`;

it("every public component registers outputs that equal its public fields", async () => {
  const theirs = consumer(program);
  try {
    const { diagnostics, outputs, resources } = await plan({
      ...{ projectDir: theirs.dir, project: "theirs", stack: "test", mode: "update" },
      ...{ simulate: clouds, tsconfig: join(projectDir, "tsconfig.pulumi.json") },
    });
    expect(diagnostics).toEqual([]);
    const { fields, components } = redact(outputs) as {
      readonly fields: Readonly<Record<string, string[]>>;
      readonly components: readonly string[];
    };
    expect(components.length).toBeGreaterThanOrEqual(13);
    expect(Object.keys(fields).sort()).toEqual(components);
    const registered = components.map((component) => {
      const found = resources.find(({ type }) => type.endsWith(`:${component}`));
      return [component, Object.keys(redact(found?.registeredOutputs ?? {}) as object).sort()] as const;
    });
    expect(Object.fromEntries(registered)).toEqual(fields);
  } finally {
    theirs.remove();
  }
});
