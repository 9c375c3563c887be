import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { KubernetesObject } from "../../../components/capi/types";
import {
  cloudProviderAzureImages,
  cloudProviderAzureObjects,
} from "../../../components/clusterResourceSet/addons/cloudProviderAzure";
import {
  kubeProxyWindowsImage,
  kubeProxyWindowsObjects,
} from "../../../components/clusterResourceSet/addons/kubeProxyWindows";
import { toYamlStream } from "../../../components/clusterResourceSet/manifests";
import { containerOf, find, objectsOf, titles, workload, workloadsOf } from "./fixtures";

const kubernetesVersion = "v1.35.6";
const cloudProvider = cloudProviderAzureObjects({
  clusterName: "demo",
  kubernetesVersion,
  podCidr: "192.168.0.0/16",
});
const kubeProxy = kubeProxyWindowsObjects({ kubernetesVersion });
const all = [...cloudProvider, ...kubeProxy];
const workloads = workloadsOf(all);
const windows = workloads.filter(
  (one) => one.spec.template.spec.nodeSelector["kubernetes.io/os"] === "windows",
);

describe("the workloads of the node add-ons", () => {
  it("are these", () => {
    expect(titles(workloads)).toEqual([
      "Deployment cloud-controller-manager",
      "DaemonSet cloud-node-manager",
      "DaemonSet cloud-node-manager-windows",
      "DaemonSet kube-proxy-windows",
    ]);
    expect(titles(windows)).toEqual(["DaemonSet cloud-node-manager-windows", "DaemonSet kube-proxy-windows"]);
  });

  it.each(workloads)("select their own pods: $metadata.name", ({ spec }) => {
    expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
    for (const constraint of spec.template.spec.topologySpreadConstraints ?? []) {
      expect(spec.template.metadata.labels).toMatchObject(constraint.labelSelector.matchLabels);
    }
  });

  it("have selectors of which none selects the pods of another", () => {
    for (const a of workloads) {
      for (const b of workloads) {
        if (a !== b) expect(b.spec.template.metadata.labels).not.toMatchObject(a.spec.selector.matchLabels);
      }
    }
  });

  it.each(workloads)("run under an account that exists: $metadata.name", ({ metadata, spec }) => {
    const accounts = all.filter(({ kind }) => kind === "ServiceAccount").map((one) => one.metadata);
    const kubeadms = { name: "kube-proxy", namespace: "kube-system" };
    expect([...accounts, kubeadms]).toContainEqual({
      name: spec.template.spec.serviceAccountName,
      namespace: metadata.namespace,
    });
  });

  it.each(workloads)("need no pod network and survive pressure: $metadata.name", ({ spec }) => {
    expect(spec.template.spec).toMatchObject({
      hostNetwork: true,
      priorityClassName: "system-node-critical",
    });
  });

  it.each(workloads)("mount what they have, and the ConfigMaps are there: $metadata.name", ({ spec }) => {
    const { containers, volumes = [] } = spec.template.spec;
    const mounted = containers.flatMap(({ volumeMounts = [] }) => volumeMounts.map(({ name }) => name));
    expect(mounted.sort()).toEqual(volumes.map(({ name }) => name).sort());
    const known = [
      "kube-proxy",
      ...all.filter(({ kind }) => kind === "ConfigMap").map((one) => one.metadata.name),
    ];
    for (const volume of volumes) if (volume.configMap) expect(known).toContain(volume.configMap.name);
  });

  it.each(windows)(
    "on Windows are HostProcess pods, replaced without a second one beside: $metadata.name",
    (one) => {
      expect(one.spec.template.spec.securityContext).toEqual({
        windowsOptions: { hostProcess: true, runAsUserName: "NT AUTHORITY\\system" },
      });
      expect(one.spec.updateStrategy).toEqual({
        type: "RollingUpdate",
        rollingUpdate: { maxSurge: 0, maxUnavailable: "10%" },
      });
    },
  );

  it.each(workloads.slice(1))("run on a node with any taint: $metadata.name", ({ spec }) => {
    expect(spec.template.spec.tolerations).toEqual([{ operator: "Exists" }]);
  });

  it("leave nothing to be substituted, and come through YAML unchanged", () => {
    const stream = toYamlStream(all);
    expect(stream).not.toContain("${");
    expect(objectsOf(stream)).toEqual(JSON.parse(JSON.stringify(all)));
  });

  it("are the same on every run", () => {
    const again = cloudProviderAzureObjects({
      clusterName: "demo",
      kubernetesVersion,
      podCidr: "192.168.0.0/16",
    });
    expect(toYamlStream(again)).toBe(toYamlStream(cloudProvider));
  });
});

