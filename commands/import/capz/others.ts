import { addonsOf } from "../../../addons/catalogue";
import { autoscalerDefaults } from "../../../addons/clusterAutoscaler";
import { optionalAddons, optionalKeys } from "../../../addons/optionalAddons";
import { manifestLabel } from "capz-windows-platform/manifests/userManifests";
import { plainYaml, yamlDocuments } from "capz-windows-kit/boundedYaml";
import { memoize } from "capz-windows-kit/memoize";
import { at, isRecord, list, ownValue, strings, text, type Plain } from "capz-windows-kit/untyped";
import { omitted, unlessDefault, unlessEmpty, type LeftOut } from "../findings";
import { poolName, minutesOf } from "../values";
import { hasSecret, type Reason } from "./boilerplate";
import type { CapiObject } from "./normal";

/** Objects of a source that do not describe the cluster itself: add-ons, manifests of the user's own, and others. */

/** Kinds that Cluster API, CAPZ, Azure Service Operator and Kubernetes create. */
const madeByControllers =
  /^((Machine|MachineSet|AzureMachine|AzureMachinePoolMachine|ExtensionConfig|ClusterResourceSetBinding|HelmReleaseProxy|ResourceGroup|VirtualNetwork\w*|NatGateway|Event|EndpointSlice|Endpoints|ControllerRevision) .*|ServiceAccount default|ConfigMap kube-root-ca\.crt)$/;

/** Kinds whose controllers create the objects that they own, such as bootstrap data, certificates and kubeconfigs. */
const makers =
  /^(Cluster|Machine|MachineSet|MachinePool|KubeadmControlPlane|KubeadmConfig|AzureCluster|AzureMachine(Pool|Template)?|ReplicaSet|Deployment|StatefulSet)$/;

const ofStack = (instead: string): Reason => ({ why: "the stack makes its own", instead });

const addons = memoize((): readonly (readonly [RegExp, Reason])[] => [
  [
    /csi-?proxy|containerd-logger/i,
    { why: "it is for tests of CAPZ, or for nodes without HostProcess containers" },
  ],
  ...addonsOf({}).map(
    ({ known, delivers, instead }) => [known, { why: `the stack delivers ${delivers}`, instead }] as const,
  ),
]);

/** The first row that matches kind and name counts. */
const reasons: readonly (readonly [RegExp, Reason])[] = [
  [
    /^(ClusterResourceSet|ConfigMap|HelmChartProxy) /,
    {
      why: "its manifests are not in the source, or are not read",
      instead: "extraManifests, or kubectl apply or helm with the output workloadKubeconfig",
    },
  ],
  [
    /^Secret /,
    {
      why: "objects of the kind Secret are not read",
      instead: "pulumi config set --secret, for the keys of docs/config.md that are secrets",
    },
  ],
  [/^Namespace /, ofStack("namespace")],
  [/^(Core|Bootstrap|ControlPlane|Infrastructure|Addon)Provider /, ofStack("clusterApi")],
  [
    /^(MachineHealthCheck|AzureClusterIdentity|AzureMachineTemplate|KubeadmConfig|KubeadmConfigTemplate|AzureMachinePool) /,
    { why: "no control plane and no pool of single machines refers to it" },
  ],
  [/ .*autoscaler/, ofStack("autoscale of the pools")],
];

/** The add-on of the stack that an object delivers; `undefined` for one of the user's own. */
function addonReason({ name, spec, data, labels }: CapiObject): Reason | undefined {
  // The name is searched first, then the content. The cluster selector may name other add-ons, so it is left out.
  const texts = [name, JSON.stringify(omitted(spec, "clusterSelector")), JSON.stringify(data ?? "")];
  return manifestLabel in labels
    ? undefined
    : texts.flatMap((one) => addons().find(([known]) => known.test(one))?.[1] ?? [])[0];
}

/** The report of an object that is left out; empty for one that a controller created. */
export function otherObject(object: CapiObject): LeftOut[] {
  const from = `${object.kind} ${object.name}`;
  if (madeByControllers.test(from) || object.owners.some((owner) => makers.test(owner))) {
    return [];
  }
  const isAddon = /^(ClusterResourceSet|ConfigMap|HelmChartProxy)$/.test(object.kind);
  const reason =
    (isAddon ? addonReason(object) : undefined) ?? reasons.find(([known]) => known.test(from))?.[1];
  return [{ from, ...(reason ?? { why: "it is not an object of a CAPZ cluster" }) }];
}

const isTrue = (value: string): boolean => value === "true";

