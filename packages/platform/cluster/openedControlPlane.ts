import { ownValue, at, isRecord, list, mappingsIn, strings, text, textAt } from "capz-windows-kit/untyped";
import { findsControlPlane } from "./madeByKubernetes";
import { kindOf, namespacedName, titleOf } from "./rights";

/** Ways to the control plane beside the one that the stack file opens: whoever reaches such a Service reaches its programs. */

/** What listens on machines of the control plane (kubeadm v1.36 app/constants/constants.go), 10250 on all. */
const programs: Readonly<Record<string, string>> = {
  2379: "etcd",
  2380: "etcd",
  6443: "the API server",
  10250: "kubelets",
  10257: "kube-controller-manager",
  10259: "kube-scheduler",
};

const isService = (object: unknown): boolean => kindOf(object) === "Service";

/** The Services that lead to the control plane: Kubernetes' own, and those whose selector finds its pods. */
export const servicesOfControlPlane = (all: readonly unknown[]): ReadonlySet<string> =>
  new Set([
    "default/kubernetes",
    ...all.filter((object) => isService(object) && findsControlPlane(object)).map(titleOf),
  ]);

const isReachedFromOutside = (service: unknown): boolean =>
  /^(?:NodePort|LoadBalancer)$/.test(textAt(service, "spec", "type")) ||
  strings(at(service, "spec", "externalIPs")).length > 0;

/** Fields of Ingresses, routes and the like in which Services stand, and the names of a Service there. */
const backends = /^(?:backends?|backendRefs?|defaultBackend|destination|services?|targetRef|upstreams?)$/i;

function backendsOf(object: unknown): string[] {
  const own = textAt(object, "metadata", "namespace");
  return mappingsIn(at(object, "spec"))
    .flatMap(Object.entries)
    .filter(([key]) => backends.test(key))
    .flatMap(([, value]: [string, unknown]) => (isRecord(value) ? [value] : list(value)))
    .flatMap((backend) => {
      const host = text(backend.host) || text(backend.name) || text(backend.serviceName);
      const [name = "", namespace = text(backend.namespace) || own] = host.split(".");
      return namespacedName(namespace, name);
    });
}

/** What addresses beside the pods of a Service have at these ports. */
const programsAt = (object: unknown): string[] =>
  [...list(at(object, "ports")), ...list(at(object, "subsets")).flatMap(({ ports }) => list(ports))].flatMap(
    ({ port }) => ownValue(programs, String(port)) ?? [],
  );

/** How an object opens the control plane; `undefined` for one that does not. */
export function opensControlPlane(object: unknown, services: ReadonlySet<string>): string | undefined {
  if (isService(object)) {
    return services.has(titleOf(object)) && isReachedFromOutside(object)
      ? "opens pods of the control plane to whoever reaches it, whatever access.allowedCidrs says"
      : undefined;
  }
  if (/^(?:Endpoints|EndpointSlice)$/.test(kindOf(object))) {
    const [program] = programsAt(object);
    return program && `leads to ports at which ${program} answers`;
  }
  const found = backendsOf(object).find((service) => services.has(service));
  return found && `leads to the control plane by the Service ${found}`;
}
