import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { findingsOf } from "../../config/policy/findings";
import { loadSettings } from "../../config/load";
import { stackFindings } from "../../plan/cli/findings";
import { kubeletBindings, openRights, powerOf } from "capz-windows-platform/cluster/rights";
import { testProject } from "../support/project";
import { right } from "./right";
import { nodeLogs, role as roleNamed, binding } from "./wrong";

/** Rights that a stranger's manifests give to everyone, or to people who have a lesser role. */

const messages = (...objects: readonly unknown[]): string[] =>
  openRights(objects.map((object) => ({ path: "x", object }))).map(({ message }) => message);

const rule = (resources: string[], verbs: string[], apiGroups = [""]) => ({ apiGroups, resources, verbs });
const everything = rule(["*"], ["*"], ["*"]);
const urls = { nonResourceURLs: ["/healthz"], verbs: ["get"] };

it.each([
  ["every right", [everything]],
  ["every right", [rule(["pods"], ["get"]), rule(["*", "pods"], ["get", "*"], ["*"])]],
  ["the right to give rights", [rule(["clusterroles"], ["escalate"], ["rbac.authorization.k8s.io"])]],
  ["the right to give rights", [rule(["roles"], ["bind"], ["*"])]],
  ["the right to act as others", [rule(["groups"], ["impersonate"])]],
  ["the right to act as others", [rule(["*"], ["impersonate"])]],
  ["the tokens of service accounts", [rule(["*/token"], ["create"])]],
  [
    "the right to approve certificates",
    [rule(["certificatesigningrequests/approval"], ["update"], ["certificates.k8s.io"])],
  ],
  [
    "the right to change what others send",
    [rule(["mutatingwebhookconfigurations"], ["patch"], ["admissionregistration.k8s.io"])],
  ],
  ["the right to mount folders of nodes", [rule(["persistentvolumes"], ["create"])]],
  ["the contents of Secrets", [rule(["configmaps", "secrets"], ["list"])]],
  ["the contents of Secrets", [rule(["*"], ["get"])]],
  ["the right to change deployments", [rule(["deployments"], ["patch"], ["apps"])]],
  ["the right to change everything", [rule(["*"], ["deletecollection"], ["apps"])]],
  ["the right to ask *", [{ nonResourceURLs: ["/version", "*"], verbs: ["get"] }]],
  ["the right to ask /debug/*", [{ nonResourceURLs: ["/debug/*"], verbs: ["get"] }]],
  [
    undefined,
    [{ nonResourceURLs: ["/healthz", "/livez/*", "/api", "/apis/*", "/openapi/*"], verbs: ["get"] }],
  ],
  [undefined, [rule(["pods", "nodes"], ["get", "list", "watch"]), urls]],
  [undefined, [rule(["selfsubjectreviews"], ["create"], ["authentication.k8s.io"])]],
  [undefined, []],
])("everyone gets %s", (what, rules) => {
  const group = "system:authenticated";
  const objects = [roleNamed("mine", rules), binding("open", "mine", group)];
  expect(messages(...objects)).toEqual(
    what === undefined ? [] : [`ClusterRoleBinding open gives ${group} ${what}, by the role mine`],
  );
  // A list is no way round, and neither is a role that follows its binding.
  const list = { apiVersion: "v1", kind: "List", items: [...objects].reverse() };
  expect(messages(list)).toEqual(messages(...objects));
  expect(messages(roleNamed("mine", rules), binding("own", "mine", "developers"))).toEqual([]);
});

it("whoever needs no credential may not even read", () => {
  const pods = roleNamed("pods", [rule(["pods"], ["get"]), urls]);
  expect(messages(pods, binding("open", "pods", "system:unauthenticated"))).toEqual([
    "ClusterRoleBinding open gives system:unauthenticated the right to read pods, by the role pods",
  ]);
  const health = roleNamed("health", [urls]);
  expect(messages(health, binding("open", "health", "system:anonymous"))).toEqual([]);
});

it("roles of Kubernetes, and roles that nobody wrote", () => {
  const given = (name: string, group = "system:authenticated") => messages(binding("open", name, group));
  expect(given("cluster-admin")).toEqual([
    "ClusterRoleBinding open gives system:authenticated every right, by the role cluster-admin",
  ]);
  expect(given("edit")).toEqual([
    "ClusterRoleBinding open gives system:authenticated the contents of Secrets, by the role edit",
  ]);
  expect(given("view")).toEqual([]);
  expect(given("system:discovery", "system:unauthenticated")).toEqual([]);
  expect(given("view", "system:anonymous")).toEqual([
    "ClusterRoleBinding open gives system:anonymous rights that this stack file does not name, by the role view",
  ]);
  expect(given("system:node")).toEqual([
    "ClusterRoleBinding open gives system:authenticated rights that this stack file does not name, by the role system:node",
  ]);
});

