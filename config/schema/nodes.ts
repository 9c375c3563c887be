import { z } from "zod";
import { defaultControlPlane, defaultPool } from "../../domain/machines/defaults";
import { DeletePolicy, PoolKind } from "../../domain/machines/pools";
import { WindowsServer } from "../../domain/machines/windowsReleases";
import { count, diskGB, kubernetesVersion, text, uuid, vmSize, zone } from "./scalars";

/** Machines: images, pools, the control plane. */

const image = z
  .strictObject({
    marketplace: z
      .strictObject({
        urn: text(
          "The whole image as the Azure CLI prints it, instead of the four parts",
          "cncf-upstream:capi-windows:k8s-1dot22dot1-windows-2019-containerd:2021.10.15",
        )
          .optional()
          .meta({ allowed: "publisher:offer:sku:version" }),
        publisher: text("Publisher. Default: cncf-upstream, the Cluster API projects", "cncf-upstream").optional(),
        offer: text("Offer. Default: capi-windows, and capi for Linux", "capi-windows").optional(),
        sku: text(
          "SKU. Default: computed from the Kubernetes version, the Windows release and the runtime",
          "windows-2019-containerd-gen1",
        ).optional(),
        version: text(
          "Version. Default: the published one where it is known, else latest where the SKU is of one Kubernetes version",
          "130.3.20240717",
        ).optional(),
      })
      .optional()
      .meta({
        description:
          "Azure Marketplace image; `marketplace: {}` is the reference image of the pool's Kubernetes version (up to v1.30.3; the offer is withdrawn)",
        examples: [{ urn: "cncf-upstream:capi-windows:windows-2019-containerd-gen1:130.3.20240717" }],
      }),
    computeGallery: z
      .strictObject({
        gallery: text("Gallery", "mygallery"),
        name: text("Image definition", "capi-windows-2022-containerd"),
        version: text("Version", "1.35.6"),
        subscriptionId: uuid.optional().meta({ description: "Subscription of a gallery of your own" }),
        resourceGroup: text("Resource group of a gallery of your own", "images").optional(),
      })
      .optional()
      .meta({
        description: "Azure Compute Gallery; without subscriptionId and resourceGroup a community gallery",
      }),
    id: z
      .string()
      .startsWith("/subscriptions/")
      .optional()
      .meta({
        description: "ARM id of a managed image or gallery version",
        examples: [
          "/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/images/providers/Microsoft.Compute/images/capi",
        ],
      }),
  })
  .optional()
  .meta({
    description:
      "VM image, exactly one form. Default: CAPZ's community gallery image of the pool's Kubernetes version (a reference image: build your own for production)",
    examples: [
      { computeGallery: { gallery: "mygallery", name: "capi-windows-2022-containerd", version: "1.35.6" } },
    ],
  });

const percentOrCount = z
  .union([z.int().min(0).max(100), z.string().regex(/^(100|[1-9]?[0-9])%$/)])
  .meta({ examples: [1], allowed: "a number of nodes from 0 to 100, or a percentage such as 25%" });

const rollout = z
  .strictObject({
    maxSurge: percentOrCount.default(defaultPool.rollout.maxSurge).meta({
      description: "Nodes above the wanted number while a pool rolls",
      examples: [1],
      allowed: "a number of nodes from 0 to 100, or a percentage such as 25%",
    }),
    maxUnavailable: percentOrCount.default(defaultPool.rollout.maxUnavailable).meta({
      description: "Nodes that may be missing while a pool rolls",
      examples: [0],
      allowed: "a number of nodes from 0 to 100, or a percentage such as 25%",
    }),
    deletePolicy: z
      .enum(DeletePolicy)
      .default(defaultPool.rollout.deletePolicy)
      .meta({ description: "Which nodes go first", examples: ["Oldest"] }),
  })
  .prefault({})
  .meta({ description: "How a pool rolls when its version or image changes" });

const commandList = (when: string) =>
  z
    .array(z.string().min(1).max(10_240))
    .default([])
    .meta({
      description: `Commands ${when} \`kubeadm join\`; on Windows lines of one batch file`,
      allowed: "a list of commands, each at most 10,240 characters",
      examples: [["echo hello"]],
    });

