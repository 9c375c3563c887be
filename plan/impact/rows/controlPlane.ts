import { gte, major, minor, lt } from "semver";
import { refusedChanges } from "../../../domain/capi/refusedChanges";
import type { PropertyChange } from "../../compare/stackDiff";
import type { Fact } from "../facts";
import type { Row } from "../row";
import { about, coming, find } from "../row";
import { controlPlaneMachines, pools } from "../scene";
import { arrow, counted, listed, said } from "../words";

/** KubeadmControlPlane: etcd and the API servers. */

const kcp = "KubeadmControlPlane";
const webhook = "CAPI v1.13 controlplane/kubeadm/webhooks/kubeadmcontrolplane.go";
const versionPath = /^spec\.version$/;
const version = about(kcp, versionPath);
const replicas = about(kcp, /^spec\.replicas$/);
const template = about("AzureMachineTemplate");
const inControlPlane = ({ subject }: Fact): boolean => subject === "control-plane";
const rolling = (fact: Fact): boolean =>
  inControlPlane(fact) &&
  (template(fact) || about(kcp, /^spec\.(version|kubeadmConfigSpec|machineTemplate)\b/)(fact));
const healthCheck = about("MachineHealthCheck");

const versions = (change: PropertyChange | undefined): [before: string, after: string] => [
  said(change?.before),
  said(change?.after),
];

/** Is the second version of an older minor than the first? */
const isOlderMinor = (before: string, after: string): boolean =>
  major(after) < major(before) || (major(after) === major(before) && minor(after) < minor(before));

/** What the webhook lets through (allowedPaths), below spec.kubeadmConfigSpec. */
const changeable =
  /^(clusterConfiguration\.(etcd|dns|imageRepository|featureGates|apiServer|controllerManager|scheduler|certificateValidityPeriodDays|encryptionAlgorithm)|initConfiguration\.(nodeRegistration|patches|skipPhases|bootstrapTokens|localAPIEndpoint|timeouts)|joinConfiguration\.(nodeRegistration|patches|skipPhases|caCertPath|controlPlane|discovery|timeouts)|bootCommands|preKubeadmCommands|postKubeadmCommands|files|verbosity|users|ntp|ignition|diskSetup|format|mounts)\b/;

