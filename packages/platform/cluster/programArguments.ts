import { at, list, ownValue, textAt } from "capz-windows-kit/untyped";
import {
  apis,
  curvesFault,
  gatesIn,
  headersFault,
  isFalse,
  listed,
  missingApis,
  serversFault,
  serviceRangesFault,
  wrong,
  type Argument,
  type ArgumentFault,
  type ArgumentCheck,
} from "./argumentValues";
import { someNames } from "capz-windows-kit/someNames";
import { besideFault } from "./argumentPairs";
import { kubeletForms } from "./kubeletArguments";
import { bindFault, compactionModeFault, positiveFault, retentionFault, suitesFault } from "./etcdFlags";
import { goNumberOf, goSeconds, goValueFault } from "./goValues";
import {
  admissionPlugins,
  controllers,
  flagType,
  gateFault,
  oldestMinorOf,
  type Program,
} from "./programSettings";
import { isCipherSuite, tlsVersions } from "./tls";

/**
 * Arguments with which a program of the control plane, or kubelet, does not start. Source: Kubernetes v1.36.3
 * cmd/kube-apiserver, cmd/kube-controller-manager/app/options, pkg/controlplane/apiserver/options and pkg/kubeapiserver/options,
 * k8s.io/apiserver v0.36.3 pkg/server/options, k8s.io/component-base v0.36.3; etcd v3.6 server/embed/config.go;
 * cmd/kubeadm/app/util/staticpod/utils.go (probes without a login).
 * test/nodes/settings.test.ts holds them against the programs themselves.
 */

/** The arguments of a program in a KubeadmConfigSpec, at their path in it. */
export interface ArgumentList {
  readonly program: Program;
  readonly path: readonly string[];
  readonly all: readonly Argument[];
}

const places: readonly (readonly [Program, ...string[]])[] = [
  ["kube-apiserver", "clusterConfiguration", "apiServer", "extraArgs"],
  ["kube-controller-manager", "clusterConfiguration", "controllerManager", "extraArgs"],
  ["kube-scheduler", "clusterConfiguration", "scheduler", "extraArgs"],
  ["etcd", "clusterConfiguration", "etcd", "local", "extraArgs"],
  ["kubelet", "initConfiguration", "nodeRegistration", "kubeletExtraArgs"],
  ["kubelet", "joinConfiguration", "nodeRegistration", "kubeletExtraArgs"],
];

export const argumentLists = (spec: unknown): ArgumentList[] =>
  places
    .map(([program, ...path]) => ({
      program,
      path,
      all: list(at(spec, ...path)).map((one) => ({ name: textAt(one, "name"), value: textAt(one, "value") })),
    }))
    .filter(({ all }) => all.length > 0);

const most = 2 ** 31 - 1;

type Range = readonly [least: number, most: number];

const atLeastOne: Range = [1, most];
const notNegative: Range = [0, most];

/** Numbers, from–to. */
const ranges: Readonly<Record<string, Readonly<Record<string, Range>>>> = {
  "kube-apiserver": {
    "apiserver-count": atLeastOne,
    "goaway-chance": [0, 0.02],
    "kubernetes-service-node-port": [0, 65_535],
    "max-mutating-requests-inflight": notNegative,
    "max-requests-inflight": notNegative,
    "min-request-timeout": notNegative,
    "secure-port": [1, 65_535],
  },
  "kube-controller-manager": {
    "concurrent-cron-job-syncs": atLeastOne,
    "concurrent-daemonset-syncs": atLeastOne,
    "concurrent-device-taint-eviction-syncs": atLeastOne,
    "concurrent-ephemeralvolume-syncs": atLeastOne,
    "concurrent-horizontal-pod-autoscaler-syncs": atLeastOne,
    "concurrent-job-syncs": atLeastOne,
    "concurrent-resourceclaim-syncs": atLeastOne,
    "concurrent-service-endpoint-syncs": [1, 50],
    "concurrent-statefulset-syncs": atLeastOne,
    "concurrent-validating-admission-policy-status-syncs": atLeastOne,
    "max-endpoints-per-slice": [1, 1000],
    "mirroring-concurrent-service-endpoint-syncs": [1, 50],
    "mirroring-max-endpoints-per-subset": [1, 1000],
    "secure-port": [0, 65_535],
  },
  "kube-scheduler": { "secure-port": [0, 65_535] },
  kubelet: { port: [1, 65_535] },
};

/** Durations in seconds, from–to. */
const periods: Readonly<Record<string, Readonly<Record<string, readonly [least: number, words: string]>>>> = {
  "kube-apiserver": {
    "livez-grace-period": [0, "at least 0s"],
    "request-timeout": [0, "at least 0s"],
    "service-account-max-token-expiration": [3600, "0s, or at least 1h"],
    "shutdown-delay-duration": [0, "at least 0s"],
    "shutdown-watch-termination-grace-period": [0, "at least 0s"],
    "storage-initialization-timeout": [0, "at least 0s"],
  },
  "kube-controller-manager": {
    "attach-detach-reconcile-sync-period": [1, "at least 1s"],
  },
};

