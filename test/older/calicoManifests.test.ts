import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { calicoLinuxManifest, calicoManifestResources } from "../../older/addons/calicoManifests";
import { splitDocuments } from "capz-windows-platform/manifests/yamlStream";
import { packResources } from "../../components/clusterResourceSet/manifests";
import { cacheFileName, manifestPlaceholder, verifyManifest } from "../../addons/pinnedManifest";
import { manifestCacheVariable } from "capz-windows-kit/offline";
import { find, objectsOf, titles, workload } from "../addons/fixtures";

/** The parts of the published manifest that are changed, in its layout. */
const published = `---
# Source: calico-config.yaml
kind: ConfigMap
apiVersion: v1
metadata:
  name: calico-config
  namespace: kube-system
data:
  calico_backend: "vxlan"
  # Auto-detected when 0.
  veth_mtu: "0"
---
apiVersion: v1
kind: ServiceAccount
metadata:
  name: calico-node
  namespace: kube-system
---
kind: DaemonSet
apiVersion: apps/v1
metadata:
  name: calico-node
  namespace: kube-system
spec:
  template:
    spec:
      containers:
        - name: calico-node
          env:
            - name: CALICO_IPV4POOL_VXLAN
              value: "CrossSubnet"
            - name: FELIX_HEALTHENABLED
              value: "true"
`;

const args = {
  linuxManifest: published,
  podCidr: "10.244.0.0/16",
  serviceCidr: "10.100.0.0/20",
  podMtu: 1330,
};
const objects = objectsOf(calicoManifestResources(args));
const envOf = (all = objects) =>
  (
    workload(all, "DaemonSet", "calico-node").spec.template.spec.containers[0]!.env as {
      name: string;
      value?: string;
    }[]
  ).filter(({ value }) => value !== undefined);

describe("Calico by manifests", () => {
  it("begins with an IPAMConfig with strict affinity, because Calico itself would create one without", () => {
    expect(objects[0]).toMatchObject({
      kind: "IPAMConfig",
      metadata: { name: "default" },
      spec: { strictAffinity: true },
    });
  });

  it("gets the MTU, the pod network and VXLAN between all nodes, and is otherwise unchanged", () => {
    expect(find(objects, "ConfigMap", "calico-config").data).toEqual({
      calico_backend: "vxlan",
      veth_mtu: "1330",
    });
    expect(envOf()).toEqual([
      { name: "CALICO_IPV4POOL_VXLAN", value: "Always" },
      { name: "FELIX_HEALTHENABLED", value: "true" },
      { name: "CALICO_IPV4POOL_CIDR", value: "10.244.0.0/16" },
      { name: "FELIX_FEATUREDETECTOVERRIDE", value: "ChecksumOffloadBroken=true" },
    ]);
  });

  it("has the same settings for Windows, in HostProcess containers with the same service account", () => {
    const config = find(objects, "ConfigMap", "calico-config-windows").data as Record<string, string>;
    expect(JSON.parse(config.cni_network_config!)).toMatchObject({
      name: "Calico",
      plugins: [
        {
          type: "calico",
          mode: "vxlan",
          vxlan_vni: 4096,
          mtu: 1330,
          policies: [
            { Value: { Type: "OutBoundNAT", ExceptionList: ["10.100.0.0/20"] } },
            { Value: { Type: "SDNROUTE", DestinationPrefix: "10.100.0.0/20", NeedEncap: true } },
          ],
        },
      ],
    });
    const { spec } = workload(objects, "DaemonSet", "calico-node-windows");
    expect(spec.template.spec).toMatchObject({
      hostNetwork: true,
      serviceAccountName: "calico-node",
      nodeSelector: { "kubernetes.io/os": "windows" },
      securityContext: { windowsOptions: { hostProcess: true, runAsUserName: "NT AUTHORITY\\system" } },
    });
    expect(spec.template.spec.containers.map(({ image }) => image)).toEqual([
      "sigwindowstools/calico-node:v3.24.5-hostprocess",
      "sigwindowstools/calico-node:v3.24.5-hostprocess",
    ]);
  });

  it("restarts the Windows part when its configuration changes", () => {
    const hash = (podMtu: number) =>
      workload(objectsOf(calicoManifestResources({ ...args, podMtu })), "DaemonSet", "calico-node-windows")
        .spec.template.metadata.annotations!["capz-windows/config"];
    expect(hash(1330)).toBe(hash(1330));
    expect(hash(1330)).not.toBe(hash(1350));
  });

  it("is a placeholder in an offline plan, with the service account that the Windows part needs", () => {
    const stream = calicoManifestResources({
      ...args,
      linuxManifest: manifestPlaceholder(calicoLinuxManifest),
    });
    expect(stream).toContain(`# sha256: ${calicoLinuxManifest.sha256}\n`);
    expect(titles(objectsOf(stream))).toEqual([
      "IPAMConfig default",
      "ServiceAccount calico-node",
      "ConfigMap calico-config-windows",
      "DaemonSet calico-node-windows",
    ]);
  });

  it.each([
    ["its ConfigMap", "name: calico-config\n", "name: other\n", "ConfigMap calico-config"],
    ["an MTU", "veth_mtu", "other", "ConfigMap calico-config with veth_mtu"],
    ["its DaemonSet", "kind: DaemonSet", "kind: Deployment", "DaemonSet calico-node"],
    ["its container", "- name: calico-node", "- name: other", "a container calico-node"],
    ["variables", "env:", "other:", "variables of the container calico-node"],
  ])("refuses a manifest without %s", (_what, part, instead, missing) => {
    const linuxManifest = published.replace(part, instead);
    expect(() => calicoManifestResources({ ...args, linuxManifest })).toThrow(
      `The Calico manifest has no ${missing}; is it calico-vxlan.yaml of v3.24.5?`,
    );
  });
});

const cache = process.env[manifestCacheVariable];
const path = cache === undefined ? undefined : join(cache, cacheFileName(calicoLinuxManifest));

if (path === undefined || !existsSync(path)) {
  it.skip(`skipped: ${manifestCacheVariable} names no folder with ${cacheFileName(calicoLinuxManifest)}`, () =>
    undefined);
} else {
  it("the published manifest differs only in what is set in it, and fits into one ConfigMap", () => {
    const linuxManifest = verifyManifest(calicoLinuxManifest, readFileSync(path, "utf8"));
    const yaml = calicoManifestResources({ ...args, linuxManifest });
    const before = splitDocuments(linuxManifest);
    const kept = before.filter((text) => yaml.includes(text));
    expect(before.length - kept.length).toBe(2);
    expect(envOf(objectsOf(yaml))).toEqual(
      expect.arrayContaining([
        { name: "CALICO_IPV4POOL_CIDR", value: "10.244.0.0/16" },
        { name: "CALICO_IPV4POOL_VXLAN", value: "Always" },
        { name: "CALICO_IPV4POOL_IPIP", value: "Never" },
      ]),
    );
    const { configMaps } = packResources({
      name: "demo-calico",
      namespace: "demo",
      clusterSelector: { cni: "demo-calico" },
      entries: [{ key: "calico.yaml", yaml }],
    });
    expect(configMaps).toHaveLength(1);
  });
}
