import { encryptionOf, refusedStep } from "capz-windows-platform/encryption/keys";
import { rewriteCommands, stageBetween } from "capz-windows-platform/encryption/stages";
import type { Difference } from "../differences";
import { formatList } from "../format";
import { lifecycle, touches, within, type ImpactRule } from "../impactRule";

/** Keys by which the API server encrypts what is in etcd. */

const kcp = "KubeadmControlPlane";
const inControlPlane = within("controlPlane");
const source = "https://kubernetes.io/docs/tasks/administer-cluster/encrypt-data/#rotating-a-decryption-key";

/** The keys and the Secret that delivers them: what changes about them is said of the control plane. */
export const isOfKeys = (difference: Difference): boolean =>
  inControlPlane(difference) && touches(["RandomBytes", "Secret"])(difference);

/** The argument, the volumes and the files. */
export const encryptionFields =
  /^spec\.kubeadmConfigSpec\.(clusterConfiguration\.apiServer\.(extraArgs\[encryption-|extraVolumes\[encryption)|files\[[^\]]*\/encryption[^\]\/]*\.yaml\])/;

const changesKeys = touches(kcp, encryptionFields);

export const encryptionRules: readonly ImpactRule[] = [
  {
    id: "encryption-step-refused",
    severity: "refused",
    source: "project: packages/platform/cluster/refusedChanges.ts",
    match: changesKeys,
    claims: (difference) => inControlPlane(difference) && (touches(kcp)(difference) || isOfKeys(difference)),
    explain: ([{ base, head, kind }]) => {
      const why =
        kind === "update" ? refusedStep(encryptionOf(base?.inputs), encryptionOf(head?.inputs)) : undefined;
      return why === undefined
        ? undefined
        : { what: "Encryption at rest cannot change like this in one step", why };
    },
  },
  {
    id: "encryption-key-deleted",
    severity: "destroys",
    source,
    match: (difference) => inControlPlane(difference) && lifecycle("delete", "RandomBytes")(difference),
    explain: (matched, _, group) => {
      const controlPlane = group.find(({ type }) => type === kcp);
      const resources = encryptionOf(controlPlane?.base?.inputs)?.resources ?? [];
      return controlPlane?.kind !== "update" || resources.length === 0
        ? undefined
        : {
            what: `Keys are deleted forever: ${formatList(matched.map(({ resource }) => resource.name.replace(/^.*?-encryption-/, "")))}`,
            why: `only the state has their bytes, and ${resources.join(" and ")} in etcd that are still encrypted with them are lost`,
            instead: "before `pulumi up`, rewrite everything with the present list of keys",
            commands: rewriteCommands,
          };
    },
  },
  {
    id: "encryption-stage",
    source,
    informational: true,
    match: changesKeys,
    explain: ([{ base, head, kind }]) =>
      kind === "update" ? stageBetween(encryptionOf(base?.inputs), encryptionOf(head?.inputs)) : undefined,
  },
];
