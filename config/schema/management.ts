import { z } from "zod";
import { defaultAks, weekDays } from "capz-windows-platform/azure/aks";
import { defaultSyncPeriodMinutes } from "../../capi/syncPeriod";
import { defaultTokenMinutes, tokenMinutes } from "capz-windows-platform/machines/bootstrapTokens";
import type { Flavor } from "capz-windows-platform/cluster/platform";
import { placeholder } from "capz-windows-kit/writeLine";
import { ManagementPeering } from "capz-windows-platform/company-network/peerings";
import { pinnedVersions, providerPins } from "capz-windows-platform/versions";
import { artifactDigests } from "./imageDigests";
import { managementNetwork } from "./managementNetwork";
import {
  count,
  filledMapping,
  flag,
  keyWithDefault,
  mapping,
  matching,
  optionalFlag,
  optionalKey,
  optionalMapping,
  ownCidr,
  ownUuid,
  uuid,
  vmSize,
  zone,
} from "./scalars";

/** Options of the management cluster, and of Cluster API on it. */

const maintenanceWindow = mapping(
  "When AKS may upgrade the patch version of the cluster and the images of its nodes by itself; Cluster API's controllers restart meanwhile, workload clusters keep running. An upgrade by this program does not wait for it. Default: AKS chooses",
  {
    dayOfWeek: z.enum(weekDays).meta({ description: "Day of each week", examples: ["Sunday"] }),
    startTime: keyWithDefault(z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/), "00:00", {
      description: "When it begins",
      allowed: "HH:MM, from 00:00 to 23:59",
      examples: ["01:00"],
    }),
    durationHours: count("How long it lasts, in hours", 4, 24, 4),
    utcOffset: keyWithDefault(z.string().regex(/^[+-](0\d|1[0-4]):[0-5]\d$/), "+00:00", {
      description: "Offset of startTime from UTC",
      allowed: "+HH:MM or -HH:MM",
      examples: ["+01:00"],
    }),
  },
  { dayOfWeek: "Sunday", startTime: "01:00" },
);

const only = flag(
  "Make only the management cluster, with Cluster API on it, and no workload cluster: other stacks use it with kind: stack ([shared management](shared-management.md)). Then clusterName names the management cluster alone",
);

export const management = z
  .discriminatedUnion("kind", [
    mapping("Create an AKS cluster for Cluster API", {
      kind: z.literal("aks"),
      only,
      kubernetesVersion: keyWithDefault(
        z.string().regex(/^1\.[0-9]+(\.[0-9]+)?$/),
        defaultAks.kubernetesVersion,
        {
          description: "Kubernetes version of the AKS cluster; without a patch version, AKS selects it",
          allowed: "1.MINOR or 1.MINOR.PATCH",
          examples: ["1.35"],
        },
      ),
      os: keyWithDefault(z.literal("linux"), "linux", {
        description: "Operating system of the nodes. Cluster API's controllers run on Linux only",
        allowed: "linux: the images of Cluster API's controllers are for Linux",
        examples: ["linux"],
      }),
      nodeCount: count("Minimum number of nodes in the system pool", 1, 100, defaultAks.nodeCount),
      maxNodeCount: count("Maximum number of nodes in the system pool", 1, 100, defaultAks.maxNodeCount),
      nodeSize: vmSize.default(defaultAks.nodeSize),
      zones: keyWithDefault(z.array(zone), [], {
        description:
          "Availability zones of the nodes, fixed when the cluster is made. Default: none, AKS does not spread them",
        examples: [["1", "2", "3"]],
      }),
      network: managementNetwork,
      runCommand: optionalFlag(
        "Whether `az aks command invoke` runs commands in the cluster: it goes through Azure's API, past authorizedCidrs and every network. Default: false with network.apiServer.private, otherwise what AKS does, which allows it",
        false,
      ),
      maintenanceWindow: maintenanceWindow.optional(),
      entra: optionalMapping(
        "Access to the AKS cluster by Microsoft Entra and Azure roles only, through kubelogin on the PATH, without local accounts; AKS cannot take this back. Default: none, AKS gives an administrator's certificate to everybody who may list its user credentials",
        {
          adminGroupObjectIds: z
            .array(uuid)
            .min(1)
            .meta({
              description:
                "Object IDs of the Microsoft Entra groups whose members are administrators of the AKS cluster; the identity that runs `pulumi up` must be in one of them",
              allowed: "at least one object ID",
              examples: [["11111111-2222-4333-8444-555555555555"]],
            }),
        },
        { adminGroupObjectIds: ["11111111-2222-4333-8444-555555555555"] },
      ),
      authorizedCidrs: keyWithDefault(z.array(ownCidr), [], {
        description:
          "Networks that may reach the AKS API server; empty allows any address (credentials are always required)",
        examples: [["203.0.113.0/24"]],
      }),
    }),
    mapping("Use an existing cluster, whose kubeconfig is the secret managementKubeconfig", {
      kind: z.literal("existing"),
      only,
      name: z
        .string()
        .min(1)
        .meta({
          placeholder: placeholder("name of the cluster"),
          description:
            "A name for the cluster. When it changes, Pulumi treats it as another cluster and recreates every Kubernetes object",
          examples: ["platform-management"],
        }),
      egressCidrs: z
        .array(ownCidr)
        .min(1)
        .meta({
          description:
            "Egress addresses of the cluster: its controllers must be able to reach the workload API server from them",
          allowed: "at least one CIDR",
          examples: [["198.51.100.4/32"]],
        }),
      oidcIssuerUrl: optionalKey(z.url({ protocol: /^https$/ }), {
        description:
          "OIDC issuer of the cluster, exactly as in its tokens (including a trailing slash). Required unless clusterApi.identity is set",
        allowed: "an https URL",
        placeholder: placeholder("output of az aks show --query oidcIssuerProfile.issuerUrl"),
        examples: ["https://westeurope.oic.prod-aks.azure.com/11111111-2222-4333-8444-555555555555/"],
      }),
    }),
    mapping("Use the management cluster of another stack, by its outputs", {
      kind: z.literal("stack"),
      stack: matching(/^[\w.-]+\/[\w.-]+\/[\w.-]+$/, {
        description:
          "Fully qualified name of the stack that makes the management cluster, with management.only. In a backend without organizations (a file, Azure Blob Storage), the first part is the word organization",
        allowed: "ORGANIZATION/PROJECT/STACK",
        placeholder: placeholder("ORGANIZATION/PROJECT/STACK of the management stack"),
        examples: ["organization/capz-windows/management"],
      }),
      peering: optionalKey(z.enum(ManagementPeering), {
        description:
          "Who peers the VNET of this stack with that of the management cluster, whose ARM ID and ranges are outputs of the other stack, so that its controllers reach a private API server: stack makes both sides, manual the own one (the plan has the command for the other), and with others, such as a hub between the two, the stack makes none. In each case the stack links the zone of the API server to that VNET, too. Only with network.apiServer, and not with its privateLink. Default: nothing of it",
        allowed: "stack, manual or others",
        examples: ["stack"],
      }),
    }),
  ])
  .prefault({ kind: "aks" })
  .meta({
    description: "The management cluster, on which Cluster API runs",
    allowed: "kind: aks, existing or stack",
    examples: [{ kind: "aks" }],
  });

