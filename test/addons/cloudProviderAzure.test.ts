import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { KubernetesObject } from "capz-types";
import { cloudProviderAzureImages, cloudProviderAzureObjects } from "../../addons/cloudProviderAzure";
import { containerOf, find, workload, workloadsOf } from "./fixtures";

const args = { clusterName: "demo", kubernetesVersion: "v1.35.6", podCidr: "192.168.0.0/16" };
const cloudProvider = cloudProviderAzureObjects(args);

describe("the images of the cloud provider", () => {
  it.each([
    ["v1.26.15", "kubernetes/azure-cloud-node-manager:v1.26.22"],
    ["v1.29.15", "kubernetes/azure-cloud-node-manager:v1.29.15"],
    ["v1.30.14", "kubernetes/azure-cloud-node-manager:v1.30.15"],
    ["v1.31.9", "kubernetes/azure-cloud-node-manager:v1.31.12"],
    ["v1.32.0", "v2/kubernetes/azure-cloud-node-manager:v1.32.17"],
    ["v1.33.1", "v2/kubernetes/azure-cloud-node-manager:v1.33.12"],
    ["v1.34.1", "v2/kubernetes/azure-cloud-node-manager:v1.34.9"],
    ["v1.35.6", "v2/kubernetes/azure-cloud-node-manager:v1.35.4"],
    ["1.36.3", "v2/kubernetes/azure-cloud-node-manager:v1.36.0"],
  ])("for %s are mcr.microsoft.com/oss/%s", (version, image) => {
    const images = cloudProviderAzureImages(version);
    expect(images.cloudNodeManager).toBe(`mcr.microsoft.com/oss/${image}`);
    expect(images.cloudControllerManager).toBe(images.cloudNodeManager.replace("node", "controller"));
  });

  it.each([25, 37])("are refused for 1.%i, with what to write", (minor) => {
    expect(() => cloudProviderAzureImages(`v1.${minor}.0`)).toThrow(
      `No cloud-provider-azure image is known for Kubernetes 1.${minor} (known: 1.26 to 1.36). Set imageTag ` +
        `(in a stack, addons.cloudProviderAzureTag) to a tag such as v1.${minor}.0.`,
    );
    const [, tag] = cloudProviderAzureImages(`v1.${minor}.0`, `v1.${minor}.4`).cloudNodeManager.split(":");
    expect(tag).toBe(`v1.${minor}.4`);
  });

  it("carry the tag that is given", () => {
    const objects = cloudProviderAzureObjects({ ...args, imageTag: "v1.35.8" });
    const tags = workloadsOf(objects).map((one) => containerOf(one).image.split(":")[1]);
    expect(tags).toEqual(["v1.35.8", "v1.35.8", "v1.35.8"]);
  });
});

describe("the cloud controller manager", () => {
  const deployment = workload(cloudProvider, "Deployment", "cloud-controller-manager");
  const pod = deployment.spec.template.spec;

  it("assigns no pod networks and creates no Azure routes", () => {
    expect(containerOf(deployment).args).toEqual(
      expect.arrayContaining([
        "--allocate-node-cidrs=false",
        "--configure-cloud-routes=false",
        "--cluster-cidr=192.168.0.0/16",
        "--cluster-name=demo",
        "--cloud-config=/etc/kubernetes/azure.json",
        "--controllers=*,-cloud-node",
      ]),
    );
  });

  it.each([
    [undefined, 2],
    [1, 1],
    [3, 3],
  ])("has, asked for %p, %i replicas", (replicas, expected) => {
    const objects = cloudProviderAzureObjects({ ...args, replicas });
    expect(workload(objects, "Deployment", "cloud-controller-manager").spec.replicas).toBe(expected);
  });

  it("runs on control plane nodes, after the node manager has initialized them", () => {
    expect(pod.nodeSelector).toEqual({ "node-role.kubernetes.io/control-plane": "" });
    expect(pod.tolerations.map(({ key }) => key)).toEqual([
      "node-role.kubernetes.io/control-plane",
      "node-role.kubernetes.io/etcd",
    ]);
  });

  it("releases its port before the next pod needs it", () => {
    expect(deployment.spec.strategy).toEqual({
      type: "RollingUpdate",
      rollingUpdate: { maxSurge: 0, maxUnavailable: 1 },
    });
  });
});

interface Binding extends KubernetesObject {
  readonly roleRef: { readonly kind: string; readonly name: string };
  readonly subjects: readonly { readonly kind: string; readonly name: string }[];
}

describe("access of the cloud provider", () => {
  it("has bindings that name existing roles and service accounts only", () => {
    const bindings = cloudProvider.filter(({ kind }) => kind.endsWith("RoleBinding")) as Binding[];
    expect(bindings).toHaveLength(3);
    for (const { kind, roleRef, subjects } of bindings) {
      if (kind === "ClusterRoleBinding") find(cloudProvider, roleRef.kind, roleRef.name);
      else expect(roleRef.name).toBe("extension-apiserver-authentication-reader");
      for (const subject of subjects) find(cloudProvider, subject.kind, subject.name);
    }
  });

  it("lets the node manager change nodes and nothing else", () => {
    expect(find(cloudProvider, "ClusterRole", "cloud-node-manager").rules).toMatchObject([
      { apiGroups: [""], resources: ["nodes"] },
      { apiGroups: [""], resources: ["nodes/status"] },
    ]);
  });
});

describe("the node manager on Windows", () => {
  const daemonSet = workload(cloudProvider, "DaemonSet", "cloud-node-manager-windows");
  const { volumeMounts = [], args, command } = containerOf(daemonSet);
  const scripts = find(cloudProvider, "ConfigMap", "cloud-node-manager-windows").data as Record<
    string,
    string
  >;
  const script = scripts["cloud-node-manager.ps1"] ?? "";

  it("starts the delivered script, below the mount point of HostProcess containers", () => {
    expect(command).toEqual(["powershell.exe"]);
    expect(args).toEqual(["$env:CONTAINER_SANDBOX_MOUNT_POINT/scripts/cloud-node-manager.ps1"]);
    const file = join(__dirname, "../../bootstrap/scripts/cloud-node-manager.ps1");
    expect(script).toBe(readFileSync(file, "utf8").replaceAll("\r\n", "\n"));
  });

  it("finds in the script only folders that the pod mounts", () => {
    const paths = [...script.matchAll(/\$root(\/[^"]+)\/[^"/]+"/g)].map(([, path]) => path);
    expect(paths).toEqual(["/var/lib/kube-proxy", "/var/lib/cloud-node-manager"]);
    expect(volumeMounts.map(({ mountPath }) => mountPath)).toEqual(expect.arrayContaining(paths));
  });

  it("restarts when the script changes", () => {
    expect(daemonSet.spec.template.metadata.annotations?.["capz-windows/script"]).toMatch(/^[0-9a-f]{8}$/);
  });
});
