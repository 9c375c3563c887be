import { at, isRecord, list, textAt } from "../../tools/untyped";
import { present } from "../../tools/present";
import { placeholderIn } from "../../platform/workloads/imageReferences";
import { containersOf, hasHostProcess, securityValue } from "./windowsPods";
import type { Workload, WorkloadManifest } from "./types";

/**
 * What a Pod has that the other checks do not look at, so that nobody reads "runs" of it. Names of fields: Kubernetes v1.36
 * core/v1 types.go, PodSpec, Container, Volume and VolumeMount.
 */

const podFields = new Set([
  ...["activeDeadlineSeconds", "affinity", "automountServiceAccountToken", "containers", "dnsConfig"],
  ...["dnsPolicy", "enableServiceLinks", "ephemeralContainers", "hostAliases", "hostIPC", "hostNetwork"],
  ...["hostPID", "hostUsers", "hostname", "imagePullSecrets", "initContainers", "nodeName", "nodeSelector"],
  ...["os", "overhead", "preemptionPolicy", "priority", "priorityClassName", "readinessGates"],
  ...["restartPolicy", "runtimeClassName", "schedulerName", "schedulingGates", "securityContext"],
  ...["serviceAccount", "serviceAccountName", "setHostnameAsFQDN", "shareProcessNamespace", "subdomain"],
  ...["terminationGracePeriodSeconds", "tolerations", "topologySpreadConstraints", "volumes"],
]);

const containerFields = new Set([
  ...["args", "command", "env", "envFrom", "image", "imagePullPolicy", "lifecycle", "livenessProbe", "name"],
  ...["ports", "readinessProbe", "resizePolicy", "resources", "restartPolicy", "securityContext"],
  ...["startupProbe", "stdin", "stdinOnce", "terminationMessagePath", "terminationMessagePolicy", "tty"],
  ...["volumeDevices", "volumeMounts", "workingDir"],
]);

const mountFields = new Set([
  ...["mountPath", "mountPropagation", "name", "readOnly", "recursiveReadOnly", "subPath", "subPathExpr"],
]);

