import { z } from "zod";
import { defaultAks } from "../../domain/azure/aks";
import type { Flavor } from "../../domain/cluster/platform";
import { pinnedVersions, providerPins } from "../../domain/versions";
import { cidr, count, uuid, vmSize } from "./scalars";

/** Where everything lives: Azure, the management cluster, Cluster API on it. */

export const azure = z
  .strictObject({
    subscriptionId: uuid.meta({ description: "Subscription of all Azure resources" }),
    tenantId: uuid.meta({ description: "Microsoft Entra tenant of the identities" }),
    location: z
      .string()
      .regex(/^[a-z][a-z0-9]+$/)
      .meta({
        description: "Azure region, in its short form",
        allowed: "lower-case letters and digits, as `az account list-locations` prints under Name",
        examples: ["westeurope"],
      }),
    resourceGroup: z
      .string()
      .regex(/^[-\w.()]{0,89}[-\w()]$/)
      .optional()
      .meta({
        description: "Resource group of the workload cluster. Default: clusterName",
        allowed: "1–90 letters, digits, -, _, ., ( and ), not ending in a dot",
        examples: ["my-cluster"],
      }),
  })
  .meta({
    description: "Where in Azure the cluster lives",
    examples: [
      {
        subscriptionId: "11111111-2222-4333-8444-555555555555",
        tenantId: "11111111-2222-4333-8444-666666666666",
        location: "westeurope",
      },
    ],
  });

export const management = z
  .discriminatedUnion("kind", [
    z
      .strictObject({
        kind: z.literal("aks"),
        kubernetesVersion: z
          .string()
          .regex(/^1\.[0-9]+(\.[0-9]+)?$/)
          .default(defaultAks.kubernetesVersion)
          .meta({
            description: "Kubernetes version of the AKS cluster; two parts let AKS pick the patch",
            allowed: "1.MINOR or 1.MINOR.PATCH",
            examples: ["1.35"],
          }),
        os: z
          .literal("linux")
          .default("linux")
          .meta({
            description: "Operating system of the nodes. Cluster API's controllers run on Linux only",
            allowed: "linux: the images of Cluster API's controllers are for Linux",
            examples: ["linux"],
          }),
        nodeCount: count("Smallest number of nodes of the system pool", 1, 100, defaultAks.nodeCount),
        maxNodeCount: count("Largest number of nodes of the system pool", 1, 100, defaultAks.maxNodeCount),
        nodeSize: vmSize.default(defaultAks.nodeSize),
        authorizedCidrs: z
          .array(cidr)
          .default([])
          .meta({
            description: "Who may reach the AKS API server; empty means everybody who has credentials",
            examples: [["203.0.113.0/24"]],
          }),
      })
      .meta({ description: "Create an AKS cluster for Cluster API" }),
    z
      .strictObject({
        kind: z.literal("existing"),
        name: z
          .string()
          .min(1)
          .meta({
            description:
              "Name of that cluster, known to you: when it changes, Pulumi takes it for another cluster and makes every Kubernetes object anew",
            examples: ["platform-management"],
          }),
        egressCidrs: z
          .array(cidr)
          .min(1)
          .meta({
            description:
              "Addresses from which that cluster's controllers reach the Internet; they need the workload API server's port",
            allowed: "at least one CIDR",
            examples: [["198.51.100.4/32"]],
          }),
        oidcIssuerUrl: z
          .url({ protocol: /^https$/ })
          .optional()
          .meta({
            description:
              "OIDC issuer of that cluster, exactly as it stands in its tokens (the trailing slash counts). Needed unless clusterApi.identity is given",
            allowed: "an https URL",
            examples: ["https://westeurope.oic.prod-aks.azure.com/11111111-2222-4333-8444-555555555555/"],
          }),
      })
      .meta({ description: "Use a cluster whose kubeconfig is the secret key managementKubeconfig" }),
  ])
  .prefault({ kind: "aks" })
  .meta({
    description: "The management cluster, in which Cluster API runs",
    allowed: "kind: aks or existing",
    examples: [{ kind: "aks" }],
  });

const version = z
  .string()
  .regex(/^v?[0-9]+\.[0-9]+\.[0-9]+$/)
  .meta({ allowed: "MAJOR.MINOR.PATCH" });

const chartVersion = (description: string, byDefault: string) =>
  version.default(byDefault).meta({ description, examples: [byDefault] });

/** The default is the flavor's (settings.ts). */
const providerVersion = (description: string, { containerd, dockershim }: Record<Flavor, string>) =>
  version.optional().meta({
    description: `${description}. Default: ${containerd}${containerd === dockershim ? "" : `, and ${dockershim} for the flavor dockershim`}`,
    examples: [containerd],
  });

const pinsOf = (key: "clusterApi" | "capz") => ({
  containerd: providerPins.containerd[key],
  dockershim: providerPins.dockershim[key],
});

export const clusterApi = z
  .strictObject({
    install: z
      .boolean()
      .default(true)
      .meta({
        description:
          "Install cert-manager, the Cluster API operator and the providers; false when they are there",
        examples: [true],
      }),
    certManagerVersion: chartVersion("cert-manager chart", pinnedVersions.certManager),
    operatorVersion: chartVersion("Cluster API operator chart", pinnedVersions.clusterApiOperator),
    coreVersion: providerVersion("Core, bootstrap and control plane providers", pinsOf("clusterApi")),
    azureVersion: providerVersion("CAPZ; go forward one minor at a time", pinsOf("capz")),
    identity: z
      .strictObject({
        clientId: uuid.meta({ description: "Client id of the identity that CAPZ uses" }),
        principalId: uuid.optional().meta({
          description: "Its object id: with it the role assignments are made here, without it you make them",
        }),
      })
      .optional()
      .meta({
        description:
          "An identity that the installed CAPZ can already use. Default: one is made, with federated credentials",
        examples: [{ clientId: "11111111-2222-4333-8444-555555555555" }],
      }),
  })
  .prefault({})
  .meta({ description: "Cluster API on the management cluster" });

