import { privilegedPods } from "../../platform/cluster/handedOver";

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

it("an account of the cluster itself that the manifests do not have", () => {
  const spec = { serviceAccountName: "clusterrole-aggregation-controller" };
  expect(messages(pod(spec, "kube-system"))).toEqual([
    "Pod kube-system/a has the service account clusterrole-aggregation-controller, which your manifests do not have",
  ]);
  const account = {
    kind: "ServiceAccount",
    metadata: { name: spec.serviceAccountName, namespace: "kube-system" },
  };
  expect(messages(account, pod(spec, "kube-system"))).toEqual([]);
  expect(messages(pod(spec), pod({}, "kube-system"))).toEqual([]);
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