/** Volumes that are looked at elsewhere: known to work on Windows, or known not to. */
const volumeKinds = new Set([
  ...["azureDisk", "azureFile", "cephfs", "configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "fc"],
  ...["flexVolume", "gitRepo", "glusterfs", "hostPath", "iscsi", "local", "nfs", "persistentVolumeClaim"],
  ...["projected", "rbd", "secret"],
]);

const unknownIn = (holder: unknown, known: ReadonlySet<string>): string[] =>
  Object.keys(isRecord(holder) ? holder : {}).filter((field) => !known.has(field));

function unknownFields(podSpec: unknown): string[] {
  const containers = containersOf(podSpec).flatMap((container) => {
    const name = `container ${textAt(container, "name")}`;
    return [
      ...unknownIn(container, containerFields).map((field) => `${name}: the field ${field}`),
      ...list(at(container, "volumeMounts")).flatMap((mount) =>
        unknownIn(mount, mountFields).map((field) => `${name}: the field volumeMounts.${field}`),
      ),
    ];
  });
  const volumes = list(at(podSpec, "volumes")).flatMap((volume) =>
    Object.keys(volume)
      .filter((key) => key !== "name" && !volumeKinds.has(key))
      .map((kind) => `volume ${textAt(volume, "name")}: the kind ${kind}`),
  );
  return [...unknownIn(podSpec, podFields).map((field) => `the field ${field}`), ...containers, ...volumes];
}

/** What the scheduler weighs that depends on other Pods, other schedulers, or on devices of a node. */
function unknownPlacement(podSpec: unknown): string[] {
  const affinity = ["podAffinity", "podAntiAffinity"].filter(
    (kind) =>
      list(at(podSpec, "affinity", kind, "requiredDuringSchedulingIgnoredDuringExecution")).length > 0,
  );
  const isStrict = list(at(podSpec, "topologySpreadConstraints")).some(
    (constraint) => textAt(constraint, "whenUnsatisfiable") !== "ScheduleAnyway",
  );
  const scheduler = textAt(podSpec, "schedulerName");
  return present(
    ...affinity.map((kind) => `${kind}: where other pods are`),
    isStrict && "topologySpreadConstraints: where other pods are",
    list(at(podSpec, "schedulingGates")).length > 0 && "schedulingGates: who removes them",
    !["", "default-scheduler"].includes(scheduler) && `the scheduler ${scheduler}`,
  );
}

const ownResources = new Set(["cpu", "memory", "ephemeral-storage"]);

const unknownResources = (podSpec: unknown): string[] => [
  ...new Set(
    containersOf(podSpec).flatMap((container) =>
      ["requests", "limits"].flatMap((side) =>
        unknownIn(at(container, "resources", side), ownResources)
          .filter((name) => !name.startsWith("hugepages-"))
          .map((name) => `whether nodes have the resource ${name}`),
      ),
    ),
  ),
];

interface Reference {
  readonly kind: string;
  readonly name: string;
}

/** A reference that a Pod needs: optional ones are left out. */
const needed = (kind: string, holder: unknown, key = "name"): Reference[] => {
  const name = textAt(holder, key);
  return name === "" || at(holder, "optional") === true ? [] : [{ kind, name }];
};

function ofVolume(volume: unknown): Reference[] {
  const sources = [volume, ...list(at(volume, "projected", "sources"))];
  return sources.flatMap((source) => [
    ...needed("ConfigMap", at(source, "configMap")),
    ...needed("Secret", at(source, "secret"), "secretName"),
    ...needed("Secret", at(source, "secret")),
  ]);
}

const ofContainer = (container: unknown): Reference[] => [
  ...list(at(container, "envFrom")).flatMap((source) => [
    ...needed("ConfigMap", at(source, "configMapRef")),
    ...needed("Secret", at(source, "secretRef")),
  ]),
  ...list(at(container, "env")).flatMap((variable) => [
    ...needed("ConfigMap", at(variable, "valueFrom", "configMapKeyRef")),
    ...needed("Secret", at(variable, "valueFrom", "secretKeyRef")),
  ]),
];

/** What each cluster has (kubernetes v1.36 cmd/kube-controller-manager serviceaccount, rootcacertpublisher; priority classes). */
const isBuiltIn = ({ kind, name }: Reference): boolean =>
  (kind === "ServiceAccount" && name === "default") ||
  (kind === "ConfigMap" && name === "kube-root-ca.crt") ||
  (kind === "PriorityClass" && ["system-cluster-critical", "system-node-critical"].includes(name));

function unknownReferences({ podSpec, namespace }: Workload, manifests: readonly WorkloadManifest[]) {
  const account = textAt(podSpec, "serviceAccountName") || textAt(podSpec, "serviceAccount");
  const all = [
    ...list(at(podSpec, "volumes")).flatMap(ofVolume),
    ...containersOf(podSpec).flatMap(ofContainer),
    ...list(at(podSpec, "imagePullSecrets")).flatMap((secret) => needed("Secret", secret)),
    ...needed("ServiceAccount", { name: account }),
    ...needed("PriorityClass", podSpec, "priorityClassName"),
  ].filter((reference) => !isBuiltIn(reference));
  const missing = all.filter(
    ({ kind, name }) =>
      !manifests.some(
        (each) =>
          each.kind === kind &&
          each.name === name &&
          (kind === "PriorityClass" || each.namespace === namespace),
      ),
  );
  return [...new Set(missing.map(({ kind, name }) => `${kind} ${name}, which is not among the manifests`))];
}

const unknownImages = (podSpec: unknown): string[] =>
  [...new Set(containersOf(podSpec).map((container) => textAt(container, "image")))].flatMap((image) => {
    const placeholder = placeholderIn(image);
    return placeholder === undefined
      ? []
      : [`the image ${image}: something must replace ${placeholder} in it first`];
  });

/** kubelet refuses the account ContainerAdministrator, which an image has where it names no other (verifyRunAsNonRoot). */
function unknownUsers(podSpec: unknown): string[] {
  if (hasHostProcess(podSpec)) {
    return [];
  }
  return containersOf(podSpec)
    .filter(
      (container) =>
        securityValue(podSpec, container, "runAsNonRoot") === true &&
        (securityValue(podSpec, container, "windowsOptions", "runAsUserName") ?? undefined) === undefined,
    )
    .map(
      (container) =>
        `container ${textAt(container, "name")}: whether its image has a user other than ContainerAdministrator, as runAsNonRoot asks`,
    );
}

/** What was not looked at in a Pod, whatever its nodes are. */
export const unknownsOf = (
  workload: Workload,
  manifests: readonly WorkloadManifest[],
  onWindows: boolean,
): string[] => [
  ...unknownFields(workload.podSpec),
  ...unknownPlacement(workload.podSpec),
  ...unknownResources(workload.podSpec),
  ...unknownImages(workload.podSpec),
  ...(onWindows ? unknownUsers(workload.podSpec) : []),
  ...unknownReferences(workload, manifests),
];
