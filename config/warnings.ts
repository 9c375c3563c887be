import { present } from "capz-windows-kit/present";
import { minor } from "semver";
import { defaultCalicoVersion } from "../addons/calicoReleases";
import { maintainedMinors } from "capz-windows-platform/machines/communityGallery";
import { purchasePlan } from "capz-windows-platform/machines/purchasePlan";
import { completeMarketplace } from "capz-windows-platform/machines/images";
import { listMarketplaceCommand, marketplacePublisher } from "capz-windows-platform/machines/marketplace";
import { computerName, scaleSetName, windowsPrefixLimit } from "capz-windows-platform/machines/naming";
import { apiServerWarnings } from "./rules/apiServer";
import { authenticationWarnings } from "./rules/authentication";
import { tokenWarnings } from "./rules/bootstrapTokens";
import { bastionWarnings } from "./rules/bastion";
import { calicoWarnings } from "./rules/calico";
import { gmsaWarnings, metadataWarnings } from "./rules/addons";
import { containerRegistryWarnings } from "./rules/containerRegistries";
import { encryptionWarnings, keyVaultWarnings } from "./rules/encryption";
import { autoscaleWarnings } from "./rules/autoscaler";
import { workloadWarnings } from "./rules/workloads";
import { diskWarnings } from "./rules/machineOptions";
import { managementVnetCidrs } from "./rules/networkRanges";
import { mtuWarnings } from "./rules/mtu";
import { kubeletWarnings } from "./rules/nodeSettings";
import { kubeletFileWarnings } from "./rules/kubeletSettings";
import { programArgumentWarnings } from "./rules/programArguments";
import { outboundWarnings } from "./rules/outbound";
import { ownNetworkWarnings } from "./rules/ownNetwork";
import { peeringWarnings } from "./rules/peerings";
import { releaseWarnings } from "./rules/releases";
import { contains, mustParseCidr, overlaps, privateCidrs } from "capz-windows-platform/network/addressing";
import { olderRules } from "./olderRules";
import { isEcdsaKey } from "./sshKey";
import { usesCommunityGallery, nodeImages } from "./nodeImages";
import type { Warning } from "capz-windows-kit/problem";
import { policyWarnings } from "./policy/policies";
import { poolsOf, windowsPoolsOf } from "./pools";
import type { Settings } from "./settings";
import { supportedMinors } from "capz-windows-platform/versions";

/** Placeholder subscription of the example stacks. Plans accept it, but it does not exist in Azure. */
const exampleSubscription = "00000000-0000-0000-0000-000000000000";

/** Warnings about valid settings with consequences that users may not expect. */
export function warningsOf(settings: Settings): Warning[] {
  const { azure, access, addons, clusterApi, kubernetesVersion, network } = settings;
  return present<Warning>(
    azure.subscriptionId === exampleSubscription && {
      path: "azure.subscriptionId",
      message: "set your own: this is the placeholder of the examples",
    },
    ...policyWarnings("one-control-plane-machine", settings),
    poolsOf(settings).length === 0 && {
      path: "windowsPools",
      message:
        "the stack has no pools: pods stay Pending unless they tolerate the taint of the control plane; add a pool to windowsPools, and one to linuxPools for Linux pods",
    },
    Object.keys(settings.windowsPools).length === 0 &&
      Object.keys(settings.linuxPools).length > 0 && {
        path: "windowsPools",
        message:
          "the stack has Linux pools only, and this program is for clusters with Windows nodes: add a pool to windowsPools, unless the stack is still on its way there",
      },
    !privateCidrs.some((cidr) => contains(mustParseCidr(cidr), mustParseCidr(network.vnetCidr))) && {
      path: "network.vnetCidr",
      message: `${network.vnetCidr} is not private address space: nodes cannot reach hosts on the Internet that have these addresses; Microsoft recommends a range in ${privateCidrs.join(", ")}`,
    },
    isEcdsaKey(access.sshPublicKey) && {
      path: "access.sshPublicKey",
      message:
        "Azure supports RSA and ED25519 keys for Linux machines, and does not support ECDSA keys: it may refuse the control plane's machines",
    },
    ...policyWarnings("public-cluster", settings),
    access.allowedCidrs.length === 0 &&
      network.apiServer === undefined && {
        path: "access.allowedCidrs",
        message:
          "only the management cluster and the nodes can reach the API server: add your network to use kubectl, SSH and RDP",
      },
    ...policyWarnings("public-management-cluster", settings),
    clusterApi.identity !== undefined &&
      clusterApi.identity.principalId === undefined && {
        path: "clusterApi.identity.principalId",
        message: `not set, so no roles are assigned: grant the identity Contributor on the resource group ${azure.resourceGroup} and Reader on the subscription`,
      },
    clusterApi.identity?.principalId !== undefined && {
      path: "clusterApi.identity.principalId",
      message: `the stack does not assign Reader on the subscription, which several stacks may share; once: az role assignment create --role Reader --assignee-object-id ${clusterApi.identity.principalId} --assignee-principal-type ServicePrincipal --scope /subscriptions/${azure.subscriptionId}`,
    },
    minor(kubernetesVersion) >= 35 &&
      addons.calicoVersion !== undefined &&
      addons.calicoVersion !== defaultCalicoVersion(kubernetesVersion) && {
        path: "addons.calicoVersion",
        message: `Calico ${addons.calicoVersion} is not tested with Kubernetes ${kubernetesVersion}; ${defaultCalicoVersion(kubernetesVersion)} is`,
      },
    ...olderRules.read().olderKubernetesWarnings(settings),
    ...imageWarnings(settings),
    ...nameWarnings(settings),
    ...calicoWarnings(settings),
    ...ownNetworkWarnings(settings),
    ...mtuWarnings(settings),
    ...autoscaleWarnings(settings),
    ...releaseWarnings(settings),
    ...kubeletWarnings(settings),
    ...programArgumentWarnings(settings),
    ...kubeletFileWarnings(settings),
    ...diskWarnings(settings),
    ...sharingWarnings(settings),
    ...workloadWarnings(settings),
    ...containerRegistryWarnings(settings),
    ...gmsaWarnings(settings),
    ...metadataWarnings(settings),
    ...policyWarnings("plain-credential", settings),
    ...policyWarnings("secrets-in-audit-log", settings),
    ...encryptionWarnings(settings),
    ...keyVaultWarnings(settings),
    ...apiServerWarnings(settings),
    ...outboundWarnings(settings),
    ...peeringWarnings(settings),
    ...bastionWarnings(settings),
    ...authenticationWarnings(settings),
    ...tokenWarnings(settings),
  );
}

