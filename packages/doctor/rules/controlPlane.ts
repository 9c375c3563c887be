import { healthCheckDefaults } from "capz-windows-platform/machines/healthChecks";
import { at, isRecord, numberAt, textAt } from "capz-windows-kit/untyped";
import { argumentFault, argumentLists } from "capz-windows-platform/cluster/programArguments";
import { knowsSettings } from "capz-windows-platform/cluster/programSettings";
import { type KubeObject, conditionNamed, minutesBetween, ownerOf, stays, title } from "../cluster/objects";
import { anyOf, hasCondition, olderThan, says, warned, wasRead } from "./finders";
import type { Detectors, Match } from "./rule";
import { withAnswer } from "./answers";
import type { World } from "../cluster/snapshot";
import { crashLoops } from "./podFinders";

/** KubeadmControlPlane: its machines, etcd and certificates. */

/** Broken machines that Cluster API does not replace. */
const notRemediated = (message: RegExp, minutes = 0): ((world: World) => Match[]) =>
  hasCondition({
    kinds: ["Machine"],
    type: "OwnerRemediated",
    reason: /^(?:CannotBeRemediated|RemediationDeferred|InternalError)$/,
    message,
    minutes,
  });

const label = "cluster.x-k8s.io/control-plane";

/** Further rules of `controlPlane`: what Cluster API reports about it, and objects that the API server refuses. */
const makers = ["KubeadmControlPlane", "MachineSet", "MachineDeployment", "MachinePool"];

/** A machine of the control plane is made or deleted: meanwhile its parts are not healthy. */
const isChanging = (_: KubeObject, world: World): boolean =>
  world
    .all("Machine")
    .some(
      ({ metadata, status }) =>
        metadata.labels?.[label] !== undefined &&
        (metadata.deletionTimestamp !== undefined || textAt(status, "phase") !== "Running"),
    );

const notInitialized = /not yet initialized/;

const overdue = anyOf(
  hasCondition({ kinds: ["KubeadmControlPlane"], type: "Initialized", minutes: 20 }),
  hasCondition({
    ...{ kinds: ["KubeadmControlPlane"], type: "Available", minutes: 20 },
    message: notInitialized,
  }),
);

/** Before that a control plane waits for the network of its cluster. */
const hasNetwork = (world: World): boolean =>
  world.all("Cluster").every((cluster) => conditionNamed(cluster, "InfrastructureReady")?.status !== "False");

/** Whether a machine of the control plane has no node yet: it may be a member of etcd whose name is not known. */
const isJoining = (world: World): boolean =>
  world
    .all("Machine")
    .some(
      ({ metadata, status }) =>
        metadata.labels?.[label] !== undefined && textAt(status, "nodeRef", "name") === "",
    );

const leftMember =
  /Etcd member (?<name>\S+)(?<nameless> \(Name not yet assigned\))? does not have a corresponding Machine/;

/**
 * Members of etcd that a condition calls left over, and of which there is no Machine in the same snapshot. Cluster API looks
 * for a Machine with such a node, which a machine that joins does not have yet; on Azure its node has the name of the Machine.
 */
function leftMembers(world: World): Match[] {
  if (!wasRead("Machine", "management", world)) {
    return [];
  }
  return hasCondition({
    ...{ kinds: ["KubeadmControlPlane"], type: "EtcdClusterHealthy", minutes: 10, message: leftMember },
    where: stays,
  })(world).flatMap((match) => {
    const names = [...match.proof.text.matchAll(new RegExp(leftMember, "g"))]
      .filter(({ groups }) => groups?.nameless === undefined || !isJoining(world))
      .map(({ groups }) => groups?.name ?? "")
      .filter((name) => world.find("Machine", name) === undefined);
    return names.length === 0 ? [] : [{ ...match, vars: { member: names.join(", ") } }];
  });
}

/**
 * Whether no machine outside is anything but new: Cluster API counts those that have not started, and replaces them only
 * after nodeStartupTimeoutSeconds (v1.14.2 core/reconcilers/machinehealthcheck, needsRemediation).
 */
function isStarting(check: KubeObject, world: World): boolean {
  const unhealthy = /unhealthy: (\d+)/.exec(conditionNamed(check, "RemediationAllowed")?.message ?? "")?.[1];
  const minutes =
    (numberAt(check.spec, "checks", "nodeStartupTimeoutSeconds") ??
      healthCheckDefaults.nodeStartupTimeoutSeconds) / 60;
  const labels = at(check.spec, "selector", "matchLabels");
  const waiting = world
    .all("Machine")
    .filter(({ metadata }) =>
      Object.entries(isRecord(labels) ? labels : {}).every(
        ([key, value]) => metadata.labels?.[key] === value,
      ),
    )
    .filter(({ status }) => textAt(status, "nodeRef", "name") === "");
  return unhealthy === "0" && waiting.length > 0 && waiting.every((one) => !olderThan(one, minutes, world));
}