/** Why the machines are made anew, in the users' words. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [/^spec\.version$/, "Kubernetes version"],
  [/\.image\b/, "image"],
  [/\.vmSize$/, "VM size"],
  [/\.osDisk\b/, "OS disk"],
  [/\.dataDisks\b/, "etcd's disk"],
  [/\.additionalTags\b/, "Azure tags"],
  [/\.sshPublicKey$/, "ssh key"],
  [/\.userAssignedIdentities\b/, "identity"],
  [/^spec\.kubeadmConfigSpec\.(?!files\[[^\]]*azure\.json\])/, "bootstrap data"],
];

function reasonsOf(facts: readonly Fact[]): string[] {
  const found = reasons.filter(([path]) => facts.some((fact) => path.test(fact.path)));
  return found.map(([, text]) => text);
}

export const controlPlaneRows: readonly Row[] = [
  {
    rule: "control-plane-downgrade",
    severity: "refused",
    source:
      "https://kubernetes.io/docs/tasks/administer-cluster/kubeadm/kubeadm-upgrade/ (no webhook refuses it)",
    match: version,
    claims: rolling,
    tell: (facts) => {
      const [before, after] = versions(find(facts, versionPath));
      return lt(after, before)
        ? {
            what: `The control plane cannot go back: ${arrow(before, after)}`,
            why: "etcd holds objects as the newer API servers wrote them, and kubeadm has no way back; no webhook refuses it, the program does",
            instead: "restore a cluster of the older version from a backup, or stay",
          }
        : undefined;
    },
  },
  {
    rule: "control-plane-skips-minor",
    severity: "refused",
    source: `${webhook}, validateVersion`,
    match: version,
    claims: rolling,
    tell: (facts) => {
      const [before, after] = versions(find(facts, versionPath));
      const next = `v${major(before)}.${minor(before) + 1}`;
      return gte(after, `${major(before)}.${minor(before) + 2}.0-0`)
        ? {
            what: `The control plane cannot skip a minor version: ${arrow(before, after)}`,
            why: "Cluster API refuses it, because kubeadm upgrades one minor version at a time",
            instead: `go to ${next} first, wait until every machine is on it, then further`,
          }
        : undefined;
    },
  },
  {
    rule: "control-plane-cannot-upgrade",
    severity: "refused",
    source: "project: domain/capi/refusedChanges.ts",
    match: version,
    claims: rolling,
    tell: (facts) => {
      const [{ before, after }] = facts;
      const [reason] = refusedChanges(before?.inputs, after?.inputs).filter((text) =>
        text.startsWith("spec.version "),
      );
      return reason === undefined
        ? undefined
        : {
            what: `The control plane cannot be upgraded: ${arrow(...versions(find(facts, versionPath)))}`,
            why: reason.replace(/^[^:]*: /, ""),
          };
    },
  },
  {
    rule: "control-plane-immutable-field",
    severity: "refused",
    source: `${webhook}, allowedPaths`,
    match: (fact) =>
      about(kcp, /^spec\.kubeadmConfigSpec\./)(fact) &&
      !changeable.test(fact.path.replace("spec.kubeadmConfigSpec.", "")),
    tell: (facts) => ({
      what: `The control plane refuses a change of ${listed(facts.map(({ path }) => path.replace(/^spec\./, "")))}`,
      why: "Cluster API lets these fields be set once, when the cluster is made",
    }),
  },
  {
    rule: "upgrade-all-at-once",
    severity: "rolls",
    source: "https://kubernetes.io/releases/version-skew-policy/ (kubelet); README, Upgrades",
    per: "stack",
    adds: true,
    match: version,
    tell: (facts, scene) => {
      const [before, after] = versions(find(facts, versionPath));
      const old = new Map(pools(scene.before).map((pool) => [pool.name, pool.version]));
      const rolled = pools(scene.after).filter(({ name, version: wanted }) => {
        const had = old.get(name);
        return had !== undefined && had !== "" && lt(had, wanted);
      });
      return isOlderMinor(after, before) && rolled.length > 0
        ? {
            what: `Control plane and ${listed(rolled.map(({ name }) => name))} go to ${after} in one \`up\``,
            why: "pools do not wait for the control plane, and a kubelet must never be newer than an API server",
            instead: `write kubernetesVersion: ${before} into each pool, run \`up\`, wait for the control plane, then take these lines out and run \`up\` again`,
          }
        : undefined;
    },
  },
  {
    rule: "control-plane-rolls",
    severity: "rolls",
    source:
      "CAPI v1.13 controlplane/kubeadm (rollout: a machine that is not as its spec says is replaced, maxSurge 1)",
    match: rolling,
    tell: (facts, { before, after }) => {
      if (facts.some(({ kind }) => kind === "delete" || kind === "create")) {
        return undefined;
      }
      const nodes = Math.min(controlPlaneMachines(before), controlPlaneMachines(after));
      const why = reasonsOf(facts);
      const onlyTags = why.join() === "Azure tags";
      return {
        what: `The control plane rolls: ${counted(nodes, "machine")} replaced${nodes > 1 ? " one by one" : ""}, a new one before each old one goes`,
        why: `what changes (${listed(why, 8)}) is part of each machine, and Cluster API changes none in place; etcd moves to each new machine by itself`,
        nodes,
        ...(onlyTags
          ? { instead: "put the tags off until the next upgrade rolls the control plane anyway" }
          : nodes === 1
            ? { instead: "run three machines first, where the API server must not be away while etcd moves" }
            : {}),
      };
    },
  },
  {
    rule: "control-plane-scales-down",
    severity: "rolls",
    source: "CAPI v1.13 controlplane/kubeadm (scale: etcd's member is removed first)",
    match: replicas,
    claims: healthCheck,
    tell: (facts) => {
      const { before, after } = find(facts, /^spec\.replicas$/) ?? {};
      const [old, fresh] = [Number(before), Number(after)];
      return fresh < old
        ? {
            what: `The control plane shrinks from ${old} to ${counted(fresh, "machine")}`,
            why:
              fresh === 1
                ? "etcd's members go one by one; with one left, the loss of that machine is the loss of the cluster"
                : "etcd's members go one by one; fewer may be lost afterwards",
            nodes: old - fresh,
            ...(fresh === 1 ? { instead: "keep three machines for anything that must last" } : {}),
          }
        : undefined;
    },
  },
  {
    rule: "control-plane-scales-up",
    severity: "changes",
    source: "CAPI v1.13 controlplane/kubeadm",
    match: replicas,
    claims: healthCheck,
    tell: (facts) => {
      const { before, after } = find(facts, /^spec\.replicas$/) ?? {};
      return {
        what: `The control plane grows from ${String(before)} to ${String(after)} machines`,
        why: "machines join one by one, each as a member of etcd",
      };
    },
  },
  {
    rule: "control-plane-deleted",
    severity: "destroys",
    source: "CAPI v1.13 controlplane/kubeadm",
    match: coming("delete", kcp),
    claims: inControlPlane,
    tell: (_, { before }) => ({
      what: "The control plane is deleted, and etcd with every object in the cluster",
      why: "its objects are no longer in the plan",
      nodes: controlPlaneMachines(before),
    }),
  },
  {
    rule: "health-check",
    severity: "changes",
    source: "CAPI v1.13 MachineHealthCheck",
    match: healthCheck,
    tell: ([{ kind, subject }]) => ({
      what: `Lost machines of ${subject.replace(/^pool-/, "pool ").replace("control-plane", "the control plane")} are ${kind === "delete" ? "no longer replaced by themselves" : "replaced by themselves, by new rules"}`,
      why: "the MachineHealthCheck changes; no machine is touched now",
    }),
  },
];
