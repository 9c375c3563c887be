import { z } from "zod";
import { mapping, matching, optionalKey, optionalMapping, ownUuid } from "./scalars";

/** Options of Azure. */

const roleExample =
  "/subscriptions/11111111-2222-4333-8444-555555555555/providers/Microsoft.Authorization/roleDefinitions/11111111-2222-4333-8444-777777777777";

const roleDefinition = (description: string) =>
  optionalKey(
    z
      .string()
      .regex(
        /^\/subscriptions\/[^/\s]+\/providers\/Microsoft\.Authorization\/roleDefinitions\/[-0-9a-f]{36}$/i,
      ),
    {
      description,
      allowed: "/subscriptions/ID/providers/Microsoft.Authorization/roleDefinitions/GUID",
      examples: [roleExample],
    },
  );

export const azure = mapping(
  "Azure subscription, tenant and region of the cluster",
  {
    subscriptionId: ownUuid("your subscription", "Subscription of all Azure resources"),
    tenantId: ownUuid("your tenant", "Microsoft Entra tenant of the identities"),
    location: matching(/^[a-z][a-z0-9]+$/, {
      description: "Azure region in its short form",
      allowed: "lowercase letters and digits, as `az account list-locations` prints under Name",
      examples: ["westeurope"],
    }),
    resourceGroup: optionalKey(z.string().regex(/^[-\w.()]{0,89}[-\w()]$/), {
      description: "Resource group of the workload cluster. Default: clusterName",
      allowed: "1–90 letters, digits, -, _, ., ( and ), not ending in a dot",
      examples: ["my-cluster"],
    }),
    roles: optionalMapping(
      "Custom roles that the stack assigns to the identities that it makes. They exist before, made from rights/controllers.json and rights/controlPlane.json of a plan (docs/rights.md). Default: built-in roles, which allow more",
      {
        controllers: roleDefinition(
          "Of CAPZ and Azure Service Operator: on the resource group, and on subnets of others. Default: Contributor and Network Contributor",
        ),
        controlPlane: roleDefinition(
          "Of the cloud provider and the CSI drivers: on the resource group instead of Network Contributor, Virtual Machine Contributor and Storage Account Contributor, and on subnets, security groups and keys of others. Default: built-in roles",
        ),
      },
      { controlPlane: roleExample },
    ),
  },
  {
    subscriptionId: "11111111-2222-4333-8444-555555555555",
    tenantId: "11111111-2222-4333-8444-666666666666",
    location: "westeurope",
  },
);