const version = matching(/^v?[0-9]+\.[0-9]+\.[0-9]+$/, { allowed: "MAJOR.MINOR.PATCH" });

const chartVersion = (description: string, byDefault: string) =>
  version.default(byDefault).meta({ description, examples: [byDefault] });

/** The default depends on the flavor and is set in settings.ts. */
const providerVersion = (description: string, { containerd, dockershim }: Record<Flavor, string>) =>
  version.optional().meta({
    description: `${description}. Default: ${containerd}${containerd === dockershim ? "" : `, and ${dockershim} for the flavor dockershim`}`,
    examples: [containerd],
  });

const pinsOf = (key: "clusterApi" | "capz") => ({
  containerd: providerPins.containerd[key],
  dockershim: providerPins.dockershim[key],
});

export const clusterApi = filledMapping("Cluster API on the management cluster", {
  install: optionalFlag(
    "Install cert-manager, the Cluster API operator and the providers. Default: true with management.kind aks, where it must be true, and false with existing, where Cluster API is expected to run already, and with stack, which has installed it",
  ),
  installCertManager: optionalFlag(
    "Install cert-manager together with Cluster API; set to false if the cluster has cert-manager already. Must be true with management.kind aks. Default: as clusterApi.install",
  ),
  certManagerVersion: chartVersion("Version of the cert-manager chart", pinnedVersions.certManager),
  operatorVersion: chartVersion(
    "Version of the Cluster API operator chart",
    pinnedVersions.clusterApiOperator,
  ),
  coreVersion: providerVersion(
    "Version of the core, bootstrap and control plane providers",
    pinsOf("clusterApi"),
  ),
  azureVersion: providerVersion("Version of CAPZ; upgrade one minor at a time", pinsOf("capz")),
  componentsRepository: optionalKey(z.string().regex(/^[a-z0-9.-]+(:[0-9]+)?(\/[a-z0-9._-]+)+$/), {
    description:
      "OCI repository from which the operator takes the manifests of the providers, by the tags v1.14.2 and so on. Default: their releases on GitHub",
    allowed: "HOST[:PORT]/PATH in lowercase, without a scheme and a tag",
    examples: ["registry.example.com/platform/cluster-api"],
  }),
  digests: artifactDigests,
  syncPeriodMinutes: keyWithDefault(z.int().min(1).max(60), defaultSyncPeriodMinutes, {
    description:
      "Minutes after which CAPZ looks at every object again. A pool that is deleted waits for that once its last machine is gone, and so does the cluster's deletion. Each round reads every machine and pool from Azure: a cluster with 3 control plane machines, 3 pools and 12 nodes 45 times, and Azure allows an identity 25 reads a second in a region. At 1 minute that is enough for 33 such clusters with one identity (clusterApi.identity), at 10 minutes, CAPZ's default, for 330",
    examples: [5],
  }),
  bootstrapTtlMinutes: optionalKey(z.int().min(defaultTokenMinutes).max(1440), {
    description: `Minutes that a bootstrap token lives, with which a new machine joins. In a rollout of a scale set a machine may get one with half of that left, less ten minutes, so it must be longer than twice the slowest boot. Without \`install\`, what the management cluster has: it does not change that. Default: ${tokenMinutes}, without \`install\` Cluster API's ${defaultTokenMinutes}`,
    allowed: `a whole number from ${defaultTokenMinutes} to 1440`,
    examples: [tokenMinutes],
  }),
  identity: optionalMapping(
    "An identity that the installed CAPZ can already use. Default: a new one with federated credentials",
    {
      clientId: ownUuid("the identity's client", "Client ID of the identity that CAPZ uses"),
      principalId: uuid.optional().meta({
        description:
          "Object ID of the identity. If it is set, the stack assigns Contributor on the cluster's resource group; otherwise, assign it yourself. Reader on the subscription is yours to assign, once: Azure allows one such assignment, and several stacks may share the identity",
      }),
    },
    { clientId: "11111111-2222-4333-8444-555555555555" },
  ),
});
