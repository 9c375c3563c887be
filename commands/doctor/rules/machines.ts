import { numberAt, textAt } from "../../../tools/untyped";
import { conditionNamed, minutesBetween, stays, title } from "../../cluster/objects";
import { changedLately, conditionProof, hasCondition, olderThan } from "./finders";
import { machineStates } from "./machineStates";
import { scaleSetRules } from "./scaleSets";
import { capiSource, capzSource } from "./kinds";
import { hasUnlinkedNode, notJoined } from "./notJoined";
import { instancesOf, nodesOfPool, poolsOf, scopeOf } from "../../cluster/scope";
import type { Family, Match } from "./rule";
import type { KubeObject } from "../../cluster/objects";
import type { World } from "../../cluster/snapshot";

/** Machines that take too long. Each finding is a consequence if another rule explains it. */

/** The age of an object in minutes, for texts. */
const ageOf = ({ metadata }: KubeObject, world: World): string =>
  String(Math.round(minutesBetween(metadata.creationTimestamp ?? "", world.now)));

/** What has changed within these minutes is not late. */
const progressMinutes = 20;

/** A Windows machine may need so many minutes to become a node; later the rules about instances speak. */
const joinMinutes = 30;

/** Instances that Azure has been creating or updating for longer than any of them needs. */
const instancesLate = (world: World): Match[] =>
  world
    .all("AzureMachinePoolMachine")
    .filter((object) => stays(object) && olderThan(object, 30, world))
    .filter((object) => !changedLately(object, progressMinutes, world))
    .flatMap((object) => {
      const state = textAt(object.status, "provisioningState");
      return /^(Creating|Updating)$/.test(state)
        ? [
            {
              object,
              proof: { where: `${title(object)}, status.provisioningState`, text: state },
              vars: { minutes: ageOf(object, world) },
            },
          ]
        : [];
    });

/** The machines of a pool: instances of its scale set, or single machines. */
const machinesOf = (pool: KubeObject, world: World): KubeObject[] =>
  [...world.all("AzureMachinePoolMachine"), ...world.all("Machine")].filter(
    (object) => scopeOf(object, world) === scopeOf(pool, world),
  );

/**
 * Whether a pool of any age is being scaled, rolled or repaired: its size has changed, or one of its machines is new or
 * goes. MachinePools have no condition about it in v1beta2 but Paused, and the AzureMachinePool has its own.
 */
const moves = (pool: KubeObject, world: World): boolean =>
  [
    pool,
    ...world.all("AzureMachinePool").filter(({ metadata }) => metadata.name === pool.metadata.name),
  ].some((object) => changedLately(object, progressMinutes, world)) ||
  machinesOf(pool, world).some(
    (object) =>
      !olderThan(object, joinMinutes, world) ||
      minutesBetween(object.metadata.deletionTimestamp ?? "", world.now) > 0,
  );

/** Pools that are incomplete, and in which nothing has changed for a while. */
const incomplete = (world: World): Match[] =>
  poolsOf(world)
    .filter(stays)
    .filter((pool) => olderThan(pool, 40, world) && !moves(pool, world))
    .flatMap((object) => {
      const wanted = numberAt(object.spec, "replicas") ?? 1;
      const ready = nodesOfPool(object);
      // CAPZ does not set readyReplicas of scale sets, but the phase is right for both kinds.
      return textAt(object.status, "phase") === "Running" || ready >= wanted
        ? []
        : [
            {
              object,
              proof: {
                where: `${title(object)}, status`,
                text: `${ready} of ${wanted} ready, phase ${textAt(object.status, "phase") || "unknown"}`,
              },
              vars: { ready: String(ready), wanted: String(wanted) },
            },
          ];
    });

/** Minutes within which Azure lists a new instance, as Creating, after CAPZ has raised the capacity. */
const listedMinutes = 10;

/** Scale sets that have had fewer instances than nodes are wanted for a while, and CAPZ has no error of Azure. */
const withoutInstances = (world: World): Match[] =>
  world
    .all("AzureMachinePool")
    .filter(stays)
    .flatMap((object) => {
      const { name } = object.metadata;
      const wanted = numberAt(world.find("MachinePool", name)?.spec, "replicas") ?? 1;
      const instances = instancesOf(world, name);
      const up = conditionNamed(object, "ScaleSetDesiredReplicas");
      const waits =
        up?.reason === "ScaleSetScalingUp" && minutesBetween(up.since, world.now) >= listedMinutes
          ? conditionProof(object, up)
          : undefined;
      return waits === undefined ||
        instances.length >= wanted ||
        instances.some((one) => !stays(one) || !olderThan(one, listedMinutes, world))
        ? []
        : [
            {
              object,
              proof: { ...waits, text: `${instances.length} instances for ${wanted} replicas` },
              vars: { instances: String(instances.length), wanted: String(wanted) },
            },
          ];
    });