/** kubeadm labels its static Pods so, and a mirror of one belongs to its Node; other Pods with the label have a controller. */
const isStatic = ({ metadata }: KubeObject): boolean =>
  metadata.labels?.tier === "control-plane" &&
  (metadata.ownerReferences ?? []).every(({ kind }) => kind === "Node");

/** The version of the machines that get bootstrap data; those of a control plane get it by its own object. */
function versionFor(config: KubeObject, world: World): string {
  if (config.kind === "KubeadmControlPlane") {
    return textAt(config.spec, "version");
  }
  const pool = world.find("MachinePool", ownerOf(config, "MachinePool") ?? "");
  const machine = world.find("Machine", ownerOf(config, "Machine") ?? "");
  return machine?.metadata.labels?.[label] === undefined
    ? textAt(pool?.spec, "template", "spec", "version") || textAt(machine?.spec, "version")
    : "";
}

/** Whether a control plane was made by this specification and runs: then its programs do start with it. */
const runsWithIt = ({ kind, status }: KubeObject): boolean =>
  kind === "KubeadmControlPlane" &&
  (numberAt(status, "upToDateReplicas") ?? 0) > 0 &&
  numberAt(status, "availableReplicas") === numberAt(status, "replicas");

/** Arguments with which a program of the version does not start. What stands for a credential is not judged. */
const refusedArguments = (world: World): Match[] =>
  [...world.all("KubeadmControlPlane"), ...world.all("KubeadmConfig")].flatMap((object) => {
    if (runsWithIt(object)) {
      return [];
    }
    const version = versionFor(object, world);
    const minor = Number(/^v?1\.(\d+)\./.exec(version)?.[1]);
    const spec = at(object.spec, "kubeadmConfigSpec") ?? object.spec;
    const faults = argumentLists(spec).flatMap(({ program, path, all }) =>
      all.flatMap((argument) => {
        const fault =
          knowsSettings(minor) && !argument.value.startsWith("(not shown: ")
            ? argumentFault(program, argument, all, minor)?.problem
            : undefined;
        return fault === undefined ? [] : [{ where: path.join("."), text: `--${argument.name}: ${fault}` }];
      }),
    );
    const [first] = faults;
    return first === undefined
      ? []
      : [
          {
            object,
            proof: { where: `${title(object)}, ${first.where}`, text: first.text },
            vars: { version, faults: faults.map(({ text }) => text).join("; ") },
          },
        ];
  });

export const controlPlane: Detectors = {
  "setting-refused": refusedArguments,
  "control-plane-crashes": crashLoops({ side: "workload", where: isStatic, evenReady: /(?:)/ }),
  "etcd-member-left": leftMembers,
  "health-check-stopped": withAnswer(
    hasCondition({
      ...{ kinds: ["MachineHealthCheck"], type: "RemediationAllowed", reason: /TooManyUnhealthy/ },
      where: (check, world) => !isStarting(check, world),
    }),
  ),
  "object-refused": withAnswer(
    anyOf(
      says({
        kinds: makers,
        text: /admission webhook "[^"]+" denied the request|is forbidden: exceeded quota|Invalid value:/,
      }),
      warned({ kinds: ["KubeadmControlPlane"], text: /denied the request|is forbidden: exceeded quota/ }),
    ),
  ),
  "control-plane-blocked": withAnswer(
    anyOf(
      hasCondition({
        kinds: ["KubeadmControlPlane"],
        type: /^Scaling(?:Up|Down)$/,
        status: ["True"],
        message: /blocked because:/,
        minutes: 30,
        where: stays,
      }),
      warned({
        kinds: ["KubeadmControlPlane"],
        text: /^ControlPlaneUnhealthy: /,
        times: 10,
        where: (object, world) => stays(object) && !isChanging(object, world),
      }),
    ),
  ),
  "version-skew": anyOf(
    says({
      kinds: ["MachineSet", "MachineDeployment"],
      text: /(?<![^:*])(?<why>[^:*]*do not conform to kubeadm version skew policy[^("]*|[^:*]*violates? the skew policy[^"]*)|Kube(?:adm|rnetes)VersionSkew/,
    }),
    warned({ kinds: ["KubeadmControlPlane"], text: /AdoptionFailed: [^]*(?<why>its version[^]*)/ }),
  ),
  "remediation-blocked": anyOf(
    notRemediated(/^(?<why>.*can't remediate.*|.*too many remediations.*|.*already failed.*)/m),
    notRemediated(/(?<why>[^]+)/, 20),
  ),
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
  "control-plane-late": (world) => (hasNetwork(world) ? overdue(world) : []),
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
