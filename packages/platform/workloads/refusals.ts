import { isAddress } from "../cluster/goValues";
import { quantity } from "capz-windows-kit/quantity";
import { at, isRecord, list, strings, text, textAt } from "capz-windows-kit/untyped";
import { placeholderIn } from "./imageReferences";
import { dnsName, limitFault, objectFaults, type PodMaker } from "./objectFaults";
import type { FieldFacts, PodField, Says } from "./podFields";
import { repeated } from "./podSpec";

/**
 * Why the API server refuses a pod whose fields are known and of the right type. Source: kubernetes v1.36.3
 * pkg/apis/core/validation/validation.go, in its order where a row names no other. It has more rules: `kubectl apply --dry-run=server`
 * tells them all.
 */

export const probes = "containers.livenessProbe containers.readinessProbe containers.startupProbe";
const hooks = "containers.lifecycle.postStart containers.lifecycle.preStop";
const handlers = ["exec", "grpc", "httpGet", "sleep", "tcpSocket"];
export const amounts = "containers.resources.requests containers.resources.limits";
const affinity = "affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution";
export const nodeTerms = `${affinity}.nodeSelectorTerms`;

/** Paths with the same end. */
export const below = (paths: string, end: string): string =>
  paths
    .split(" ")
    .map((path) => `${path}.${end}`)
    .join(" ");

/** What is said of each entry of requests or limits. */
export const eachAmount =
  (say: (resource: string, amount: unknown, name: string) => string | false) =>
  (value: unknown, _: PodMaker, { path }: PodField): Says[] =>
    Object.entries(isRecord(value) ? value : {}).map(([resource, amount]) =>
      say(resource, amount, `${path.split(".").at(-1) ?? ""}.${resource}`),
    );

/** Names that the volumeMounts of a pod may have. */
const volumesOf = ({ object, podSpec }: PodMaker): ReadonlySet<unknown> =>
  new Set([
    ...list(at(podSpec, "volumes")).map((volume) => textAt(volume, "name")),
    ...list(at(object, "spec", "volumeClaimTemplates")).map((claim) => textAt(claim, "metadata", "name")),
  ]);

const mayBeAddress = (value: unknown): boolean =>
  isAddress(text(value)) || placeholderIn(text(value)) !== undefined;

