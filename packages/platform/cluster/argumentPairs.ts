import { ownValue } from "capz-windows-kit/untyped";
import {
  apisIn,
  cacheFault,
  gatesIn,
  isFalse,
  listed,
  wrong,
  type Argument,
  type ArgumentFault,
} from "./argumentValues";
import { etcdFault } from "./etcdFlags";
import { goNumberOf, goSeconds, portsIn, sliceOf } from "./goValues";
import { flagType, isGateOn, type Program } from "./programSettings";
import { lacksHttp2Suite } from "./tls";

/** What an argument is wrong in beside the others of its program. */

interface Beside extends Argument {
  readonly program: Program;
  readonly minor: number;
  readonly given: (flag: string) => string | undefined;
}

type Check = (argument: Beside) => ArgumentFault | undefined;

/** Flags that need a feature gate, if they have a value. */
const gated: Readonly<Record<string, string>> = {
  "peer-advertise-ip": "UnknownVersionInteroperabilityProxy",
  "peer-advertise-port": "UnknownVersionInteroperabilityProxy",
  "peer-ca-file": "UnknownVersionInteroperabilityProxy",
  "requestheader-uid-headers": "RemoteRequestHeaderUID",
};

interface Pair {
  readonly first: string;
  readonly second: string;
  readonly defaults: readonly [first: string, second: string];
  /** So many times as long. */
  readonly times: number;
}

/**
 * Source: k8s.io/client-go v0.36.3 tools/leaderelection, NewLeaderElector; kube-apiserver's validateCoordinatedLeadershipFlags.
 * @param times - how many times as long as the pause between two tries the deadline is
 */
const election = (of: string, times: number): Pair[] => [
  {
    first: `${of}-lease-duration`,
    second: `${of}-renew-deadline`,
    defaults: ["15s", "10s"],
    times: 1,
  },
  { first: `${of}-renew-deadline`, second: `${of}-retry-period`, defaults: ["10s", "2s"], times },
];

const longer = [...election("leader-elect", 1.2), ...election("coordinated-leadership", 1)];

const nanoseconds = (duration: string): number => Math.round((goSeconds(duration) ?? 0) * 1e9);

const durations: Check = ({ program, name, value, minor, given }) => {
  if (name.startsWith("leader-elect-") && isFalse(given("leader-elect"))) {
    return undefined;
  }
  if (name === "leader-elect-retry-period" && nanoseconds(value) <= 0) {
    return wrong("more than 0s", "the duration is too short");
  }
  const pair = longer.find(({ first, second, defaults, times }) => {
    const least = Math.trunc(times * nanoseconds(given(second) ?? defaults[1]));
    const isOne = name === first || name === second;
    return (
      isOne &&
      flagType(program, first, minor) !== undefined &&
      nanoseconds(given(first) ?? defaults[0]) <= least
    );
  });
  const than = pair?.times === 1 ? pair.second : `${pair?.times} times ${pair?.second}`;
  return pair === undefined
    ? undefined
    : wrong(`${pair.first} longer than ${than}`, `${pair.first} is not longer than ${than}`);
};

const suites: Check = ({ program, name, value, given }) => {
  const hasHttp2 = isFalse(given("disable-http2-serving") ?? "false");
  return name === "tls-cipher-suites" &&
    hasHttp2 &&
    given("tls-min-version") !== "VersionTLS13" &&
    lacksHttp2Suite(listed(value))
    ? wrong(
        `TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256 among the suites, ${program === "kubelet" ? "" : "disable-http2-serving: true, "}or tls-min-version: VersionTLS13`,
        "HTTP/2 requires a suite with AES_128_GCM_SHA256",
      )
    : undefined;
};

/** Source: k8s.io/component-base v0.36.3 logs/api/v1/options.go. */
const verbosity: Check = ({ name, value, given }) =>
  name === "vmodule" && listed(value).length > 0 && given("logging-format") === "json"
    ? wrong("it with logging-format: text", "logging-format is json")
    : undefined;

const gates: Check = ({ name, value, minor, given }) => {
  const gate = ownValue(gated, name);
  if (gate === undefined || value === "") {
    return undefined;
  }
  const isOn = gatesIn(given("feature-gates") ?? "")[gate] ?? isGateOn(gate, minor);
  return isOn ? undefined : wrong(`it with the feature gate ${gate}`, `it needs the feature gate ${gate}`);
};

