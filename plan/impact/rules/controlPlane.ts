import { gte, major, minor } from "semver";
import { refusedChanges } from "capz-windows-platform/cluster/refusedChanges";
import { defaultControlPlane } from "capz-windows-platform/machines/defaults";
import { numberAt } from "capz-windows-kit/untyped";
import { withoutUndefined } from "capz-windows-kit/without";
import type { Difference } from "../differences";
import { formatChange, formatList, pluralize } from "../format";
import { findChange, lifecycle, touches, within, type ImpactRule } from "../impactRule";
import { controlPlaneMachines } from "../machines";
import { encryptionFields, encryptionRules, isOfKeys } from "./encryption";
import { kubeletCertificateRules, servingCertificateFields } from "./kubeletCertificates";
import { podSecurityFields, podSecurityRules } from "./podSecurity";
import { isOlderMinor, upgradeRules, versions } from "./upgrades";

/** KubeadmControlPlane: etcd and the API servers. */

const kcp = "KubeadmControlPlane";
const webhook = "CAPI v1.14.2 controlplane/kubeadm/webhooks/admission/kubeadmcontrolplane.go";
const versionPath = /^spec\.version$/;
const version = touches(kcp, versionPath);
const replicas = touches(kcp, /^spec\.replicas$/);
const template = touches("AzureMachineTemplate");
const inControlPlane = within("controlPlane");
const rolling = (difference: Difference): boolean =>
  inControlPlane(difference) &&
  (template(difference) ||
    touches(kcp, /^spec\.(version|kubeadmConfigSpec|machineTemplate)\b(?!\.spec\.deletion\b)/)(difference));
const healthCheck = touches("MachineHealthCheck");

/** How many machines there are, and how many there will be. */
function machinesOf(matched: readonly Difference[]): readonly [current: number, wanted: number] {
  const { before, after } = findChange(matched, /^spec\.replicas$/) ?? {};
  return [Number(before), Number(after)];
}

/** What the webhook lets through (allowedPaths), below spec.kubeadmConfigSpec. */
const changeable =
  /^(clusterConfiguration\.(etcd|dns|imageRepository|featureGates|apiServer|controllerManager|scheduler|certificateValidityPeriodDays|encryptionAlgorithm)|initConfiguration\.(nodeRegistration|patches|skipPhases|bootstrapTokens|localAPIEndpoint|timeouts)|joinConfiguration\.(nodeRegistration|patches|skipPhases|caCertPath|controlPlane|discovery|timeouts)|bootCommands|preKubeadmCommands|postKubeadmCommands|files|verbosity|users|ntp|ignition|diskSetup|format|mounts)\b/;

