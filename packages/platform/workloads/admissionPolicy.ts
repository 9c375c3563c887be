import type { KubernetesObject } from "capz-types";
import { productWords, tagWords, type TagWords, windowsNames } from "./imageReferences";
import { windowsBuilds } from "../machines/windowsReleases";
import { addonNamespaces } from "../cluster/addonNamespaces";
import type { WindowsClass } from "./runtimeClasses";
import { startsOn, windowsVersion } from "./windowsVersions";

/**
 * Admission policies, written in CEL, for pods that cannot start. Controllers create most pods, and few people read the
 * warnings that a controller gets. The policies therefore check the pod templates that people write, as well as pods.
 */

export const policyModes = ["none", "audit", "warn", "deny"] as const;
export type PolicyMode = (typeof policyModes)[number];

/** First minor with admissionregistration.k8s.io/v1 ValidatingAdmissionPolicy (Kubernetes v1.30 notes). */
export const firstWithPolicies = 30;

export interface PolicyArgs {
  readonly mode: Exclude<PolicyMode, "none">;
  /** Releases of the Windows nodes. */
  readonly windowsServers: readonly string[];
  readonly classes: readonly WindowsClass[];
  /** Namespaces whose pods may be HostProcess, besides those of the add-ons. */
  readonly hostProcessNamespaces: readonly string[];
}

/** A kind that is checked: where it has the spec of its pods, and which of its fields change the pods. */
interface Target {
  readonly role: string;
  readonly spec: string;
  /** Compared with the former object: a change of anything else, such as a finalizer, always passes. */
  readonly template: string;
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  readonly resources: readonly string[];
  readonly operations: readonly string[];
}

const targets: readonly Target[] = [
  {
    ...{ role: "pods", spec: "object.spec", template: "spec" },
    ...{ apiGroups: [""], apiVersions: ["v1"], resources: ["pods"] },
    // The fields of a pod that are checked here are immutable.
    operations: ["CREATE"],
  },
  {
    ...{ role: "workloads", spec: "object.spec.template.spec", template: "spec.template" },
    ...{ apiGroups: ["apps"], apiVersions: ["v1"], resources: ["deployments", "daemonsets", "statefulsets"] },
    operations: ["CREATE", "UPDATE"],
  },
  {
    ...{ role: "jobs", spec: "object.spec.template.spec", template: "spec.template" },
    ...{ apiGroups: ["batch"], apiVersions: ["v1"], resources: ["jobs"] },
    operations: ["CREATE"],
  },
  {
    role: "cronjobs",
    spec: "object.spec.jobTemplate.spec.template.spec",
    template: "spec.jobTemplate.spec.template",
    ...{ apiGroups: ["batch"], apiVersions: ["v1"], resources: ["cronjobs"] },
    operations: ["CREATE", "UPDATE"],
  },
];