/** Source: k8s.io/apiserver v0.36.3 pkg/server/options/authentication.go. */
const headers: Check = ({ name, value }) =>
  name === "requestheader-uid-headers" &&
  value !== "" &&
  !sliceOf(value).some((header) => header.toLowerCase() === "x-remote-uid")
    ? wrong("X-Remote-Uid among the headers", "X-Remote-Uid is missing")
    : undefined;

/** Of Kubernetes in a flag of versions, such as 1.35 or kube=1.35. Source: k8s.io/component-base v0.36.3 compatibility/registry.go. */
function emulated(value: string): number | undefined {
  const [entry = "", ...others] = sliceOf(value);
  const [component, version = entry] = entry.split(/=(.*)/s);
  const [, minor, patch = "0"] = /^v?1\.(\d+)(?:\.(\d+))?/.exec(version.trim()) ?? [];
  const isKube = version === entry || component?.trim() === "kube";
  return others.length > 0 || !isKube || minor === undefined || Number(patch) !== 0
    ? undefined
    : Number(minor);
}

/** Source: k8s.io/apiserver v0.33.3 to v0.37.0 pkg/util/compatibility/version.go and pkg/server/options/server_run_options.go. */
const versions: Check = ({ name, value, minor, given }) => {
  const emulation = given("emulated-version") ?? "";
  const newest = emulation === "" ? minor : (emulated(emulation) ?? minor);
  if (/^(?:runtime-config-)?emulation-forward-compatible$/.test(name)) {
    return !isFalse(value) && newest === minor
      ? wrong("it with an older emulated-version", `emulated-version is that of Kubernetes 1.${minor} itself`)
      : undefined;
  }
  if ((name !== "emulated-version" && name !== "min-compatibility-version") || value === "") {
    return undefined;
  }
  const oldest = Math.max(31, minor - 3);
  const most = name === "emulated-version" ? minor : newest;
  const version = emulated(value);
  return version !== undefined && version >= oldest && version <= most
    ? undefined
    : wrong(`a version from 1.${oldest} to 1.${most}`, "it is no such version");
};

const ofServers: readonly Check[] = [suites, verbosity, gates, headers, versions];

/**
 * Source: k8s.io/client-go v0.36.3 kubernetes/clientset.go, NewForConfigAndClient; k8s.io/component-base v0.36.3
 * config/validation, which the scheduler alone asks. With its own file it does not read these flags.
 */
const requests: Check = ({ program, name, value, given }) => {
  const isScheduler = program === "kube-scheduler";
  if (name !== "kube-api-burst" || (isScheduler && Boolean(given("config")))) {
    return undefined;
  }
  const hasLimit = Number(given("kube-api-qps") ?? "1") > 0;
  const burst = goNumberOf(value);
  return (burst <= 0 && hasLimit) || (burst < 0 && isScheduler)
    ? wrong("more than 0", "the number is out of range")
    : undefined;
};

/**
 * Source: Kubernetes v1.36.3 cmd/kube-controller-manager/app/options/csrsigningcontroller.go; cmd/kubeadm/app/phases/controlplane/
 * manifests.go sets the two of all signers.
 */
const signers: Check = ({ name, value, given }) => {
  const [, signer, kind] = /^cluster-signing-(?:(.+)-)?(cert|key)-file$/.exec(name) ?? [];
  if (signer === undefined || value === "") {
    return undefined;
  }
  const ofAll = ["cluster-signing-cert-file", "cluster-signing-key-file"].find((flag) => given(flag) !== "");
  if (ofAll !== undefined) {
    const whose = given(ofAll) === undefined ? ", which kubeadm sets," : "";
    return wrong(
      'it with cluster-signing-cert-file: "" and cluster-signing-key-file: ""',
      `${ofAll}${whose} excludes it`,
    );
  }
  const other = `cluster-signing-${signer}-${kind === "cert" ? "key" : "cert"}-file`;
  return given(other) ? undefined : wrong(`it with ${other}`, `${other} is missing`);
};

const caches: Check = ({ name, value, given }) =>
  name === "watch-cache-sizes" && !isFalse(given("watch-cache")) ? cacheFault(value) : undefined;

