import { Provider as Kubernetes } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import * as components from "../../../components";
import { plan, redact } from "pulumi-plan-engine";
import { clouds } from "../../../plan/simulation";
import { projectDir } from "../../support/stacks";

/** No public component takes the machine's own kubeconfig or login where a provider was forgotten. */

const place = { clusterName: "c", subscriptionId: "s", resourceGroup: "g", location: "l" };
const nodes = {
  ...{ clusterName: "c", location: "l", kubernetesVersion: "v1.35.6", sshPublicKey: "ssh-ed25519 AAAA x" },
};

const withoutProviders: Readonly<Record<string, () => pulumi.ComponentResource>> = {
  ApiServerZone: () =>
    new components.ApiServerZone("a", {
      ...{ clusterName: "c", subscriptionId: "s", tenantId: "t", resourceGroupName: "g", vnetId: "v" },
      ...{ ip: "10.0.0.9", zoneName: "a.example.com" },
    }),
  ClusterApi: () =>
    new components.ClusterApi("a", { ...place, tenantId: "t", resourceGroupId: "i", oidcIssuerUrl: "u" }),
  ClusterAutoscaler: () =>
    new components.ClusterAutoscaler("a", {
      ...{ clusterName: "c", kubernetesVersion: "v1.35.6" },
      ...{ version: "v1.35.0", image: "r.example/a:1" },
    }),
  ClusterResourceSet: () =>
    new components.ClusterResourceSet("a", {
      name: "a",
      namespace: "c",
      clusterSelector: { cni: "a" },
      entries: [],
    }),
  ExistingNetwork: () =>
    new components.ExistingNetwork("a", {
      existing: { controlPlaneSubnetId: "c", nodeSubnetId: "n", nodeSecurityGroup: "g", egressCidrs: [] },
      ...{ resourceGroup: "g", location: "l", subnetCidrs: [] },
    }),
  LinuxControlPlane: () => new components.LinuxControlPlane("a", { ...nodes, identityId: "i" }),
  LinuxPool: () => new components.LinuxPool("a", { ...nodes, poolName: "p" }),
  ManagementCluster: () => new components.ManagementCluster("a", { aks: place }),
  RunningPools: () => new components.RunningPools("a", { namespace: "c", pools: [] }),
  UpgradeOrder: () =>
    new components.UpgradeOrder("a", { clusterName: "c", namespace: "c", controlPlaneId: "i" }),
  VirtualNetwork: () => new components.VirtualNetwork("a", { clusterName: "c", location: "l" }),
  AzureBastion: () =>
    new components.AzureBastion("a", {
      ...{ clusterName: "c", resourceGroupName: "g", location: "westeurope", vnetId: "v" },
    }),
  VnetPeerings: () =>
    new components.VnetPeerings("a", {
      ...{ clusterName: "c", subscriptionId: "s", tenantId: "t", resourceGroupName: "g", vnetId: "v" },
      peerings: {},
    }),
  WindowsPool: () => new components.WindowsPool("a", { ...nodes, poolName: "p" }),
  WindowsWorkload: () => new components.WindowsWorkload("a", { image: "r.example/a:1" }),
  WorkloadCluster: () =>
    new components.WorkloadCluster("a", { ...place, kubernetesVersion: "v1.35.6", identityName: "i" }),
};

const azure = [
  "ApiServerZone",
  "AzureBastion",
  "ExistingNetwork",
  "VirtualNetwork",
  "VnetPeerings",
  "ManagementCluster",
];

/** What a component says that is created in its own program. */
async function saidBy(create: () => pulumi.Resource): Promise<unknown> {
  const { outputs } = await plan({
    ...{ projectDir, project: "theirs", stack: "test", mode: "preview", simulate: clouds },
    program: () => {
      try {
        create();
        return { said: "nothing" };
      } catch (error) {
        return { said: (error as Error).message };
      }
    },
  });
  return redact(outputs.said!);
}

it("all public components are here, but SampleWorkload, which makes its own provider of a kubeconfig", () => {
  const found = Object.entries(components)
    .filter(([, value]) => typeof value === "function" && value.prototype instanceof pulumi.ComponentResource)
    .map(([name]) => name);
  expect(found.sort()).toEqual([...Object.keys(withoutProviders), "SampleWorkload"].sort());
});

it.each(Object.entries(withoutProviders))("%s asks for its provider", async (name, create) => {
  const wanted = azure.includes(name) ? "azure-native" : "kubernetes";
  expect(await saidBy(create)).toBe(`give it a provider of ${wanted} in opts.providers`);
});

it.each(["RunningPools", "UpgradeOrder"] as const)(
  "%s asks for the Cluster with which it is deleted",
  async (name) => {
    const said = await saidBy(() => {
      const provider = new Kubernetes("p", {});
      return name === "RunningPools"
        ? new components.RunningPools("a", { namespace: "c", pools: [] }, { provider })
        : new components.UpgradeOrder(
            "a",
            { clusterName: "c", namespace: "c", controlPlaneId: "i" },
            { provider },
          );
    });
    expect(said).toBe("name the Cluster in opts.deletedWith: `cluster` of a WorkloadCluster");
  },
);