/** validateWindowsSecurityContextOptions. */
function userFault(value: unknown): Says {
  const name = at(value, "runAsUserName");
  if (typeof name !== "string" || placeholderIn(name) !== undefined) {
    return undefined;
  }
  const [user = "", , ...more] = name.split("\\").reverse();
  const isUser = /^(?![. ]*$)[^"/:;|=,+*?<>@[\]\u0000-\u001f]{1,104}$/.test(user);
  return (
    !(isUser && more.length === 0) &&
    `runAsUserName ${name || '""'} names no user: write it as USER or DOMAIN\\USER`
  );
}

const credentialFault = (name: unknown): Says =>
  typeof name === "string" &&
  placeholderIn(name) === undefined &&
  !dnsName.test(name) &&
  `gmsaCredentialSpecName ${name || '""'} is no name of an object: lowercase letters, digits, - and .`;

/** Ports of the node that two containers of a pod ask for. */
const hostPorts = (podSpec: unknown): { key: string }[] =>
  list(at(podSpec, "containers")).flatMap((container) =>
    list(at(container, "ports"))
      .filter(({ hostPort }) => Number(hostPort ?? 0) > 0)
      .map(({ hostPort, protocol = "TCP", hostIP = "" }) => ({
        key: `${String(hostPort)} (${text(protocol)})${text(hostIP)}`,
      })),
  );

const operatorFaults: Readonly<Record<string, (count: number) => Says>> = {
  ...{ In: (count) => count === 0 && "needs values", NotIn: (count) => count === 0 && "needs values" },
  ...{ Exists: (count) => count > 0 && "has values", DoesNotExist: (count) => count > 0 && "has values" },
  ...{ Gt: (count) => count !== 1 && "needs one value", Lt: (count) => count !== 1 && "needs one value" },
};

const isStandard = (resource: string): boolean =>
  /^(?:cpu|memory|ephemeral-storage)$|^hugepages-/.test(resource);

/** Devices and the like are not shared, so that a request is its limit. */
const extendedFaults = (resources: unknown): string[] => {
  const requests = at(resources, "requests");
  return Object.entries(isRecord(requests) ? requests : {})
    .filter(
      ([resource, amount]) =>
        !isStandard(resource) && quantity(amount) !== quantity(at(resources, "limits", resource)),
    )
    .map(([resource]) => `requests.${resource} is not its limit, as for devices it must be`);
};

const ofVolumes = "volumes.downwardAPI.items volumes.projected.sources.downwardAPI.items";

export const refusals: FieldFacts = {
  refused: (_, maker) => [
    ...objectFaults(maker),
    textAt(maker.podSpec, "dnsPolicy") === "None" &&
      strings(at(maker.podSpec, "dnsConfig", "nameservers")).length === 0 &&
      "dnsPolicy None needs dnsConfig.nameservers",
    ...repeated(hostPorts(maker.podSpec), "key").map((key) => `two containers have the hostPort ${key}`),
  ],
  "refused securityContext.windowsOptions containers.securityContext.windowsOptions": (
    value,
    { podSpec },
  ) => [
    textAt(podSpec, "os", "name") === "linux" && "a pod with os.name: linux may not have windowsOptions",
    userFault(value),
    at(value, "gmsaCredentialSpec") === "" && "gmsaCredentialSpec is empty",
    credentialFault(at(value, "gmsaCredentialSpecName")),
  ],
  "refused dnsConfig.nameservers": (value) =>
    !(strings(value).every(mayBeAddress) && strings(value).length <= 3) &&
    `dnsConfig.nameservers are not IP addresses, at most 3: ${strings(value).join(", ")}`,
  "refused hostAliases.ip": (value) => !mayBeAddress(value) && `hostAliases: ${text(value)} is no IP address`,
  "refused tolerations[]": (value) => {
    const [key, value_, operator, effect] = ["key", "value", "operator", "effect"].map((each) =>
      textAt(value, each),
    );
    return [
      key === "" && operator !== "Exists" && "a toleration without a key needs the operator Exists",
      operator === "Exists" &&
        value_ !== "" &&
        `the toleration of ${key ?? ""} has the operator Exists and a value`,
      typeof at(value, "tolerationSeconds") === "number" &&
        effect !== "NoExecute" &&
        `the toleration of ${key ?? ""} has tolerationSeconds, which need the effect NoExecute`,
    ];
  },
  [`refused ${nodeTerms}.matchExpressions[]`]: (value) => {
    const operator = textAt(value, "operator");
    const fault = operatorFaults[operator]?.(strings(at(value, "values")).length);
    return fault && `its node affinity: the operator ${operator} of ${textAt(value, "key")} ${fault}`;
  },
  "refused volumes.local": "only a PersistentVolume can be local: write a persistentVolumeClaim, or hostPath",
  "refused volumes[]": (value) => {
    const given = Object.keys(isRecord(value) ? value : {}).filter((key) => key !== "name");
    return given.length > 1 && `has ${given.join(" and ")}: write one`;
  },
  "refused volumes.hostPath.path containers.volumeMounts.subPath": (value, _, { path }) =>
    (text(value).split(/[\\/]/).includes("..") ||
      (path.endsWith("subPath") && text(value).startsWith("/"))) &&
    `${path.replace(/^\w+\./, "")} ${text(value)} leaves its folder: write it without .. ${path.endsWith("subPath") ? "and / at the beginning" : ""}`.trim(),
  [`refused ${below(ofVolumes, "fieldRef.fieldPath")}`]: (value) =>
    !text(value).startsWith("metadata.") &&
    `a file of a volume cannot have ${text(value)}, but a variable can`,
  "refused containers.env.valueFrom.fieldRef.fieldPath": (value) =>
    /^metadata\.(?:labels|annotations)$/.test(text(value)) &&
    `a variable has one of them: write ${text(value)}['NAME']`,
  [`refused containers.env.valueFrom.resourceFieldRef.resource ${below(ofVolumes, "resourceFieldRef.resource")}`]:
    (value) =>
      !/^(?:limits|requests)\.(?:cpu|memory|ephemeral-storage|hugepages-.+)$/.test(text(value)) &&
      placeholderIn(text(value)) === undefined &&
      `resourceFieldRef.resource ${text(value)} is not limits or requests of cpu, memory or ephemeral-storage`,
  "refused containers.volumeMounts": (value, maker) => {
    const volumes = volumesOf(maker);
    return [
      ...repeated(value, "mountPath").map((path) => `two volumes are mounted at ${path}`),
      ...list(value).map(
        ({ name }) =>
          typeof name === "string" &&
          !volumes.has(name) &&
          `it mounts the volume ${name}, which its pod does not have`,
      ),
    ];
  },
  "refused containers.ports": (value) =>
    repeated(value, "name").map((name) => `two of its ports are named ${name}`),
  "refused containers.ports[]": (value, { podSpec }) => {
    const [host, own] = [at(value, "hostPort"), at(value, "containerPort")];
    return (
      at(podSpec, "hostNetwork") === true &&
      Number(host ?? 0) > 0 &&
      host !== own &&
      `hostPort ${String(host)} is not its containerPort ${String(own)}, as hostNetwork asks`
    );
  },
  "refused containers.resources": (value) => [...limitFault(value), ...extendedFaults(value)],
  [`refused ${amounts}`]: eachAmount((resource, amount, name) =>
    isStandard(resource) || resource.includes("/")
      ? !((quantity(amount) ?? -1) >= 0) &&
        `${name} ${JSON.stringify(amount)} is no quantity: write it like 500m, 2 or 1Gi`
      : `${name}: there is no resource of this name; those of devices have a / in it`,
  ),
  "refused containers.env[]": (value) =>
    textAt(value, "value") !== "" &&
    isRecord(at(value, "valueFrom")) &&
    `the variable ${textAt(value, "name")} has both value and valueFrom`,
  [`refused ${probes} ${hooks}`]: (value, { podSpec }, { path, name }) => {
    const given = handlers.filter((handler) => isRecord(at(value, handler)));
    const [, own = ""] = /^initContainers\.([^.]*)/.exec(name) ?? [];
    const isInit = list(at(podSpec, "initContainers")).some(
      (each) => each.name === own && at(each, "restartPolicy") !== "Always",
    );
    return [
      given.length !== 1 &&
        `${path.replace("containers.", "")} has ${given.join(" and ") || "no handler"}: write one`,
      isInit && `${path.replace("containers.", "")} is for containers that stay: write restartPolicy: Always`,
    ];
  },
  [`refused ${below(hooks, "sleep.seconds")}`]: (value, { podSpec }) => {
    const grace = Number(at(podSpec, "terminationGracePeriodSeconds") ?? 30);
    return (
      grace >= 0 &&
      Number(value) > grace &&
      `its sleep of ${String(value)} s is longer than terminationGracePeriodSeconds ${grace}`
    );
  },
  "refused containers.livenessProbe.successThreshold containers.startupProbe.successThreshold": (
    value,
    _,
    { path },
  ) => Number(value) > 1 && `${path.replace("containers.", "")} must be 1`,
  "podRefused containers.image": (value) =>
    text(value) !== text(value).trim() &&
    `the image ${JSON.stringify(value)} has blanks at its beginning or end`,
};
