import { minor } from "semver";
import { uncheckedIn, type Argument } from "capz-windows-platform/cluster/argumentValues";
import { argumentFault, argumentLists } from "capz-windows-platform/cluster/programArguments";
import {
  knowsSettings,
  oldestMinorOf,
  type Program,
  settingsMinors,
} from "capz-windows-platform/cluster/programSettings";
import type { Problem, Warning } from "capz-windows-kit/problem";
import { at, isRecord } from "capz-windows-kit/untyped";
import { poolsOf } from "../pools";
import { ownApiServer } from "./overrides";
import type { Settings } from "../settings";

/** Arguments of Kubernetes' programs in overrides. */

export interface Arguments {
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

function mountsIn(section: unknown): string[] {
  const volumes = at(section, "extraVolumes");
  const paths = (Array.isArray(volumes) ? (volumes as unknown[]) : []).map((volume) =>
    at(volume, "mountPath"),
  );
  return paths.filter((path) => typeof path === "string");
}

/** Those of the control plane: an override of a pool may not change any. */
export function argumentsOf(settings: Settings): Arguments[] {
  const { controlPlane, kubernetesVersion } = settings;
  const place = "controlPlane.overrides.KubeadmControlPlane.spec.kubeadmConfigSpec";
  const spec = at(controlPlane.overrides, "KubeadmControlPlane", "spec", "kubeadmConfigSpec");
  return argumentLists(spec).map(({ program, path, all }): Arguments => {
    const section = at(spec, ...path.slice(0, -1));
    const dataDir = at(section, "dataDir");
    const mounts = [
      ...(mountsOf[program] ?? []),
      ...mountsIn(section),
      ...(program === "kube-apiserver" ? mountsIn(ownApiServer(settings)) : []),
      ...(typeof dataDir === "string" ? [dataDir] : []),
    ];
    return {
      program,
      path: `${place}.${path.join(".")}`,
      all,
      ...(program === "kubelet" ? {} : { mounts }),
      kubernetesVersion,
      uses: ["controlPlane.overrides", "kubernetesVersion"],
    };
  });
}

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
  const fault = argumentFault(program, argument, all, minor(kubernetesVersion));
  const common = { path: `${path}[${index}]`, value: { ...argument }, uses };
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

/** Arguments, and kubelet's feature gates, of releases whose settings are not known; and values that are not. */
export const programArgumentWarnings = (settings: Settings): Warning[] => {
  const { newest } = settingsMinors;
  const gates = poolsOf(settings).flatMap(({ path, pool: { kubelet, kubernetesVersion } }) => {
    const given = kubelet?.configuration?.featureGates;
    return isRecord(given) && Object.keys(given).length > 0
      ? [{ path: `${path}.kubelet.configuration.featureGates`, kubernetesVersion, all: [] }]
      : [];
  });
  const ofKubelet = gates.map((one) => ({ ...one, program: "kubelet" as const }));
  return [...argumentsOf(settings), ...ofKubelet].flatMap(({ path, program, all, kubernetesVersion }) => {
    const oldest = oldestMinorOf(program);
    const release = minor(kubernetesVersion);
    if (release < oldest || !knowsSettings(release)) {
      const whose = program === "etcd" ? "etcd in Kubernetes" : "Kubernetes";
      const message = `not checked: the settings of ${whose} 1.${oldest} to 1.${newest} are known, and these are of ${kubernetesVersion}; a program that does not know one does not start`;
      return [{ path, message }];
    }
    return all.flatMap((argument, index) => {
      const open = uncheckedIn(program, argument);
      const message = `not checked: ${open ?? ""}; if not, it does not start`;
      return open === undefined ? [] : [{ path: `${path}[${index}]`, message }];
    });
  });
};
