import { z } from "zod";

/** What a stack is in Azure, and what of others it uses there. IDs are those of Azure Resource Manager. */

const text = z.string();
const texts = z.array(text).readonly();
const textsByName = z.record(text, text).readonly();

/** Of a machine, as CAPZ has it. Without a subscription a gallery is a community gallery. */
export const image = z.union([
  z.object({
    marketplace: z.object({ publisher: text, offer: text, sku: text, version: text }).readonly(),
  }),
  z.object({
    computeGallery: z
      .object({
        gallery: text,
        name: text,
        version: text,
        subscriptionID: text.exactOptional(),
        resourceGroup: text.exactOptional(),
      })
      .readonly(),
  }),
  z.object({ id: text }),
]);

/** An AKS cluster of the stack. */
export const aks = z
  .object({
    kind: z.literal("aks"),
    kubernetesVersion: text,
    nodeSize: text,
    zones: texts,
    maxNodeCount: z.number(),
    authorizedCidrs: texts,
    /** Missing in a VNET of AKS's own; the subnets are those of others. */
    network: z
      .object({
        subnetId: text.optional(),
        outbound: z.object({ type: text }).readonly(),
        apiServer: z.object({ subnetId: text.optional(), privateDnsZone: text.optional() }).readonly(),
      })
      .readonly()
      .optional(),
  })
  .readonly();

/** A VNET of others. Security groups and the route table are names in its resource group. */
const existing = z
  .object({
    controlPlaneSubnetId: text,
    nodeSubnetId: text,
    poolSubnetIds: textsByName,
    nodeSecurityGroup: text,
    controlPlaneSecurityGroup: text.optional(),
    routeTable: text.optional(),
  })
  .readonly();

const peering = z
  .object({
    vnetId: text,
    addressSpaces: texts,
    remoteSide: z.enum(["stack", "manual"]),
    allowForwardedTraffic: z.boolean(),
    useRemoteGateways: z.boolean(),
  })
  .readonly();

/** Ranges and neighbours of the VNET of a cluster. */
export const vnet = {
  vnetCidr: text,
  controlPlaneSubnetCidr: text,
  nodeSubnetCidr: text,
  poolSubnets: textsByName,
  /** That the cluster takes at one time, with those of rollouts, by the key of each range: `poolSubnets.web`. */
  addresses: z.record(text, z.number()).readonly(),
  existing: existing.optional(),
  peerings: z.record(text, peering).readonly(),
  /** The way out that the stack file chooses. */
  outbound: z
    .object({
      type: text,
      natGatewayId: text.optional(),
      routeTableId: text.optional(),
      egressCidrs: texts.optional(),
      prefixLength: z.number().optional(),
    })
    .readonly()
    .optional(),
  bastion: z.object({ kind: text, range: text.optional() }).readonly().optional(),
  /** Where it is private; a zone of others has an ID, and with `manual` others make the record. */
  apiServer: z
    .object({
      ip: text,
      zoneName: text,
      zoneId: text.optional(),
      manual: z.boolean(),
      linkedVnetIds: texts,
    })
    .readonly()
    .optional(),
  hasProxy: z.boolean(),
};

/** What installs Cluster API and has a digest in the stack file. */
export const artifact = z
  .object({
    part: z.enum(["certManager", "operator", "core", "bootstrap", "controlPlane", "azure"]),
    name: text,
    version: text,
    url: text,
    isChart: z.boolean(),
    sha256: text,
  })
  .readonly();
