import { at, list, ownValue, strings, textAt, type Plain } from "capz-windows-kit/untyped";
import { grouped } from "capz-windows-kit/grouped";
import { present } from "capz-windows-kit/present";

/**
 * What objects of role-based access control give, and to whom.
 * Source: https://kubernetes.io/docs/reference/access-authn-authz/rbac/
 */

/** Groups and users that are everyone, or everything that runs in the cluster. */
const everyone = [
  "system:anonymous",
  "system:unauthenticated",
  "system:authenticated",
  "system:serviceaccounts",
];

/** Who needs no credential. */
const strangers = ["system:anonymous", "system:unauthenticated"];

/** What holds the objects of a manifest, also those of a list, which kubectl and Cluster API apply one by one. */
const single = (object: unknown): readonly unknown[] =>
  textAt(object, "kind").endsWith("List") ? list(at(object, "items")).flatMap(single) : [object];

export interface Placed {
  /** Key of the stack file. */
  readonly path: string;
  readonly object: unknown;
}

/** Each object by itself. */
export const flat = (placed: readonly Placed[]): Placed[] =>
  placed.flatMap(({ path, object }) => single(object).map((one) => ({ path, object: one })));

export const kindOf = (object: unknown): string => textAt(object, "kind");
export const nameOf = (object: unknown): string => textAt(object, "metadata", "name");

/** "kube-system/coredns". Objects without a namespace are applied to `default`. */
export const namespacedName = (namespace: string, name: string): string =>
  `${namespace || "default"}/${name}`;

/** The same, of an object. */
export const titleOf = (object: unknown): string =>
  namespacedName(textAt(object, "metadata", "namespace"), nameOf(object));
const rulesOf = (role: unknown): Plain[] => list(at(role, "rules"));

const has = (values: unknown, ...wanted: readonly string[]): boolean =>
  strings(values).some((value) => value === "*" || wanted.includes(value));

/** In RBAC, a star before a subresource is every resource. */
const rightTo = (group: string, resource: string, ...verbs: readonly string[]) => {
  const [, subresource] = resource.split("/");
  const resources = subresource === undefined ? [resource] : [resource, `*/${subresource}`];
  return (rule: Plain): boolean =>
    has(rule.apiGroups, group) && has(rule.resources, ...resources) && has(rule.verbs, ...verbs);
};

const rbac = "rbac.authorization.k8s.io";
const admission = "admissionregistration.k8s.io";
const changes = ["create", "update", "patch"];

/**
 * Rights by which their holder gets every other one.
 * Source: https://kubernetes.io/docs/concepts/security/rbac-good-practices/
 */
const powers: readonly (readonly [what: string, gives: (rule: Plain) => boolean])[] = [
  [
    "every right",
    (rule) => [rule.apiGroups, rule.resources, rule.verbs].every((values) => strings(values).includes("*")),
  ],
  ...["roles", "clusterroles"].map(
    (resource) => ["the right to give rights", rightTo(rbac, resource, "bind", "escalate")] as const,
  ),
  ...["users", "groups", "serviceaccounts"].map(
    (resource) => ["the right to act as others", rightTo("", resource, "impersonate")] as const,
  ),
  ["the tokens of service accounts", rightTo("", "serviceaccounts/token", "create")],
  [
    "the right to approve certificates",
    rightTo("certificates.k8s.io", "certificatesigningrequests/approval", "update", "patch"),
  ],
  ...["mutatingwebhookconfigurations", "mutatingadmissionpolicies"].map(
    (resource) => ["the right to change what others send", rightTo(admission, resource, ...changes)] as const,
  ),
  ["the right to see what others send", rightTo(admission, "validatingwebhookconfigurations", ...changes)],
  [
    "the right to answer in place of the API server",
    rightTo("apiregistration.k8s.io", "apiservices", ...changes),
  ],
  // The verbs of https://kubernetes.io/docs/reference/access-authn-authz/user-impersonation/#constrained-impersonation
  [
    "the right to act as others",
    ({ apiGroups, verbs }) =>
      has(apiGroups, "authentication.k8s.io") &&
      strings(verbs).some((verb) => verb.startsWith("impersonate")),
  ],
  ["the right to mount folders of nodes", rightTo("", "persistentvolumes", "create")],
];

/** Roles whose rules Kubernetes fills in from others, so that nobody reads them here. */
const isAggregated = (role: unknown): boolean =>
  list(at(role, "aggregationRule", "clusterRoleSelectors")).length > 0;

