import type { World } from "../cluster/snapshot";
import type { Detectors, Match } from "./rule";
import { at, list, textAt } from "capz-windows-kit/untyped";
import { isTrue, type KubeObject, minutesBetween, stays, title } from "../cluster/objects";
import { isFalse } from "capz-windows-platform/cluster/argumentValues";
import { isFresh, olderThan, warned } from "./finders";

/** Load balancers of Services, which the cloud controller manager creates in Azure. */

/**
 * Events of Services. One that has its address and failed once or twice was tried again with success: the service
 * controller waits 5 s before the first retry and then twice as long each time.
 */
export const syncFails = (text: RegExp) =>
  warned({
    ...{ kinds: ["Service"], side: "workload", text },
    where: (service, world) =>
      list(at(service.status, "loadBalancer", "ingress")).length === 0 ||
      world.eventsOf(service, "workload").some(({ count }) => count > 2),
  });

/** Azure needs up to 3 minutes for a load balancer, and a manager that Azure throttles some more. */
const patience = 15;

/** The service controller adds it before it does anything else, and only to Services that it handles. */
const finalizer = "service.kubernetes.io/load-balancer-cleanup";

const managersOf = (world: World): KubeObject[] =>
  world.all("Pod", "workload").filter(({ metadata }) => metadata.name.startsWith("cloud-controller-manager"));

function reasonOf(service: KubeObject, world: World): string {
  const ofClass = textAt(service.spec, "loadBalancerClass");
  if (ofClass !== "") {
    return `its spec.loadBalancerClass is ${ofClass}, whose controller does not run or does not handle it`;
  }
  if (world.all("Pod", "workload").length > 0 && managersOf(world).length === 0) {
    return "the cluster has no Pod of the cloud controller manager";
  }
  return service.metadata.finalizers?.includes(finalizer) === true
    ? "the cloud controller manager has begun and does not finish: it waits for Azure, or stands still"
    : "the cloud controller manager has not begun with it: it stands still, or another controller is to handle it";
}

/**
 * Whether a node is there for load balancers, Ready or not (k8s.io/cloud-provider v0.36.3 controllers/service,
 * stableNodeSetPredicates). While a cluster comes up none is, and the warning of that stays.
 */
const hasNodeBehind = (world: World): boolean =>
  world.all("Node").some((node) => {
    const label = node.metadata.labels?.["node.kubernetes.io/exclude-from-external-load-balancers"];
    const isLeaving = list(at(node.spec, "taints")).some(
      ({ key }) => key === "ToBeDeletedByClusterAutoscaler",
    );
    return stays(node) && !isLeaving && (label === undefined || isFalse(label));
  });

const noNodes = "UnAvailableLoadBalancer";

/** Whether the rules of this file or of services.yaml report it. Other warnings, such as of its EndpointSlices, do not say why. */
const isReported = (text: string, world: World): boolean =>
  /SyncLoadBalancerFailed|EnsuringLoadBalancer.*failed/.test(text) ||
  (text.startsWith(noNodes) && !hasNodeBehind(world));

const waiting = (world: World): Match[] =>
  world
    .all("Service")
    .filter(({ spec }) => textAt(spec, "type") === "LoadBalancer")
    .filter((service) => stays(service) && olderThan(service, patience, world))
    .filter(({ status }) => list(at(status, "loadBalancer", "ingress")).length === 0)
    .filter(
      (service) =>
        !world
          .eventsOf(service, "workload")
          .some(
            (event) => isReported(`${event.reason}: ${event.message}`, world) && isFresh(event, world.now),
          ),
    )
    .map((object) => {
      const minutes = Math.round(minutesBetween(object.metadata.creationTimestamp ?? "", world.now));
      const why = reasonOf(object, world);
      return {
        object,
        proof: {
          where: `${title(object)}, status.loadBalancer`,
          text: `no address ${minutes} minutes after it was created, and no warning says why`,
        },
        vars: { minutes: String(minutes), why },
      };
    });

/** Whether the cloud controller manager has Pods, and none is Ready. That is then what is wrong, and its Pod says why. */
const isDown = (world: World): boolean => {
  const managers = managersOf(world);
  return managers.length > 0 && !managers.some((pod) => isTrue(pod, "Ready"));
};

/** A class has a controller of its own. */
const hasClass = ({ object }: Match): boolean => textAt(object?.spec, "loadBalancerClass") !== "";

export const services: Detectors = {
  "load-balancer-no-nodes": (world) =>
    hasNodeBehind(world) ? [] : syncFails(new RegExp(`^${noNodes}`))(world),
  "load-balancer-silent": (world) => waiting(world).filter((match) => hasClass(match) || !isDown(world)),
};
