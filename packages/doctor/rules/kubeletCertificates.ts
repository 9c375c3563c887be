import { at, list, text, textAt } from "capz-windows-kit/untyped";
import { minutesBetween, title, type KubeObject } from "../cluster/objects";
import type { World } from "../cluster/snapshot";
import type { Detectors, Match } from "./rule";

/** Requests of kubelets for serving certificates, which an approver decides about and kube-controller-manager signs. */

const signer = "kubernetes.io/kubelet-serving";

/** An approver takes seconds; kubelet asks again after at most half a minute when it was denied (client-go v0.36, certificate_manager.go). */
const waitMinutes = 5;

const createdAt = ({ metadata }: KubeObject): string => metadata.creationTimestamp ?? "";

const conditionOf = ({ status }: KubeObject, type: string) =>
  list(at(status, "conditions")).find((one) => one.type === type);

const nodeOf = ({ spec }: KubeObject): string => textAt(spec, "username").replace(/^system:node:/, "");

/** The last request of each kubelet: earlier ones no longer matter. */
function lastRequests(world: World): KubeObject[] {
  const requests = world
    .all("CertificateSigningRequest", "workload")
    .filter(({ spec }) => textAt(spec, "signerName") === signer)
    .sort((one, other) => createdAt(one).localeCompare(createdAt(other)));
  return [...new Map(requests.map((request) => [nodeOf(request), request])).values()];
}

/** What is open of a request, and what its conditions say of it; `undefined` if it is done, or so young that it may be. */
function openOf(request: KubeObject, world: World): readonly [state: string, why: string] | undefined {
  const [denied, failed] = [conditionOf(request, "Denied"), conditionOf(request, "Failed")];
  if (denied !== undefined) {
    return ["denied", text(denied.message) || text(denied.reason) || "no reason is given"];
  }
  if (failed !== undefined) {
    return ["not signed", text(failed.message) || "no reason is given"];
  }
  const isDone = textAt(request.status, "certificate") !== "";
  if (isDone || minutesBetween(createdAt(request), world.now) < waitMinutes) {
    return undefined;
  }
  return conditionOf(request, "Approved") === undefined
    ? ["pending", "nothing has approved or denied it"]
    : ["approved", "kube-controller-manager has not signed it"];
}

const open = (world: World): Match[] =>
  lastRequests(world).flatMap((request) => {
    const [state, why] = openOf(request, world) ?? [];
    return state === undefined || why === undefined
      ? []
      : [
          {
            // The node belongs to a pool; the request itself where there is no such node.
            object: world.find("Node", nodeOf(request)) ?? request,
            proof: { where: `${title(request)}, ${state}`, text: why, since: createdAt(request) },
            vars: {
              ...{ node: nodeOf(request), request: request.metadata.name, state },
              why: why.replace(/^.*?Reason: /, "").replace(/\.$/, ""),
            },
          },
        ];
  });

export const kubeletCertificates: Detectors = { "kubelet-certificate": open };
