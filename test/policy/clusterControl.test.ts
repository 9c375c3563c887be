import { admissionControl, clusterControl } from "capz-windows-platform/cluster/clusterControl";

/** What a manifest changes of the cluster itself. */

/** What both policies find: an object is never one of both. */
const found = (objects: readonly unknown[], withCalico = true): string[] =>
  [clusterControl, admissionControl]
    .flatMap((find) =>
      find(
        objects.map((object) => ({ path: "x", object })),
        withCalico,
      ),
    )
    .map(({ path, message }) => `${path}: ${message}`);

const inNamespace = (kind: string, namespace: string, name: string, apiVersion = "v1") => ({
  ...{ apiVersion, kind },
  metadata: { namespace, name },
});
const read =
  "programs of the cluster read what is in this namespace, and Services there choose pods by labels";
const replaces = "replaces what kubeadm or Kubernetes makes, and the cluster runs by";
const taken = "its pods have labels by which the cluster finds its own";
const labelled = (kind: string, labels: object, namespace = "kube-system") => ({
  ...inNamespace(kind, namespace, "a"),
  spec: { template: { metadata: { labels } }, jobTemplate: { spec: { template: { metadata: { labels } } } } },
});

it("objects where kubeadm, kubelets and Calico read are found, those of a file at once", () => {
  const names = ["kubeadm-config", "kubelet-config", "kube-proxy", "coredns"];
  const maps = names.map((name) => inNamespace("ConfigMap", "kube-system", name));
  const account = inNamespace("ServiceAccount", "kube-system", "coredns");
  expect(found([{ kind: "List", items: maps }, account])).toEqual([
    `x: ConfigMap kube-system/kubeadm-config, ConfigMap kube-system/kubelet-config, ConfigMap kube-system/kube-proxy, ConfigMap kube-system/coredns, ServiceAccount kube-system/coredns: ${replaces}`,
  ]);
  for (const namespace of ["calico-system", "tigera-operator", "gmsa-webhook"]) {
    for (const object of [inNamespace("ConfigMap", namespace, "a"), labelled("Deployment", {}, namespace)]) {
      expect(found([object])).toEqual([`x: ${object.kind} ${namespace}/a: ${read}`]);
    }
  }
});

it.each([
  ["ConfigMap", "kube-public", "cluster-info"],
  ["Deployment", "kube-system", "coredns"],
  ["DaemonSet", "kube-system", "kube-proxy"],
  ["Role", "kube-system", "kubeadm:nodes-kubeadm-config"],
  ["RoleBinding", "kube-public", "kubeadm:bootstrap-signer-clusterinfo"],
  ["ClusterRole", "", "system:node"],
  ["ClusterRoleBinding", "", "kubeadm:node-proxier"],
  ["Lease", "kube-system", "apiserver-a"],
  ["Lease", "kube-node-lease", "win1"],
])("what Kubernetes makes is found: %s %s/%s", (kind, namespace, name) => {
  const title = [kind, [namespace, name].filter(Boolean).join("/")].join(" ");
  expect(found([inNamespace(kind, namespace, name)])).toEqual([`x: ${title}: ${replaces}`]);
});

it("pods in kube-system that pass for those of the cluster are found, and no others", () => {
  const dns = { "k8s-app": "kube-dns" };
  expect(found([labelled("Deployment", dns)])).toEqual([`x: Deployment kube-system/a: ${taken}`]);
  expect(found([labelled("CronJob", { component: "etcd" })])).toEqual([`x: CronJob kube-system/a: ${taken}`]);
  const pod = { kind: "Pod", metadata: { namespace: "kube-system", name: "a", labels: dns } };
  expect(found([pod])).toEqual([`x: Pod kube-system/a: ${taken}`]);
  expect(found([labelled("Deployment", dns, "web")])).toEqual([]);
  const runs = {
    ...pod,
    metadata: { ...pod.metadata, labels: {} },
    spec: { serviceAccountName: "job-controller" },
  };
  expect(found([runs])).toEqual([
    "x: Pod kube-system/a: its pods run with the service account job-controller of Kubernetes itself",
  ]);
  // As upstream installs the device plug-in of NVIDIA, kured, the driver of the Secrets Store, metrics-server and others.
  const others = [{ name: "nvidia-device-plugin-ds" }, { name: "kured" }, { "k8s-app": "metrics-server" }];
  expect(found(others.map((labels) => labelled("DaemonSet", labels)))).toEqual([]);
  expect(found([{ ...runs, spec: { serviceAccountName: "kured" } }])).toEqual([]);
  const maps = ["cluster-autoscaler-priority-expander", "node-local-dns", "container-azm-ms-agentconfig"];
  expect(found(maps.map((name) => inNamespace("ConfigMap", "kube-system", name)))).toEqual([]);
});

