import * as network from "@pulumi/azure-native/network";
import { Provider as Azure } from "@pulumi/azure-native/provider";
import { Provider as Kubernetes } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import { ClusterApi, ManagementCluster, WindowsWorkload, WorkloadCluster } from "../../../components";
import { redact, plan, type Recording } from "pulumi-plan-engine";
import { clouds } from "../../../plan/simulation";
import { projectDir } from "../../support/stacks";

/** Inputs that are unknown in a first preview: what does not depend on them is in the preview nevertheless. */

const place = { clusterName: "c", subscriptionId: "s", resourceGroup: "g", location: "l" };

function program(): void {
  const azure = new Azure("azure");
  const kubernetes = new Kubernetes("kubernetes", { kubeconfig: "{}" });
  const ip = new network.PublicIPAddress("ip", { resourceGroupName: "g" }, { provider: azure });
  const unknown = ip.ipAddress.apply((address) => address ?? "");
  const provider = kubernetes;
  new WorkloadCluster(
    "ranges",
    { ...place, kubernetesVersion: "v1.35.6", identityName: "i", podCidr: unknown, wait: false },
    { provider },
  );
  new WorkloadCluster(
    "identity",
    {
      ...{ ...place, clusterName: "d", kubernetesVersion: "v1.35.6", identityName: unknown, wait: false },
      overrides: { Cluster: JSON.stringify({ metadata: { labels: { team: "a" } } }) },
    },
    { provider },
  );
  const env = { REGION: "l", DATABASE: unknown };
  for (const kind of ["Deployment", "DaemonSet", "StatefulSet"] as const) {
    new WindowsWorkload(kind.toLowerCase(), { kind, image: "r.example/a:1-ltsc2022", env }, { provider });
  }
  new ClusterApi(
    "capi",
    {
      ...{ ...place, tenantId: "t", resourceGroupId: "i", install: false },
      identity: { clientId: unknown, principalId: unknown },
    },
    { providers: [azure, kubernetes] },
  );
  new ManagementCluster(
    "management",
    {
      aks: {
        ...{ ...place, authorizedCidrs: [pulumi.interpolate`${unknown}/32`, "198.51.100.0/24"] },
        entra: { adminGroupObjectIds: [unknown] },
      },
    },
    { provider: azure },
  );
}

describe("a first preview with unknown inputs", () => {
  const recordings = new Map<string, Recording>();
  beforeAll(async () => {
    for (const mode of ["preview", "update"] as const) {
      const of = { projectDir, project: "theirs", stack: "test", simulate: clouds };
      recordings.set(mode, await plan({ ...of, mode, program }));
    }
  });

  const inputs = (mode: string, name: string) => {
    const { resources = [], diagnostics } = recordings.get(mode) ?? {};
    const found = resources.find((resource) => resource.name === name);
    if (found === undefined) {
      throw new Error(`no ${name}: ${JSON.stringify(diagnostics)}`);
    }
    return redact(found.inputs) as Record<string, unknown>;
  };

  it("has the metadata of Cluster and AzureCluster, with overrides, and the spec that is known", () => {
    expect(inputs("preview", "ranges-cluster")).toMatchObject({
      metadata: { name: "c", namespace: "c" },
      spec: "[unknown]",
    });
    expect(inputs("preview", "ranges-azure")).toMatchObject({
      metadata: { name: "c" },
      spec: { subscriptionID: "s" },
    });
    expect(inputs("preview", "identity-azure")).toMatchObject({
      metadata: { name: "d", namespace: "d" },
      spec: "[unknown]",
    });
    expect(inputs("preview", "identity-cluster")).toMatchObject({
      metadata: { name: "d", labels: { team: "a" } },
      spec: { clusterNetwork: { pods: { cidrBlocks: ["192.168.0.0/16"] } } },
    });
  });

  it.each(["Deployment", "DaemonSet", "StatefulSet"])(
    "has everything of a %s but its environment",
    (kind) => {
      const name = kind.toLowerCase();
      const of = (mode: string) =>
        inputs(mode, `${name}-${name}`) as {
          metadata: unknown;
          spec: { template: { spec: { containers: [{ image: string; env: unknown }] } } };
        };
      const [container] = of("preview").spec.template.spec.containers;
      expect(of("preview").metadata).toMatchObject({ name });
      expect(container).toMatchObject({ image: "r.example/a:1-ltsc2022", env: "[unknown]" });
      expect(of("update").spec.template.spec.containers[0].env).toEqual([
        { name: "REGION", value: "l" },
        { name: "DATABASE", value: expect.stringMatching(/^[\d.]+$/) as unknown },
      ]);
    },
  );

  it("has the rest of an AKS cluster and of an identity that exist elsewhere", () => {
    expect(inputs("update", "management-aks-cluster")).toMatchObject({
      apiServerAccessProfile: {
        authorizedIPRanges: [
          expect.stringMatching(/\/32$/),
          "198.51.100.0/24",
          expect.stringMatching(/\/32$/),
        ],
      },
      aadProfile: { adminGroupObjectIDs: [expect.stringMatching(/^[\d.]+$/)] },
    });
    expect(inputs("preview", "management-aks-cluster")).toMatchObject({
      aadProfile: { managed: true, adminGroupObjectIDs: ["[unknown]"] },
    });
    expect(inputs("update", "capi-cluster-identity")).toMatchObject({
      spec: { clientID: expect.stringMatching(/^[\d.]+$/) as unknown, tenantID: "t" },
    });
  });
});