/** Arguments, volumes and the policy of the audit log. */
const auditFields =
  /^spec\.kubeadmConfigSpec\.(clusterConfiguration\.apiServer\.(extraArgs\[audit-|extraVolumes\[audit-)|files\[[^\]]*audit-policy\.yaml\])/;

const loginFields =
  /^spec\.kubeadmConfigSpec\.(clusterConfiguration\.apiServer\.(extraArgs|extraVolumes)\[authentication|files\[[^\]]*\/authentication\.yaml\])/;

/** What changes about the machines, in the users' words. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [/^spec\.version$/, "Kubernetes version"],
  [/\.image\b/, "image"],
  [/\.vmSize$/, "VM size"],
  [/\.osDisk\b/, "OS disk"],
  [/\.dataDisks\b/, "etcd's disk"],
  [/\.additionalTags\b/, "Azure tags"],
  [/\.sshPublicKey$/, "ssh key"],
  [/\.userAssignedIdentities\b/, "identity"],
  [encryptionFields, "encryption at rest"],
  [auditFields, "audit log"],
  [loginFields, "login"],
  [podSecurityFields, "Pod Security"],
  [servingCertificateFields, "certificates of kubelets"],
  // The list of volumes as a whole changes where it had none before, along with what needs them.
  [
    /^spec\.kubeadmConfigSpec\.(?!files\[[^\]]*azure\.json\]|clusterConfiguration\.apiServer\.extraVolumes$)/,
    "bootstrap data",
  ],
];

function insteadOfRoll(why: readonly string[], machines: number): string | undefined {
  if (why.join() === "Azure tags") {
    return "postpone the tags until the next upgrade rolls the control plane anyway";
  }
  return machines === 1
    ? "scale to three machines first if the API server must stay available while etcd moves"
    : undefined;
}

/** Each difference counts for its first reason. */
const reasonsOf = (differences: readonly Difference[]): string[] => {
  const found = differences.map(({ path }) => reasons.find(([pattern]) => pattern.test(path)));
  return reasons.filter((reason) => found.includes(reason)).map(([, text]) => text);
};

export const controlPlaneRules: readonly ImpactRule[] = [
  {
    id: "control-plane-downgrade",
    severity: "refused",
    source:
      "https://kubernetes.io/docs/tasks/administer-cluster/kubeadm/kubeadm-upgrade/ (no webhook refuses it)",
    match: version,
    claims: rolling,
    what: (matched) => {
      const [before, after] = versions(findChange(matched, versionPath));
      return (
        isOlderMinor(before, after) &&
        `The control plane cannot be downgraded: ${formatChange(before, after)}`
      );
    },
    why: "etcd holds objects that the newer API servers wrote, and kubeadm cannot downgrade; no webhook refuses it, so the program does",
    instead: "keep the version, or restore a cluster of the older version from a backup",
  },
  {
    id: "control-plane-skips-minor",
    severity: "refused",
    source: `${webhook}, validateVersion`,
    match: version,
    claims: rolling,
    explain: (matched) => {
      const [before, after] = versions(findChange(matched, versionPath));
      const next = `v${major(before)}.${minor(before) + 1}`;
      return gte(after, `${major(before)}.${minor(before) + 2}.0-0`)
        ? {
            what: `The control plane cannot skip a minor version: ${formatChange(before, after)}`,
            why: "Cluster API refuses it, because kubeadm upgrades one minor version at a time",
            instead: `upgrade to ${next} first, wait until every machine runs it, then upgrade again`,
          }
        : undefined;
    },
  },
  {
    id: "control-plane-cannot-upgrade",
    severity: "refused",
    source: "project: packages/platform/cluster/refusedChanges.ts",
    match: version,
    claims: rolling,
    explain: (matched) => {
      const [{ base, head }] = matched;
      const [reason] = refusedChanges(base?.inputs, head?.inputs).filter((text) =>
        text.startsWith("spec.version "),
      );
      return reason === undefined
        ? undefined
        : {
            what: `The control plane cannot be upgraded: ${formatChange(...versions(findChange(matched, versionPath)))}`,
            why: reason.replace(/^[^:]*: /, ""),
          };
    },
  },
  {
    id: "control-plane-immutable-field",
    severity: "refused",
    source: `${webhook}, allowedPaths`,
    match: (difference) =>
      touches(kcp, /^spec\.kubeadmConfigSpec\./)(difference) &&
      !changeable.test(difference.path.replace("spec.kubeadmConfigSpec.", "")),
    what: (matched) =>
      `Cluster API refuses a change of the control plane: ${formatList(matched.map(({ path }) => path.replace(/^spec\./, "")))}`,
    why: "these fields can only be set when the cluster is created",
  },
  ...upgradeRules,
  ...encryptionRules,
  ...kubeletCertificateRules,
  ...podSecurityRules,
  {
    id: "control-plane-rolls",
    severity: "rolls",
    source:
      "CAPI v1.14.2 controlplane/kubeadm/pkg/filters.go (UpToDate: machines that differ from the spec are replaced, maxSurge 1)",
    match: rolling,
    claims: isOfKeys,
    explain: (matched, { base, head }) => {
      if (matched.some(({ kind }) => kind === "delete" || kind === "create")) {
        return undefined;
      }
      const nodes = Math.min(controlPlaneMachines(base), controlPlaneMachines(head));
      const why = reasonsOf(matched);
      return {
        what: `The control plane rolls: ${pluralize(nodes, "machine")} replaced${nodes > 1 ? " one by one" : ""}, each new one before an old one is removed`,
        why: `what changes${why.length > 0 ? ` (${formatList(why, 8)})` : ""} is part of each machine, and Cluster API does not change machines in place; each new machine joins etcd before an old member leaves`,
        nodes,
        ...withoutUndefined({ instead: insteadOfRoll(why, nodes) }),
      };
    },
  },
  {
    id: "control-plane-renewal",
    source:
      "CAPI v1.14.2 util/collections/machine_filters.go, ShouldRolloutBefore; the expiry is read once, from the API server's certificate (kubeadmcontrolplane_controller.go, reconcileCertificateExpiries)",
    match: touches(kcp, /^spec\.rollout\.before\b/),
    explain: (matched, { head }) => {
      // Where there was no mapping before, the change is that of the mapping.
      const after = findChange(matched, /rollout\.before/)?.after;
      const days = typeof after === "number" ? after : numberAt(after, "certificatesExpiryDays");
      const nodes = controlPlaneMachines(head);
      return days === undefined
        ? {
            what: "Certificates of the control plane are no longer renewed",
            why: "kubeadm's certificates last a year: without an upgrade or another rollout in that time, the API server stops",
            instead: `set controlPlane.certificatesExpiryDays to ${defaultControlPlane.certificatesExpiryDays}`,
          }
        : {
            what: `The control plane will roll ${days} days before its certificates expire: ${pluralize(nodes, "machine")} replaced, about once a year`,
            why: "only new machines get new certificates. Nothing rolls now, unless a machine is so old already that fewer days are left",
          };
    },
  },
  {
    id: "control-plane-scales-to-one",
    severity: "rolls",
    source:
      "CAPI v1.14.2 controlplane/kubeadm/reconcilers/kubeadmcontrolplane/scale.go and remediation.go (a single member is not replaced)",
    match: (difference) => replicas(difference) && machinesOf([difference])[1] === 1,
    claims: healthCheck,
    what: (matched) =>
      `The control plane shrinks from ${machinesOf(matched)[0]} machines to one: no high availability, no automatic repair`,
    why: "etcd members are removed one by one, and with two of them the loss of one stops the cluster; once a single one is left, losing its machine means losing the cluster, and its health check is removed",
    nodes: (matched) => machinesOf(matched)[0] - 1,
    instead:
      "keep three machines for any cluster that must survive the loss of one; otherwise save etcd first (docs/operations.md)",
  },
  {
    id: "control-plane-scales",
    source: "CAPI v1.14.2 controlplane/kubeadm/reconcilers/kubeadmcontrolplane/scale.go",
    match: replicas,
    claims: healthCheck,
    explain: (matched) => {
      const [current, wanted] = machinesOf(matched);
      const isLess = wanted < current;
      return {
        ...(isLess ? { severity: "rolls" } : {}),
        what: `The control plane ${isLess ? "shrinks" : "grows"} from ${current} to ${wanted} machines`,
        why: `etcd members ${isLess ? "are removed" : "join"} one by one`,
        nodes: Math.max(0, current - wanted),
      };
    },
  },
  {
    id: "control-plane-deleted",
    severity: "destroys",
    source:
      "CAPI v1.14.2 controlplane/kubeadm/reconcilers/kubeadmcontrolplane/kubeadmcontrolplane_controller.go (finalizer)",
    match: lifecycle("delete", kcp),
    claims: inControlPlane,
    what: "The control plane is deleted, and etcd with every object in the cluster",
    why: "its objects are no longer in the plan",
    nodes: (_, { base }) => controlPlaneMachines(base),
  },
  {
    id: "health-check",
    source: "CAPI v1.14.2 core/reconcilers/machinehealthcheck/machinehealthcheck_controller.go",
    match: healthCheck,
    what: ([{ kind, part }]) =>
      `Unhealthy machines of ${part.kind === "pool" ? `pool ${part.name}` : "the control plane"} are ${kind === "delete" ? "no longer replaced automatically" : "replaced automatically by new rules"}`,
    why: "the MachineHealthCheck changes; no machine is affected now",
  },
];