it("a namespace of the cluster is found where its own pods would be refused", () => {
  const namespace = (name: string, labels: object) => ({ kind: "Namespace", metadata: { name, labels } });
  const enforces = (level: string) => ({ "pod-security.kubernetes.io/enforce": level });
  const refuses = "has the API server refuse pods of the cluster";
  expect(found([namespace("kube-system", enforces("restricted"))])).toEqual([
    `x: Namespace kube-system: ${refuses}`,
  ]);
  const calico = namespace("calico-system", enforces("baseline"));
  expect(found([calico])).toEqual([`x: Namespace calico-system: ${refuses}`]);
  expect(found([calico], false)).toEqual([]);
  expect(found([namespace("kube-system", enforces("privileged"))])).toEqual([]);
  expect(found([namespace("web", enforces("restricted"))])).toEqual([]);
  // As Gatekeeper asks for.
  expect(found([namespace("kube-system", { "admission.gatekeeper.sh/ignore": "yes" })])).toEqual([]);
});

it("objects of one's own, and kinds that other rules read, are not", () => {
  const kinds = [
    ...["ServiceAccount", "Role", "RoleBinding", "NetworkPolicy", "Service", "PodDisruptionBudget"],
    ...["ServiceMonitor", "HorizontalPodAutoscaler", "StagedKubernetesNetworkPolicy", "constructor"],
  ];
  expect(found(kinds.map((kind) => inNamespace(kind, "kube-system", "a")))).toEqual([]);
  const lease = inNamespace("Lease", "kube-system", "external-dns");
  expect(found([inNamespace("ConfigMap", "web", "coredns"), lease, null])).toEqual([]);
  expect(found([{ kind: "Namespace", metadata: { name: "web" } }])).toEqual([]);
  // Of metrics-server, cert-manager and the cloud controller manager.
  expect(
    found([inNamespace("Role", "kube-system", "system::leader-locking-cloud-controller-manager")]),
  ).toEqual([]);
  const roles = ["system:metrics-server", "cert-manager:leaderelection", "system:cloud-controller-manager"];
  expect(found(roles.map((name) => inNamespace("ClusterRole", "", name)))).toEqual([]);
});

it("configuration of Calico is found, but not its policies, and none of a CNI of one's own", () => {
  const felix = inNamespace("FelixConfiguration", "", "default", "projectcalico.org/v3");
  const operator = inNamespace("ConfigMap", "tigera-operator", "a");
  const stored = { ...felix, apiVersion: "crd.projectcalico.org/v1" };
  const installation = { ...felix, apiVersion: "operator.tigera.io/v1", kind: "Installation" };
  const counts = "configuration of Calico decides whether network policies count";
  expect(found([felix])).toEqual([`x: FelixConfiguration default: ${counts}`]);
  expect(found([stored])).toEqual([`x: FelixConfiguration default: ${counts}`]);
  expect(found([installation])).toEqual([`x: Installation default: ${counts}`]);
  expect(found([felix, stored, installation, operator], false)).toEqual([]);
  const others = ["GlobalNetworkPolicy", "GlobalNetworkSet", "Tier", "IPPool", "BGPPeer", "CalicoNodeStatus"];
  const spec = { selector: "app == 'a'" };
  expect(found(others.map((kind) => ({ ...felix, kind, spec })))).toEqual([]);
});

