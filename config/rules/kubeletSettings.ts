import { minor } from "semver";
import { kubeletFields, type reservedOf } from "../../bootstrap/kubeletConfig";
import { configurationFaults, fieldFaults, type FieldFault } from "../../bootstrap/kubeletConfiguration";
import { flagFields, merged, withFlags } from "../../bootstrap/kubeletFlags";
import { flagsOfWindowsImages, pairFaults } from "../../bootstrap/kubeletPairs";
import { valueFaults } from "../../bootstrap/kubeletValues";
import { argumentFault } from "capz-windows-platform/cluster/programArguments";
import { knowsSettings } from "capz-windows-platform/cluster/programSettings";
import { readYamlStream } from "capz-windows-platform/manifests/yamlStream";
import type { Problem, Warning } from "capz-windows-kit/problem";
import { at, isRecord, list, textAt, type Plain } from "capz-windows-kit/untyped";
import { poolsOf } from "../pools";
import type { Settings } from "../settings";
import { argumentsOf } from "./programArguments";

/** What kubelet gets from keys of a pool, from files with its configuration and from its flags is judged together, by its fields. */

interface Source {
  readonly fields: Plain;
  /** What is wrong with a field by itself: its name, its type, or that it is not for the user. */
  readonly single: (name: string, value: unknown, release: number) => FieldFault[];
  readonly problemOf: (fault: FieldFault) => Problem;
}

interface File {
  readonly path: string;
  readonly content: string;
}

/** Kubelets that read the same. */
interface Kubelets {
  readonly path: string;
  readonly os: "linux" | "windows";
  readonly kubernetesVersion: string;
  /** What the keys of a pool make, but for those of its `kubelet.configuration`. */
  readonly base: Plain;
  readonly configuration: Plain;
  readonly files: readonly File[];
}

const filesIn = (overrides: unknown, path: string, place: string): File[] =>
  list(at(overrides, ...place.split("."), "files")).map((file, index) => ({
    path: `${path}.overrides.${place}.files[${index}].content`,
    content: textAt(file, "content"),
  }));

function kubeletsOf({ controlPlane, kubernetesVersion, platform, ...pools }: Settings): Kubelets[] {
  const path = "controlPlane";
  const place = "KubeadmControlPlane.spec.kubeadmConfigSpec";
  const files = filesIn(controlPlane.overrides, path, place);
  const ofPools = poolsOf(pools).map(({ os, path, pool }): Kubelets => {
    const { kubelet, overrides } = pool;
    const own = pool.files.map(({ content = "" }, index) => ({
      path: `${path}.files[${index}].content`,
      content,
    }));
    return {
      ...{ path, os, kubernetesVersion: pool.kubernetesVersion },
      base: kubeletFields({ ...kubelet, configuration: undefined }, os, pool.kubernetesVersion),
      // Another rule says that the others have none.
      configuration: platform.cloudProvider === "external" ? (kubelet?.configuration ?? {}) : {},
      files: [
        ...own,
        ...filesIn(overrides, path, "KubeadmConfig.spec"),
        ...filesIn(overrides, path, "KubeadmConfigTemplate.spec.template.spec"),
      ],
    };
  });
  return [{ path, os: "linux", kubernetesVersion, base: {}, configuration: {}, files }, ...ofPools];
}

const usesOf = ({ path }: Kubelets): string[] => [`${path}.kubernetesVersion`, "kubernetesVersion"];

const mayBeConfiguration = ({ content }: File): boolean => /\bKubeletConfiguration\b/.test(content);