const file = z
  .strictObject({
    path: text("Absolute path on the node", "C:/k/motd.txt"),
    content: z.string().meta({ description: "Contents; passed on byte for byte", examples: ["hello"] }),
    permissions: z
      .string()
      .regex(/^[0-7]{4}$/)
      .default("0644")
      .meta({ description: "Octal mode; Windows takes no notice", allowed: "four octal digits", examples: ["0644"] }),
  })
  .meta({ description: "A file of your own" });

const pool = {
  replicas: count(
    "Number of nodes; with autoscale it is left to the autoscaler, which starts from min",
    0,
    1000,
    defaultPool.replicas,
  ),
  vmSize: vmSize.default(defaultPool.vmSize),
  kubernetesVersion: kubernetesVersion.optional().meta({
    description: "Version of this pool's nodes. Default: the cluster's; at most 3 minors older, never newer",
    examples: ["v1.35.6"],
  }),
  zones: z
    .array(zone)
    .refine((zones) => new Set(zones).size === zones.length)
    .default([])
    .meta({
      allowed: 'a list of "1", "2" and "3", each at most once',
      description: "Availability zones of the scale set; empty means regional",
      examples: [["1", "2", "3"]],
    }),
  autoscale: z
    .strictObject({
      min: count("Smallest number of nodes", 0, 1000, 1),
      max: count("Largest number of nodes", 1, 1000, 5),
    })
    .optional()
    .meta({
      description: "Range of the cluster autoscaler, which then owns the number of nodes",
      examples: [{ min: 2, max: 5 }],
    }),
  image,
  rollout,
  files: z
    .array(file)
    .default([])
    .meta({
      description: "Further files of each node. No secrets: the data stays readable on the node",
      allowed: "a list of {path, content, permissions}",
      examples: [[{ path: "/etc/motd", content: "hello" }]],
    }),
  preKubeadmCommands: commandList("before"),
  postKubeadmCommands: commandList("after"),
};

export const linuxPool = z
  .strictObject({ ...pool, osDiskGB: diskGB("Size of the OS disk", 30, 2048, defaultPool.osDiskGB.linux) })
  .meta({ description: "A pool of Linux nodes" });

export const windowsPool = z
  .strictObject({
    ...pool,
    kind: z
      .enum(PoolKind)
      .default(PoolKind.MachinePool)
      .meta({
        description:
          "MachinePool is a scale set. MachineDeployment is single machines: with a health check, in one zone, and rolled by changes of bootstrap data too",
        examples: ["MachinePool"],
      }),
    windowsServer: z
      .enum(WindowsServer)
      .default(defaultPool.windowsServer)
      .meta({
        description:
          "Windows Server release of the nodes. 2019 needs an image: the community gallery gets none any more",
        examples: ["2022"],
      }),
    osDiskGB: diskGB("Size of the OS disk; Windows images alone take 30", 30, 2048, defaultPool.osDiskGB.windows),
  })
  .meta({ description: "A pool of Windows nodes" });

export const controlPlane = z
  .strictObject({
    os: z
      .literal("linux")
      .default("linux")
      .meta({
        description: "Operating system of the control plane. Kubernetes has no Windows control plane",
        allowed:
          "linux: the Kubernetes control plane does not run on Windows; Windows nodes are workers only",
        examples: ["linux"],
      }),
    replicas: z
      .int()
      .min(1)
      .max(7)
      .default(defaultControlPlane.replicas)
      .meta({
        description: "Number of machines, odd because etcd needs a majority. 1 is not for production",
        allowed: "1, 3, 5 or 7",
        examples: [3],
      }),
    vmSize: vmSize.default(defaultControlPlane.vmSize),
    osDiskGB: diskGB("Size of the OS disk", 30, 2048, defaultControlPlane.osDiskGB),
    etcdDiskGB: diskGB("Size of etcd's data disk", 4, 4096, defaultControlPlane.etcdDiskGB),
    image,
  })
  .prefault({})
  .meta({ description: "The Linux control plane" });

export type LinuxPoolConfig = z.output<typeof linuxPool>;
export type WindowsPoolConfig = z.output<typeof windowsPool>;
export type ImageConfig = NonNullable<z.output<typeof image>>;