it.each([
  ["apps", "apps"],
  ["", "core"],
  ["rbac.authorization.k8s.io", "rbac.authorization.k8s.io"],
])("an APIService for the group %j of Kubernetes takes it over", (group, name) => {
  const service = { name: "a", namespace: "b" };
  const one = (spec: object) => ({ kind: "APIService", metadata: { name: "v1.x" }, spec });
  expect(found([one({ group, service })])).toEqual([`x: APIService v1.x: takes the API group ${name} over`]);
  expect(found([one({ group }), one({ group: "custom.metrics.k8s.io", service })])).toEqual([]);
});

it("only an exempt FlowSchema lets requests through without a limit", () => {
  const schema = (name: string) => ({
    ...{ kind: "FlowSchema", metadata: { name: "f" } },
    spec: { priorityLevelConfiguration: { name } },
  });
  expect(found([schema("exempt")])).toEqual(["x: FlowSchema f: lets requests through without a limit"]);
  expect(found([schema("workload-low")])).toEqual([]);
});

const hook = (rule: object, more: object = {}) => ({
  ...{ kind: "ValidatingWebhookConfiguration", metadata: { name: "h" } },
  webhooks: [{ rules: [{ apiGroups: [""], resources: ["pods"], ...rule }], ...more }],
});
const names = (operator: string, ...values: readonly string[]) => ({
  namespaceSelector: { matchExpressions: [{ key: "kubernetes.io/metadata.name", operator, values }] },
});

it.each<[why: string, hook: object, what: string | undefined]>([
  ["about all pods", hook({}), "kube-system, calico-system, tigera-operator"],
  [
    "about everything",
    hook({ apiGroups: ["*"], resources: ["*"] }),
    "objects without a namespace, kube-system, calico-system, tigera-operator",
  ],
  ["about nodes", hook({ resources: ["nodes"] }), "nodes"],
  ["about status of nodes", hook({ resources: ["nodes/status"] }, names("In", "web")), "nodes/status"],
  ["that leaves kube-system out", hook({}, names("NotIn", "kube-system")), "calico-system, tigera-operator"],
  [
    "that leaves all out",
    hook({}, names("NotIn", "kube-system", "calico-system", "tigera-operator")),
    undefined,
  ],
  ["for one namespace", hook({}, names("In", "web")), undefined],
  ["for namespaces with a label", hook({}, { namespaceSelector: { matchLabels: { a: "b" } } }), undefined],
  [
    "for namespaces without a label",
    hook({}, { namespaceSelector: { matchExpressions: [{ key: "a", operator: "DoesNotExist" }] } }),
    "kube-system, calico-system, tigera-operator",
  ],
  [
    "about everything in namespaces",
    hook({ resources: ["*"], scope: "Namespaced" }, names("In", "web")),
    undefined,
  ],
  // The default of ingress-nginx: the cluster itself has no Ingress.
  ["about Ingresses", hook({ apiGroups: ["networking.k8s.io"], resources: ["ingresses"] }), undefined],
  ["about commands in pods", hook({ resources: ["pods/exec", "pods/attach"] }), undefined],
  [
    "about everything outside of namespaces",
    hook({ apiGroups: ["*"], resources: ["*"], scope: "Cluster" }),
    "objects without a namespace",
  ],
  [
    "for namespaces that let everything in",
    hook({}, { namespaceSelector: { matchLabels: { "pod-security.kubernetes.io/enforce": "privileged" } } }),
    "calico-system, tigera-operator",
  ],
  [
    "for a namespace by the label of its name",
    hook({}, { namespaceSelector: { matchLabels: { name: "tigera-operator" } } }),
    "tigera-operator",
  ],
  ["about kinds of one's own", hook({ apiGroups: ["cert-manager.io"], resources: ["*"] }), undefined],
  [
    "about pods with a label of one's own",
    hook({}, { objectSelector: { matchLabels: { "azure.workload.identity/use": "true" } } }),
    undefined,
  ],
  [
    "about pods with a label of Kubernetes",
    hook({}, { objectSelector: { matchLabels: { "k8s-app": "kube-dns" } } }),
    "kube-system, calico-system, tigera-operator",
  ],
])("a webhook %s", (_, object, what) => {
  expect(found([object])).toEqual(
    what === undefined ? [] : [`x: ValidatingWebhookConfiguration h: decides about ${what}`],
  );
});

