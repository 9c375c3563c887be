import { z } from "zod";
import { EphemeralPlacement, EvictionPolicy, OsDiskType } from "capz-windows-platform/machines/pools";
import {
  armId,
  keyWithDefault,
  mapping,
  optionalFlag,
  optionalKey,
  optionalMapping,
  subnetName,
} from "./scalars";

/** What the machines of a pool are made of, beyond size and image. */

const subnet = subnetName.optional().meta({
  description:
    "Subnet of the nodes, one of network.poolSubnets. It is chosen when the pool is created. Default: the node subnet",
  examples: ["web"],
});

const acceleratedNetworking = optionalFlag(
  "Accelerated networking. It is chosen when the pool is created. Default: wherever the VM size can",
  false,
);

export const machineOptions = {
  subnet,
  acceleratedNetworking,
  additionalNetworkInterfaces: keyWithDefault(
    z
      .array(
        mapping("A network interface", {
          subnet: subnet.meta({
            description: "Subnet of the interface, one of network.poolSubnets. Default: the node subnet",
            examples: ["web"],
          }),
          acceleratedNetworking: acceleratedNetworking.meta({
            description: "Accelerated networking. Default: wherever the VM size can",
            examples: [true],
          }),
        }),
      )
      .max(7),
    [],
    {
      description:
        "Network interfaces beside the first, which is the node's: routes of the machine and pods do not use them by themselves. They are chosen when the pool is created",
      allowed: "a list of up to 7 {subnet, acceleratedNetworking}; a VM size has 2 to 8 interfaces",
      examples: [[{ subnet: "web" }]],
    },
  ),
  spot: optionalMapping(
    "Spot machines: cheaper, but Azure may evict them at any time. Can be set only when the pool is created",
    {
      evictionPolicy: keyWithDefault(z.enum(EvictionPolicy), "Delete", {
        description:
          "What happens to an evicted machine. A deallocated one remains in the cluster as a node that is not ready",
        examples: ["Delete"],
      }),
      maxPrice: optionalKey(
        z
          .string()
          .regex(/^(0\.\d{1,5}|[1-9]\d{0,2}(\.\d{1,5})?)$/)
          .refine((price) => Number(price) > 0),
        {
          description:
            "Price in US dollars per hour above which a machine is evicted. Default: the on-demand price",
          allowed: "a number below 1000 in quotes, with up to 5 decimals",
          examples: ["0.05"],
        },
      ),
    },
    { evictionPolicy: "Delete" },
  ),
  osDiskType: optionalKey(z.enum(OsDiskType), {
    description: "Type of the OS disk. Default: Premium_LRS",
    examples: ["StandardSSD_LRS"],
  }),
  ephemeralOsDisk: optionalKey(z.enum(EphemeralPlacement), {
    description:
      "Ephemeral OS disk: on the machine's host, at this place, instead of in Azure Storage. Faster, free of charge, and lost with the machine. Can be set only when the pool is created. Default: a managed disk",
    examples: ["ResourceDisk"],
  }),
  encryptionAtHost: optionalFlag(
    "Encrypt temporary disks and caches on the host too; the subscription must have registered Microsoft.Compute/EncryptionAtHost. Default: false",
  ),
  diskEncryptionSetId: armId(
    "Disk encryption set with a key of your own for all disks, those of volumes too. CAPZ's controllers need Reader on it; with addons.azureDisk, `up` assigns Reader to the control plane, which attaches volumes, and needs the right to assign roles there",
    "Microsoft.Compute/diskEncryptionSets",
    "own",
  ).optional(),
  identityIds: keyWithDefault(
    z.array(armId("A user-assigned identity", "Microsoft.ManagedIdentity/userAssignedIdentities", "pull")),
    [],
    {
      description:
        "User-assigned identities of the machines. Every pod that reaches the metadata service of its node can act as them; the controllers' identity needs Managed Identity Operator on each",
      allowed: "a list of ARM IDs of user-assigned identities",
      examples: [
        [
          "/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/platform/providers/Microsoft.ManagedIdentity/userAssignedIdentities/pull",
        ],
      ],
    },
  ),
  terminationNoticeMinutes: optionalKey(z.int().min(5).max(15), {
    description:
      "Minutes between Azure's notice that it deletes a machine of the scale set (Scheduled Events) and the deletion. Nothing in the stack reads the notice or drains the node: install something that does. Default: no notice",
    examples: [5],
  }),
};
