import { at, textAt } from "../../../tools/untyped";
import { stays, conditionNamed, ownerOf, title } from "../../cluster/objects";
import { deleting, deletingSays, drainsInTime, minutesDeleting } from "./deletionFinders";
import { drainRules } from "./drains";
import { conditionProof } from "./finders";
import { capiSource, capzSource } from "./kinds";
import { instancesOf } from "../../cluster/scope";
import { withAnswer } from "./answers";
import type { Family, Match } from "./rule";
import type { World } from "../../cluster/snapshot";

/** Why objects that are being deleted remain. */

const networkKinds = [
  ...["AzureCluster", "ResourceGroup", "VirtualNetwork", "VirtualNetworksSubnet", "NatGateway"],
];

/** The first object in the order of deletion that has remained for 20 minutes; the others wait for it. */
const waits = (world: World): Match[] => {
  const object = deleting(world).find((one) => minutesDeleting(one, world) >= 20);
  if (object === undefined || deleting(world).some((one) => drainsInTime(one, world))) {
    return [];
  }
  const found = conditionNamed(object, "Deleting") ?? conditionNamed(object, "Ready");
  const finalizers = (object.metadata.finalizers ?? []).join(", ");
  return [
    {
      object,
      proof: {
        where: `${title(object)}, deleted ${Math.round(minutesDeleting(object, world))} minutes ago, finalizers ${finalizers}`,
        text: [found?.message, found?.reason].find((one) => (one ?? "") !== "") ?? "no condition says why",
      },
    },
  ];
};

/** Pools are deleted before the AzureCluster, and need the identity as well. */
const identityGone = (world: World): Match[] =>
  world
    .all("AzureCluster")
    .filter((object) => !stays(object) || (world.cluster !== undefined && !stays(world.cluster)))
    .flatMap((object) => {
      const name = textAt(at(object.spec, "identityRef"), "name");
      return name === "" || world.find("AzureClusterIdentity", name) !== undefined
        ? []
        : [
            {
              object,
              proof: {
                where: `${title(object)}, spec.identityRef`,
                text: `the AzureClusterIdentity ${name} no longer exists, and the finalizers ${(object.metadata.finalizers ?? []).join(", ")} wait for it`,
              },
            },
          ];
    });

const stalledPools = (world: World): Match[] =>
  deleting(world)
    .filter(({ kind }) => kind === "AzureMachinePool")
    .filter((object) => minutesDeleting(object, world) >= 3)
    .filter(
      ({ metadata }) =>
        !world
          .all("AzureMachinePoolMachine")
          .some(
            ({ metadata: each }) => each.ownerReferences?.some(({ name }) => name === metadata.name) ?? false,
          ),
    )
    .map((object) => ({
      object,
      proof: {
        where: `${title(object)}, deleted ${Math.round(minutesDeleting(object, world))} minutes ago`,
        text: "it has no AzureMachinePoolMachine left, and its finalizer stays",
      },
    }));

/**
 * Instances of a pool that is being deleted for which Cluster API has not made a Machine. CAPZ deletes an instance through
 * its Machine only, and passes over one that has none; Cluster API makes none for a pool that is being deleted.
 */
const withoutMachine = (world: World): Match[] =>
  deleting(world)
    .filter(({ kind }) => kind === "AzureMachinePool")
    .filter((pool) => minutesDeleting(pool, world) >= 3)
    .flatMap(({ metadata }) => instancesOf(world, metadata.name))
    .filter((object) => stays(object) && ownerOf(object, "Machine") === undefined)
    .map((object) => ({
      object,
      proof: {
        where: `${title(object)}, metadata`,
        text: "no owner Machine and no deletionTimestamp, although its pool is being deleted",
      },
    }));

