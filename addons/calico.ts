import { isCollection, isScalar, parseDocument, stringify, type Document } from "yaml";
import { calicoBlock } from "capz-windows-platform/network/defaults";
import type { KubernetesObject } from "capz-types";
import { splitDocuments, toYamlStream } from "capz-windows-platform/manifests/yamlStream";
import { isPlaceholder } from "./pinnedManifest";
import type { AddonCluster } from "./addon";
import { azureMetadataPolicy } from "./azureMetadata";
import { tolerateControlPlane } from "./linuxPods";

export interface CalicoArgs extends Pick<
  AddonCluster,
  "apiServerHost" | "apiServerPort" | "azureMetadata" | "podCidr" | "serviceCidr" | "severalInterfaces"
> {
  /** Verified text of `calicoOperatorManifest`, or the placeholder of an offline plan (comments only). */
  readonly operatorManifest: string;
  /** Prefix length of the blocks that nodes get of podCidr. It cannot be changed. Default: calicoBlock. */
  readonly blockSize?: number | undefined;
  /** MTU of the pods in bytes, without the VXLAN header (50): 1350 if the VNET has 1400. */
  readonly podMtu: number;
  /** Digests of the images that the operator installs. Default: none, so that they have only their tags. */
  readonly imageSet?: KubernetesObject | undefined;
}

const operatorNamespace = "tigera-operator";

/**
 * Everything of Calico as one YAML stream, in the order in which it must arrive: what the operator reads at startup,
 * the operator, and then IPAM's settings before the Installation, because the first address that Calico hands out would
 * otherwise create them with strictAffinity false (calico v3.31.7 libcalico-go/lib/ipam/ipam.go). The operator writes
 * the CRDs of the last objects itself, so these succeed on a later try.
 * @throws Error when the manifest has no Deployment tigera-operator with what is to be changed
 */
export function calicoResources(args: CalicoArgs): string {
  checkNumbers(args);
  const operator = isPlaceholder(args.operatorManifest)
    ? { namespace: toYamlStream([namespaceObject]), rest: undefined }
    : preparedOperator(args.operatorManifest);
  const before = [operator.namespace, toYamlStream([servicesEndpoint(args)])];
  const after = toYamlStream([
    strictIpam,
    // Before the Installation, so that no pod is made by a tag first.
    ...(args.imageSet === undefined ? [] : [args.imageSet]),
    installation(args),
    apiServer,
    ...(args.azureMetadata === undefined ? [] : azureMetadataPolicy(args.azureMetadata)),
  ]);
  // The comments of a placeholder precede the next document: as a document of their own they would be read as null.
  return operator.rest === undefined
    ? [...before, `${args.operatorManifest.trimEnd()}\n${after}`].join("---\n")
    : [...before, ...operator.rest, after].join("---\n");
}

function checkNumbers({ podMtu, apiServerPort }: CalicoArgs): void {
  const check = (name: string, value: number, from: number, to: number) => {
    if (!Number.isInteger(value) || value < from || value > to) {
      throw new Error(`${name} is ${value}; write a whole number from ${from} to ${to}.`);
    }
  };
  // 1280 is the minimum of IPv6, 9000 the maximum of an Azure adapter.
  check("podMtu", podMtu, 1280, 9000);
  check("apiServerPort", apiServerPort, 1, 65_535);
}

/** Stands in for the manifest's own namespace in an offline plan. The operator and calico-node are privileged. */
const namespaceObject: KubernetesObject = {
  apiVersion: "v1",
  kind: "Namespace",
  metadata: {
    name: operatorNamespace,
    labels: { name: operatorNamespace, "pod-security.kubernetes.io/enforce": "privileged" },
  },
};

/**
 * Where the API server is. Windows nodes have no service network before Calico runs, so the operator renders nothing
 * for them without this (tigera/operator v1.40.15 pkg/controller/installation/validation.go).
 */
const servicesEndpoint = ({ apiServerHost, apiServerPort }: CalicoArgs): KubernetesObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "kubernetes-services-endpoint", namespace: operatorNamespace },
  data: { KUBERNETES_SERVICE_HOST: apiServerHost, KUBERNETES_SERVICE_PORT: String(apiServerPort) },
});

/** Windows nodes cannot use addresses from other nodes' blocks. */
export const strictIpam: KubernetesObject = {
  apiVersion: "crd.projectcalico.org/v1",
  kind: "IPAMConfig",
  metadata: { name: "default" },
  spec: { autoAllocateBlocks: true, strictAffinity: true },
};

/**
 * For the pods that the network comes from: a node is not ready without it, and the only Linux nodes may be those of the
 * control plane. A cordoned node is not tolerated: a pod that is evicted from it would come back to it, and Cluster API
 * would drain it forever (https://cluster-api.sigs.k8s.io/tasks/automated-machine-management/machine_deletions; calico
 * #13997, CAPZ #5704 for both Deployments).
 */
