import { minor } from "semver";
import { argumentFault, type Argument } from "../../platform/cluster/programArguments";
import { knowsSettings, type Program, settingsMinors } from "../../platform/cluster/programSettings";
import type { Problem, Warning } from "../../tools/problem";
import { at, isRecord } from "../../tools/untyped";
import { poolsOf } from "../pools";
import { ownApiServer } from "./overrides";
import type { Settings } from "../settings";

/** Arguments of Kubernetes' programs in overrides. */

interface Arguments {
  readonly program: Program;
  /** Path of the list. */
  readonly path: string;
  readonly all: readonly Argument[];
  /** Folders and files of the program's container; `undefined` for kubelet, which has none. */
  readonly mounts?: readonly string[];
  readonly kubernetesVersion: string;
  readonly uses: readonly string[];
}

/** What kubeadm mounts. Source: Kubernetes v1.36.3 cmd/kubeadm/app/phases/controlplane/volumes.go and phases/etcd/local.go. */
const certificates = [
  ...["/etc/kubernetes/pki", "/etc/ssl/certs", "/etc/pki", "/etc/ca-certificates"],
  ...["/usr/share/ca-certificates", "/usr/local/share/ca-certificates"],
];
const mountsOf: Readonly<Partial<Record<Program, readonly string[]>>> = {
  "kube-apiserver": certificates,
  "kube-controller-manager": [
    ...certificates,
    ...["/etc/kubernetes/controller-manager.conf", "/usr/libexec/kubernetes/kubelet-plugins/volume/exec"],
  ],
  "kube-scheduler": ["/etc/kubernetes/scheduler.conf"],
  etcd: ["/etc/kubernetes/pki/etcd", "/var/lib/etcd"],
};

const sections: readonly (readonly [Program, ...string[]])[] = [
  ["kube-apiserver", "apiServer"],
  ["kube-controller-manager", "controllerManager"],
  ["kube-scheduler", "scheduler"],
  ["etcd", "etcd", "local"],
];

const text = (value: unknown): string => (typeof value === "string" ? value : "");

function argumentsIn(value: unknown): Argument[] {
  return (Array.isArray(value) ? (value as unknown[]) : []).map((element) => ({
    name: text(at(element, "name")),
    value: text(at(element, "value")),
  }));
}

function mountsIn(section: unknown): string[] {
  const volumes = at(section, "extraVolumes");
  const paths = (Array.isArray(volumes) ? (volumes as unknown[]) : []).map((volume) =>
    at(volume, "mountPath"),
  );
  return paths.filter((path) => typeof path === "string");
}

/** Arguments of kubelet in a KubeadmConfigSpec. */
function kubeletArguments(spec: unknown, place: string): Pick<Arguments, "program" | "path" | "all">[] {
  return ["initConfiguration", "joinConfiguration"].map((when) => ({
    program: "kubelet",
    path: `${place}.${when}.nodeRegistration.kubeletExtraArgs`,
    all: argumentsIn(at(spec, when, "nodeRegistration", "kubeletExtraArgs")),
  }));
}

function controlPlaneArguments(settings: Settings): Arguments[] {
  const { controlPlane, kubernetesVersion } = settings;
  const place = "controlPlane.overrides.KubeadmControlPlane.spec.kubeadmConfigSpec";
  const common = { kubernetesVersion, uses: ["controlPlane.overrides", "kubernetesVersion"] };
  const spec = at(controlPlane.overrides, "KubeadmControlPlane", "spec", "kubeadmConfigSpec");
  const found = sections.map(([program, ...keys]): Arguments => {
    const section = at(spec, "clusterConfiguration", ...keys);
    const dataDir = at(section, "dataDir");
    return {
      ...common,
      program,
      path: `${place}.clusterConfiguration.${keys.join(".")}.extraArgs`,
      all: argumentsIn(at(section, "extraArgs")),
      mounts: [
        ...(mountsOf[program] ?? []),
        ...mountsIn(section),
        ...(program === "kube-apiserver" ? mountsIn(ownApiServer(settings)) : []),
        ...(typeof dataDir === "string" ? [dataDir] : []),
      ],
    };
  });
  return [...found, ...kubeletArguments(spec, place).map((one) => ({ ...common, ...one }))];
}