/** Flags of the autoscaler with keys in a stack file, and how their values are converted. */
const flags: Readonly<
  Record<string, readonly [key: keyof typeof autoscalerDefaults, as: (value: string) => unknown]>
> = {
  expander: ["expander", (value) => value],
  "max-node-provision-time": ["maxNodeProvisionMinutes", minutesOf],
  "scale-down-unneeded-time": ["scaleDownUnneededMinutes", minutesOf],
  "scale-down-delay-after-add": ["scaleDownDelayAfterAddMinutes", minutesOf],
  "scale-down-utilization-threshold": ["scaleDownUtilizationPercent", (value) => Math.round(+value * 100)],
  "skip-nodes-with-local-storage": ["skipNodesWithLocalStorage", isTrue],
  "skip-nodes-with-system-pods": ["skipNodesWithSystemPods", isTrue],
  "balance-similar-node-groups": ["balanceSimilarPools", isTrue],
};

/** The keys of the autoscaler, from its flags. */
function autoscalerOf(others: readonly CapiObject[]): Plain | undefined {
  const container = others
    .filter(({ kind }) => kind === "Deployment")
    .flatMap(({ spec }) => list(at(spec, "template", "spec", "containers")))
    .find(({ image }) => text(image).includes("cluster-autoscaler"));
  const given = [...strings(container?.command), ...strings(container?.args)].flatMap((argument) => {
    const [, name = "", value = "true"] = /^--([^=]+)(?:=(.*))?$/.exec(argument) ?? [];
    const [key, as] = ownValue(flags, name) ?? [];
    return key === undefined ? [] : [[key, as?.(value)] as const];
  });
  return container && { enabled: true, ...unlessDefault(Object.fromEntries(given), autoscalerDefaults) };
}

/** Add-ons that a source delivers and that are off by default. */
export function addonKeys(others: readonly CapiObject[]): Plain | undefined {
  const sets = others.filter(({ kind }) => /^(ClusterResourceSet|HelmChartProxy)$/.test(kind));
  const found = optionalKeys.filter((key) => {
    const { byDefault, known } = optionalAddons[key];
    return !byDefault && sets.some(({ name }) => known.test(name));
  });
  return unlessEmpty({
    ...Object.fromEntries(found.map((key) => [key, { enabled: true }])),
    clusterAutoscaler: autoscalerOf(others),
  });
}

/** A ConfigMap has at most 1 MiB. */
const mostValues = 100_000;

/** The objects of a YAML stream; `undefined` if it is not valid YAML. */
function objectsIn(yaml: string): Plain[] | undefined {
  const plain = yamlDocuments(yaml, { merge: true }).map((document) =>
    document.errors.length > 0 ? undefined : plainYaml(document, mostValues),
  );
  return plain.every((one) => one !== undefined && "value" in one)
    ? plain.map(({ value }) => value).filter(isRecord)
    : undefined;
}

/**
 * ClusterResourceSets of the user's own whose ConfigMaps are all in the source. A set with a Secret, or with a text that may
 * contain a secret, is left out as a whole.
 */
export function extraManifests(others: readonly CapiObject[], cluster: string) {
  const carried = new Set<CapiObject | undefined>();
  const made: Record<string, Plain> = {};
  for (const set of others.filter(({ kind }) => kind === "ClusterResourceSet")) {
    const maps = list(set.spec.resources).map((resource) =>
      others.find(
        ({ kind, name, namespace }) =>
          [kind, resource.kind].every((one) => one === "ConfigMap") &&
          name === resource.name &&
          namespace === set.namespace,
      ),
    );
    const texts = maps.flatMap((map) => Object.values(isRecord(map?.data) ? map.data : {}).map(text));
    const read = texts.map(objectsIn);
    const objects = read.flatMap((own) => own ?? []);
    const isRead = !read.includes(undefined);
    const isOwn = [set, ...maps].every((object) => object !== undefined && addonReason(object) === undefined);
    if (isOwn && isRead && objects.length > 0 && !texts.some(hasSecret)) {
      // The stack's own label has the name, too.
      const { name } = set;
      const own = poolName(name.startsWith(`${cluster}-`) ? name.slice(cluster.length + 1) : name);
      const strategy = set.spec.strategy === "Reconcile" ? {} : { strategy: "ApplyOnce" };
      made[set.labels[manifestLabel] ?? own] = { objects, ...strategy };
      [set, ...maps].forEach((object) => carried.add(object));
    }
  }
  return { extraManifests: unlessEmpty(made), carried };
}