it("policies in CEL are like webhooks, where their bindings do not narrow or only warn", () => {
  const policy = (kind: string) => ({
    ...{ kind, metadata: { name: "p" } },
    spec: { matchConstraints: { resourceRules: [{ apiGroups: ["*"], resources: ["pods"] }] } },
  });
  const binding = (kind: string, spec: object) => ({
    ...{ kind: `${kind}Binding`, metadata: { name: "p" } },
    spec: { policyName: "p", ...spec },
  });
  const decides = (kind: string) => [
    `x: ${kind} p: decides about kube-system, calico-system, tigera-operator`,
  ];
  const [validating, mutating] = ["ValidatingAdmissionPolicy", "MutatingAdmissionPolicy"];
  const [v, m] = [policy(validating), policy(mutating)];
  const denies = { validationActions: ["Deny"] };
  const narrow = { matchResources: names("In", "web") };
  expect(found([v])).toEqual([]);
  const conditional = { ...v, spec: { ...v.spec, matchConditions: [{ name: "a", expression: "true" }] } };
  expect(found([conditional, binding(validating, denies)])).toEqual([
    "x: ValidatingAdmissionPolicy p: may decide about kube-system, calico-system, tigera-operator",
  ]);
  expect(found([v, binding(validating, denies)])).toEqual(decides(validating));
  expect(found([v, binding(validating, { validationActions: ["Warn", "Audit"] })])).toEqual([]);
  expect(found([v, binding(validating, { ...denies, ...narrow })])).toEqual([]);
  expect(found([m, binding(mutating, {})])).toEqual(decides(mutating));
  expect(found([m, binding(mutating, narrow)])).toEqual([]);
});

describe("rules that a policy in CEL excludes", () => {
  const kind = "ValidatingAdmissionPolicy";
  const rule = { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] };
  const decides = (excluded: object, resources = ["pods"], more: object = {}) =>
    found([
      {
        ...{ kind, metadata: { name: "p" } },
        spec: {
          matchConstraints: { resourceRules: [{ ...rule, resources }], excludeResourceRules: [excluded] },
        },
      },
      {
        ...{ kind: `${kind}Binding`, metadata: { name: "p" } },
        spec: { policyName: "p", validationActions: ["Deny"], matchResources: more },
      },
    ]).length === 1;

  it("are no longer about the cluster's objects", () => {
    const star = { apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*"] };
    expect([rule, star, { ...star, resources: ["*/*"] }].map((one) => decides(one))).toEqual([
      ...[false, false, false],
    ]);
    expect(decides({}, ["pods"], { excludeResourceRules: [rule] })).toBe(false);
  });

  it("help only as a whole", () => {
    const parts = [
      ...[
        { ...rule, resourceNames: ["a"] },
        { ...rule, operations: ["UPDATE"] },
        { ...rule, scope: "Cluster" },
      ],
      ...[{ ...rule, apiGroups: ["apps"] }, { ...rule, resources: ["secrets"] }, { resources: ["pods"] }],
    ];
    expect(parts.map((one) => decides(one))).toEqual(parts.map(() => true));
    expect(decides(rule, ["pods", "secrets"])).toBe(true);
    expect(decides({ ...rule, resources: ["*"] }, ["pods/status"])).toBe(true);
  });
});

it("labels that a manifest gives a namespace of the cluster count for selectors", () => {
  const object = hook({}, { namespaceSelector: { matchLabels: { checked: "yes" } } });
  const namespace = { kind: "Namespace", metadata: { name: "kube-system", labels: { checked: "yes" } } };
  expect(found([object])).toEqual([]);
  expect(found([object, namespace])).toEqual([
    "x: ValidatingWebhookConfiguration h: decides about kube-system",
  ]);
});

it("quotas and limits of the cluster's own pods are found", () => {
  expect(found([inNamespace("ResourceQuota", "kube-system", "q")])).toEqual([
    "x: ResourceQuota kube-system/q: limits the pods of kube-system",
  ]);
  expect(found([inNamespace("LimitRange", "calico-system", "q")], false)).toEqual([]);
  expect(found([inNamespace("ResourceQuota", "web", "q")])).toEqual([]);
});