const networkTolerations = [
  { effect: "NoExecute", operator: "Exists" },
  tolerateControlPlane,
  { key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoSchedule" },
] as const;

/** Calico's default is left out, as it always was. */
const blockSizeOf = ({ blockSize = calicoBlock.default }: CalicoArgs) =>
  blockSize === calicoBlock.calicos ? {} : { blockSize };

/**
 * Without a method, Calico takes the address of the last interface that has one (calico v3.32.1
 * node/pkg/lifecycle/startup/autodetection/interfaces.go), and VXLAN packets for the node go to it. Windows receives them
 * only at the first. Only that one has a default gateway in Azure, so the way to Azure's own address leads through it, as
 * the operator does it for EKS (tigera/operator v1.42.3 pkg/controller/installation/core_controller.go). No packet is sent.
 */
const firstInterface = { nodeAddressAutodetectionV4: { canReach: "168.63.129.16" } } as const;

const installation = (args: CalicoArgs): KubernetesObject => ({
  apiVersion: "operator.tigera.io/v1",
  kind: "Installation",
  metadata: { name: "default" },
  spec: {
    cni: { type: "Calico", ipam: { type: "Calico" } },
    calicoNetwork: {
      // Without BGP the Windows backend is vxlan; with it, it would be windows-bgp.
      bgp: "Disabled",
      windowsDataplane: "HNS",
      mtu: args.podMtu,
      // Only where it matters, because a change restarts calico-node on every node.
      ...(args.severalInterfaces === true ? firstInterface : {}),
      // Must be VXLAN: the operator refuses VXLANCrossSubnet if there are Windows nodes.
      ipPools: [
        {
          cidr: args.podCidr,
          ...blockSizeOf(args),
          encapsulation: "VXLAN",
          natOutgoing: "Enabled",
          nodeSelector: "all()",
        },
      ],
    },
    serviceCIDRs: [args.serviceCidr],
    controlPlaneTolerations: [tolerateControlPlane],
    typhaDeployment: {
      spec: {
        template: {
          spec: {
            // By default Typha tolerates every taint.
            tolerations: networkTolerations,
            affinity: {
              nodeAffinity: {
                preferredDuringSchedulingIgnoredDuringExecution: [
                  {
                    weight: 50,
                    preference: {
                      matchExpressions: [{ key: tolerateControlPlane.key, operator: "Exists" }],
                    },
                  },
                ],
              },
            },
          },
        },
      },
    },
  },
});

/** Calico's API server. The operator reads strictAffinity through it; without it, Windows nodes wait forever. */
const apiServer: KubernetesObject = {
  apiVersion: "operator.tigera.io/v1",
  kind: "APIServer",
  metadata: { name: "default" },
  spec: {},
};

/** What is changed in the operator's Deployment: the field of its pods, what is published, and what takes its place. */
const operatorChanges = [
  // With the published policy, the operator and calico-node, which inherits it, ask CoreDNS for the API server's address,
  // while CoreDNS waits for them (calico #9536).
  { field: "dnsPolicy", published: "ClusterFirstWithHostNet", delivered: "Default" },
  {
    field: "tolerations",
    published: [
      { effect: "NoExecute", operator: "Exists" },
      { effect: "NoSchedule", operator: "Exists" },
    ],
    delivered: networkTolerations,
  },
  // It may read all Secrets and make pods anywhere: a node of a pool that was taken over must not have its token.
  {
    field: "nodeSelector",
    published: { "kubernetes.io/os": "linux" },
    delivered: { "kubernetes.io/os": "linux", [tolerateControlPlane.key]: "" },
  },
] as const;

/** The text of the Deployment with these changes; every other byte stays. */
function changedOperator(text: string, document: Document): string {
  let changed = text;
  // From the end of the text on, so that the positions of the others stay.
  const found = operatorChanges
    .map((change) => {
      const node = document.getIn(["spec", "template", "spec", change.field], true);
      const value = isScalar(node) || isCollection(node) ? (node.toJS(document) as unknown) : undefined;
      const range = isScalar(node) || isCollection(node) ? node.range : undefined;
      if (!range || JSON.stringify(value) !== JSON.stringify(change.published)) {
        const shown = (one: unknown) => (typeof one === "string" ? one : JSON.stringify(one));
        throw new Error(
          `Deployment tigera-operator of the Calico operator manifest has ${change.field} ${shown(value ?? "none")}, expected ` +
            `${shown(change.published)}. Find out what has changed in this release before you pin it.`,
        );
      }
      return { ...change, start: range[0], end: range[1] };
    })
    .sort((a, b) => b.start - a.start);
  for (const { delivered, start, end } of found) {
    const column = start - (changed.lastIndexOf("\n", start - 1) + 1);
    const after = changed.slice(start, end).endsWith("\n") ? "\n" : "";
    const lines = typeof delivered === "string" ? [delivered] : stringify(delivered).trimEnd().split("\n");
    changed = `${changed.slice(0, start)}${lines.join(`\n${" ".repeat(column)}`)}${after}${changed.slice(end)}`;
  }
  return changed;
}

/** The operator manifest with {@link operatorChanges}; its namespace is returned separately. */
function preparedOperator(manifest: string): { namespace: string; rest: string[] } {
  const rest: string[] = [];
  let namespace: string | undefined;
  let patched = false;
  for (const text of splitDocuments(manifest)) {
    const document = parseDocument(text);
    const [error] = document.errors;
    if (error !== undefined) throw new Error(`The Calico operator manifest is not YAML: ${error.message}`);
    const kind = document.get("kind");
    const name = document.getIn(["metadata", "name"]);
    if (kind === "Namespace" && name === operatorNamespace) {
      namespace = text;
    } else if (kind === "Deployment" && name === operatorNamespace) {
      rest.push(changedOperator(text, document));
      patched = true;
    } else {
      rest.push(text);
    }
  }
  if (namespace === undefined || !patched) {
    const missing = patched ? "Namespace" : "Deployment";
    throw new Error(
      `The Calico operator manifest has no ${missing} tigera-operator; is it tigera-operator.yaml?`,
    );
  }
  return { namespace, rest };
}