/** Conflicts with other clusters, which one stack file cannot know. */
function sharingWarnings(settings: Settings): Warning[] {
  const { createNamespace, namespace, network } = settings;
  const met = managementVnetCidrs(settings).find((cidr) =>
    overlaps(mustParseCidr(network.vnetCidr), mustParseCidr(cidr)),
  );
  const pools = poolsOf(settings).map(({ name }) => name);
  return present<Warning>(
    !createNamespace &&
      pools.length > 0 && {
        path: "namespace",
        message: `the objects of a pool have its name alone: no other cluster in the namespace ${namespace} may have a pool named ${pools.join(", ")}, or both would change the same objects`,
      },
    met !== undefined &&
      network.apiServer?.privateLink === undefined && {
        path: "network.vnetCidr",
        message: `overlaps ${met} of the VNET of the AKS management cluster: the two work side by side, but can never be peered`,
      },
  );
}

/** Images that may already have been removed, or soon will be. */
function imageWarnings(settings: Settings): Warning[] {
  const oldest = supportedMinors.newest - maintainedMinors + 1;
  return nodeImages(settings).flatMap((nodeImage): Warning[] => {
    const { path, image, node, version } = nodeImage;
    if (usesCommunityGallery(nodeImage) && minor(version) < oldest) {
      return [
        {
          path: `${path}.image`,
          message: `Kubernetes ${version} is older than v1.${oldest}, the oldest maintained minor: the community gallery removes its images, and without them no new node can be created; build your own image (docs/images.md)`,
        },
      ];
    }
    if (image?.marketplace === undefined) {
      return [];
    }
    const { publisher, offer, sku } = completeMarketplace(image.marketplace, node, version);
    const message =
      publisher === marketplacePublisher
        ? `the images of cncf-upstream have not been updated since July 2024 and are being withdrawn; check that this one still exists: ${listMarketplaceCommand(offer, sku)}`
        : `not checked: whether this image has containerd, kubelet and kubeadm of ${version}, without which its machines do not become nodes, and whether it has a purchase plan; ${purchasePlan.why} (npm run preflight asks Azure for the plan)`;
    return [{ path: `${path}.image.marketplace`, message }];
  });
}

/** Names of Windows nodes that are not those of their pools. */
const nameWarnings = (settings: Settings): Warning[] =>
  windowsPoolsOf(settings)
    .filter(({ name, pool }) => pool.kind === "MachinePool" && scaleSetName(name, "windows") !== name)
    .map(({ name, path }) => ({
      path,
      message: `a Windows computer name has at most 15 characters (NetBIOS), of which Azure appends 6: the nodes are named ${computerName(name, "windows", 0)} and so on; pool names of up to ${windowsPrefixLimit} characters are kept`,
    }));
