import { z } from "zod";
import {
  defaultControlPlane,
  defaultPool,
  leastCertificatesDays,
} from "capz-windows-platform/machines/defaults";
import { DeletePolicy, PoolKind } from "capz-windows-platform/machines/pools";
import { supportEnds, windowsServers } from "capz-windows-platform/machines/windowsReleases";
import { placeholder } from "capz-windows-kit/writeLine";
import {
  controlPlaneDeletion,
  controlPlaneHealthCheck,
  poolDeletion,
  poolHealthCheck,
  windowsPoolDeletion,
} from "./health";
import { audit } from "./audit";
import { authentication } from "./authentication";
import { encryption } from "./encryption";
import { podSecurity } from "./podSecurity";
import { files } from "./files";
import { linuxDataDisks, trustedLaunch, vmExtensions, windowsDataDisks } from "./machineExtras";
import { machineOptions } from "./machineOptions";
import { nodeSettings } from "./nodeSettings";
import { poolDefaultsOf } from "./poolDefaults";
import { controlPlaneOverrides, linuxPoolOverrides, windowsPoolOverrides } from "./overrides";
import {
  count,
  distinctZones,
  filledMapping,
  keyWithDefault,
  kubernetesVersion,
  mapping,
  numberedChoice,
  optionalFlag,
  optionalKey,
  optionalMapping,
  ownText,
  ownUuid,
  text,
  vmSize,
} from "./scalars";

/** Options of nodes: images, pools, and the control plane. */

const image = optionalMapping(
  "VM image, in exactly one form. Default: the image in CAPZ's community gallery for the Kubernetes version (a reference image; build your own for production)",
  {
    marketplace: optionalMapping(
      "Azure Marketplace image; `marketplace: {}` is the reference image for the pool's Kubernetes version (up to v1.30.3; the offer is being withdrawn)",
      {
        urn: text(
          "URN of the image as the Azure CLI prints it, instead of the four parts",
          "cncf-upstream:capi-windows:k8s-1dot22dot1-windows-2019-containerd:2021.10.15",
        )
          .optional()
          .meta({ allowed: "publisher:offer:sku:version" }),
        publisher: text(
          "Publisher. Default: cncf-upstream, the Cluster API projects",
          "cncf-upstream",
        ).optional(),
        offer: text("Offer. Default: capi-windows, and capi for Linux", "capi-windows").optional(),
        sku: text(
          "SKU. Default: computed from the Kubernetes version, the Windows release and the runtime",
          "windows-2019-containerd-gen1",
        ).optional(),
        version: text(
          "Version. Default: the published version if it is known, else latest if the SKU contains a Kubernetes version",
          "130.3.20240717",
        ).optional(),
      },
      { urn: "cncf-upstream:capi-windows:windows-2019-containerd-gen1:130.3.20240717" },
    ),
    computeGallery: optionalMapping(
      "Image in an Azure Compute Gallery; a community gallery unless subscriptionId and resourceGroup are set",
      {
        gallery: ownText("your gallery", "Gallery", "mygallery"),
        name: ownText("image definition", "Image definition", "capi-windows-2022-containerd"),
        version: ownText("image version", "Version", "1.36.5"),
        subscriptionId: ownUuid("the gallery's subscription", "Subscription of your own gallery").optional(),
        resourceGroup: ownText(
          "the gallery's resource group",
          "Resource group of your own gallery",
          "images",
        ).optional(),
      },
    ),
    id: optionalKey(z.string().regex(/^\/subscriptions\/\S+$/), {
      description: "ARM ID of a managed image or gallery image version",
      placeholder: placeholder("ARM ID of your image"),
      examples: [
        "/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/images/providers/Microsoft.Compute/images/capi",
      ],
    }),
  },
  { computeGallery: { gallery: "mygallery", name: "capi-windows-2022-containerd", version: "1.36.5" } },
);

const percentOrCount = z
  .union([z.int().min(0).max(100), z.string().regex(/^(100|[1-9]?[0-9])%$/)])
  .meta({ examples: [1], allowed: "a number of nodes from 0 to 100, or a percentage such as 25%" });

const rollout = filledMapping("How nodes are replaced when the version or image of a pool changes", {
  maxSurge: percentOrCount.default(defaultPool.rollout.maxSurge).meta({
    description: "Number of nodes above the desired number during a rollout",
    examples: [1],
    allowed: "a number of nodes from 0 to 100, or a percentage such as 25%",
  }),
  maxUnavailable: percentOrCount.default(defaultPool.rollout.maxUnavailable).meta({
    description: "Number of nodes that may be unavailable during a rollout",
    examples: [0],
    allowed: "a number of nodes from 0 to 100, or a percentage such as 25%",
  }),
  deletePolicy: keyWithDefault(z.enum(DeletePolicy), defaultPool.rollout.deletePolicy, {
    description: "Which nodes are deleted first",
    examples: ["Oldest"],
  }),
});

const commandList = (when: string) =>
  keyWithDefault(z.array(z.string().min(1).max(10_240)), [], {
    description: `Commands that run ${when} \`kubeadm join\`; on Windows, they are lines of one batch file. Scripts and programs of an image of your own can be called`,
    allowed: "a list of commands, each at most 10,240 characters",
    examples: [["echo hello"]],
  });

