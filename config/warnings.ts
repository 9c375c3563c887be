import { minor } from "semver";
import { defaultCalicoVersion } from "../domain/addons/calico";
import { maintainedMinors } from "../domain/machines/communityGallery";
import { completeMarketplace } from "../domain/machines/images";
import { listMarketplaceCommand, marketplacePublisher } from "../domain/machines/marketplace";
import { computerName, scaleSetName, windowsPrefixLimit } from "../domain/machines/naming";
import { olderKubernetesWarnings } from "./olderKubernetes";
import { usesCommunityGallery, nodeImages } from "./nodeImages";
import type { Warning } from "../domain/problem";
import type { Settings } from "./settings";
import { supportedMinors } from "../domain/versions";

/** Subscription of the example stacks: it plans, and Azure does not know it. */
const exampleSubscription = "00000000-0000-0000-0000-000000000000";

/** What works and may still surprise; each line says why. */
export function warningsOf(settings: Settings): Warning[] {
  const { azure, controlPlane, access, addons, clusterApi, kubernetesVersion, management } = settings;
  const found: (Warning | false)[] = [
    azure.subscriptionId === exampleSubscription && {
      path: "azure.subscriptionId",
      message:
        "this is the example's; it plans, but Azure does not know it: write your own before `pulumi up`",
    },
    controlPlane.replicas === 1 && {
      path: "controlPlane.replicas",
      message:
        "one machine: no API server while it is replaced, and etcd is lost with its disk; write 3 for production",
    },
    access.allowedCidrs.includes("0.0.0.0/0") && {
      path: "access.allowedCidrs",
      message: "0.0.0.0/0 opens the API server and ssh of the control plane to the whole Internet",
    },
    access.allowedCidrs.length === 0 && {
      path: "access.allowedCidrs",
      message:
        "nobody but the management cluster and the nodes reaches the API server: kubectl, ssh and RDP need your network in this list",
    },
    management.kind === "aks" &&
      management.authorizedCidrs.length === 0 && {
        path: "management.authorizedCidrs",
        message:
          "the API server of the management cluster answers every address (credentials are still needed)",
      },
    clusterApi.identity !== undefined &&
      clusterApi.identity.principalId === undefined && {
        path: "clusterApi.identity.principalId",
        message: `without it no role is assigned here: give the identity Contributor on the resource group ${azure.resourceGroup} and Reader on the subscription yourself`,
      },
    minor(kubernetesVersion) >= 35 &&
      addons.calicoVersion !== undefined &&
      addons.calicoVersion !== defaultCalicoVersion(kubernetesVersion) && {
        path: "addons.calicoVersion",
        message: `${addons.calicoVersion} is not tested with Kubernetes ${kubernetesVersion}; ${defaultCalicoVersion(kubernetesVersion)} is`,
      },
  ];
  return [
    ...found.filter((warning) => warning !== false),
    ...olderKubernetesWarnings(settings),
    ...imageWarnings(settings),
    ...nameWarnings(settings),
  ];
}

/** Images that are there today, perhaps. */
function imageWarnings(settings: Settings): Warning[] {
  const oldest = supportedMinors.newest - maintainedMinors + 1;
  return nodeImages(settings).flatMap((user): Warning[] => {
    const { path, image, node, version } = user;
    if (usesCommunityGallery(user) && minor(version) < oldest) {
      return [
        {
          path: `${path}.image`,
          message: `Kubernetes ${version} is older than v1.${oldest}, the oldest minor that is still maintained: the community gallery removes its images, and then no new node comes up; build your own (docs/images.md)`,
        },
      ];
    }
    const { publisher, offer, sku } = completeMarketplace(image?.marketplace ?? {}, node, version);
    return image?.marketplace && publisher === marketplacePublisher
      ? [
          {
            path: `${path}.image.marketplace`,
            message: `the images of cncf-upstream get no updates since July 2024 and are withdrawn one after the other; see whether this one is left: ${listMarketplaceCommand(offer, sku)}`,
          },
        ]
      : [];
  });
}

/** Sets the whole list of DNS suffixes of a Windows machine. */
const suffixList = /\bSuffixSearchList\b|\bSearchList\b.*\bTcpip\b|\bTcpip\b.*\bSearchList\b/i;

/**
 * Names of Windows nodes. Cluster API's proposal for Windows leaves NetBIOS aside because long names resolve by the
 * DNS suffixes that Azure gives to each machine: that holds while the nodes keep both.
 */
const nameWarnings = ({ windowsPools }: Settings): Warning[] =>
  Object.entries(windowsPools).flatMap(([name, pool]) => {
    const path = `windowsPools.${name}`;
    const prefix = scaleSetName(name, "windows");
    const scripts = [
      ...pool.preKubeadmCommands,
      ...pool.postKubeadmCommands,
      ...pool.files.map(({ content }) => content),
    ];
    const found: (Warning | false)[] = [
      pool.kind === "MachinePool" &&
        prefix !== name && {
          path,
          message: `a computer name has 15 characters (NetBIOS), 6 of them Azure's: the nodes will be called ${computerName(name, "windows", 0)} and so on; names of up to ${windowsPrefixLimit} characters stay as they are`,
        },
      scripts.some((text) => suffixList.test(text)) && {
        path,
        message:
          "its commands or files set the DNS suffix search list: keep Azure's suffix in it, for the names of nodes resolve by that",
      },
    ];
    return found.filter((warning) => warning !== false);
  });
