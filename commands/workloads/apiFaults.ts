import { at, isRecord, list, textAt } from "../../tools/untyped";
import { quantity } from "./quantities";
import { templateOf, textsOf } from "./read";
import { ofCluster, type Workload } from "./types";
import { containersOf, refusedFields } from "./windowsPods";
import { present } from "../../tools/present";

/**
 * Faults of a workload object that do not depend on a pool: the API server refuses it, or it uses annotations and
 * labels of old examples that have no effect any more.
 */

/** Removed API versions by kind, with the release that removed them (Kubernetes, Deprecated API Migration Guide). */
const gone: Readonly<
  Record<string, { readonly now: string; readonly versions: Readonly<Record<string, string>> }>
> = {
  ...Object.fromEntries(
    ["Deployment", "DaemonSet", "StatefulSet", "ReplicaSet"].map((kind) => [
      kind,
      {
        now: "apps/v1",
        versions: { "extensions/v1beta1": "1.16", "apps/v1beta1": "1.16", "apps/v1beta2": "1.16" },
      },
    ]),
  ),
  CronJob: { now: "batch/v1", versions: { "batch/v2alpha1": "1.21", "batch/v1beta1": "1.25" } },
};

function versionFaults({ kind, object }: Workload): string[] {
  const version = textAt(object, "apiVersion");
  const since = gone[kind]?.versions[version];
  return present(
    since !== undefined &&
      `the API server refuses it: Kubernetes has no ${kind} of ${version} since ${since}: write apiVersion: ${gone[kind]?.now ?? ""}`,
  );
}

const dnsName = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;

function nameFaults({ kind, object }: Workload): string[] {
  const name = textAt(object, "metadata", "name");
  return present(
    name !== "" &&
      (!dnsName.test(name) || !(name.length <= 253)) &&
      `the API server refuses it: ${kind} ${name} is not a valid name; use lowercase letters, digits, - and . only: write ${name.toLowerCase().replace(/[^a-z0-9.-]+/g, "-")}`,
  );
}

/** apps/v1 requires a selector; older versions derived it from the labels of the pods. */
function selectorFaults({ kind, object, podLabels }: Workload): string[] {
  if (!["Deployment", "DaemonSet", "StatefulSet", "ReplicaSet"].includes(kind)) {
    return [];
  }
  const selector = at(object, "spec", "selector");
  const labels = Object.entries(podLabels);
  if (!isRecord(selector) || Object.keys(selector).length === 0) {
    return [
      `the API server refuses it: spec.selector is missing: write selector: {matchLabels: ${
        labels.length === 0
          ? "{app: NAME}}, and the same labels in spec.template.metadata"
          : `{${labels.map(([key, value]) => `${key}: ${value}`).join(", ")}}}`
      }`,
    ];
  }
  const missed = Object.entries(textsOf(at(selector, "matchLabels"))).filter(
    ([key, value]) => podLabels[key] !== value,
  );
  return present(
    missed.length > 0 &&
      `the API server refuses it: spec.selector has ${missed.map(([key, value]) => `${key}: ${value}`).join(", ")}, which the labels in spec.template.metadata have not`,
  );
}

/**
 * Restart policies that the controller of a kind does not take, and kinds of volumes that only a PersistentVolume has
 * (kubernetes v1.36.3 pkg/apis/batch/validation, pkg/apis/apps/validation, pkg/apis/core/types.go VolumeSource).
 */
function podFaults({ kind, podSpec }: Workload): string[] {
  const policy = textAt(podSpec, "restartPolicy");
  const isJob = ["CronJob", "Job"].includes(kind);
  const wrong = isJob
    ? !["OnFailure", "Never"].includes(policy)
    : kind !== "Pod" && !["", "Always"].includes(policy);
  return present(
    wrong &&
      `the pods of a ${kind} have restartPolicy ${policy || "Always, the default"}: write ${isJob ? "OnFailure or Never" : "Always"}`,
    ...list(at(podSpec, "volumes"))
      .filter((volume) => isRecord(volume.local))
      .map(
        (volume) =>
          `volume ${textAt(volume, "name")}: only a PersistentVolume can be local: write a persistentVolumeClaim, or hostPath`,
      ),
    ...refusedFields(podSpec),
  ).map((fault) => `the API server refuses it: ${fault}`);
}

