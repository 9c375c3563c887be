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

/** The node of a request, which belongs to a pool; the request itself where there is no such node. */
const matchOf = (world: World, request: KubeObject, why: string): Match => ({
  object: world.find("Node", nodeOf(request)) ?? request,
  proof: { where: title(request), text: why, since: createdAt(request) },
  vars: { node: nodeOf(request), request: request.metadata.name, why: why.replace(/^.*?Reason: /, "") },
});

const denied = (world: World): Match[] =>
  lastRequests(world).flatMap((request) => {
    const condition = conditionOf(request, "Denied");
    return condition === undefined
      ? []
      : [matchOf(world, request, text(condition.message) || text(condition.reason) || "denied")];
  });

const waiting = (world: World): Match[] =>
  lastRequests(world)
    .filter(
      (request) =>
        ["Approved", "Denied", "Failed"].every((type) => conditionOf(request, type) === undefined) &&
        minutesBetween(createdAt(request), world.now) >= waitMinutes,
    )
    .map((request) => matchOf(world, request, "neither approved nor denied"));

const unsigned = (world: World): Match[] =>
  lastRequests(world).flatMap((request) => {
    const failed = conditionOf(request, "Failed");
    if (failed !== undefined) {
      return [matchOf(world, request, text(failed.message) || "not signed")];
    }
    const isSlow =
      conditionOf(request, "Approved") !== undefined &&
      textAt(request.status, "certificate") === "" &&
      minutesBetween(createdAt(request), world.now) >= waitMinutes;
    return isSlow ? [matchOf(world, request, "approved, and not signed")] : [];
  });

export const kubeletCertificates: Detectors = {
  "kubelet-certificate-denied": denied,
  "kubelet-certificate-waits": waiting,
  "kubelet-certificate-unsigned": unsigned,
};
