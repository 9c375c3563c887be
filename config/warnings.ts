import { minor } from "semver";
import { maintainedMinors } from "../components/machinePool/communityGallery";
import { completeMarketplace } from "../components/machinePool/images";
import { listMarketplaceCommand, marketplacePublisher } from "../components/machinePool/marketplace";
import { fromCommunityGallery, imageUsers } from "./imageUsers";
import type { Warning } from "./problem";
import type { Settings } from "./settings";
import { supportedMinors } from "./versions";

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
      addons.calicoVersion !== "v3.32.1" && {
        path: "addons.calicoVersion",
        message: `${addons.calicoVersion} is not tested with Kubernetes ${kubernetesVersion}; v3.32.1 is`,
      },
  ];
  return [...found.filter((warning) => warning !== false), ...imageWarnings(settings)];
}

/** Images that are there today, perhaps. */
function imageWarnings(settings: Settings): Warning[] {
  const oldest = supportedMinors.newest - maintainedMinors + 1;
  return imageUsers(settings).flatMap((user): Warning[] => {
    const { path, image, node, version } = user;
    if (fromCommunityGallery(user) && minor(version) < oldest) {
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
