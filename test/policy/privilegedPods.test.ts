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

/** Kinds of others that make pods, each with a place where it has one. */
const makers: readonly (readonly [kind: string, of: (pod: object) => object])[] = [
  ["JobSet", (pod) => ({ spec: { replicatedJobs: [{ template: { spec: { template: { spec: pod } } } }] } })],
  ["Rollout", (pod) => ({ spec: { template: { spec: pod } } })],
  ["Workflow", (pod) => ({ spec: { templates: [{ name: "a" }, pod] } })],
  ["Workflow", (pod) => ({ spec: { podSpecPatch: JSON.stringify(pod) } })],
  ["CronWorkflow", (pod) => ({ spec: { workflowSpec: pod } })],
  ["Job", (pod) => ({ spec: { tasks: [{ template: { spec: pod } }] } })],
  ["PodTemplate", (pod) => ({ template: { spec: pod } })],
  ["CloneSet", (pod) => ({ spec: { template: { spec: pod } } })],
  ["PipelineRun", (pod) => ({ spec: { taskRunTemplate: { podTemplate: pod } } })],
  ["RayCluster", (pod) => ({ spec: { workerGroupSpecs: [{ template: { spec: pod } }] } })],
  ["Elasticsearch", (pod) => ({ spec: { nodeSets: [{ podTemplate: { spec: pod } }] } })],
  ["ClusterPolicy", (pod) => ({ spec: { rules: [{ mutate: { patchStrategicMerge: { spec: pod } } }] } })],
  ["HelmRelease", (pod) => ({ spec: { values: { agent: pod } } })],
  ["Own", (pod) => ({ anywhere: [[{ deep: pod }]] })],
];

const privileges: readonly (readonly [pod: object, what: string])[] = [
  [{ hostPID: true }, "processes of the node"],
  [{ hostIPC: true }, "memory that processes of the node share"],
  [{ hostNetwork: true }, "network of the node"],
  [{ container: { securityContext: { privileged: true } } }, "privileged: everything on the node"],
  [
    { podSecurityContext: { windowsOptions: { hostProcess: true } } },
    "HostProcess: a process of Windows itself",
  ],
  [{ volumes: [{ name: "a", hostPath: { path: "/etc" } }] }, "folders of the node: /etc"],
  [{ volumes: [{ flexVolume: { driver: "a/b" } }] }, "programs of the node that mount: a/b"],
  [{ sidecars: [{ securityContext: { capabilities: { add: ["SYS_ADMIN"] } } }] }, "capabilities: SYS_ADMIN"],
  [{ steps: [{ ports: [{ hostPort: 22 }] }] }, "ports of the node: 22"],
];

it.each(makers)("a pod in an object of the kind %s, whatever it may do", (kind, of) => {
  for (const [spec, what] of privileges) {
    const object = {
      apiVersion: "x.example/v1",
      kind,
      metadata: { name: "a", namespace: "web" },
      ...of(spec),
    };
    expect(messages(object)).toEqual([`${kind} web/a has ${what}`]);
  }
});

it("no object that only says what pods may have, or that has fields of such names with other values", () => {
  const objects = [
    { kind: "CustomResourceDefinition", spec: { default: { hostNetwork: true } } },
    { kind: "PodSecurityPolicy", spec: { hostNetwork: true } },
    {
      apiVersion: "constraints.gatekeeper.sh/v1beta1",
      kind: "Own",
      spec: { parameters: { hostNetwork: true } },
    },
    { kind: "ClusterPolicy", spec: { pattern: { spec: { "=(hostPID)": "false", hostNetwork: "false" } } } },
    { kind: "Installation", spec: { hostNetwork: { type: "boolean" }, flexVolumePath: "None" } },
    { kind: "Workflow", spec: { podSpecPatch: ": [" } },
  ];
  expect(messages(...objects)).toEqual([]);
});

it("a patch of a pod is read as Go reads it", () => {
  const object = { kind: "Workflow", metadata: { name: "a" }, spec: { podSpecPatch: "hostPID: yes" } };
  expect(messages(object)).toEqual(["Workflow default/a has processes of the node"]);
});

it("an account of Kubernetes itself, in an object of any kind", () => {
  const object = {
    ...{ kind: "Rollout", metadata: { name: "a", namespace: "kube-system" } },
    spec: { template: { spec: { serviceAccountName: "job-controller" } } },
  };
  expect(messages(object)).toEqual([unknown("Rollout kube-system/a", "job-controller")]);
});
