import { otherRegistries } from "capz-windows-platform/cluster/kubeadmRegistries";
import { changedBy, kubeletArgumentsIn } from "capz-windows-platform/cluster/nodeFiles";
import { findingsOf } from "../../config/policy/findings";
import { loadSettings } from "../../config/load";
import { right } from "./right";

/** Files of pools that kubelet, the runtime, cloud-init or the login read, however their path is written. */

const kubelet = "it is configuration of kubelet, which decides who may run commands on the node";
const cloudbase = "cloudbase-init reads or runs it";

it.each([
  ["/etc/kubernetes/patches/kubeletconfiguration9+merge.yaml", kubelet],
  ["/etc//kubernetes/./patches/kubeletconfiguration.json", kubelet],
  ["C:\\k\\patches\\kubeletconfiguration1.yaml", kubelet],
  ["//?/c:/K/Patches/KubeletConfiguration1.yaml", kubelet],
  ["//localhost/C$/k/patches/kubeletconfiguration1.yaml", kubelet],
  ["/usr/lib/systemd/system/kubelet.service.d/20.conf", kubelet],
  ["/run/systemd/system/service.d/20.conf", kubelet],
  ["/etc/default/kubelet", kubelet],
  ["C:/k/StartKubelet.ps1", kubelet],
  ["/etc/kubernetes/patches/etcd.json", "kubeadm merges it into what it writes"],
  ["/etc/kubernetes/manifests/a.yaml", "kubelet runs it as a pod that no admission sees"],
  ["/etc/kubernetes/pki/ca.crt", "kubeadm or kubelet reads it, or a key and a login stand there"],
  ["/opt/cni/bin/bridge", "the container runtime runs what it says for each pod"],
  ["/usr/local/bin/kubectl", "it replaces a program of the node"],
  ["C:/k/kubelet.exe", "it replaces a program of the node"],
  ["/var/lib/cloud/scripts/per-boot/a.sh", "cloud-init reads or runs it"],
  ["C:/Program Files/Cloudbase Solutions/Cloudbase-Init/LocalScripts/a.ps1", cloudbase],
  ["C:/PROGRA~1/Cloudbase Solutions. /Cloudbase-Init/conf/cloudbase-init.conf", cloudbase],
  ["/var/lib/bob/.ssh/authorized_keys", "it decides who logs in to the node, and as whom"],
  ["C:/ProgramData/ssh/sshd_config", "it decides who logs in to the node, and as whom"],
])("%s: %s", (path, what) => {
  expect(changedBy(path)).toBe(what);
});

it.each(["C:/k/motd.txt", "/etc/motd", "/etc/sysctl.d/90-own.conf", "/opt/app/kubernetes/x", "D:/ssh/x"])(
  "%s is only the user's",
  (path) => {
    expect(changedBy(path)).toBeUndefined();
  },
);

const anonymous = { name: "anonymous-auth", value: "true" };

it.each([
  ["a patch", "authentication: {anonymous: {enabled: true}}"],
  ["a patch in JSON", '{"authentication":{"anonymous":{"enabled":true}}}'],
  ["a JSON patch", '[{"op":"add","path":"/authentication/anonymous/enabled","value":true}]'],
  [
    "a JSON patch of what is around",
    "[{op: add, path: /authentication, value: {anonymous: {enabled: true}}}]",
  ],
  ["the second document", "readOnlyPort: null\n---\nauthentication: {anonymous: {enabled: true}}"],
  ["options", 'KUBELET_EXTRA_ARGS="--anonymous-auth=true"\n # --port=2\n--port=$P --port "${P}"'],
])("what kubelet is told by %s", (_, content) => {
  expect(kubeletArgumentsIn("/etc/kubernetes/patches/kubeletconfiguration1.yaml", content)).toEqual([
    anonymous,
  ]);
  expect(kubeletArgumentsIn("/etc/motd", content)).toEqual([]);
});

it.each(["yes", "on", "y", "TRUE"])("%s is true, as Go reads it", (word) => {
  const content = `authentication: {anonymous: {enabled: ${word}}}`;
  expect(kubeletArgumentsIn("/etc/kubernetes/patches/kubeletconfiguration1.yaml", content)).toEqual([
    { name: "anonymous-auth", value: "true" },
  ]);
});

it("what cannot be read has no arguments, and its path is found all the same", () => {
  const content = "a: [b";
  const pool = {
    replicas: 3,
    files: [{ path: "/etc/kubernetes/patches/kubeletconfiguration1.yaml", content }],
  };
  const stack = { ...right, linuxPools: { linux1: pool } };
  expect(kubeletArgumentsIn("/etc/kubernetes/patches/kubeletconfiguration1.yaml", content)).toEqual([]);
  expect(findingsOf(loadSettings(stack, "test"), stack, "2026-11-25").map(({ id }) => id)).toContain(
    "node-control",
  );
});

it("an open argument in a file, and a static pod that is more than a container, are found", () => {
  const files = [
    {
      path: "/etc/kubernetes/patches/kubeletconfiguration1.yaml",
      content: "authorization: {mode: AlwaysAllow}",
    },
    {
      path: "/etc/kubernetes/manifests/a.yaml",
      content: "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {hostPID: true, containers: []}\n",
    },
  ];
  const stack = { ...right, linuxPools: { linux1: { replicas: 3, files } } };
  const found = findingsOf(loadSettings(stack, "test"), stack, "2026-11-25");
  const at = (path: string) =>
    found
      .filter((one) => one.path === path)
      .map(({ id }) => id)
      .sort();
  expect(at("linuxPools.linux1.files[0]")).toEqual(["node-control", "open-arguments"]);
  expect(at("linuxPools.linux1.files[1]")).toEqual(["node-control", "privileged-pods"]);
});

it("Kubernetes' own registry is no other one, and a name that begins like it is", () => {
  const registries = (imageRepository: string) =>
    otherRegistries({ clusterConfiguration: { imageRepository } }).map(({ registry }) => registry);
  expect(registries("registry.k8s.io")).toEqual([]);
  expect(registries("registry.k8s.io/coredns")).toEqual([]);
  expect(registries("registry.k8s.io.example.com")).toEqual(["registry.k8s.io.example.com"]);
});
