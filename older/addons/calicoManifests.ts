import { isMap, isScalar, isSeq, parseDocument } from "yaml";
import type { Document } from "yaml";
import type { KubernetesObject } from "capz-types";
import { splitDocuments, toYamlStream } from "capz-windows-platform/manifests/yamlStream";
import { rowOf } from "capz-windows-platform/compatibility";
import { isPlaceholder, type PinnedManifest } from "../../addons/pinnedManifest";
import { strictIpam } from "../../addons/calico";
import { calicoWindowsObjects } from "./calicoManifestsWindows";

/** The Calico release that is installed by manifests, for Kubernetes 1.22 to 1.25. */
export const calicoManifestRelease = rowOf(25).calico;

/** The Linux part of that release with the CRDs, as the Calico project published it. */
export const calicoLinuxManifest: PinnedManifest = {
  name: "calico-vxlan",
  version: calicoManifestRelease,
  url: `https://raw.githubusercontent.com/projectcalico/calico/${calicoManifestRelease}/manifests/calico-vxlan.yaml`,
  sha256: "14016211e904e270de1de8dda61426d0e062243194e074bb84db8c182dc81f24",
  bytes: 235_149,
};

export interface CalicoManifestArgs {
  /** Verified text of `calicoLinuxManifest`, or the placeholder of an offline plan (comments only). */
  readonly linuxManifest: string;
  readonly podCidr: string;
  readonly serviceCidr: string;
  /** MTU of the pods in bytes, without the VXLAN header (50). */
  readonly podMtu: number;
}

/**
 * Everything of Calico as one YAML stream. IPAM's settings come first, because Calico would create them itself with the
 * first address that it assigns, and not strict.
 * @throws Error when the manifest lacks the fields to be set
 */
export function calicoManifestResources(args: CalicoManifestArgs): string {
  const windows = toYamlStream(calicoWindowsObjects({ ...args, release: calicoManifestRelease }));
  const before = toYamlStream([strictIpam]);
  // The comments of a placeholder precede the next document: as a document of their own they would be read as null.
  return isPlaceholder(args.linuxManifest)
    ? [before, `${args.linuxManifest.trimEnd()}\n${toYamlStream([nodeAccount])}`, windows].join("---\n")
    : [before, ...preparedLinux(args), windows].join("---\n");
}

/** Stands in for the account of the manifest in an offline plan, because the Windows part uses it. */
const nodeAccount: KubernetesObject = {
  apiVersion: "v1",
  kind: "ServiceAccount",
  metadata: { name: "calico-node", namespace: "kube-system" },
};

/**
 * The documents of the manifest, unchanged except for two: they get the MTU, VXLAN between all nodes (Windows does not
 * support CrossSubnet), the pods' range, and no checksum offload for VXLAN packets (calico #4865).
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

/** Sets variables of the container calico-node, replacing those that exist. */
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