function poolArguments(settings: Settings): Arguments[] {
  return poolsOf(settings).flatMap(({ path, pool: { overrides, kubernetesVersion } }) => {
    const common = {
      kubernetesVersion,
      uses: [`${path}.overrides`, `${path}.kubernetesVersion`, "kubernetesVersion"],
    };
    const spec = at(overrides, "KubeadmConfig", "spec");
    const templated = at(overrides, "KubeadmConfigTemplate", "spec", "template", "spec");
    return [
      ...kubeletArguments(spec, `${path}.overrides.KubeadmConfig.spec`),
      ...kubeletArguments(templated, `${path}.overrides.KubeadmConfigTemplate.spec.template.spec`),
    ].map((one) => ({ ...common, ...one }));
  });
}

const argumentsOf = (settings: Settings): Arguments[] =>
  [...controlPlaneArguments(settings), ...poolArguments(settings)].filter(({ all }) => all.length > 0);

/** Arguments that name a file or a folder; others have paths of URLs, and prefixes of keys. */
const isPath = ({ name, value }: Argument): boolean =>
  value.startsWith("/") && /(file|dir|config|path)$/.test(name);

const isMounted = (file: string, mounts: readonly string[]): boolean =>
  mounts.some((mount) => file === mount || file.startsWith(`${mount.replace(/\/$/, "")}/`));

function problemOf(
  { program, path, all, mounts, kubernetesVersion, uses }: Arguments,
  index: number,
): Problem | undefined {
  const argument = all[index];
  if (argument === undefined) {
    return undefined;
  }
  const place = `${path}[${index}]`;
  const list = path.split(".").at(-1) ?? "";
  const fault = argumentFault(program, argument, all, minor(kubernetesVersion));
  const common = {
    path: place,
    value: { ...argument },
    uses,
    write: `remove ${list}[${index}]`,
    place: path.slice(0, -list.length - 1),
  };
  if (fault !== undefined) {
    return { ...common, ...fault };
  }
  if (mounts === undefined || !isPath(argument) || isMounted(argument.value, mounts)) {
    return undefined;
  }
  return {
    ...common,
    problem: `${program} does not start with it: its container has no ${argument.value}`,
    allowed: "paths in a mount of extraVolumes beside it, with the file in files of the control plane",
  };
}

/** Arguments with which the programs of the version do not start. */
export const programArgumentRules = (settings: Settings): Problem[] =>
  argumentsOf(settings)
    .filter(({ kubernetesVersion }) => knowsSettings(minor(kubernetesVersion)))
    .flatMap((one) => one.all.map((_, index) => problemOf(one, index)))
    .filter((problem) => problem !== undefined);

/** Arguments, and kubelet's feature gates, of releases whose settings are not known. */
export const programArgumentWarnings = (settings: Settings): Warning[] => {
  const { oldest, newest } = settingsMinors;
  const gates = poolsOf(settings).flatMap(({ path, pool: { kubelet, kubernetesVersion } }) => {
    const given = kubelet?.configuration?.featureGates;
    return isRecord(given) && Object.keys(given).length > 0
      ? [{ path: `${path}.kubelet.configuration.featureGates`, kubernetesVersion }]
      : [];
  });
  return [...argumentsOf(settings), ...gates]
    .filter(({ kubernetesVersion }) => !knowsSettings(minor(kubernetesVersion)))
    .map(({ path, kubernetesVersion }) => ({
      path,
      message: `not checked: the settings of Kubernetes 1.${oldest} to 1.${newest} are known, and these are of ${kubernetesVersion}; a program that does not know one does not start`,
    }));
};
