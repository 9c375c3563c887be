import { systemNamespaces } from "capz-windows-platform/cluster/providerNamespaces";
import { numberAt } from "capz-windows-kit/untyped";
import { type KubeObject, stays, title } from "../cluster/objects";
import type { Side, World } from "../cluster/snapshot";
import { inProviders } from "./providerFinders";
import type { Detectors, Match } from "./rule";
import { present } from "capz-windows-kit/present";

/**
 * Deployments that were scaled to zero by hand. The API server calls them Available, so that nothing else says that they
 * do nothing. Deployments of users are none of these: they may have no replicas for a good reason.
 */

/** What does not happen without a Deployment, by the name of the Deployment. */
type Effects = readonly (readonly [name: RegExp, effect: string])[];

const controllers: Effects = [
  [/^capi-controller-manager$/, "no Cluster, Machine, pool or set of add-ons is reconciled"],
  [/^capi-kubeadm-bootstrap-controller-manager$/, "no machine gets bootstrap data"],
  [
    /^capi-kubeadm-control-plane-controller-manager$/,
    "the control plane is neither made, scaled, upgraded nor repaired",
  ],
  [/^capz-controller-manager$/, "nothing in Azure is created, changed or deleted"],
  [
    /^azureserviceoperator-controller-manager$/,
    "no resource group, VNET, subnet or NAT gateway in Azure is created, changed or deleted",
  ],
  [/^cert-manager-webhook$/, "no Certificate or Issuer can be written, so no provider can be installed"],
];

const installers: Effects = [
  [/^capi-operator-/, "no provider is installed or upgraded"],
  [/^cert-manager$/, "no certificate is issued or renewed, and webhooks fail when theirs expire"],
  [
    /^cert-manager-cainjector$/,
    "webhooks do not get the authority of their certificates, and fail when it changes",
  ],
];

const platform: Effects = [
  [/^cloud-controller-manager$/, "no node is initialized, and no Service gets a load balancer"],
  [/^tigera-operator$/, "Calico is neither installed nor changed"],
  [/^calico-typha$/, "Calico on the nodes learns of no new Pods, policies and nodes"],
  [/^coredns$/, "no Pod resolves the name of a Service or host"],
  [/^csi-azure(?:disk|file)-controller$/, "no volume is created, attached, enlarged or deleted"],
  [/^calico-kube-controllers$/, "the addresses of nodes and Pods that are gone stay taken"],
];

const scaledToZero =
  (side: Side, effects: Effects, where: (object: KubeObject) => boolean) =>
  (world: World): Match[] =>
    world
      .all("Deployment", side)
      .filter((object) => where(object) && stays(object) && numberAt(object.spec, "replicas") === 0)
      .flatMap((object) => {
        const [, effect] = effects.find(([name]) => name.test(object.metadata.name)) ?? [];
        return present(
          effect !== undefined && {
            object,
            proof: { where: title(object), text: "spec.replicas is 0" },
            vars: { effect },
          },
        );
      });

const inSystem = ({ metadata }: KubeObject): boolean =>
  (systemNamespaces as readonly (string | undefined)[]).includes(metadata.namespace);

export const providersAtZero: Detectors = {
  "provider-scaled-to-zero": scaledToZero("management", controllers, inProviders),
  "installer-scaled-to-zero": scaledToZero("management", installers, inProviders),
};

export const platformAtZero: Detectors = {
  "add-on-scaled-to-zero": scaledToZero("workload", platform, inSystem),
};
