import { isMap, isScalar, isSeq, parseDocument } from "yaml";
import type { Document } from "yaml";
import type { KubernetesObject } from "../../../domain/capi/types";
import { splitDocuments } from "../yamlStream";
import { toYamlStream } from "../manifests";
import { calicoManifestRelease } from "../../../domain/addons/calico";
import { isPlaceholder } from "../pinnedManifest";
import { strictIpam } from "./calico";
import { calicoWindowsObjects } from "./calicoLegacyWindows";

export interface CalicoManifestArgs {
  /** Verified text of `calicoLinuxManifest`, or the placeholder of an offline plan (comments only). */
  readonly linuxManifest: string;
  readonly podCidr: string;
  readonly serviceCidr: string;
  /** MTU of the pods in bytes, VXLAN header (50) already taken off. */
  readonly podMtu: number;
}

/**
 * Everything of Calico as one YAML stream. IPAM's settings come first: with the first address that Calico hands out it
 * would make them itself, and not strict.
 * @throws Error when the manifest lacks what is to be set in it
 */
export function calicoManifestResources(args: CalicoManifestArgs): string {
  const windows = toYamlStream(calicoWindowsObjects({ ...args, release: calicoManifestRelease }));
  const before = toYamlStream([strictIpam]);
  // A placeholder stands as comments before the next document: as a document it would be null to who reads them.
  return isPlaceholder(args.linuxManifest)
    ? [before, `${args.linuxManifest.trimEnd()}\n${toYamlStream([nodeAccount])}`, windows].join("---\n")
    : [before, ...preparedLinux(args), windows].join("---\n");
}

/** Stands in for the manifest's own in an offline plan: the Windows part uses it. */
const nodeAccount: KubernetesObject = {
  apiVersion: "v1",
  kind: "ServiceAccount",
  metadata: { name: "calico-node", namespace: "kube-system" },
};

/**
 * The documents of the manifest, byte for byte but for two: the MTU, VXLAN between all nodes (Windows takes no
 * CrossSubnet), the pods' range, and no checksums of VXLAN packets by the network card (calico #4865).
 */
function preparedLinux({ linuxManifest, podCidr, podMtu }: CalicoManifestArgs): string[] {
  const changes = new Map<string, (document: Document) => void>([
    [
      "ConfigMap calico-config",
      (document) => {
        required(document.hasIn(["data", "veth_mtu"]), "ConfigMap calico-config with veth_mtu");
        document.setIn(["data", "veth_mtu"], String(podMtu));
      },
    ],
    [
      "DaemonSet calico-node",
      (document) => {
        setEnv(document, {
          CALICO_IPV4POOL_CIDR: podCidr,
          CALICO_IPV4POOL_VXLAN: "Always",
          FELIX_FEATUREDETECTOVERRIDE: "ChecksumOffloadBroken=true",
        });
      },
    ],
  ]);
  const documents = splitDocuments(linuxManifest).map((text) => {
    const document = parseDocument(text);
    const title = `${String(document.get("kind"))} ${String(document.getIn(["metadata", "name"]))}`;
    const change = changes.get(title);
    if (change === undefined) {
      return text;
    }
    change(document);
    changes.delete(title);
    return document.toString({ lineWidth: 0 });
  });
  required(changes.size === 0, [...changes.keys()].join(", "));
  return documents;
}

/** Sets variables of the container calico-node, in place where they are there already. */
function setEnv(document: Document, values: Readonly<Record<string, string>>): void {
  const containers = ["spec", "template", "spec", "containers"];
  required(document.getIn([...containers, 0, "name"]) === "calico-node", "a container calico-node");
  const env = document.getIn([...containers, 0, "env"]);
  required(isSeq(env), "variables of the container calico-node");
  for (const [name, value] of Object.entries(values)) {
    const index = env.items.findIndex((item) => isMap(item) && item.get("name") === name);
    if (index === -1) {
      document.addIn([...containers, 0, "env"], document.createNode({ name, value }));
    } else {
      required(
        isScalar(document.getIn([...containers, 0, "env", index, "value"], true)),
        `a value of ${name}`,
      );
      document.setIn([...containers, 0, "env", index, "value"], value);
    }
  }
}

function required(there: boolean, what: string): asserts there {
  if (!there) {
    throw new Error(
      `The Calico manifest has no ${what}; is it calico-vxlan.yaml of ${calicoManifestRelease}?`,
    );
  }
}