/** Limits of requests, of which one is above 0. Source: k8s.io/apiserver v0.36.3 pkg/server/options/feature.go. */
const otherInflight: Readonly<Record<string, { readonly name: string; readonly byDefault: string }>> = {
  "max-requests-inflight": { name: "max-mutating-requests-inflight", byDefault: "200" },
  "max-mutating-requests-inflight": { name: "max-requests-inflight", byDefault: "400" },
};

const inflight: Check = ({ name, value, given }) => {
  const other = ownValue(otherInflight, name);
  return other !== undefined &&
    goNumberOf(value) + goNumberOf(given(other.name) ?? other.byDefault) <= 0 &&
    !isFalse(given("enable-priority-and-fairness"))
    ? wrong("one of the two above 0", `${other.name} is 0, too`)
    : undefined;
};

/** Source: Kubernetes v1.36.3 pkg/controlplane/apiserver/options/validation.go; without api/ga nothing works anyway. */
const fairness: Check = ({ name, value, given }) => {
  const api = "flowcontrol.apiserver.k8s.io/v1";
  return name === "runtime-config" &&
    apisIn(value).get(api) === "false" &&
    !isFalse(given("enable-priority-and-fairness"))
    ? wrong("it with enable-priority-and-fairness: false", `priority and fairness of requests need ${api}`)
    : undefined;
};

/** Source: Kubernetes v1.36.3 cmd/kube-apiserver/app/options/validation.go. */
const nodePort: Check = ({ name, value, given }) => {
  const [first, last] = portsIn(given("service-node-port-range") ?? "30000-32767") ?? [0, Infinity];
  const port = name === "kubernetes-service-node-port" ? goNumberOf(value) : 0;
  return port > 0 && (port < first || port > last)
    ? wrong(`0, or ${first} to ${last}`, "service-node-port-range does not have it")
    : undefined;
};

const modes: Check = ({ name, value, given }) => {
  const all = listed(given("authorization-mode") ?? "Node,RBAC");
  const needed = { ABAC: "authorization-policy-file", Webhook: "authorization-webhook-config-file" };
  for (const [mode, file] of Object.entries(needed)) {
    const hasMode = all.includes(mode);
    if (name === "authorization-mode" && hasMode && !given(file)) {
      return wrong(`${mode} with ${file}`, `the mode ${mode} has no ${file}`);
    }
    if (name === file && value !== "" && !hasMode) {
      return wrong(`it with the mode ${mode} in authorization-mode`, `authorization-mode has no ${mode}`);
    }
  }
  return undefined;
};

/** Source: k8s.io/apiserver v0.36.3 pkg/server/options/admission.go; kubeadm v1.36.3 enables NodeRestriction. */
const plugins: Check = ({ name, value, given }) => {
  const enabled = given("enable-admission-plugins");
  const disabled = given("disable-admission-plugins");
  const [other, whose] =
    name === "enable-admission-plugins"
      ? [disabled ?? "", "disable-admission-plugins has"]
      : [enabled === undefined ? "NodeRestriction" : "", "enable-admission-plugins, which kubeadm sets, has"];
  const both = /^(?:enable|disable)-admission-plugins$/.test(name)
    ? listed(value).filter((one) => listed(other).includes(one))
    : [];
  return both.length === 0
    ? undefined
    : wrong("each plug-in in one of the two", `${whose} ${both.join(", ")}, too`);
};

const ofProgram: Readonly<Partial<Record<Program, readonly Check[]>>> = {
  "kube-apiserver": [...ofServers, caches, inflight, fairness, nodePort, modes, plugins],
  "kube-controller-manager": [...ofServers, requests, signers],
  "kube-scheduler": [...ofServers, requests],
  kubelet: [suites],
};

/** What an argument is wrong in beside the others of its program. */
export function besideFault(
  program: Program,
  { name, value }: Argument,
  all: readonly Argument[],
  minor: number,
): ArgumentFault | undefined {
  const given = (flag: string): string | undefined => all.findLast((one) => one.name === flag)?.value;
  const checks = [durations, ...(ofProgram[program] ?? [])];
  return (
    checks
      .map((check) => check({ program, name, value, minor, given }))
      .find((fault) => fault !== undefined) ?? (program === "etcd" ? etcdFault(name, all) : undefined)
  );
}