/** Of all servers of the control plane but etcd. */
const choicesOfEach = { "logging-format": ["text", "json"], "tls-min-version": tlsVersions };

const choices: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  "kube-apiserver": {
    "endpoint-reconciler-type": ["lease", "master-count", "none"],
    "storage-backend": ["etcd3"],
    "storage-media-type": [
      ...["application/json", "application/yaml", "application/vnd.kubernetes.protobuf"],
    ],
    ...choicesOfEach,
  },
  "kube-controller-manager": {
    "cidr-allocator-type": ["RangeAllocator"],
    "leader-elect-resource-lock": ["leases"],
    ...choicesOfEach,
  },
  "kube-scheduler": choicesOfEach,
  kubelet: { "authorization-mode": ["AlwaysAllow", "Webhook"] },
  etcd: {
    "auto-compaction-mode": ["periodic", "revision"],
    // client/pkg/logutil/log_format.go and client/pkg/tlsutil/versions.go.
    "log-format": ["json", "console"],
    "log-level": ["debug", "info", "warn", "error", "panic", "fatal"],
    logger: ["zap"],
    metrics: ["basic", "extensive"],
    "tls-max-version": ["TLS1.2", "TLS1.3"],
    "tls-min-version": ["TLS1.2", "TLS1.3"],
  },
};

const authorizationModes = ["AlwaysAllow", "AlwaysDeny", "ABAC", "Webhook", "RBAC", "Node"];

/** Names of controllers before Kubernetes 1.28, which the controller manager still takes. */
const olderControllers = new Set(
  [
    "attachdetach bootstrapsigner cloud-node-lifecycle clusterrole-aggregation cronjob csrapproving csrcleaner",
    "csrsigning daemonset deployment disruption endpoint endpointslice endpointslicemirroring ephemeral-volume",
    "garbagecollector horizontalpodautoscaling job legacy-service-account-token-cleaner namespace nodeipam",
    "nodelifecycle persistentvolume-binder persistentvolume-expander podgc pv-protection pvc-protection replicaset",
    "replicationcontroller resource-claim-controller resourcequota root-ca-cert-publisher route service",
    "serviceaccount serviceaccount-token statefulset storage-version-gc svm tokencleaner ttl ttl-after-finished",
  ].flatMap((line) => line.split(" ")),
);

function gatesFault(value: string, minor: number): ArgumentFault | undefined {
  const gates = gatesIn(value);
  const fault = Object.entries(gates)
    .map(([name, isOn]) => gateFault(name, isOn, gates, minor))
    .find((one) => one !== undefined);
  return fault === undefined
    ? undefined
    : wrong(`feature gates of Kubernetes 1.${minor} that are not locked`, fault);
}

function unknownIn(value: string, isKnown: (name: string) => boolean): string | undefined {
  const unknown = listed(value).filter((name) => !isKnown(name));
  return unknown.length === 0 ? undefined : unknown.map((one) => one.replace(/^-/, "")).join(", ");
}

const plugins: ArgumentCheck = (value, minor) => {
  const unknown = unknownIn(value, (name) => admissionPlugins(minor).has(name));
  return unknown === undefined
    ? undefined
    : wrong(`admission plug-ins of Kubernetes 1.${minor}`, `there is no admission plug-in ${unknown}`);
};

const suites: ArgumentCheck = (value) => {
  const unknown = unknownIn(value, isCipherSuite);
  return unknown === undefined
    ? undefined
    : wrong("cipher suites of Go's crypto/tls", `there is no cipher suite ${unknown}`);
};

const previousMinor: ArgumentCheck = (value, minor) =>
  value === "" || value === `1.${minor - 1}`
    ? undefined
    : wrong(`1.${minor - 1}`, "only metrics that the release before had can be shown");

const formsOfEach = {
  "requestheader-allowed-names": headersFault,
  "requestheader-extra-headers-prefix": headersFault,
  "requestheader-group-headers": headersFault,
  "requestheader-uid-headers": headersFault,
  "requestheader-username-headers": headersFault,
  "show-hidden-metrics-for-version": previousMinor,
  "tls-cipher-suites": suites,
  "tls-curve-preferences": curvesFault,
};

