import { at, list, textAt } from "../../../tools/untyped";
import { isTrue, type KubeObject, minutesBetween, stays, title } from "../../cluster/objects";
import type { World } from "../../cluster/snapshot";
import { workloadKubectl } from "./commands";
import { isFresh, olderThan } from "./finders";
import type { Match, Rule } from "./rule";

/** Services that wait for an address, and about which the cloud controller manager says nothing. */

/** Azure needs up to 3 minutes for a load balancer, and a manager that Azure throttles some more. */
const patience = 15;

/** The service controller adds it before it does anything else, and only to Services that it handles. */
const finalizer = "service.kubernetes.io/load-balancer-cleanup";

const managersOf = (world: World): KubeObject[] =>
  world.all("Pod", "workload").filter(({ metadata }) => metadata.name.startsWith("cloud-controller-manager"));

function reasonOf(service: KubeObject, world: World): string {
  if (world.all("Pod", "workload").length > 0 && managersOf(world).length === 0) {
    return "the cluster has no Pod of the cloud controller manager";
  }
  return service.metadata.finalizers?.includes(finalizer) === true
    ? "the cloud controller manager has begun and does not finish: it waits for Azure, or stands still"
    : "the cloud controller manager has not begun with it: it stands still, or another controller is to handle it";
}

const classOf = ({ spec }: KubeObject): string => textAt(spec, "loadBalancerClass");

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
          .some((event) => event.type === "Warning" && isFresh(event, world.now)),
    )
    .map((object) => {
      const minutes = Math.round(minutesBetween(object.metadata.creationTimestamp ?? "", world.now));
      const why = reasonOf(object, world);
      return {
        object,
        proof: {
          where: `${title(object)}, status.loadBalancer`,
          text: `no address ${minutes} minutes after it was created, and no warning`,
        },
        vars: { minutes: String(minutes), why, class: classOf(object) },
      };
    });

/** Whether the cloud controller manager has Pods, and none is Ready. That is then what is wrong, and its Pod says why. */
const isDown = (world: World): boolean => {
  const managers = managersOf(world);
  return managers.length > 0 && !managers.some((pod) => isTrue(pod, "Ready"));
};

const hasClass = ({ vars }: Match): boolean => vars?.class !== "";

const describe = `${workloadKubectl} describe service {name} -n {podNamespace}`;

const common = {
  stage: "pods",
  source: "kubernetes, cloud-provider, controllers/service; AKS #1392; kubernetes #94590",
} as const;

const ownClass: Rule = {
  ...common,
  id: "load-balancer-class",
  symptom: "a Service with spec.loadBalancerClass stays <pending>",
  cause:
    "The Service {podNamespace}/{name} waits for the address of its load balancer, {minutes} minutes after it was created: its spec.loadBalancerClass is {class}, so the cloud controller manager leaves it to the controller of that class, which does not run or does not handle it.",
  remedy: [
    describe,
    `${workloadKubectl} get pods -A   # does the controller of {class} run? Its logs say why it does nothing`,
    `${workloadKubectl} delete service {name} -n {podNamespace}   # then apply it without loadBalancerClass, which cannot change: Azure's load balancer`,
  ],
  find: (world) => waiting(world).filter(hasClass),
};

const silent: Rule = {
  ...common,
  id: "load-balancer-silent",
  symptom: "a Service of type LoadBalancer stays <pending>, and no event says why",
  cause:
    "The Service {podNamespace}/{name} waits for the address of its load balancer, {minutes} minutes after it was created, and no warning says why: {why}.",
  remedy: [
    `${workloadKubectl} logs -n kube-system -l component=cloud-controller-manager --tail=50   # does it name the Service? When nothing is new there:`,
    `${workloadKubectl} rollout restart deployment cloud-controller-manager -n kube-system   # starts it again; load balancers that exist stay`,
    `${describe}   # a last event EnsuringLoadBalancer: the manager has begun and not finished`,
  ],
  follows: [
    ...["add-ons", "refused-add-on", "registries", "image-pull", "control-plane"],
    ...["workload-unreachable-from-management", "node-network"],
  ],
  find: (world) => (isDown(world) ? [] : waiting(world).filter((match) => !hasClass(match))),
};

export const serviceWaits: readonly Rule[] = [ownClass, silent];