/** What makes an administrator of whoever has a role; `undefined` where nothing does. */
export const powerOf = (role: unknown): string | undefined =>
  isAggregated(role)
    ? "the rights of other roles"
    : powers.find(([, gives]) => rulesOf(role).some(gives))?.[0];

const reading = ["get", "list", "watch"];

/** Requests about oneself, which everyone may send. */
const aboutOneself = ["selfsubjectaccessreviews", "selfsubjectrulesreviews", "selfsubjectreviews"];

const changing = (rule: Plain): string[] =>
  strings(rule.resources).filter(
    (resource) =>
      !aboutOneself.includes(resource) && strings(rule.verbs).some((verb) => !reading.includes(verb)),
  );

/** What Kubernetes itself answers to everyone, and what may be asked without harm. */
const publicUrl = /^\/(?:healthz|livez|readyz|version|openid|\.well-known|apis?|openapi)(?:\/|\*|$)/;

/** The worst that a role gives; `undefined` where it only reads what is no secret, and asks for pages that are for everyone. */
function worstOf(role: unknown, withReading: boolean): string | undefined {
  const rules = rulesOf(role);
  const [changed] = rules.flatMap(changing);
  const [url] = rules
    .flatMap(({ nonResourceURLs }) => strings(nonResourceURLs))
    .filter((one) => !publicUrl.test(one));
  const [read] = rules
    .flatMap(({ resources }) => strings(resources))
    .filter((one) => !aboutOneself.includes(one));
  return (
    powerOf(role) ??
    (rules.some(rightTo("", "secrets", ...reading)) ? "the contents of Secrets" : undefined) ??
    (changed === undefined ? undefined : `the right to change ${changed === "*" ? "everything" : changed}`) ??
    (url === undefined ? undefined : `the right to ask ${url}`) ??
    (withReading && read !== undefined
      ? `the right to read ${read === "*" ? "everything" : read}`
      : undefined)
  );
}

/** Roles of Kubernetes for people, and the worst that they give. */
const forPeople: Readonly<Record<string, string>> = {
  "cluster-admin": "every right",
  admin: "the contents of Secrets",
  edit: "the contents of Secrets",
};

/** What Kubernetes and kubeadm bind to everyone themselves; these roles give nothing but discovery. */
const boundByKubernetes: Readonly<Record<string, readonly string[]>> = {
  "system:basic-user": ["system:authenticated"],
  "system:discovery": ["system:authenticated"],
  "system:public-info-viewer": ["system:authenticated", "system:unauthenticated"],
  "system:service-account-issuer-discovery": ["system:serviceaccounts"],
  "kubeadm:bootstrap-signer-clusterinfo": ["system:anonymous"],
};

export interface OpenRight {
  readonly path: string;
  readonly message: string;
}

const isRole = (object: unknown): boolean => ["ClusterRole", "Role"].includes(kindOf(object));
const isBinding = (object: unknown): boolean =>
  ["ClusterRoleBinding", "RoleBinding"].includes(kindOf(object));

const inNamespace = (object: unknown): string => {
  const namespace = textAt(object, "metadata", "namespace");
  return kindOf(object).startsWith("Cluster") || namespace === "" ? "" : ` in ${namespace}`;
};

const everyoneOf = (binding: unknown): string[] =>
  list(at(binding, "subjects"))
    .map((subject) => textAt(subject, "name"))
    .filter((name) => everyone.includes(name));

/** Who is many without being chosen: every pod that names no account, every node, and whoever has a bootstrap token. */
const manyOf = (binding: unknown): string[] =>
  list(at(binding, "subjects")).flatMap((subject) => {
    const name = textAt(subject, "name");
    return textAt(subject, "kind") === "ServiceAccount"
      ? present(name === "default" && `every pod without an account in ${textAt(subject, "namespace")}`)
      : present(
          /^system:(serviceaccounts:.*|serviceaccount:[^:]*:default|bootstrappers(:.*)?|nodes)$/.test(name) &&
            name,
        );
  });

/** Several documents may write one role; the last one counts, and each is looked at. */
type Roles = ReadonlyMap<string, readonly unknown[]>;

const roleKey = (kind: string, name: string, namespace: string): string =>
  JSON.stringify([kind, name, kind === "ClusterRole" ? "" : namespace]);

