import { deletionCommands } from "../../../addons/deletion";
import { lineWithoutAddon } from "../../../addons/catalogue";
import { refusedChanges } from "capz-windows-platform/cluster/refusedChanges";
import { azureAdapterMtu, vxlanMtu } from "capz-windows-platform/network/mtu";
import type { KubernetesObject } from "capz-types";
import { at, strings } from "capz-windows-kit/untyped";
import { isWithin } from "../../model/components";
import { dataStreams } from "../../model/workloadStreams";
import type { Difference } from "../differences";
import { formatChange, formatList, pluralize } from "../format";
import {
  changeText,
  lifecycle,
  said,
  touches,
  type ClusterPair,
  type ImpactRule,
  type Matched,
  type Saying,
} from "../impactRule";

/** What ClusterResourceSets deliver to the workload cluster. */

export const reconcile = "CAPI v1.14.2 core/reconcilers/clusterresourceset (strategy Reconcile)";
const data = touches("ConfigMap", /^data\b/);
const set = "ClusterResourceSet";
const inWorkloadCluster = { severity: "refused", later: true } as const;

/** "DaemonSet kube-proxy-windows" → the object. */
export type Objects = ReadonlyMap<string, KubernetesObject>;

/** What the ConfigMaps of an add-on deliver on one side; a ConfigMap that is created has nothing in the base. */
function objectsIn(differences: readonly Difference[], side: "base" | "head"): readonly KubernetesObject[] {
  const configMaps = [...new Set(differences.flatMap((difference) => difference[side] ?? []))];
  return configMaps.flatMap(dataStreams).flatMap(({ objects }) => objects);
}

const deliveredObjects = (differences: readonly Difference[], side: "base" | "head"): Objects =>
  new Map(objectsIn(differences, side).map((object) => [`${object.kind} ${object.metadata.name}`, object]));

export const deliveredSides = (differences: readonly Difference[]) =>
  [deliveredObjects(differences, "base"), deliveredObjects(differences, "head")] as const;

const isWorkload = (name: string): boolean => /^(DaemonSet|Deployment|StatefulSet) /.test(name);

/** A management cluster has other ConfigMaps, too. */
export const isContent = (difference: Difference): boolean =>
  isWithin(difference.resource.urn, set) &&
  (data(difference) ||
    ["create", "delete"].some((kind) => kind === difference.kind && difference.type === "ConfigMap"));

/** A remark about what is delivered: the differences stay for the rules that explain them. */
export const ofDelivered = (
  saying: Saying<[base: Objects, head: Objects, matched: Matched, clusters: ClusterPair]>,
) => ({
  match: isContent,
  informational: true,
  explain: (matched: Matched, clusters: ClusterPair) =>
    said(saying, ...deliveredSides(matched), matched, clusters),
});

const selectorOf = (object: unknown): string => JSON.stringify(at(object, "spec", "selector") ?? null);

/** Whether pods of a workload stay as they are. */
const isSameTemplate = (base: KubernetesObject | undefined, head: KubernetesObject): boolean =>
  JSON.stringify(at(base, "spec", "template")) === JSON.stringify(at(head, "spec", "template"));

/** " (2 → 1 replicas)" */
function scaledText(base: KubernetesObject | undefined, head: KubernetesObject): string {
  const [before, after] = [base, head].map((object) => at(object, "spec", "replicas"));
  return typeof before !== "number" || typeof after !== "number" || before === after
    ? ""
    : ` (${before} → ${pluralize(after, "replica")})`;
}

/** The immutable fields of a StorageClass. */
const fixedOfClass = (object: KubernetesObject | undefined): string =>
  JSON.stringify(
    ["provisioner", "parameters", "reclaimPolicy", "volumeBindingMode"].map(
      (field) => at(object, field) ?? null,
    ),
  );

const defaultAnnotation = "storageclass.kubernetes.io/is-default-class";

const defaultClass = (objects: Objects): string | undefined =>
  [...objects.values()].find(
    ({ kind, metadata }) => kind === "StorageClass" && metadata.annotations?.[defaultAnnotation] === "true",
  )?.metadata.name;

const podMtu = (objects: Objects): unknown =>
  [...objects]
    .map(([, object]) => at(object, "spec", "calicoNetwork", "mtu"))
    .find((mtu) => mtu !== undefined);

/** Whether packets of pods, encapsulated, are larger than what the adapter of a machine takes by itself. */
const needsJumbo = (mtu: unknown): boolean => typeof mtu === "number" && mtu > vxlanMtu(azureAdapterMtu);

