import { z } from "zod";
import { subnetId } from "./existingNetwork";
import {
  armId,
  filledMapping,
  flag,
  keyWithDefault,
  matching,
  optionalKey,
  optionalMapping,
  ownUuid,
} from "./scalars";

/** Where the API server of the workload cluster is reached. */

const zoneType = "Microsoft.Network/privateDnsZones";

/** At least two labels (learn.microsoft.com, "Azure Private DNS zone"), in the characters that CAPZ's webhook takes. */
const zoneName = matching(
  /^(?=.{3,240}$)[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?(\.[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)+$/,
  {
    description:
      "Name of the private DNS zone; the API server is apiserver.ZONE, so each cluster has its own zone. Default: CLUSTERNAME.capz.io",
    allowed: "at least two names of a–z, 0–9 and -, with dots between them",
    examples: ["blue.k8s.example.com"],
  },
);

const dns = filledMapping(
  "How the name of the API server is resolved",
  {
    zoneName: zoneName.optional(),
    zoneId: armId(
      "Private DNS zone of others, in any subscription, instead of one that the stack makes: the stack adds the record and the links. Whoever runs `pulumi up` needs Private DNS Zone Contributor on it",
      zoneType,
      "blue.k8s.example.com",
    ).optional(),
    manual: flag(
      "The stack makes neither zone nor record nor links: the plan says which name and address others must add before `pulumi up`",
    ),
  },
  { zoneName: "blue.k8s.example.com" },
);

const privateLink = optionalMapping(
  "The management cluster reaches the API server by a private endpoint, because its VNET cannot be peered ([private link](private-networks.md#private-link)). Default: by a peering or a route",
  {
    subnetId: subnetId(
      "Subnet of the management cluster's VNET, in any subscription of the tenant, for the private endpoint that the stack makes. Default: that of the nodes of AKS, where this stack or the one of management.stack makes the VNET",
      "endpoints",
    ).optional(),
    location: optionalKey(z.string().regex(/^[a-z][a-z0-9]+$/), {
      description: "Azure region of that VNET. Default: azure.location",
      allowed: "lowercase letters and digits, as `az account list-locations` prints under Name",
      examples: ["northeurope"],
    }),
    manual: flag(
      "Others make the private endpoint and its DNS record: the plan and the output privateLinkCommands have the commands",
    ),
    subscriptions: keyWithDefault(z.array(ownUuid("a subscription", "A subscription")), [], {
      description:
        "Subscriptions, of any tenant, from which further private endpoints are accepted without approval. Those of the stack and of subnetId are always",
      allowed: "a list of subscription IDs",
      examples: [["22222222-2222-4333-8444-555555555555"]],
    }),
  },
  { manual: true, subscriptions: ["22222222-2222-4333-8444-555555555555"] },
);

export const apiServer = optionalMapping(
  "A private API server; it cannot be changed on a cluster that exists ([private networks](private-networks.md#private-api-server)). Default: a public address behind a security group",
  {
    private: z.literal(true).meta({
      description:
        "The API server has a private address only, on an internal load balancer. With management.kind aks, it needs management.network; with existing, linkedVnetIds or what is named there",
      allowed: "true; leave network.apiServer out for a public address",
      examples: [true],
    }),
    ip: optionalKey(z.ipv4(), {
      description: "Its address in the control plane subnet. Default: the last one that Azure leaves free",
      allowed: "an address of network.controlPlaneSubnetCidr, not one of its first four or the last",
      examples: ["10.10.0.254"],
    }),
    dns,
    linkedVnetIds: keyWithDefault(
      z.array(
        armId(
          "Another VNET in which the name resolves",
          "Microsoft.Network/virtualNetworks",
          "platform-vnet",
        ),
      ),
      [],
      {
        description:
          "VNETs beside the cluster's in which the name resolves: that of the management cluster, a hub, that of your runners. Each must also be peered or routed. Required with management.kind existing, and with stack if management.peering is not set, unless dns.zoneId, dns.manual or privateLink is set",
        allowed: "a list of ARM IDs of VNETs",
        examples: [
          [
            "/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/platform/providers/Microsoft.Network/virtualNetworks/platform-vnet",
          ],
        ],
      },
    ),
    privateLink,
  },
  { private: true },
);