const rolesIn = (placed: readonly Placed[]): Roles =>
  grouped(
    placed.map(({ object }) => object),
    (object) => roleKey(kindOf(object), nameOf(object), textAt(object, "metadata", "namespace")),
  );

/** The roles that a binding names. */
function rolesOf(binding: unknown, roles: Roles): readonly unknown[] {
  const namespace = textAt(binding, "metadata", "namespace");
  const key = roleKey(textAt(binding, "roleRef", "kind"), textAt(binding, "roleRef", "name"), namespace);
  return roles.get(key) ?? [];
}

function rightOfEveryone(binding: unknown, subjects: readonly string[], known: Roles) {
  const name = textAt(binding, "roleRef", "name");
  const roles = rolesOf(binding, known);
  const withReading = subjects.some((subject) => strangers.includes(subject));
  const written = roles.map((role) => worstOf(role, withReading)).find((worst) => worst !== undefined);
  // What a manifest writes under the name of a role of Kubernetes does not take its rights away.
  const isOfKubernetes =
    /^(system|kubeadm):/.test(name) || [...Object.keys(forPeople), "view"].includes(name);
  if ((roles.length > 0 && !isOfKubernetes) || ownValue(boundByKubernetes, name) !== undefined) {
    return written;
  }
  return (
    ownValue(forPeople, name) ??
    (name === "view" && !withReading ? written : "rights that this stack file does not name")
  );
}

/** Namespaces with accounts that have every right, or give it: whoever may run pods there has them. */
const withAdministrators = ["kube-system", "tigera-operator"];

/** What runs as an account of its namespace: pods, what makes them, and commands in them. */
const runs: readonly ((rule: Plain) => boolean)[] = [
  ...["pods", "pods/ephemeralcontainers", "replicationcontrollers"].map((one) =>
    rightTo("", one, ...changes),
  ),
  ...["deployments", "daemonsets", "statefulsets", "replicasets"].map((one) =>
    rightTo("apps", one, ...changes),
  ),
  ...["jobs", "cronjobs"].map((one) => rightTo("batch", one, ...changes)),
  ...["pods/exec", "pods/attach"].map((one) => rightTo("", one, "get", "create")),
];

const runsPods = (role: unknown): boolean => rulesOf(role).some((rule) => runs.some((gives) => gives(rule)));

const bindsClusterRole = (binding: unknown, ...names: readonly string[]): boolean =>
  textAt(binding, "roleRef", "kind") === "ClusterRole" && names.includes(textAt(binding, "roleRef", "name"));

/** What nobody should have who is many, where it is about the whole cluster or about accounts of administrators. */
const tooMuchForMany: readonly (readonly [what: string, gives: (rule: Plain) => boolean])[] = [
  ["the contents of Secrets", rightTo("", "secrets", ...reading)],
  ["the right to ask kubelets", (rule) => asksKubelets({ rules: [rule] })],
  ...["nodes", "nodes/status"].map(
    (resource) => ["the right to change nodes", rightTo("", resource, "update", "patch")] as const,
  ),
  ["the right to change every ConfigMap", rightTo("", "configmaps", ...changes)],
];

/** What makes an administrator only where such accounts are. */
function powerInside(binding: unknown, roles: readonly unknown[]): string | undefined {
  const isInside =
    kindOf(binding) === "ClusterRoleBinding" ||
    withAdministrators.includes(textAt(binding, "metadata", "namespace"));
  if (!isInside) {
    return undefined;
  }
  if (bindsClusterRole(binding, "admin", "edit") || roles.some(runsPods)) {
    return "the service accounts of administrators, by pods";
  }
  // A right to single objects is another one.
  const rules = roles.flatMap(rulesOf).filter(({ resourceNames }) => strings(resourceNames).length === 0);
  return tooMuchForMany.find(([, gives]) => rules.some(gives))?.[0];
}

/** Bindings that make administrators of many. */
function ofMany(placed: readonly Placed[]): OpenRight[] {
  const roles = rolesIn(placed);
  return placed.flatMap(({ path, object }): OpenRight[] => {
    const name = textAt(object, "roleRef", "name");
    const subjects = isBinding(object) ? manyOf(object) : [];
    const named = rolesOf(object, roles);
    const power = bindsClusterRole(object, "cluster-admin")
      ? forPeople["cluster-admin"]
      : (named.map(powerOf).find((one) => one !== undefined) ?? powerInside(object, named));
    return present(
      subjects.length > 0 &&
        power !== undefined && {
          path,
          message: `${kindOf(object)} ${nameOf(object)} gives ${subjects.join(", ")} ${power}${inNamespace(object)}, by the role ${name}`,
        },
    );
  });
}

