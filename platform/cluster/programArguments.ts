import { at, list, ownValue, textAt } from "../../tools/untyped";
import { goValueFault } from "./goValues";
import { admissionPlugins, flagType, gateFault, type Program } from "./programSettings";

/**
 * Arguments with which a program of the control plane, or kubelet, does not start: flags that it does not have, values of
 * another type, and unknown names. Ranges and pairs of arguments are the program's to judge. Source: Kubernetes v1.36.3
 * cmd/kube-apiserver, cmd/kube-controller-manager/app/options and pkg/controlplane/apiserver/options, k8s.io/apiserver v0.36.3
 * pkg/server/options, k8s.io/component-base v0.36.3; etcd v3.6 server/embed/config.go;
 * cmd/kubeadm/app/util/staticpod/utils.go (probes without a login).
 * test/nodes/settings.test.ts holds them against the programs themselves.
 */

export interface Argument {
  readonly name: string;
  readonly value: string;
}

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

export interface ArgumentFault {
  readonly problem: string;
  readonly allowed: string;
}

/** k8s.io/component-base v0.36.3 cli/flag/ciphersuites_flag.go. */
export const tlsVersions = ["VersionTLS10", "VersionTLS11", "VersionTLS12", "VersionTLS13"];

/** Of all servers of the control plane but etcd. */
const choicesOfEach = { "logging-format": ["text", "json"], "tls-min-version": tlsVersions };

const choices: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  "kube-apiserver": {
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
  etcd: {
    "auto-compaction-mode": ["periodic", "revision"],
    "log-level": ["debug", "info", "warn", "error", "panic", "fatal"],
    logger: ["zap"],
    metrics: ["basic", "extensive"],
  },
};

const isFalse = (value = ""): boolean => /^(0|f|false)$/i.test(value);

const listed = (value: string): string[] => value.split(",").filter((one) => one !== "");

const wrong = (allowed: string, problem: string): ArgumentFault => ({ problem, allowed });

/** Feature gates in a flag: `Name=true`, or `kube:Name=true`. */
function gatesFault(value: string, minor: number): ArgumentFault | undefined {
  const fault = listed(value)
    .map((pair) => {
      const [name = "", isOn = ""] = pair.split("=");
      return gateFault(name.replace(/^kube:/, ""), /^(1|t|true)$/i.test(isOn), minor);
    })
    .find((one) => one !== undefined);
  return fault === undefined
    ? undefined
    : wrong(`feature gates of Kubernetes 1.${minor} that are not locked`, fault);
}

function pluginsFault(value: string, minor: number): ArgumentFault | undefined {
  const unknown = listed(value).filter((name) => !admissionPlugins(minor).has(name));
  return unknown.length === 0
    ? undefined
    : wrong(
        `admission plug-ins of Kubernetes 1.${minor}`,
        `there is no admission plug-in ${unknown.join(", ")}`,
      );
}

function nameFault(program: Program, name: string, value: string, minor: number): ArgumentFault | undefined {
  if (name === "feature-gates" && program !== "etcd") {
    return gatesFault(value, minor);
  }
  if (program === "kube-apiserver" && /^(enable|disable)-admission-plugins$/.test(name)) {
    return pluginsFault(value, minor);
  }
  const choice = ownValue(ownValue(choices, program) ?? {}, name);
  return choice === undefined || value === "" || choice.includes(value)
    ? undefined
    : wrong(choice.join(", "), "there is no such choice");
}

/** Why a program of a minor does not start with an argument; `undefined` if it does, as far as is known. */
export function argumentFault(
  program: Program,
  argument: Argument,
  minor: number,
): ArgumentFault | undefined {
  const name = argument.name.replaceAll("_", "-");
  const type = flagType(program, name, minor);
  if (type === undefined) {
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
  const found = nameFault(program, name, value, minor);
  return found === undefined
    ? undefined
    : { ...found, problem: `${program} does not start with it: ${found.problem}` };
}
