import { privilegedPods } from "capz-windows-platform/cluster/handedOver";

/** Pods of a manifest that are more than containers, and what makes them so beside their fields. */

const messages = (...objects: readonly unknown[]): string[] =>
  privilegedPods(objects.map((object) => ({ path: "x", object }))).map(({ message }) => message);

const pod = (spec: object, namespace = "web") => ({ kind: "Pod", metadata: { name: "a", namespace }, spec });

it.each([
  ["hostPath", "/"],
  ["local", "/etc/kubernetes"],
])("a volume with %s", (source, path) => {
  const volume = { kind: "PersistentVolume", metadata: { name: "pv" }, spec: { [source]: { path } } };
  expect(messages(volume)).toEqual([`PersistentVolume pv has folders of nodes: ${path}`]);
  expect(messages({ ...volume, spec: { csi: { driver: "disk.csi.azure.com" } } })).toEqual([]);
});

const accountOf = (name: string) => ({
  kind: "ServiceAccount",
  metadata: { name, namespace: "kube-system" },
});
const unknown = (title: string, name: string) =>
  `${title} has the service account ${name}, whose rights the plan does not know`;

it("an account in a namespace of the cluster itself that the manifests do not have", () => {
  const spec = { serviceAccountName: "metrics" };
  expect(messages(pod(spec, "kube-system"))).toEqual([unknown("Pod kube-system/a", "metrics")]);
  expect(messages(accountOf("metrics"), pod(spec, "kube-system"))).toEqual([]);
  expect(messages(pod(spec), pod({}, "kube-system"))).toEqual([]);
  expect(messages(pod({ serviceAccountName: "default" }, "kube-system"))).toEqual([]);
});

it.each(["clusterrole-aggregation-controller", "generic-garbage-collector", "node-controller"])(
  "the account %s of Kubernetes itself, which a manifest cannot make its own",
  (name) => {
    const found = messages(accountOf(name), pod({ serviceAccountName: name }, "kube-system"));
    expect(found).toEqual([unknown("Pod kube-system/a", name)]);
  },
);

it("a Secret that gets a token of such an account", () => {
  const name = "clusterrole-aggregation-controller";
  const token = {
    ...{ kind: "Secret", type: "kubernetes.io/service-account-token" },
    metadata: {
      ...{ name: "t", namespace: "kube-system" },
      annotations: { "kubernetes.io/service-account.name": name },
    },
  };
  expect(messages(token)).toEqual([unknown("Secret kube-system/t", name)]);
  expect(messages({ ...token, metadata: { ...token.metadata, namespace: "web" } })).toEqual([]);
});

it("profiles of the kernel that are switched off, for the pod or a container", () => {
  const unconfined = { type: "Unconfined" };
  const container = (securityContext: object) => ({ containers: [{ name: "c", securityContext }] });
  const open = (...names: readonly string[]) => [
    `Pod web/a has less between it and the kernel: ${names.join(", ")}`,
  ];
  expect(messages(pod({ securityContext: { seccompProfile: unconfined } }))).toEqual(open("seccompProfile"));
  expect(
    messages(
      pod(
        container({ appArmorProfile: unconfined, procMount: "Unmasked", seLinuxOptions: { type: "spc_t" } }),
      ),
    ),
  ).toEqual(open("appArmorProfile", "procMount", "seLinuxOptions"));
  const usual = {
    ...{ seccompProfile: { type: "RuntimeDefault" }, procMount: "Default" },
    seLinuxOptions: { level: "s0", type: "container_t" },
  };
  expect(messages(pod(container(usual)))).toEqual([]);
});

it("ports of the node, and settings of the kernel that the level baseline does not let in", () => {
  const ports = (...hostPorts: readonly number[]) => ({
    containers: [{ name: "c", ports: hostPorts.map((hostPort) => ({ containerPort: 80, hostPort })) }],
  });
  const sysctls = (...names: readonly string[]) => ({
    securityContext: { sysctls: names.map((name) => ({ name, value: "1" })) },
  });
  expect(messages(pod(ports(443, 80, 443)))).toEqual(["Pod web/a has ports of the node: 443, 80"]);
  expect(messages(pod({ ...ports(443), hostNetwork: true }))).toEqual(["Pod web/a has network of the node"]);
  expect(messages(pod(sysctls("net/core/somaxconn", "kernel.msgmax", "net.ipv4.tcp_syncookies")))).toEqual([
    "Pod web/a has settings of the kernel: net/core/somaxconn, kernel.msgmax",
  ]);
  expect(messages(pod({ ...ports(0), ...sysctls("net/ipv4/tcp_rmem") }))).toEqual([]);
});