it("a manifest takes no rights from a role of Kubernetes by its name", () => {
  const harmless = (name: string) =>
    messages(roleNamed(name, []), binding("open", name, "system:authenticated"));
  expect(harmless("cluster-admin")).toEqual([
    "ClusterRoleBinding open gives system:authenticated every right, by the role cluster-admin",
  ]);
  expect(harmless("system:node")).toEqual([
    "ClusterRoleBinding open gives system:authenticated rights that this stack file does not name, by the role system:node",
  ]);
  expect(harmless("view")).toEqual([]);
});

it("a role whose rules come from others", () => {
  const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { a: "b" } }] };
  const sum = { ...roleNamed("sum", []), aggregationRule };
  expect(messages(sum, binding("open", "sum", "system:authenticated"))).toEqual([
    "ClusterRoleBinding open gives system:authenticated the rights of other roles, by the role sum",
  ]);
  expect(messages(sum, binding("own", "sum", "developers"))).toEqual([]);
});

it.each([
  ["system:serviceaccounts:web", "system:serviceaccounts:web"],
  ["system:serviceaccount:web:default", "system:serviceaccount:web:default"],
  ["system:bootstrappers", "system:bootstrappers"],
  ["system:bootstrappers:own", "system:bootstrappers:own"],
  ["system:nodes", "system:nodes"],
  ["every pod without an account in web", "default", "ServiceAccount"],
])("%s may not be administrators, and may have other rights", (who, name, kind = "Group") => {
  const bound = (role: string) => ({
    ...binding("many", role, ""),
    subjects: [{ kind, name, namespace: kind === "Group" ? undefined : "web" }],
  });
  expect(messages(bound("cluster-admin"))).toEqual([
    `ClusterRoleBinding many gives ${who} every right, by the role cluster-admin`,
  ]);
  expect(messages(roleNamed("mine", [rule(["groups"], ["impersonate"])]), bound("mine"))).toEqual([
    `ClusterRoleBinding many gives ${who} the right to act as others, by the role mine`,
  ]);
  const tooMuch = {
    "the contents of Secrets": rule(["secrets"], ["get"]),
    "the right to ask kubelets": rule(["nodes/proxy"], ["get"]),
    "the right to change nodes": rule(["nodes/status"], ["patch"]),
    "the right to change every ConfigMap": rule(["configmaps"], ["update"]),
    "the right to see what others send": rule(
      ["validatingwebhookconfigurations"],
      ["create"],
      ["admissionregistration.k8s.io"],
    ),
    "the right to answer in place of the API server": rule(
      ["apiservices"],
      ["update"],
      ["apiregistration.k8s.io"],
    ),
    "the right to act as others": rule(["users"], ["impersonate:user-info"], ["authentication.k8s.io"]),
  };
  for (const [what, right] of Object.entries(tooMuch)) {
    expect(messages(roleNamed("mine", [right]), bound("mine"))).toEqual([
      `ClusterRoleBinding many gives ${who} ${what}, by the role mine`,
    ]);
  }
  for (const right of [
    { ...rule(["secrets"], ["get"]), resourceNames: ["own"] },
    rule(["configmaps", "nodes"], ["get", "list"]),
    rule(["leases"], ["update"]),
  ]) {
    expect(messages(roleNamed("mine", [right]), bound("mine"))).toEqual([]);
  }
  const inside = (role: string, namespace: string) => ({
    ...bound(role),
    ...{ kind: "RoleBinding", metadata: { name: "many", namespace } },
  });
  const pods = roleNamed("pods", [rule(["pods"], ["create"])]);
  for (const role of ["admin", "edit", "pods"]) {
    const power = "the service accounts of administrators, by pods";
    expect(messages(pods, bound(role))).toEqual([
      `ClusterRoleBinding many gives ${who} ${power}, by the role ${role}`,
    ]);
    expect(messages(pods, inside(role, "kube-system"))).toEqual([
      `RoleBinding many gives ${who} ${power} in kube-system, by the role ${role}`,
    ]);
    expect(messages(pods, inside(role, "web"))).toEqual([]);
  }
  expect(messages(inside("view", "kube-system"))).toEqual([]);
});

it.each([
  ...["pods", "pods/ephemeralcontainers", "replicationcontrollers"].map((one) => ["", one, "patch"]),
  ...["deployments", "daemonsets", "statefulsets", "replicasets"].map((one) => ["apps", one, "create"]),
  ...["jobs", "cronjobs"].map((one) => ["batch", one, "update"]),
  ...["get", "create"].map((verb) => ["", "pods/exec", verb]),
  ...[["", "pods/attach", "create"]],
] as [string, string, string][])(
  "%s %s, by which many run something in kube-system: %s",
  (group, one, verb) => {
    const inside = (kind: string, name: string) => ({ kind, metadata: { name, namespace: "kube-system" } });
    const bound = (role: string) => ({
      ...inside("RoleBinding", "many"),
      roleRef: { kind: "Role", name: role },
      subjects: [{ kind: "Group", name: "system:serviceaccounts:web" }],
    });
    const role = (name: string, rules: readonly unknown[]) => ({ ...inside("Role", name), rules });
    expect(messages(role("mine", [rule([one], [verb], [group])]), bound("mine"))).toEqual([
      "RoleBinding many gives system:serviceaccounts:web the service accounts of administrators, by pods in kube-system, by the role mine",
    ]);
    expect(messages(role("mine", [rule([one], ["delete"], [group])]), bound("mine"))).toEqual([]);
    for (const name of ["cluster-admin", "edit"]) {
      expect(messages(role(name, [rule([one], ["list"], [group])]), bound(name))).toEqual([]);
    }
  },
);