/** A sentence about a value that both sides have. */
const changeOf = (what: string, before: unknown, after: unknown): string | false =>
  before !== undefined &&
  after !== undefined &&
  before !== after &&
  `${what}: ${formatChange(before, after)}`;

/** What the API server does with pods that violate the policies for Windows; `undefined` without policies. */
export const policyActions = (objects: Objects): string | undefined =>
  [...objects]
    .filter(([name]) => name.startsWith("ValidatingAdmissionPolicyBinding capz-windows-"))
    .map(([, object]) => strings(at(object, "spec", "validationActions")).join())[0];

export const addonRules: readonly ImpactRule[] = [
  {
    id: "addon-removed",
    source: `${reconcile}: it applies, and deletes nothing in the workload cluster`,
    match: lifecycle("delete", set),
    claims: () => true,
    explain: ([{ part }], _clusters, group) => ({
      what: `Add-on ${part.name} is no longer delivered; what it delivered stays in the workload cluster`,
      why: "a ClusterResourceSet does not delete what it applied",
      instead: "delete its objects in the workload cluster after `pulumi up`, once nothing needs them",
      commands: deletionCommands(objectsIn(group, "base")),
    }),
  },
  {
    id: "addon-created",
    source: reconcile,
    match: lifecycle("create", set),
    claims: () => true,
    explain: ([{ part }]) => {
      const without = lineWithoutAddon(part.name);
      return {
        what: `Add-on ${part.name} is delivered to the workload cluster`,
        why: "its ClusterResourceSet selects the cluster by a label",
        ...(without !== undefined && {
          instead: `write ${without} if the cluster has its own, or needs none`,
        }),
      };
    },
  },
  {
    id: "addon-set-immutable",
    severity: "refused",
    source: "CAPI v1.14.2 core/webhooks/admission/clusterresourceset.go",
    match: touches(set, /^spec\.(strategy|clusterSelector)\b/),
    what: (matched) =>
      `ClusterResourceSet ${matched[0].part.name} cannot change ${formatList(matched.map(({ path }) => path))}`,
    why: "Cluster API refuses it: both are immutable",
    instead: "give the set another name",
  },
  {
    id: "addon-selector-immutable",
    ...inWorkloadCluster,
    source: "https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#label-selector-updates",
    ...ofDelivered({
      what: (base, head) => {
        const wrong = [...head].filter(
          ([name, object]) =>
            isWorkload(name) && base.has(name) && selectorOf(base.get(name)) !== selectorOf(object),
        );
        return wrong.length > 0 && `${formatList(wrong.map(([name]) => name))} cannot change its selector`;
      },
      why: "the workload cluster refuses it, and the ClusterResourceSet applies nothing after it; `pulumi up` does not see that",
      instead: "delete the object in the workload cluster first, or give it another name",
    }),
  },
  {
    id: "storage-class-immutable",
    ...inWorkloadCluster,
    source:
      "https://kubernetes.io/docs/concepts/storage/storage-classes/; Kubernetes v1.35 pkg/apis/storage/validation (ValidateStorageClassUpdate)",
    ...ofDelivered({
      what: (base, head) => {
        const wrong = [...head].filter(
          ([name, object]) =>
            object.kind === "StorageClass" &&
            base.has(name) &&
            fixedOfClass(base.get(name)) !== fixedOfClass(object),
        );
        return (
          wrong.length > 0 && `${formatList(wrong.map(([name]) => name))} has fields that cannot be changed`
        );
      },
      why: "the API server does not accept a change of a StorageClass's provisioner, parameters, reclaim policy or binding mode, and the ClusterResourceSet retries forever; `pulumi up` does not see that",
      instead:
        "add a class with another name, or delete this one in the workload cluster first: existing volumes and claims work without it",
    }),
  },
  {
    id: "default-storage-class",
    source: "https://kubernetes.io/docs/concepts/storage/storage-classes/#default-storageclass",
    per: "stack",
    ...ofDelivered({
      what: (base, head) =>
        changeOf("The default StorageClass changes", defaultClass(base), defaultClass(head)),
      why: "new claims that name no class get disks of the new one; claims that exist keep theirs",
    }),
  },
  {
    id: "addon-object-left-behind",
    source: `${reconcile}: it applies, and deletes nothing in the workload cluster`,
    ...ofDelivered({
      explain: (base, head, matched) => {
        const gone = [...base]
          // A Job with a time to live is deleted by Kubernetes.
          .filter(([name, { spec }]) => !head.has(name) && at(spec, "ttlSecondsAfterFinished") === undefined)
          .map(([name]) => name);
        return gone.length === 0
          ? undefined
          : {
              what: `${formatList(gone)} of add-on ${matched[0].part.name} stay${gone.length === 1 ? "s" : ""} in the workload cluster`,
              why: "a ClusterResourceSet does not delete what it no longer contains",
              instead: `delete ${gone.length === 1 ? "it" : "them"} in the workload cluster after \`pulumi up\``,
              commands: deletionCommands(gone.flatMap((name) => base.get(name) ?? [])),
            };
      },
    }),
  },
  {
    id: "pod-mtu",
    source: "https://docs.tigera.io/calico/latest/networking/configuring/mtu; CAPZ #1335, #1353",
    ...ofDelivered({
      what: (base, head) => changeOf("Pods get another MTU", podMtu(base), podMtu(head)),
      why: "running pods keep theirs until they are recreated; on Windows, windows-mtu lowers it in running pods at once; between pods with different MTUs large packets may be lost",
      instead: "restart the workloads on every node afterwards, Linux and Windows alike",
    }),
  },
  {
    id: "adapter-mtu",
    source:
      "https://learn.microsoft.com/azure/virtual-network/how-to-virtual-machine-mtu; bootstrap/scripts/set-mtu.sh and set-jumbo-packet.ps1",
    ...ofDelivered({
      what: (base, head) =>
        base.size > 0 &&
        needsJumbo(podMtu(head)) &&
        !needsJumbo(podMtu(base)) &&
        `Packets of pods get larger than the ${azureAdapterMtu} bytes that adapters of existing machines take`,
      why: "only new machines have larger adapters: until each one is replaced, Linux hosts fragment what pods send, and Windows drops fragments",
      instead: "give network.mtu to a new cluster, or replace the machines of each scale set soon afterwards",
    }),
  },
  {
    id: "windows-policy-denies",
    source: "Kubernetes ValidatingAdmissionPolicyBinding.spec.validationActions",
    ...ofDelivered({
      what: (base, head) => {
        const [before, after] = [base, head].map(policyActions);
        return (
          after === "Deny" &&
          before !== "Deny" &&
          `Pods that name no operating system, have an image for another Windows release, or are HostProcess are refused from now on${before === undefined ? "" : ` (until now: ${before})`}`
        );
      },
      why: "the API server denies what the policies describe; what runs stays, until its pods are recreated",
      instead: "policy: warn first, and look at the warnings of `kubectl apply --dry-run=server`",
    }),
  },
  {
    id: "addon-changes",
    source: reconcile,
    match: (difference) => isContent(difference) || touches(set, /^spec\.resources\b/)(difference),
    explain: (matched) => {
      const [base, head] = deliveredSides(matched.filter(isContent));
      const changed = [...head].filter(
        ([name, object]) => JSON.stringify(base.get(name)) !== JSON.stringify(object),
      );
      const names = changed.map(([name, object]) => `${name}${scaledText(base.get(name), object)}`);
      const restarts = changed.some(
        ([name, object]) => isWorkload(name) && !isSameTemplate(base.get(name), object),
      );
      return {
        what: `Add-on ${matched[0].part.name} is applied again in the workload cluster${names.length > 0 ? `: ${formatList(names)}` : ""}`,
        why: `Cluster API applies it at once, without waiting for nodes that roll${restarts ? "; pods of these workloads restart" : ""}`,
      };
    },
  },
  {
    id: "addon-labels",
    source:
      "CAPI v1.14.2 core/reconcilers/clusterresourceset/clusterresourceset_controller.go (spec.clusterSelector); packages/platform/cluster/refusedChanges.ts",
    match: touches("Cluster", /^metadata\.labels\b/),
    explain: (matched) => {
      const [{ base, head }] = matched;
      const isRefused = refusedChanges(base?.inputs, head?.inputs).some((text) =>
        text.startsWith("metadata.labels"),
      );
      return {
        ...(isRefused ? { severity: "refused" } : {}),
        what: `${isRefused ? "The cluster cannot change its CNI: label" : "The cluster's labels change:"} ${changeText(matched, /labels/)}`,
        why: "ClusterResourceSets select the clusters for their add-ons by these labels",
      };
    },
  },
];