function writtenSources(kubelets: Kubelets): Source[] {
  const place = `${kubelets.path}.kubelet.configuration`;
  const configuration: Source = {
    fields: kubelets.configuration,
    single: configurationFaults,
    problemOf: ({ path, ...fault }) => ({
      ...{ ...fault, path: `${place}.${path.join(".")}` },
      uses: [place, ...usesOf(kubelets)],
    }),
  };
  const files = kubelets.files.filter(mayBeConfiguration).flatMap(({ path, content }) =>
    readYamlStream(content)
      .values.filter((value) => isRecord(value) && value.kind === "KubeletConfiguration")
      .map((value): Source => ({
        fields: value as Plain,
        single: fieldFaults,
        problemOf: ({ path: field, problem, allowed }) => ({
          ...{ path, uses: [path, ...usesOf(kubelets)], allowed },
          problem: `${field.join(".")}: ${problem}`,
        }),
      })),
  );
  return [configuration, ...files];
}

/** For each list the arguments of which kubelet knows the name and the form; the others have a problem of their own. */
const flagSources = (kubelets: Kubelets, settings: Settings): Source[][] =>
  (kubelets.path === "controlPlane" ? argumentsOf(settings) : [])
    .filter(({ program }) => program === "kubelet")
    .map(({ path, all, uses }) =>
      all.flatMap((argument, index): Source[] =>
        argumentFault("kubelet", argument, all, minor(kubelets.kubernetesVersion)) === undefined
          ? [
              {
                fields: flagFields(argument),
                single: () => [],
                problemOf: (fault) => ({ ...fault, path: `${path}[${index}]`, value: { ...argument }, uses }),
              },
            ]
          : [],
      ),
    );

function problemsOf(
  { os, kubernetesVersion, base }: Kubelets,
  written: Source[],
  flags: Source[],
): Problem[] {
  const release = minor(kubernetesVersion);
  const found: Problem[] = [];
  // Pairs are those that are left when the faults are removed, so that one report has both.
  const right = written.map(({ fields, single, problemOf }) =>
    Object.entries(fields).filter(([name, value]) => {
      const faults = single(name, value, release);
      found.push(...faults.map(problemOf));
      return faults.length === 0;
    }),
  );
  const all = withFlags(
    merged([base, ...right.map((entries): Plain => Object.fromEntries(entries))]),
    merged(flags.map(({ fields }) => fields)),
  );
  const faultsIn = (configuration: Plain): FieldFault[] =>
    [
      ...valueFaults(configuration, release),
      ...pairFaults(configuration, {
        ...{ os, kubernetesMinor: release },
        reserved: configuration.systemReserved as ReturnType<typeof reservedOf>,
      }),
    ].filter(({ path: [name = ""] }) => os === "linux" || !flagsOfWindowsImages.includes(name));
  const known = faultsIn(base).map(({ path }) => path.join("."));
  for (const fault of faultsIn(all)) {
    const [name = ""] = fault.path;
    const path = fault.path.join(".");
    const source = [...written, ...flags].findLast(({ fields }) => name in fields);
    if (source !== undefined && !known.includes(path)) {
      known.push(path);
      found.push(source.problemOf(fault));
    }
  }
  return found;
}

/** Settings with which kubelets do not start, or which are not for users. */
export const kubeletSettingRules = (settings: Settings): Problem[] =>
  kubeletsOf(settings).flatMap((kubelets) => {
    const lists = flagSources(kubelets, settings);
    const written = writtenSources(kubelets);
    const found = (lists.length === 0 ? [[]] : lists).flatMap((flags) =>
      problemsOf(kubelets, written, flags),
    );
    return found.filter(
      ({ path, problem }, index) =>
        found.findIndex((other) => other.path === path && other.problem === problem) === index,
    );
  });

/** Configurations that cannot be judged here, for instance because a part is filled in later. */
export const kubeletFileWarnings = (settings: Settings): Warning[] =>
  kubeletsOf(settings).flatMap(({ files, kubernetesVersion }) => {
    const isKnown = knowsSettings(minor(kubernetesVersion));
    const why = isKnown
      ? "which is no YAML as it stands here"
      : `whose fields in ${kubernetesVersion} are not known`;
    return files
      .filter(mayBeConfiguration)
      .filter(({ content }) => !isKnown || readYamlStream(content).errors.length > 0)
      .map(({ path }) => ({
        path,
        message: `not checked: what kubelet makes of this configuration, ${why}`,
      }));
  });