/** Values that are no quantities (apimachinery v0.36 pkg/api/resource). */
const quantityFaults = ({ podSpec }: Workload): string[] =>
  containersOf(podSpec).flatMap((container) =>
    ["requests", "limits"].flatMap((side) => {
      const values = at(container, "resources", side);
      return Object.entries(isRecord(values) ? values : {})
        .filter(([, value]) => quantity(value) === undefined)
        .map(
          ([name, value]) =>
            `the API server refuses it: container ${textAt(container, "name")}: ${side}.${name} ${JSON.stringify(value)} is no quantity: write it like 500m, 2 or 1Gi`,
        );
    }),
  );

/** Kinds that hold images without a check of blanks: only the API server's check of the Pod has it. */
const imageFaults = ({ kind, podSpec }: Workload): string[] =>
  containersOf(podSpec).flatMap((container) => {
    const [image, name] = [textAt(container, "image"), textAt(container, "name")];
    const what = kind === "Pod" ? "it" : "its pods";
    return present(
      image === "" && `the API server refuses it: container ${name} has no image`,
      image !== image.trim() &&
        `the API server refuses ${what}: container ${name}: the image ${JSON.stringify(image)} has blanks at its beginning or end`,
    );
  });

/** A request above its limit. */
const requestFaults = ({ podSpec }: Workload): string[] =>
  containersOf(podSpec).flatMap((container) =>
    ["cpu", "memory"].flatMap((kind) => {
      const [requested, limit] = ["requests", "limits"].map((side) => at(container, "resources", side, kind));
      const [wanted, most] = [requested, limit].map((value) =>
        value === undefined || value === null ? undefined : quantity(String(value as string | number)),
      );
      return present(
        wanted !== undefined &&
          most !== undefined &&
          !(wanted <= most) &&
          `the API server refuses it: container ${textAt(container, "name")} requests more ${kind} (${String(requested)}) than its limit (${String(limit)})`,
      );
    }),
  );

export const apiFaults = (workload: Workload): string[] =>
  workload.source === ofCluster
    ? []
    : [
        versionFaults,
        nameFaults,
        selectorFaults,
        podFaults,
        imageFaults,
        quantityFaults,
        requestFaults,
      ].flatMap((faults) => faults(workload));

const isolationType = "experimental.windows.kubernetes.io/isolation-type";

/** Notes about what examples for Kubernetes 1.10 to 1.20 use: the feature gate HyperVContainer, and beta node labels. */
export function oldNotes(workload: Workload): string[] {
  const { podSpec } = workload;
  const selected = Object.keys(textsOf(at(podSpec, "nodeSelector")));
  const terms = list(
    at(
      podSpec,
      "affinity",
      "nodeAffinity",
      "requiredDuringSchedulingIgnoredDuringExecution",
      "nodeSelectorTerms",
    ),
  );
  const keys = [
    ...selected,
    ...terms.flatMap((term) => list(term.matchExpressions).map(({ key }) => String(key))),
  ];
  return present(
    at(templateOf(workload), "metadata", "annotations", isolationType) !== undefined &&
      `the annotation ${isolationType} does nothing since Kubernetes 1.21: its containers run in process isolation; for Hyper-V isolation write runtimeClassName (workloads.hyperV)`,
    ...["os", "arch"]
      .filter((label) => keys.includes(`beta.kubernetes.io/${label}`))
      .map(
        (label) =>
          `beta.kubernetes.io/${label} is deprecated since Kubernetes 1.14: write kubernetes.io/${label}`,
      ),
  );
}