/** What pools of either operating system may have in common. */
const shared = {
  replicas: count(
    "Number of nodes; with autoscale, the autoscaler sets it, starting from min",
    0,
    1000,
    defaultPool.replicas,
  ),
  vmSize: vmSize.default(defaultPool.vmSize),
  kubernetesVersion: kubernetesVersion.optional().meta({
    description:
      "Kubernetes version of the nodes; at most 3 minors older than the cluster's (with kind MachineDeployment of the same minor), never of a newer minor. Default: the cluster's",
    examples: ["v1.36.5"],
  }),
  zones: keyWithDefault(distinctZones, [], {
    allowed: 'a list of "1", "2" and "3", each at most once',
    description: "Availability zones of the scale set; empty means regional",
    examples: [["1", "2", "3"]],
  }),
  autoscale: optionalMapping(
    "Range for the cluster autoscaler, which then sets the number of nodes (addons.clusterAutoscaler installs it)",
    {
      min: count("Minimum number of nodes", 0, 1000, 1),
      max: count("Maximum number of nodes", 1, 1000, 5),
    },
    { min: 2, max: 5 },
  ),
  rollout,
  deletion: poolDeletion,
  ...machineOptions,
  ...nodeSettings,
  vmExtensions,
};

const pool = {
  ...shared,
  image,
  files,
  preKubeadmCommands: commandList("before"),
  postKubeadmCommands: commandList("after"),
};

export const poolDefaults = poolDefaultsOf(shared);

export const linuxPool = mapping("A pool of Linux nodes", {
  ...pool,
  osDiskGB: count("Size of the OS disk in GB", 30, 2048, defaultPool.osDiskGB.linux),
  dataDisks: linuxDataDisks,
  overrides: linuxPoolOverrides,
});

export const windowsPool = mapping("A pool of Windows nodes", {
  ...pool,
  kind: keyWithDefault(z.enum(PoolKind), PoolKind.MachinePool, {
    description:
      "MachinePool creates a scale set. MachineDeployment creates individual VMs in one zone, with a health check; they are also replaced when bootstrap data changes",
    examples: ["MachinePool"],
  }),
  windowsServer: numberedChoice(windowsServers)
    .default(defaultPool.windowsServer)
    .meta({
      description: `Windows Server release of the nodes. Microsoft's security updates for 2022 end on ${supportEnds["2022"].extended}, those for 2025 on ${supportEnds["2025"].extended}; the mainstream support of 2022 ended on ${supportEnds["2022"].mainstream}. 2019 requires the key image, because the community gallery no longer publishes images of it`,
      examples: ["2022"],
    }),
  osDiskGB: count(
    "Size of the OS disk in GB; a Windows image alone takes 30",
    30,
    2048,
    defaultPool.osDiskGB.windows,
  ),
  dataDisks: windowsDataDisks,
  trustedLaunch,
  hybridBenefit: optionalFlag(
    "Whether the machines are to use licences that you have (Azure Hybrid Benefit). CAPZ has no field for it: the program prints the command that sets it, for you to run after each rollout. Default: false",
  ),
  healthCheck: poolHealthCheck,
  deletion: windowsPoolDeletion,
  overrides: windowsPoolOverrides,
});

export const controlPlane = filledMapping("The Linux control plane", {
  os: keyWithDefault(z.literal("linux"), "linux", {
    description: "Operating system of the control plane. Kubernetes has no Windows control plane",
    allowed: "linux: the Kubernetes control plane does not run on Windows; Windows nodes are workers only",
    examples: ["linux"],
  }),
  replicas: keyWithDefault(z.int().min(1).max(7), defaultControlPlane.replicas, {
    description: "Number of machines; odd, because etcd needs a majority. 1 is not suitable for production",
    allowed: "1, 3, 5 or 7",
    examples: [3],
  }),
  vmSize: vmSize.default(defaultControlPlane.vmSize),
  osDiskGB: count("Size of the OS disk in GB", 30, 2048, defaultControlPlane.osDiskGB),
  etcdDiskGB: count("Size of the etcd data disk in GB", 4, 4096, defaultControlPlane.etcdDiskGB),
  image,
  certificatesExpiryDays: keyWithDefault(
    z.union([z.literal(0), z.int().min(leastCertificatesDays).max(180)]),
    defaultControlPlane.certificatesExpiryDays,
    {
      description:
        "Days before the certificates of a machine expire at which Cluster API replaces the control plane's machines, one by one, and so renews them; 0 is never. kubeadm's certificates last a year: without an upgrade or another rollout in that time, the API server stops",
      allowed: `0, or ${leastCertificatesDays} to 180 days`,
      examples: [30],
    },
  ),
  audit,
  encryption,
  authentication,
  podSecurity,
  healthCheck: controlPlaneHealthCheck,
  deletion: controlPlaneDeletion,
  overrides: controlPlaneOverrides,
});

export type LinuxPoolConfig = z.output<typeof linuxPool>;
export type WindowsPoolConfig = z.output<typeof windowsPool>;