/** Bindings that give everyone more than discovery, and roles that Kubernetes binds to everyone itself. */
function ofEveryone(placed: readonly Placed[]): OpenRight[] {
  const roles = rolesIn(placed);
  return placed.flatMap(({ path, object }): OpenRight[] => {
    const title = `${kindOf(object)} ${nameOf(object)}`;
    if (isRole(object)) {
      const subjects = ownValue(boundByKubernetes, nameOf(object)) ?? [];
      const worst = worstOf(object, true);
      return present(
        subjects.length > 0 &&
          worst !== undefined && {
            path,
            message: `${title}, which Kubernetes binds to ${subjects.join(", ")}, gives them ${worst}${inNamespace(object)}`,
          },
      );
    }
    const subjects = isBinding(object) ? everyoneOf(object) : [];
    const right = subjects.length === 0 ? undefined : rightOfEveryone(object, subjects, roles);
    return present(
      right !== undefined && {
        path,
        message: `${title} gives ${subjects.join(", ")} ${right}${inNamespace(object)}, by the role ${textAt(object, "roleRef", "name")}`,
      },
    );
  });
}

/**
 * `get` on nodes/proxy runs commands in every container of a node, and reads its logs; nodes/log reads the logs of the node,
 * with what its services write about workloads.
 * Source: https://kubernetes.io/docs/reference/access-authn-authz/kubelet-authn-authz/
 */
function asksKubelets(role: unknown): boolean {
  return rulesOf(role).some((rule) =>
    ["nodes/proxy", "nodes/log"].some((resource) => rightTo("", resource, "get", "create")(rule)),
  );
}

const kubelets = (role: unknown): string | undefined =>
  asksKubelets(role) ? "the right to ask kubelets" : undefined;

/** What `view` may get from others without a word: reading of what is no secret. The others may change what they like. */
const addsTooMuch: Readonly<Record<string, (role: unknown) => string | undefined>> = {
  view: (role) => worstOf(role, false) ?? kubelets(role),
  edit: (role) => powerOf(role) ?? kubelets(role),
  admin: (role) => powerOf(role) ?? kubelets(role),
};

/** Roles that give more to people who have `view`, `edit` or `admin`: by their name, or by the label that adds to them. */
const added = (placed: readonly Placed[]): OpenRight[] =>
  placed.flatMap(({ path, object }) =>
    Object.entries(addsTooMuch).flatMap(([name, tooMuch]): OpenRight[] => {
      const isAdded =
        nameOf(object) === name ||
        textAt(object, "metadata", "labels", `${rbac}/aggregate-to-${name}`) === "true";
      const worst = kindOf(object) === "ClusterRole" && isAdded ? tooMuch(object) : undefined;
      return present(
        worst !== undefined && {
          path,
          message: `ClusterRole ${nameOf(object)} gives everyone who has the role ${name} ${worst}`,
        },
      );
    }),
  );

/**
 * Rights that everyone gets, or people who should have less.
 * @param written - the objects of a stack file and of the files that it names, each with its key
 */
export function openRights(written: readonly Placed[]): OpenRight[] {
  const placed = flat(written);
  return [...ofEveryone(placed), ...ofMany(placed), ...added(placed)];
}

/** Roles of Kubernetes itself by which kubelets answer. */
const kubeletRoles = ["cluster-admin", "system:kubelet-api-admin"];

/** Bindings that let everyone ask kubelets. */
export function kubeletBindings(written: readonly Placed[]): OpenRight[] {
  const placed = flat(written);
  const roles = rolesIn(placed);
  return placed.flatMap(({ path, object }) => {
    const name = textAt(object, "roleRef", "name");
    const subjects = kindOf(object) === "ClusterRoleBinding" ? everyoneOf(object) : [];
    const asks = kubeletRoles.includes(name) || rolesOf(object, roles).some(asksKubelets);
    return present(
      asks &&
        subjects.length > 0 && {
          path,
          message: `ClusterRoleBinding ${nameOf(object)} gives ${subjects.join(", ")} the role ${name}, by which kubelets answer them`,
        },
    );
  });
}
