import { auditBootstrap } from "../../bootstrap/audit";
import { authenticationBootstrap } from "../../bootstrap/authentication";
import { encryptionBootstrap } from "../../bootstrap/encryption";
import { podSecurityBootstrap } from "../../bootstrap/podSecurity";
import { controlCharacterIn, isPlainScalar } from "../../bootstrap/limits";
import { clusterCa } from "capz-windows-platform/cluster/kubeletCertificates";
import { overrideProblems } from "../../capi/overrides/overrides";
import { present } from "capz-windows-kit/present";
import type { Problem } from "capz-windows-kit/problem";
import { keyName } from "capz-windows-kit/writeLine";
import { poolsOf } from "../pools";
import type { Settings } from "../settings";

/** The kinds of objects that a pool of this `kind` does not have. */
const otherKinds = {
  MachinePool: ["MachineDeployment", "AzureMachineTemplate", "KubeadmConfigTemplate", "MachineHealthCheck"],
  MachineDeployment: ["MachinePool", "AzureMachinePool", "KubeadmConfig"],
} as const;

interface Place {
  /** Path of the mapping with the key `overrides`; "" for the stack. */
  readonly path: string;
  readonly overrides: Readonly<Record<string, unknown>>;
  readonly kind?: keyof typeof otherKinds;
}

const placesOf = (settings: Settings): Place[] => [
  { path: "", overrides: settings.overrides },
  { path: "controlPlane", overrides: settings.controlPlane.overrides },
  ...poolsOf(settings).map(({ os, path, pool }) => ({
    path,
    overrides: pool.overrides,
    kind: os === "windows" ? pool.kind : ("MachinePool" as const),
  })),
];

const isOtherKind = (kind: string, poolKind: Place["kind"]): boolean =>
  poolKind !== undefined && otherKinds[poolKind].some((other) => other === kind);

/** Arguments and volumes of the API server that the settings say already. */
export function ownApiServer(settings: Settings) {
  const { clusterName, controlPlane, kubeletCertificates, kubernetesVersion: version } = settings;
  const { audit, authentication, encryption, podSecurity } = controlPlane;
  const own = [
    auditBootstrap(audit && { ...audit, policy: "" }, version),
    authenticationBootstrap(authentication && { issuers: [] }, version),
    encryptionBootstrap(encryption, clusterName),
    podSecurityBootstrap(podSecurity),
  ];
  return {
    extraArgs: [
      ...own.flatMap(({ args }) => args),
      ...present(
        kubeletCertificates === "verified" && { name: "kubelet-certificate-authority", value: clusterCa },
      ),
    ],
    extraVolumes: own.flatMap(({ volumes }) => volumes),
  };
}

/** What of the program's object the settings say already: elements of lists that a patch has to repeat. */
function ownObject(kind: string, settings: Settings): unknown {
  const { kubernetesVersion: version } = settings;
  const clusterConfiguration = { apiServer: ownApiServer(settings) };
  return kind === "KubeadmControlPlane"
    ? { spec: { version, kubeadmConfigSpec: { clusterConfiguration } } }
    : undefined;
}

const bootstrapKinds = new Set(["KubeadmConfig", "KubeadmConfigTemplate", "KubeadmControlPlane"]);

/** Fields of a KubeadmConfig whose texts Cluster API writes into YAML without quotes (CAPI v1.14.2, bootstrap/kubeadm/internal/cloudinit): the last one is a part of paths of files. */
const plainFields = new Set(["ntp", "mounts", "users", "diskSetup", "certificatesDir"]);

/** Texts of a patch that would end, or break, the YAML of the bootstrap data: other keys of cloud-init could follow. */
function textProblems(kind: string, value: unknown, path: string, isPlain = false): Problem[] {
  if (typeof value === "string") {
    const found = controlCharacterIn(value);
    const breaks = isPlain && !/^[\w.+-]*$/.test(value) && !isPlainScalar(value);
    return present(
      (found !== undefined || breaks) && {
        path,
        value,
        problem:
          found === undefined
            ? "Cluster API writes this text into YAML without quotes, where it would be parsed as something else"
            : `has the control character ${found}, with which the object is no YAML`,
        allowed: isPlain
          ? "one line that YAML reads unchanged without quotes, for instance without ': ' and ' #'"
          : "characters that can be seen, tabs and the ends of lines",
      },
    );
  }
  return Object.entries(Object(value) as object).flatMap(([key, inner]) =>
    textProblems(
      kind,
      inner,
      Array.isArray(value) ? `${path}[${key}]` : `${path}.${keyName(key)}`,
      isPlain || (bootstrapKinds.has(kind) && plainFields.has(key)),
    ),
  );
}

/** Merge patches that no CRD accepts, or that change values on which the program relies. */
export const overrideRules = (settings: Settings): Problem[] =>
  placesOf(settings).flatMap((place) => {
    const { path, overrides, kind: poolKind } = place;
    const prefix = path === "" ? "" : `${path}.`;
    return Object.entries(overrides).flatMap(([kind, patch]): Problem[] => {
      if (patch === undefined) {
        return [];
      }
      if (isOtherKind(kind, poolKind)) {
        return [
          {
            path: `${prefix}overrides.${kind}`,
            uses: [`${prefix}overrides`, `${path}.kind`],
            problem: `a pool of kind ${String(poolKind)} has no ${kind}`,
            allowed: "the kinds that the pool has",
          },
        ];
      }
      return [
        ...textProblems(kind, patch, `overrides.${kind}`),
        ...overrideProblems(kind, patch, ownObject(kind, settings), prefix),
      ].map((problem) => ({
        ...problem,
        path: `${prefix}${problem.path}`,
        uses: [`${prefix}overrides`],
      }));
    });
  });