/** Flags with a form of their own. */
const forms: Readonly<Record<string, Readonly<Record<string, ArgumentCheck>>>> = {
  "kube-apiserver": {
    "authorization-mode": (value) => {
      const modes = listed(value);
      const unknown = unknownIn(value, (mode) => authorizationModes.includes(mode));
      if (unknown !== undefined || modes.length === 0) {
        return wrong(authorizationModes.join(", "), `there is no authorization mode ${unknown ?? '""'}`);
      }
      return new Set(modes).size < modes.length ? wrong("each mode once", "a mode is repeated") : undefined;
    },
    "cors-allowed-origins": (value) =>
      listed(value).every((one) => /\^|\/\//.test(one) && /[$:]/.test(one))
        ? undefined
        : wrong("expressions such as ^https://example.org$", "an expression does not hold the whole host"),
    "disable-admission-plugins": plugins,
    "enable-admission-plugins": plugins,
    "etcd-servers-overrides": serversFault,
    "runtime-config": apis,
    "service-account-issuer": (value) =>
      value === "" ? wrong("a name, or a URL", "it is empty") : undefined,
    "service-cluster-ip-range": serviceRangesFault,
    "service-account-jwks-uri": (value) =>
      value === "" || value.startsWith("https://")
        ? undefined
        : wrong("a URL with https", "it is no URL with https"),
    ...formsOfEach,
    "strict-transport-security-directives": (value) =>
      listed(value).every((one) => /^(includeSubDomains|preload|max-age=[^=]*)$/.test(one))
        ? undefined
        : wrong("max-age=SECONDS, includeSubDomains, preload", "a directive is none of HSTS"),
  },
  "kube-controller-manager": {
    controllers: (value, minor) => {
      const known = controllers(minor);
      const unknown = unknownIn(value, (entry) => {
        const name = entry.replace(/^-/, "");
        return name === "*" || known.has(name) || olderControllers.has(name);
      });
      return unknown === undefined
        ? undefined
        : wrong(
            `*, controllers of Kubernetes 1.${minor}, and these behind a -`,
            `there is no controller ${unknown}`,
          );
    },
    ...formsOfEach,
  },
  "kube-scheduler": formsOfEach,
  kubelet: kubeletForms,
  etcd: {
    "auth-token": (value) =>
      /^(?:simple|jwt)?(?:,[^,=]+=[^,=]*)*$/.test(value)
        ? undefined
        : wrong("simple, or jwt with its options", "there is no such kind of token"),
    "auto-compaction-mode": compactionModeFault,
    "auto-compaction-retention": retentionFault,
    "cipher-suites": suitesFault,
    "compact-hash-check-time": positiveFault,
    cors: (value) => (value === "" ? wrong("*, or URLs", "it is no URL") : undefined),
    "experimental-compact-hash-check-time": positiveFault,
    "listen-client-http-urls": bindFault,
    "listen-client-urls": bindFault,
    "listen-metrics-urls": bindFault,
    "listen-peer-urls": bindFault,
  },
};

function ownFault(program: Program, { name, value }: Argument, minor: number): ArgumentFault | undefined {
  const range = ownValue(ownValue(ranges, program) ?? {}, name);
  const number = goNumberOf(value);
  if (range !== undefined && (number < range[0] || number > range[1])) {
    return wrong(`from ${range[0]} to ${range[1]}`, "the number is out of range");
  }
  const period = ownValue(ownValue(periods, program) ?? {}, name);
  const seconds = goSeconds(value) ?? 0;
  if (period !== undefined && seconds !== 0 && seconds < period[0]) {
    return wrong(period[1], "the duration is too short");
  }
  const choice = ownValue(ownValue(choices, program) ?? {}, name);
  if (choice !== undefined && value !== "" && !choice.includes(value)) {
    return wrong(choice.join(", "), "there is no such choice");
  }
  return ownValue(ownValue(forms, program) ?? {}, name)?.(value, minor);
}

/**
 * Why a program of a minor does not start with an argument; `undefined` if it does, as far as is known. `all` are the arguments
 * of the program.
 */
export function argumentFault(
  program: Program,
  argument: Argument,
  all: readonly Argument[],
  minor: number,
): ArgumentFault | undefined {
  const name = argument.name.replaceAll("_", "-");
  if (minor < oldestMinorOf(program)) {
    return undefined;
  }
  const type = flagType(program, name, minor);
  // The two of kubelet on Windows: cmd/kubelet/app/options/osflags_windows.go. No override reaches the arguments of its nodes.
  if (type === undefined || name.startsWith("windows-")) {
    return wrong(
      `flags of ${program} of Kubernetes 1.${minor}, without --`,
      `${program} of Kubernetes 1.${minor} has no flag --${name}`,
    );
  }
  const { value } = argument;
  const takes = goValueFault(type, value);
  if (takes !== undefined) {
    return wrong(takes, `${program} does not start with it: the value has the wrong type`);
  }
  if (program === "kube-apiserver" && name === "anonymous-auth" && isFalse(value)) {
    return wrong(
      "true; controlPlane.authentication leaves only what works without a login",
      "kubelet restarts kube-apiserver again and again: the probes of its static pod have no login, and get 401",
    );
  }
  const missing = program === "kube-apiserver" && name === "runtime-config" ? missingApis(value) : [];
  if (missing.length > 0) {
    return wrong(
      "api/beta=false, api/alpha=true and the like; api/all=false only with api/ga=true",
      `no cluster works with it: it switches off ${someNames(missing, 3)}`,
    );
  }
  const found =
    (name === "feature-gates" && program !== "etcd" ? gatesFault(value, minor) : undefined) ??
    ownFault(program, { name, value }, minor) ??
    besideFault(program, { name, value }, all, minor);
  return found === undefined
    ? undefined
    : { ...found, problem: `${program} does not start with it: ${found.problem}` };
}
