import { systemNamespaces } from "capz-windows-platform/cluster/providerNamespaces";
import { numberAt } from "capz-windows-kit/untyped";
import { type KubeObject, stays, title } from "../cluster/objects";
import type { Side, World } from "../cluster/snapshot";
import { inProviders } from "./providerFinders";
import type { Detectors, Match } from "./rule";

/**
 * Deployments that were scaled to zero by hand. The API server calls them Available, so that nothing else says that they
 * do nothing. Deployments of users are none of these: they may have no replicas for a good reason.
 */

const providers = /^(?:cap[iz]-|azureserviceoperator-|cert-manager(?:-|$))/;

const platform =
  /^(?:cloud-controller-manager|tigera-operator|calico-typha|calico-kube-controllers|coredns|csi-azure(?:disk|file)-controller)$/;

const inSystem = ({ metadata }: KubeObject): boolean =>
  (systemNamespaces as readonly (string | undefined)[]).includes(metadata.namespace);

const scaledToZero =
  (side: Side, names: RegExp, where: (object: KubeObject) => boolean) =>
  (world: World): Match[] =>
    world
      .all("Deployment", side)
      .filter((object) => names.test(object.metadata.name) && where(object) && stays(object))
      .filter(({ spec }) => numberAt(spec, "replicas") === 0)
      .map((object) => ({ object, proof: { where: title(object), text: "spec.replicas is 0" } }));

export const scaledToZeroRules: Detectors = {
  "provider-scaled-to-zero": scaledToZero("management", providers, inProviders),
  "add-on-scaled-to-zero": scaledToZero("workload", platform, inSystem),
};
