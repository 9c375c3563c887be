import { keyInManifest, keyVaultKey } from "../../../platform/encryption/keyVault";
import { at, list, numberAt, textAt } from "../../../tools/untyped";
import { type KubeObject, conditionNamed, minutesBetween } from "../../cluster/objects";
import { controlPlaneStates } from "./controlPlaneStates";
import { anyOf, hasCondition, says, warned } from "./finders";
import { remediationRules } from "./remediation";
import type { Detectors } from "./rule";

/** KubeadmControlPlane: its machines, etcd and certificates. */

const notInitialized = /not yet initialized/;

const late = anyOf(
  hasCondition({ kinds: ["KubeadmControlPlane"], type: "Initialized", minutes: 20 }),
  hasCondition({
    ...{ kinds: ["KubeadmControlPlane"], type: "Available", minutes: 20 },
    message: notInitialized,
  }),
);

/** The key in Key Vault of the first plugin in a control plane's files. */
const keyVaultKeyOf = (object: KubeObject | undefined) =>
  list(at(object?.spec, "kubeadmConfigSpec", "files"))
    .flatMap((file) => keyInManifest(textAt(file, "content")) ?? [])
    .map(keyVaultKey)[0];

export const controlPlane: Detectors = {
  ...controlPlaneStates,
  "version-skew": anyOf(
    says({
      kinds: ["MachineSet", "MachineDeployment"],
      text: /(?<why>[^:*]*do not conform to kubeadm version skew policy[^("]*|[^:*]*violates? the skew policy[^"]*)|Kube(?:adm|rnetes)VersionSkew/,
    }),
    warned({ kinds: ["KubeadmControlPlane"], text: /AdoptionFailed: [^]*(?<why>its version[^]*)/ }),
  ),
  ...remediationRules,
  "control-plane-refused": anyOf(
    warned({
      kinds: ["KubeadmControlPlane"],
      text: /Failed(?:Initialization|ScaleUp|ScaleDown): (?<why>[^]*)/,
    }),
    hasCondition({
      kinds: ["KubeadmControlPlane"],
      type: "MachinesCreated",
      message: /^(?!.*(?:not found|does not exist))(?<why>[^]+)/,
      minutes: 5,
    }),
  ),
  "control-plane-late": late,
  "key-vault-late": (world) =>
    late(world).flatMap((match) => {
      const { vault, key, keyId } = keyVaultKeyOf(match.object) ?? {};
      return keyId === undefined ? [] : [{ ...match, vars: { vault: vault ?? "", key: key ?? "", keyId } }];
    }),
  "control-plane-rollout-late": hasCondition({
    kinds: ["KubeadmControlPlane"],
    type: "RollingOut",
    status: ["True"],
    message: /(?<why>[^]*)/,
    minutes: 45,
    // Creating one machine and deleting another takes at most 20 minutes if nothing is wrong.
    where: (object, world) =>
      minutesBetween(conditionNamed(object, "RollingOut")?.since ?? "", world.now) >=
      20 * (numberAt(object.spec, "replicas") ?? 1),
  }),
};
