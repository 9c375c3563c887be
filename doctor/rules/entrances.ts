import { at, isRecord, list, textAt } from "../../domain/untyped";
import { type KubeObject, stays, title } from "../model/objects";
import type { World } from "../model/snapshot";
import { workloadKubectl } from "./commands";
import { olderThan, wasRead } from "./finders";
import type { Match, Rule } from "./rule";

/** Services and Ingresses without a backend, so that all requests fail. No event reports it. */

/** A chart may create Services and Ingresses some minutes before their backends. */
const minutes = 15;

type Labels = Readonly<Record<string, unknown>>;

const labelsAt = (value: unknown, ...path: readonly string[]): Labels => {
  const found = at(value, ...path);
  return isRecord(found) ? found : {};
};

const matches = (labels: Labels, selector: Labels): boolean =>
  Object.entries(selector).every(([key, value]) => labels[key] === value);

const written = (labels: Labels): string =>
  Object.entries(labels)
    .map(([key, value]) => `${key}=${String(value)}`)
    .join(",");

/** Namespaces of add-ons, about whose Pods other rules say more. */
const ofSystem = /^(?:kube|calico|tigera|gmsa)-|^(?:capi|capz)-/;

const templates = ["Deployment", "StatefulSet", "DaemonSet"] as const;

/** Whether Pods of a workload would have the labels: it is scaled to 0, is being restarted, or its Pods are refused. */
const isMadeFor = (service: KubeObject, selector: Labels, world: World): boolean =>
  templates
    .flatMap((kind) => world.all(kind, "workload"))
    .filter(({ metadata }) => metadata.namespace === service.metadata.namespace)
    .some(({ spec }) =>
      matches(
        { ...labelsAt(spec, "selector", "matchLabels"), ...labelsAt(spec, "template", "metadata", "labels") },
        selector,
      ),
    );

/** Which labels the most similar Pod of the namespace has instead of those that a Service selects. */
function nearest(pods: readonly KubeObject[], selector: Labels): string {
  const keys = Object.keys(selector);
  const common = ({ metadata }: KubeObject): number =>
    keys.filter((key) => metadata.labels?.[key] === selector[key]).length;
  const [near] = pods
    .filter(({ metadata }) => keys.some((key) => metadata.labels?.[key] !== undefined))
    .sort((a, b) => common(b) - common(a));
  const wrong = keys.filter((key) => near?.metadata.labels?.[key] !== selector[key]);
  return near === undefined
    ? pods.length === 0
      ? "the namespace has no Pods"
      : `no Pod there has a label ${keys.join(" or ")}`
    : `the Pod ${near.metadata.name} has ${wrong.map((key) => `${key}=${near.metadata.labels?.[key] ?? "(nothing)"}`).join(",")}`;
}

/**
 * Services without Pods. Headless ones are made before their Pods, and those of an operator, which have an owner, belong to
 * Pods that it starts when they are needed.
 */
function selectsNothing(world: World): Match[] {
  const pods = world.all("Pod", "workload");
  if (pods.length === 0 || !["Pod", ...templates].every((kind) => wasRead(kind, "workload", world))) {
    return [];
  }
  return world
    .all("Service", "workload")
    .filter((service) => stays(service) && olderThan(service, minutes, world))
    .filter(({ metadata }) => !ofSystem.test(metadata.namespace ?? "") && !metadata.ownerReferences?.length)
    .filter(({ spec }) => textAt(spec, "type") !== "ExternalName" && textAt(spec, "clusterIP") !== "None")
    .flatMap((object) => {
      const selector = labelsAt(object.spec, "selector");
      const near = pods.filter(({ metadata }) => metadata.namespace === object.metadata.namespace);
      return Object.keys(selector).length === 0 ||
        near.some(({ metadata }) => matches(metadata.labels ?? {}, selector)) ||
        isMadeFor(object, selector, world)
        ? []
        : [
            {
              object,
              proof: { where: `${title(object)}, spec.selector`, text: written(selector) },
              vars: { selector: written(selector), nearest: nearest(near.filter(stays), selector) },
            },
          ];
    });
}

const defaultClass = "ingressclass.kubernetes.io/is-default-class";

/** Why no controller takes an Ingress; `undefined` if one may. */
function withoutClass({ metadata, spec }: KubeObject, classes: readonly KubeObject[]): string | undefined {
  const name = textAt(spec, "ingressClassName");
  const former = metadata.annotations?.["kubernetes.io/ingress.class"] ?? "";
  if (name !== "") {
    return classes.some((each) => each.metadata.name === name)
      ? undefined
      : `there is no IngressClass ${name}`;
  }
  if (former !== "") {
    // Controllers that still read the annotation bring a class, too, which may have another name.
    return classes.length === 0 ? `it names the class ${former}, and there is no IngressClass` : undefined;
  }
  return classes.some((each) => each.metadata.annotations?.[defaultClass] === "true")
    ? undefined
    : "it names no class, and no IngressClass is the default";
}

function servedByNobody(world: World): Match[] {
  if (!wasRead("IngressClass", "workload", world)) {
    return [];
  }
  const classes = world.all("IngressClass", "workload");
  return world
    .all("Ingress", "workload")
    .filter((ingress) => stays(ingress) && olderThan(ingress, minutes, world))
    .filter(({ status }) => list(at(status, "loadBalancer", "ingress")).length === 0)
    .flatMap((object) => {
      const reason = withoutClass(object, classes);
      return reason === undefined
        ? []
        : [
            {
              object,
              proof: { where: `${title(object)}, status.loadBalancer`, text: `empty; ${reason}` },
              vars: { reason },
            },
          ];
    });
}

export const entranceRules: readonly Rule[] = [
  {
    id: "service-selects-nothing",
    stage: "pods",
    severity: "warning",
    symptom: "a Service does not answer: it has no endpoints",
    cause:
      "The Service {name} has no endpoints: no Pod in {podNamespace} has the labels of its selector, {selector}; {nearest}.",
    proof: "Service, spec.selector; labels of the Pods and of the templates in its namespace",
    remedy: [
      `${workloadKubectl} get pods -n {podNamespace} --show-labels`,
      `${workloadKubectl} edit service {name} -n {podNamespace}   # spec.selector: the labels of the Pods; or correct the labels in their template`,
    ],
    source: "https://kubernetes.io/docs/tasks/debug/debug-application/debug-service/",
    find: selectsNothing,
  },
  {
    id: "ingress-not-served",
    stage: "pods",
    severity: "warning",
    symptom: "an Ingress gets no address",
    cause: "No controller serves the Ingress {name}: {reason}. This stack installs no ingress controller.",
    proof: "Ingress, spec.ingressClassName and status.loadBalancer; IngressClass",
    remedy: [
      `${workloadKubectl} get ingressclass   # ingressClassName must be one of these`,
      "nodeSelector: {kubernetes.io/os: linux}   # in the values of an ingress controller that you install: their images are for Linux",
      `${workloadKubectl} expose deployment DEPLOYMENT -n {podNamespace} --type=LoadBalancer --port=80   # a Service of type LoadBalancer needs no controller`,
    ],
    source: "https://kubernetes.io/docs/concepts/services-networking/ingress/#prerequisites",
    find: servedByNobody,
  },
];
