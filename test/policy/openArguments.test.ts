import { openedBy } from "capz-windows-platform/cluster/openArguments";
import type { Program } from "capz-windows-platform/cluster/programSettings";
import { weakerNamespaces } from "capz-windows-platform/cluster/handedOver";
import { findingsOf } from "../../config/policy/findings";
import { loadSettings } from "../../config/load";
import { locked, right } from "./right";

/** What lets in strangers beside the roles: arguments and labels, with the values that let in no one. */

const pki = "/etc/kubernetes/pki";
const admins = "another authority makes certificates that log in";
const etcd = "whoever reaches etcd reads and writes every object";
const anonymous = "requests without a login are let in as system:anonymous";

it.each<[Program, name: string, opens: string, what: string, harmless: string]>([
  ["kube-apiserver", "anonymous-auth", "true", anonymous, "false"],
  ["kube-apiserver", "anonymous_auth", "T", anonymous, "f"],
  [
    "kube-apiserver",
    "authorization-mode",
    "Node,AlwaysAllow",
    "whoever logs in may do everything",
    "Node,RBAC",
  ],
  ["kube-apiserver", "authorization-mode", "Node", "roles and their bindings do not count", "RBAC"],
  ["kube-apiserver", "client-ca-file", `${pki}/other.crt`, admins, `${pki}/ca.crt`],
  [
    ...(["kube-apiserver", "disable-admission-plugins", "PodSecurity, ServiceAccount"] as const),
    ...["PodSecurity, ServiceAccount no longer refuses anything", "DefaultStorageClass"],
  ] as [Program, string, string, string, string],
  [
    ...(["kube-apiserver", "enable-admission-plugins", "AlwaysPullImages"] as const),
    ...["without NodeRestriction, a node may change the others", "AlwaysPullImages,NodeRestriction"],
  ] as [Program, string, string, string, string],
  [
    ...(["kube-apiserver", "requestheader-allowed-names", ""] as const),
    ...["every certificate of its authority may act as anyone", "front-proxy-client"],
  ] as [Program, string, string, string, string],
  [
    "kube-apiserver",
    "service-account-lookup",
    "false",
    "tokens of deleted service accounts stay valid",
    "true",
  ],
  ["kube-apiserver", "token-auth-file", "/x.csv", "tokens in a file log in, and never expire", ""],
  [
    ...(["kube-controller-manager", "use-service-account-credentials", "false"] as const),
    ...["each controller has the rights of all", "true"],
  ] as [Program, string, string, string, string],
  ["etcd", "client-cert-auth", "0", etcd, "1"],
  [
    "etcd",
    "listen-client-urls",
    "https://a:1,http://0.0.0.0:2379",
    etcd,
    "https://0.0.0.0:2379,http://127.0.0.1:1",
  ],
  ["kubelet", "client-ca-file", "C:\\a\\ca.crt", admins, "c:\\etc\\kubernetes/pki\\ca.crt"],
  ["kubelet", "client-ca-file", "\\\\etc\\kubernetes\\pki\\ca.crt", admins, "\\etc\\kubernetes\\pki\\ca.crt"],
  ["kube-apiserver", "client-ca-file", "\\etc\\kubernetes\\pki\\ca.crt", admins, ""],
  ["kubelet", "anonymous-auth", "1", anonymous, "0"],
  ["kubelet", "read-only-port", "10255", "whoever reaches the node reads what its pods are", "0"],
])("%s --%s %s", (program, name, opens, what, harmless) => {
  expect(openedBy(program, { name, value: opens })).toBe(what);
  expect(openedBy(program, { name, value: harmless })).toBeUndefined();
});

it("arguments in overrides are found, each at its place", () => {
  const extraArgs = [
    { name: "service-account-issuer", value: "https://kubernetes.default.svc.cluster.local" },
    { name: "authorization-mode", value: "AlwaysAllow" },
    { name: "constructor", value: "x" },
  ];
  const clusterConfiguration = { apiServer: { extraArgs: extraArgs.slice(0, 2) } };
  const overrides = { KubeadmControlPlane: { spec: { kubeadmConfigSpec: { clusterConfiguration } } } };
  const raw = { ...right, controlPlane: { replicas: 3, ...locked, overrides } };
  const found = findingsOf(loadSettings(raw, "test"), raw, "2026-11-25");
  expect(
    found.filter(({ id }) => id === "open-arguments").map(({ path, message }) => `${path}: ${message}`),
  ).toEqual([
    "controlPlane.overrides.KubeadmControlPlane.spec.kubeadmConfigSpec.clusterConfiguration.apiServer.extraArgs[1]: kube-apiserver --authorization-mode: whoever logs in may do everything",
  ]);
  expect(openedBy("kube-apiserver", extraArgs[2]!)).toBeUndefined();
});

it.each([
  ["privileged", "baseline", true],
  ["privileged", "restricted", true],
  ["baseline", "restricted", true],
  ["baseline", "baseline", false],
  ["restricted", "baseline", false],
  ["privileged", "privileged", false],
  ["unknown", "restricted", false],
] as const)("a namespace of the level %s, where the stack has %s", (level, enforced, isWeaker) => {
  const labels = { "pod-security.kubernetes.io/enforce": level };
  const object = { kind: "Namespace", metadata: { name: "tools", labels } };
  expect(weakerNamespaces([{ path: "x", object }], enforced)).toHaveLength(isWeaker ? 1 : 0);
});