/** A text of CEL: single quotes, so that YAML needs none. */
const text = (value: string): string => `'${value.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
const textList = (values: readonly string[]): string => `[${values.map(text).join(", ")}]`;

const build = "node.kubernetes.io/windows-build";

/** Container builds that run on the same hosts with process isolation, and the words of tags that name them. */
interface SameHosts {
  readonly hosts: readonly string[];
  readonly words: readonly TagWords[];
}

function sameHosts(): SameHosts[] {
  const groups = new Map<string, TagWords[]>();
  for (const words of tagWords()) {
    const container = { major: 10, minor: 0, build: words.build };
    const hosts = Object.values(windowsBuilds).filter((host) => {
      const version = windowsVersion(host);
      return version !== undefined && startsOn(version, container, "process");
    });
    const key = JSON.stringify(hosts);
    groups.set(key, [...(groups.get(key) ?? []), words]);
  }
  return [...groups].map(([key, words]) => ({ hosts: JSON.parse(key) as string[], words }));
}

/** Matches whole words of a tag: no letter or digit before and after them (RE2 has no look-around). */
const inTag = (words: readonly string[]): string => `:([^@]*[^a-z0-9])?(${words.join("|")})([^a-z0-9]|$)`;

/** Patterns for tags that name one of these builds: in every reference, and in those of Windows images only. */
export const tagPatterns = (
  words: readonly TagWords[],
): { readonly always: readonly string[]; readonly ofWindows: string | undefined } => {
  const bare = words.flatMap(({ ofWindows }) => ofWindows);
  const afterProduct = words.flatMap(({ afterProduct: each }) => each);
  const builds = words.map(({ build: each }) => each).join("|");
  return {
    always: [
      inTag([
        ...words.flatMap(({ always }) => always),
        ...(afterProduct.length === 0 ? [] : [`(${productWords.join("|")})(${afterProduct.join("|")})`]),
      ]),
      `:([^@]*[^0-9.])?10[.]0[.](${builds})([.][0-9]+)?([^0-9.]|$)`,
    ],
    ofWindows: bare.length === 0 ? undefined : inTag(bare),
  };
};

/** Whether an image is for builds that not all of the hosts start. */
function wrongImage({ hosts, words }: SameHosts): string {
  const { always, ofWindows } = tagPatterns(words);
  const matches = (pattern: string): string => `i.lowerAscii().matches(${text(pattern)})`;
  const named = [
    ...always.map(matches),
    ...(ofWindows === undefined ? [] : [`(${matches(windowsNames)} && ${matches(ofWindows)})`]),
  ].join(" || ");
  return `((${named}) && !variables.hosts.all(h, h in ${textList(hosts)}))`;
}

const variables = (spec: string, { windowsServers, classes }: PolicyArgs) => {
  const ofProcess = classes.filter(({ isolation }) => isolation === "process");
  const named = (name: string, expression: string) => ({ name, expression });
  const terms = `${spec}.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms`;
  const systems = `['kubernetes.io/os', 'beta.kubernetes.io/os']`;
  const has = (...paths: string[]) => paths.map((path) => `has(${spec}.${path})`).join(" && ");
  const affinity = "affinity.nodeAffinity";
  const hostProcess = (holder: string) =>
    `has(${holder}.securityContext) && has(${holder}.securityContext.windowsOptions) && has(${holder}.securityContext.windowsOptions.hostProcess) && ${holder}.securityContext.windowsOptions.hostProcess`;
  const builds = Object.fromEntries(
    ofProcess.map(({ name, windowsServer }) => [name, windowsBuilds[windowsServer] ?? ""]),
  );
  return [
    named("selector", `has(${spec}.nodeSelector) ? ${spec}.nodeSelector : {}`),
    named("runtimeClass", `has(${spec}.runtimeClassName) ? ${spec}.runtimeClassName : ''`),
    named(
      "systemByAffinity",
      `${has("affinity", affinity, `${affinity}.requiredDuringSchedulingIgnoredDuringExecution`)} && ${terms}.all(t, has(t.matchExpressions) && t.matchExpressions.exists(e, e.key in ${systems}))`,
    ),
    named(
      "classBuilds",
      `{${Object.entries(builds)
        .map(([name, value]) => `${text(name)}: ${text(value)}`)
        .join(", ")}}`,
    ),
    named(
      "ofHyperV",
      `variables.runtimeClass in ${textList(classes.filter(({ isolation }) => isolation === "hyperv").map(({ name }) => name))}`,
    ),
    named(
      "choosesSystem",
      `has(${spec}.nodeName) || variables.systemByAffinity || variables.ofHyperV || variables.runtimeClass in variables.classBuilds || variables.selector.exists(k, k in ['kubernetes.io/os', 'beta.kubernetes.io/os', ${text(build)}])`,
    ),
    named(
      "isWindows",
      `(has(${spec}.os) && ${spec}.os.name == 'windows') || variables.runtimeClass in variables.classBuilds || variables.selector.exists(k, k == ${text(build)} || (k in ${systems} && variables.selector[k] == 'windows'))`,
    ),
    named(
      "hosts",
      `variables.runtimeClass in variables.classBuilds ? [variables.classBuilds[variables.runtimeClass]] : (${text(build)} in variables.selector ? [variables.selector[${text(build)}]] : ${textList(hostBuilds(windowsServers))})`,
    ),
    named("containers", `${spec}.containers + (has(${spec}.initContainers) ? ${spec}.initContainers : [])`),
    named("images", "variables.containers.filter(c, has(c.image)).map(c, c.image)"),
    named(
      "wrongImages",
      `!variables.isWindows || variables.ofHyperV ? [] : variables.images.filter(i, ${sameHosts().map(wrongImage).join(" || ")})`,
    ),
    named("hostProcess", `(${hostProcess(spec)}) || variables.containers.exists(c, ${hostProcess("c")})`),
  ];
};

const hostBuilds = (windowsServers: readonly string[]): string[] =>
  [...new Set(windowsServers)].sort().flatMap((release) => windowsBuilds[release] ?? []);

const labelsOfWindows = (windowsServers: readonly string[]): string =>
  hostBuilds(windowsServers)
    .map((value) => `${build}: ${value}`)
    .join(" or ");

function policy(target: Target, args: PolicyArgs): KubernetesObject {
  const { role, spec, template, operations } = target;
  const { apiGroups, apiVersions, resources } = target;
  const allowed = [...args.hostProcessNamespaces].sort();
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: policyName(role) },
    spec: {
      // An expression that fails is a fault of the policy, not of the pod, so it must not block the pod.
      failurePolicy: "Ignore",
      matchConstraints: {
        // The add-ons make nodes usable: these policies must never block them.
        namespaceSelector: {
          matchExpressions: [
            { key: "kubernetes.io/metadata.name", operator: "NotIn", values: [...addonNamespaces] },
          ],
        },
        resourceRules: [{ apiGroups, apiVersions, operations, resources }],
      },
      ...(operations.includes("UPDATE") && {
        matchConditions: [
          {
            name: "pods-change",
            expression: `request.operation == 'CREATE' || object.${template} != oldObject.${template}`,
          },
        ],
      }),
      variables: variables(spec, args),
      validations: [
        {
          expression: "variables.choosesSystem",
          message:
            "the pod may land on a node of another operating system, where its image does not start: write the nodeSelector kubernetes.io/os: windows, or kubernetes.io/os: linux",
        },
        {
          expression: "variables.wrongImages.size() == 0",
          message: "an image is for another release of Windows than the nodes",
          messageExpression: `'the image ' + variables.wrongImages.join(', ') + ' is for another release of Windows than build ' + variables.hosts.join(' and ') + ': take one for it, or select nodes by ${labelsOfWindows(args.windowsServers)}'`,
        },
        {
          expression: `!variables.hostProcess || request.namespace in ${textList(allowed)}`,
          message: `HostProcess containers are administrators of the node; here they are for ${["the add-ons", ...allowed.map((name) => `the namespace ${name}`)].join(" and ")} only`,
        },
      ],
    },
  };
}

const policyName = (role: string): string => `capz-windows-${role}`;

const actions = { audit: "Audit", warn: "Warn", deny: "Deny" } as const;

const binding = (role: string, mode: PolicyArgs["mode"]): KubernetesObject => ({
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "ValidatingAdmissionPolicyBinding",
  metadata: { name: policyName(role) },
  spec: {
    policyName: policyName(role),
    validationActions: [actions[mode]],
  },
});

/** The policies with their bindings. */
export const policyObjects = (args: PolicyArgs): KubernetesObject[] =>
  targets.flatMap((target) => [policy(target, args), binding(target.role, args.mode)]);