export const machines: Family = {
  name: "machines",
  title: "Machines that do not become nodes",
  intro: "No error is reported, but it takes longer than it should.",
  rules: [
    ...scaleSetRules,
    ...machineStates,
    {
      id: "machine-late",
      stage: "machines",
      symptom: "a machine of the control plane is Provisioning or Provisioned for more than 25 minutes",
      cause: "The machine {name} is not a node {minutes} minutes after it was created.",
      remedy: [
        "npm run access -- --stack {stack}   # log in to it; then: sudo tail -50 /var/log/cloud-init-output.log",
        "kubectl describe machine {name} -n {namespace}",
      ],
      source: `${capiSource} core/reconcilers/machine`,
      generic: true,
      find: (world) =>
        world
          .all("Machine")
          .filter(({ metadata }) => metadata.labels?.["cluster.x-k8s.io/control-plane"] !== undefined)
          .filter((object) => stays(object) && olderThan(object, 25, world))
          .filter(({ status }) => /^(Pending|Provisioning|Provisioned|Failed)$/.test(textAt(status, "phase")))
          .filter((object) => !hasUnlinkedNode(object, world))
          .map((object) => {
            const found = conditionNamed(object, "Ready");
            return {
              object,
              proof:
                found === undefined
                  ? {
                      where: `Machine ${object.metadata.name}, status.phase`,
                      text: textAt(object.status, "phase"),
                    }
                  : conditionProof(object, found),
              vars: { minutes: ageOf(object, world) },
            };
          }),
    },
    {
      id: "node-not-joined",
      stage: "machines",
      symptom: "an instance runs in Azure, but its node never appears",
      cause:
        "The machine {name} runs, but kubeadm has not joined it: its bootstrap data failed, its image lacks a component, or it cannot reach the API server.",
      remedy: [
        "npm run access -- --stack {stack} --pool {pool}   # the command that collects the node's logs; begin with cloudbase-init.log or cloud-init-output.log",
        'az vmss run-command invoke --resource-group {group} --name {pool} --instance-id {instance} --command-id RunPowerShellScript --scripts "Test-NetConnection {apiServer} -Port 6443"',
        'az vmss run-command invoke --resource-group {group} --name {pool} --instance-id {instance} --command-id RunShellScript --scripts "curl -ksS https://{apiServer}:6443/healthz; tail -50 /var/log/cloud-init-output.log"',
      ],
      source: "CAPZ #3842, #3903, #2343; facts of the bootstrap data: docs/operations.md",
      generic: true,
      find: notJoined,
    },
    {
      id: "instance-late",
      stage: "machines",
      symptom: "an instance of a scale set is Creating or Updating for more than 30 minutes",
      cause:
        "Azure has not made the instance {name} ready within {minutes} minutes, and reports no error: its operating system does not start or does not report, an extension waits, or Azure is slow.",
      remedy: [
        "az vmss get-instance-view --resource-group {group} --name {pool} --instance-id '*' --query \"[].{id:instanceId, statuses:statuses[].displayStatus, extensions:extensions[].statuses[].message}\" -o json",
        "az monitor activity-log list --resource-group {group} --offset 2h --query \"[?contains(resourceId,'{pool}')].{when:eventTimestamp, what:operationName.value, status:status.value}\" -o table",
        "npm run access -- --stack {stack} --pool {pool}   # the command that collects the logs of a node",
      ],
      source: `CAPZ #2343; ${capzSource} azure/scope/machinepoolmachine.go`,
      generic: true,
      find: instancesLate,
    },
    {
      id: "scale-set-without-instances",
      stage: "machines",
      symptom: "a scale set has fewer instances than its pool has replicas, and no error",
      cause:
        "The scale set {name} has {instances} of {wanted} instances, and Azure makes no more. Either it has already counted the missing ones in its capacity, because it failed while it made them: CAPZ raises the capacity only, and never looks whether the instances exist. Or CAPZ cannot read or change the scale set, such as when Azure answers 500, which stands in CAPZ's log only.",
      remedy: [
        "az vmss show --resource-group {group} --name {name} --query '{capacity:sku.capacity, state:provisioningState}'",
        "az vmss scale --resource-group {group} --name {name} --new-capacity {instances}   # when the capacity is {wanted}: CAPZ raises it again, and Azure makes the instances",
        "kubectl logs deploy/capz-controller-manager -n capz-system -c manager --tail=500 | grep {name}   # when it is less: why CAPZ does not raise it",
      ],
      source: `${capzSource} azure/services/scalesets/spec.go, Parameters; scalesets.go, Reconcile`,
      generic: true,
      find: withoutInstances,
    },
    {
      id: "pool-incomplete",
      // After what is wrong with its nodes.
      stage: "nodes",
      symptom: "a pool has fewer ready nodes than it should",
      cause:
        "Only {ready} of {wanted} nodes of {name} are ready, and that has not changed for more than 20 minutes.",
      remedy: [
        "clusterctl describe cluster {cluster} -n {namespace} --show-conditions all --grouping=false",
        "kubectl get azuremachinepoolmachines,machines -n {namespace} -o wide",
      ],
      source: `${capiSource} core/reconcilers/machinepool`,
      follows: ["node-not-ready"],
      generic: true,
      find: incomplete,
    },
    {
      id: "cluster-unavailable",
      stage: "pods",
      severity: "warning",
      symptom: "Cluster: Available is False",
      cause: "The Cluster is not available: {why}",
      remedy: ["clusterctl describe cluster {cluster} -n {namespace} --show-conditions all --grouping=false"],
      source: `${capiSource} core/reconcilers/cluster/cluster_controller_status.go`,
      generic: true,
      follows: ["*"],
      find: hasCondition({
        kinds: ["Cluster"],
        type: "Available",
        message: /(?<why>[^]*)/,
        minutes: 45,
        where: stays,
      }),
    },
  ],
};
