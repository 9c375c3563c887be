import { addonsOf } from "../../../addons/catalogue";
import { manifestLabel } from "../../../platform/manifests/userManifests";
import { omitted, type LeftOut } from "../findings";
import type { CapiObject } from "./normal";

/** Objects of a source that do not describe the cluster itself, and what a stack has instead of them. */

type Reason = Pick<LeftOut, "why" | "instead">;

/** Kinds that Cluster API, CAPZ, Azure Service Operator and Kubernetes create. */
const madeByControllers =
  /^(Machine|MachineSet|AzureMachine|AzureMachinePoolMachine|ExtensionConfig|ClusterResourceSetBinding|HelmReleaseProxy|ResourceGroup|VirtualNetwork\w*|NatGateway|Event|EndpointSlice|Endpoints|ControllerRevision)$/;

/** Kinds whose controllers create the objects that they own, such as bootstrap data, certificates and kubeconfigs. */
const makers =
  /^(Cluster|Machine|MachineSet|MachinePool|KubeadmControlPlane|KubeadmConfig|AzureCluster|AzureMachine(Pool|Template)?|ReplicaSet|Deployment|StatefulSet)$/;

const madeInEachNamespace = /^(ServiceAccount default|ConfigMap kube-root-ca\.crt)$/;

const addons: readonly (readonly [RegExp, Reason])[] = [
  [/csi-?proxy/i, { why: "CSI drivers for Windows run as HostProcess containers and need no CSI proxy" }],
  ...addonsOf({}).map(
    ({ known, delivers, instead }) => [known, { why: `the stack delivers ${delivers}`, instead }] as const,
  ),
  [
    /containerd-logger/i,
    {
      why: "it collects containerd's events for tests of CAPZ itself",
      instead: "npm run access, for the logs of a node",
    },
  ],
];

const ownAddon: Reason = {
  why: "its manifests are not in the source, or are not read",
  instead: "extraManifests, or kubectl apply or helm with the output workloadKubeconfig",
};

const autoscaler: Reason = {
  why: "the stack runs an autoscaler for pools that ask for it",
  instead: "autoscale of the pools",
};

const kinds: readonly (readonly [RegExp, Reason])[] = [
  [
    /^Secret$/,
    {
      why: "objects of the kind Secret are not read",
      instead: "pulumi config set --secret, for the keys of docs/config.md that are secrets",
    },
  ],
  [/^Namespace$/, { why: "the stack makes the namespace of the cluster", instead: "namespace" }],
  [
    /^(Core|Bootstrap|ControlPlane|Infrastructure|Addon)Provider$/,
    { why: "the stack installs the providers", instead: "clusterApi" },
  ],
  [/^AzureClusterIdentity$/, { why: "no AzureCluster of the source refers to it" }],
  [
    /^MachineHealthCheck$/,
    {
      why: "health checks watch the control plane and pools of single machines; scale sets are repaired by Azure",
      instead: "windowsPools.<name>.healthCheck, with kind: MachineDeployment",
    },
  ],
  [
    /^(AzureMachineTemplate|KubeadmConfig|KubeadmConfigTemplate|AzureMachinePool)$/,
    { why: "no pool refers to it" },
  ],
];

/** The add-on of the stack that an object delivers; `undefined` for one of the user's own. */
export function addonReason({ name, spec, data, labels }: CapiObject): Reason | undefined {
  // The name is searched first, then the content. The cluster selector may name other add-ons, so it is left out.
  const texts = [name, JSON.stringify(omitted(spec, "clusterSelector")), JSON.stringify(data ?? "")];
  return manifestLabel in labels
    ? undefined
    : texts.flatMap((text) => addons.find(([known]) => known.test(text))?.[1] ?? [])[0];
}

/** The report of an object that is left out; empty for one that a controller created. */
export function otherObject(object: CapiObject): LeftOut[] {
  const { kind, name, owners } = object;
  if (
    madeByControllers.test(kind) ||
    madeInEachNamespace.test(`${kind} ${name}`) ||
    owners.some((owner) => makers.test(owner))
  ) {
    return [];
  }
  const from = `${kind} ${name}`;
  if (/^(ClusterResourceSet|ConfigMap|HelmChartProxy)$/.test(kind)) {
    return [{ from, ...(addonReason(object) ?? ownAddon) }];
  }
  const reason = kinds.find(([known]) => known.test(kind))?.[1];
  if (reason === undefined && name.includes("autoscaler")) {
    return [{ from, ...autoscaler }];
  }
  return [{ from, ...(reason ?? { why: "it is not an object of a CAPZ cluster" }) }];
}