it("a role that Kubernetes itself binds to everyone, or that others have, under its own name", () => {
  expect(messages(roleNamed("system:public-info-viewer", [everything]))).toEqual([
    "ClusterRole system:public-info-viewer, which Kubernetes binds to system:authenticated, system:unauthenticated, gives them every right",
  ]);
  expect(messages(roleNamed("system:public-info-viewer", [urls]))).toEqual([]);
  expect(messages(roleNamed("view", [rule(["secrets"], ["get"])]))).toEqual([
    "ClusterRole view gives everyone who has the role view the contents of Secrets",
  ]);
  const adds = (to: string, rules: readonly unknown[]) =>
    messages({
      ...roleNamed("more", rules),
      metadata: { name: "more", labels: { [`rbac.authorization.k8s.io/aggregate-to-${to}`]: "true" } },
    });
  const widgets = rule(["widgets"], ["create"], ["example.com"]);
  expect(adds("view", [widgets])).toEqual([
    "ClusterRole more gives everyone who has the role view the right to change widgets",
  ]);
  expect(adds("view", [rule(["widgets"], ["get"], ["example.com"])])).toEqual([]);
  expect(adds("edit", [widgets])).toEqual([]);
  for (const to of ["view", "edit", "admin"]) {
    expect(adds(to, [rule(["nodes/proxy"], ["get"])])).toEqual([
      `ClusterRole more gives everyone who has the role ${to} the right to ask kubelets`,
    ]);
  }
  expect(adds("admin", [everything])).toEqual([
    "ClusterRole more gives everyone who has the role admin every right",
  ]);
});

it("rights in one namespace are named with it, and a Role of another one is another role", () => {
  const inside = (namespace: string, kind: string, name: string) => ({ kind, metadata: { name, namespace } });
  const role = { ...inside("web", "Role", "mine"), rules: [everything] };
  const open = (namespace: string) => ({
    ...inside(namespace, "RoleBinding", "open"),
    roleRef: { kind: "Role", name: "mine" },
    subjects: [{ kind: "Group", name: "system:serviceaccounts" }],
  });
  expect(messages(role, open("web"))).toEqual([
    "RoleBinding open gives system:serviceaccounts every right in web, by the role mine",
  ]);
  expect(messages(role, open("shop"))).toEqual([
    "RoleBinding open gives system:serviceaccounts rights that this stack file does not name in shop, by the role mine",
  ]);
});

it("what is no object, or has other shapes, is no right", () => {
  for (const rules of [null, "all", [null], [{ resources: "*", verbs: "*", apiGroups: "*" }]]) {
    expect(powerOf({ rules })).toBeUndefined();
  }
  expect(messages(null, 1, "text", [], { kind: "List", items: [null, { kind: 1 }] })).toEqual([]);
  expect(kubeletBindings([{ path: "x", object: { kind: "ClusterRoleBinding", subjects: [null] } }])).toEqual(
    [],
  );
});

it.each([0, 300_000])(
  "objects of a file with %d more bytes are looked at, at the key that names it",
  (more) => {
    const project = testProject();
    try {
      writeFileSync(
        join(project.dir, "rights.yaml"),
        nodeLogs("system:authenticated", "*")
          .map((object) => `---\n${stringify(object)}`)
          .join(`# ${"x".repeat(more)}\n`),
      );
      const config = Object.fromEntries(
        Object.entries({ ...right, extraManifests: { logs: { file: "rights.yaml" } } }).map(
          ([key, value]) => [`capz-windows:${key}`, value],
        ),
      );
      project.write("Pulumi.rights.yaml", stringify({ config }));
      const found = stackFindings(project.dir, "rights", undefined, "2026-11-25");
      expect(
        found
          .filter(({ id }) => id.endsWith("-for-everyone"))
          .map(({ id, path, line }) => [id, path, line > 1]),
      ).toEqual([
        ["kubelets-for-everyone", "extraManifests.logs.file", true],
        ["rights-for-everyone", "extraManifests.logs.file", true],
      ]);
    } finally {
      project.remove();
    }
  },
);

it("of a stack without such objects nothing is said", () => {
  expect(findingsOf(loadSettings(right, "test"), right, "2026-11-25").map(({ id }) => id)).not.toContain(
    "rights-for-everyone",
  );
});