/** The scope of a lock in Azure's message, without the subscription. */
const lockOf = (text: string): string | undefined =>
  /scope\(s\) are locked: '(?:\/subscriptions\/[^/']+\/)?([^',]+)/.exec(text)?.[1];

/**
 * One lock of the resource group stops many objects, and the cause does not name them, so that it is reported once. The
 * objects of the whole cluster come first for the same reason.
 */
const locked = (world: World): Match[] =>
  [...networkKinds, "AzureMachine", "AzureMachinePool"].flatMap((kind) =>
    deletingSays(
      [kind],
      /ScopeLocked|scope\(s\) are locked/,
    )(world).map((match) => ({
      ...match,
      vars: { locked: lockOf(match.proof.text) ?? "the resource group or a resource in it" },
    })),
  );

export const deletion: Family = {
  name: "deletion",
  title: "Deletion",
  intro: "What is being deleted waits for something.",
  rules: [
    {
      id: "deletion-identity-gone",
      stage: "deletion",
      symptom: "Cluster stays: its identity was deleted before it",
      cause:
        "The cluster cannot be deleted: CAPZ cannot log in to Azure to delete its resources, because the AzureClusterIdentity is gone.",
      remedy: [
        "npx pulumi stack --stack {stack} --show-urns   # the URN of the AzureClusterIdentity; then make it again, and destroy once more:",
        "npx pulumi up --stack {stack} --target URN",
        "az group delete --name {group}   # or: delete in Azure, then take the finalizers away",
        'kubectl patch azurecluster {name} -n {namespace} --type merge -p \'{"metadata":{"finalizers":null}}\'   # only when Azure has nothing of it any more',
      ],
      source: `${capzSource} controllers/helpers.go; CAPZ #4570`,
      find: identityGone,
    },
    ...drainRules,
    {
      id: "volume-detach",
      stage: "deletion",
      severity: "warning",
      symptom: "Waiting for Node volumes to be detached",
      cause: "Disks are still attached to the machine {name}.",
      remedy: [
        "kubectl --kubeconfig workload.kubeconfig get volumeattachments",
        "kubectl annotate machine {name} -n {namespace} machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach=true",
      ],
      source: `${capiSource} core/reconcilers/machine/machine_controller.go`,
      find: deletingSays(["Machine"], /[Vv]olumes to be detached/, 10),
    },
    {
      id: "deletion-hook",
      stage: "deletion",
      symptom: "Waiting for pre-drain or pre-terminate hooks",
      cause: "Something has set a hook on the machine {name} and does not remove it: {why}",
      remedy: ["kubectl get machine {name} -n {namespace} -o jsonpath='{.metadata.annotations}'"],
      source: `${capiSource} core/reconcilers/machine/machine_controller.go`,
      find: deletingSays(
        ["Machine"],
        /pre-(?:drain|terminate) hooks to succeed \(hooks: (?<why>[^)]+)\)/,
        15,
      ),
    },
    {
      id: "deletion-locked",
      stage: "deletion",
      symptom: "DeletionFailed: ScopeLocked",
      cause: "A lock in Azure on {locked} prevents the deletion. It goes on by itself when the lock is gone.",
      remedy: [
        "az lock list --resource-group {group} -o table   # locks of the subscription: az lock list -o table",
        "az lock delete --ids LOCK-ID",
      ],
      source: "https://learn.microsoft.com/azure/azure-resource-manager/management/lock-resources",
      find: locked,
    },
    {
      id: "deletion-in-use",
      stage: "deletion",
      symptom: "DeletionFailed: InUseSubnetCannotBeDeleted, ...CannotBeDeleted",
      cause:
        "Something outside of Cluster API uses the network of the cluster, often the load balancer of a Service: {why}",
      remedy: [
        "az resource delete --ids {user}   # when nobody needs it; the deletion goes on by itself",
        'az resource list --resource-group {group} --query "[].{name:name, type:type}" -o table',
        "kubectl --kubeconfig workload.kubeconfig get services -A --field-selector spec.type=LoadBalancer   # before the next destroy, delete each: kubectl delete service NAME -n NAMESPACE",
      ],
      source: "https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/error-in-use",
      find: withAnswer(
        deletingSays(
          [...networkKinds, "AzureMachinePool", "AzureMachine"],
          /(?:\w+CannotBeDeleted|InUseRouteTable)(?:[^]*?(?:in use by|allocated to resource) (?<user>\/subscriptions\/(?:(?!\/(?:ip|frontendIP)Configurations\/)[^\s,"])+\w))?/,
        ),
      ),
    },
    {
      id: "instance-without-machine",
      stage: "deletion",
      symptom:
        "No owner Machine exists for AzureMachinePoolMachine (log of CAPZ); a pool stays while it is deleted",
      cause:
        "CAPZ does not delete the instance {name}: it was made just before its pool was deleted, has no Machine, and CAPZ deletes an instance through its Machine only. The pool waits for it for ever.",
      remedy: [
        "kubectl delete azuremachinepoolmachine {name} -n {namespace}   # the pool is then gone within a minute",
      ],
      source: `${capzSource} azure/scope/machinepool.go, DeleteMachine; exp/controllers/azuremachinepool_controller.go, reconcileDelete`,
      find: withoutMachine,
    },
    {
      id: "pool-stalled",
      stage: "deletion",
      severity: "warning",
      symptom: "the deletion of a pool pauses for up to 10 minutes",
      cause:
        "CAPZ finishes the deletion of {name} with its next full sync, because it does not watch the deletion of the pool's machines.",
      remedy: [
        'kubectl annotate azuremachinepool {name} -n {namespace} capz-windows/nudge="$(date)" --overwrite',
        "capz-windows:clusterApi: {install: true}   # the program's CAPZ syncs more often",
      ],
      source: `${capzSource} exp/controllers/azuremachinepool_controller.go`,
      find: stalledPools,
    },
    {
      id: "namespace-stuck",
      stage: "deletion",
      symptom: "a namespace stays Terminating",
      cause: "Objects with finalizers remain in the namespace {name}: {why}",
      remedy: [
        "kubectl api-resources --verbs=list --namespaced -o name | xargs -n1 kubectl get -n {name} --ignore-not-found --no-headers",
      ],
      source: "https://kubernetes.io/docs/concepts/overview/working-with-objects/finalizers/",
      follows: [
        "deletion-identity-gone",
        "deletion-locked",
        "deletion-in-use",
        "drain",
        "drain-webhook",
        "drain-refused",
        "deletion-hook",
        "pool-stalled",
        "instance-without-machine",
      ],
      find: (world) =>
        world
          .all("Namespace", "management")
          .filter(
            (object) =>
              object.metadata.name === world.snapshot.cluster.namespace &&
              minutesDeleting(object, world) >= 5,
          )
          .flatMap((object) => {
            const found = [
              "NamespaceDeletionContentFailure",
              "NamespaceDeletionDiscoveryFailure",
              "NamespaceFinalizersRemaining",
              "NamespaceContentRemaining",
            ]
              .map((type) => conditionNamed(object, type))
              .find((condition) => condition?.status === "True");
            return found === undefined
              ? []
              : [
                  {
                    object,
                    proof: conditionProof(object, found),
                    vars: { why: found.message },
                  },
                ];
          }),
    },
    {
      id: "deletion-late",
      stage: "deletion",
      symptom: "a deletion takes more than 20 minutes",
      cause:
        "{kind} {name} is the first object in the order of deletion that is not gone; everything after it waits for it.",
      remedy: [
        "kubectl get {kind} {name} -n {namespace} -o yaml",
        "az group show --name {group}   # when Azure has nothing of it any more, take the finalizers away, in the order of docs/operations.md",
      ],
      source: `${capiSource}; CAPZ #4570, #4955`,
      generic: true,
      follows: ["deletion", "identity", "identity-secret-missing", "providers"],
      find: waits,
    },
  ],
};