describe("kube-proxy for Windows", () => {
  it.each([
    ["v1.35.6", "sigwindowstools/kube-proxy:v1.35.6-calico-hostprocess"],
    ["v1.36.0-rc.0+abc.1", "sigwindowstools/kube-proxy:v1.36.0-rc.0_abc.1-calico-hostprocess"],
  ])("for %s is %s", (version, image) => {
    expect(kubeProxyWindowsImage(version)).toBe(image);
  });

  it("takes another image when one is named", () => {
    const objects = kubeProxyWindowsObjects({
      kubernetesVersion,
      image: "registry.example.com/kube-proxy:1",
    });
    expect(containerOf(workload(objects, "DaemonSet", "kube-proxy-windows")).image).toBe(
      "registry.example.com/kube-proxy:1",
    );
  });

  it("tells the image's script the node under both names that are in use", () => {
    const nodeName = { fieldRef: { fieldPath: "spec.nodeName" } };
    const { env } = containerOf(workload(kubeProxy, "DaemonSet", "kube-proxy-windows"));
    expect(env).toContainEqual({ name: "NODE_NAME", valueFrom: nodeName });
    expect(env).toContainEqual({ name: "NODENAME", valueFrom: nodeName });
  });
});

describe("the images of the cloud provider", () => {
  it.each([
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

  it.each([30, 37])("are refused for 1.%i, with what to write", (minor) => {
    expect(() => cloudProviderAzureImages(`v1.${minor}.0`)).toThrow(
      `No cloud-provider-azure image is known for Kubernetes 1.${minor} (known: 1.31 to 1.36). Write its tag: ` +
        `imageTag, in a stack addons.cloudProviderAzureTag, such as v1.${minor}.0.`,
    );
    const [, tag] = cloudProviderAzureImages(`v1.${minor}.0`, `v1.${minor}.4`).cloudNodeManager.split(":");
    expect(tag).toBe(`v1.${minor}.4`);
  });

  it("carry the tag that is given", () => {
    const objects = cloudProviderAzureObjects({
      clusterName: "demo",
      kubernetesVersion,
      podCidr: "192.168.0.0/16",
      imageTag: "v1.35.8",
    });
    const tags = workloadsOf(objects).map((one) => containerOf(one).image.split(":")[1]);
    expect(tags).toEqual(["v1.35.8", "v1.35.8", "v1.35.8"]);
  });
});

describe("the cloud controller manager", () => {
  const deployment = workload(cloudProvider, "Deployment", "cloud-controller-manager");
  const pod = deployment.spec.template.spec;

  it("hands out no pod networks and makes no Azure routes", () => {
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
    const objects = cloudProviderAzureObjects({
      clusterName: "demo",
      kubernetesVersion,
      podCidr: "10.0.0.0/8",
      replicas,
    });
    expect(workload(objects, "Deployment", "cloud-controller-manager").spec.replicas).toBe(expected);
  });

  it("runs on control plane nodes, after the node manager has initialised them", () => {
    expect(pod.nodeSelector).toEqual({ "node-role.kubernetes.io/control-plane": "" });
    expect(pod.tolerations.map(({ key }) => key)).toEqual([
      "node-role.kubernetes.io/control-plane",
      "node-role.kubernetes.io/etcd",
    ]);
  });

  it("gives its port free before the next pod takes it", () => {
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
  it("is bound: every binding names a role and an account that exist", () => {
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
    const file = join(__dirname, "../../../components/clusterResourceSet/addons/cloud-node-manager.ps1");
    expect(script).toBe(readFileSync(file, "utf8").replaceAll("\r\n", "\n"));
  });

  it("finds in the script only folders that the pod mounts", () => {
    const paths = [...script.matchAll(/\$root(\/[^"]+)\/[^"/]+"/g)].map(([, path]) => path);
    expect(paths).toEqual(["/var/lib/kube-proxy", "/var/lib/cloud-node-manager"]);
    expect(volumeMounts.map(({ mountPath }) => mountPath)).toEqual(expect.arrayContaining(paths));
  });

  it("passes the node's name and takes facts from the metadata service", () => {
    expect(script).toContain('"--node-name=$env:NODE_NAME"');
    expect(script).toContain('"--use-instance-metadata=true"');
    expect(script).toContain('"--kubeconfig=$target"');
    expect(script).toContain('& "$root/cloud-node-manager.exe"');
  });

  it("is plain ASCII, which Windows PowerShell reads right without a byte order mark", () => {
    expect(script).toMatch(/^[\n\x20-\x7e]+$/);
  });

  it("restarts when the script changes", () => {
    expect(daemonSet.spec.template.metadata.annotations?.["capz-windows/script"]).toMatch(/^[0-9a-f]{8}$/);
  });
});
