import { z } from "zod";
import { cidr, kubernetesVersion, poolName, uuid, vmSize, zone } from "./scalars";
import { pinnedVersions } from "./versions";

/**
 * What a stack may say. The only source of types, defaults, the JSON Schema for editors, the option table in
 * docs/config.md and the allowed values in error texts. `examples[0]` of a node is what the report tells to write.
 */

const count = (description: string, minimum: number, maximum: number, byDefault: number) =>
  z.int().min(minimum).max(maximum).default(byDefault).meta({ description, examples: [byDefault] });

const diskGB = (description: string, minimum: number, maximum: number, byDefault: number) =>
  count(`${description}, in GB`, minimum, maximum, byDefault);

const name = (description: string, example: string) =>
  z.string().min(1).meta({ description, examples: [example] });

const image = z
  .strictObject({
    marketplace: z
      .strictObject({
        publisher: name("Publisher", "cncf-upstream"),
        offer: name("Offer", "capi-windows"),
        sku: name("SKU", "windows-2022-containerd-gen1"),
        version: name("Version", "131.5.20250115"),
      })
      .optional()
      .meta({ description: "Azure Marketplace image, all four parts" }),
    computeGallery: z
      .strictObject({
        gallery: name("Gallery", "mygallery"),
        name: name("Image definition", "capi-windows-2022-containerd"),
        version: name("Version", "1.35.6"),
        subscriptionId: uuid.optional().meta({ description: "Subscription of a gallery of your own" }),
        resourceGroup: name("Resource group of a gallery of your own", "images").optional(),
      })
      .optional()
      .meta({
        description: "Azure Compute Gallery; without subscriptionId and resourceGroup a community gallery",
      }),
    id: z.string().startsWith("/subscriptions/").optional().meta({
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
    maxSurge: percentOrCount.default(1).meta({
      description: "Nodes above the wanted number while a pool rolls",
      examples: [1],
      allowed: "a number of nodes from 0 to 100, or a percentage such as 25%",
    }),
    maxUnavailable: percentOrCount.default(0).meta({
      description: "Nodes that may be missing while a pool rolls",
      examples: [0],
      allowed: "a number of nodes from 0 to 100, or a percentage such as 25%",
    }),
    deletePolicy: z
      .enum(["Oldest", "Newest", "Random"])
      .default("Oldest")
      .meta({ description: "Which nodes go first", examples: ["Oldest"] }),
  })
  .prefault({})
  .meta({ description: "How a pool rolls when its version or image changes" });

const pool = {
  replicas: count("Number of nodes; with autoscale it is left to the autoscaler, which starts from min", 0, 1000, 2),
  vmSize: vmSize.default("Standard_D4s_v5"),
  kubernetesVersion: kubernetesVersion.optional().meta({
    description: "Version of this pool's nodes. Default: the cluster's; at most 3 minors older, never newer",
    examples: ["v1.35.6"],
  }),
  zones: z
    .array(zone)
    .default([])
    .meta({ description: "Availability zones of the scale set; empty means regional", examples: [["1", "2", "3"]] }),
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
};

const linuxPool = z
  .strictObject({ ...pool, osDiskGB: diskGB("Size of the OS disk", 30, 2048, 64) })
  .meta({ description: "A pool of Linux nodes" });

const windowsPool = z
  .strictObject({
    ...pool,
    windowsServer: z
      .enum(["2022", "2025"])
      .default("2022")
      .meta({ description: "Windows Server release of the nodes", examples: ["2022"] }),
    osDiskGB: diskGB("Size of the OS disk; Windows images alone take 30", 30, 2048, 128),
  })
  .meta({ description: "A pool of Windows nodes" });

const azure = z
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

const management = z
  .discriminatedUnion("kind", [
    z
      .strictObject({
        kind: z.literal("aks"),
        kubernetesVersion: z
          .string()
          .regex(/^1\.[0-9]+(\.[0-9]+)?$/)
          .default("1.35")
          .meta({
            description: "Kubernetes version of the AKS cluster; two parts let AKS pick the patch",
            allowed: "1.MINOR or 1.MINOR.PATCH",
            examples: ["1.35"],
          }),
        nodeCount: count("Smallest number of nodes of the system pool", 1, 100, 3),
        maxNodeCount: count("Largest number of nodes of the system pool", 1, 100, 5),
        nodeSize: vmSize.default("Standard_D4s_v5"),
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

const version = (description: string, byDefault: string) =>
  z
    .string()
    .regex(/^v?[0-9]+\.[0-9]+\.[0-9]+$/)
    .default(byDefault)
    .meta({ description, allowed: "MAJOR.MINOR.PATCH", examples: [byDefault] });

const clusterApi = z
  .strictObject({
    install: z
      .boolean()
      .default(true)
      .meta({
        description: "Install cert-manager, the Cluster API operator and the providers; false when they are there",
        examples: [true],
      }),
    certManagerVersion: version("cert-manager chart", pinnedVersions.certManager),
    operatorVersion: version("Cluster API operator chart", pinnedVersions.clusterApiOperator),
    coreVersion: version("Core, bootstrap and control plane providers", pinnedVersions.clusterApi),
    azureVersion: version("CAPZ; go forward one minor at a time", pinnedVersions.capz),
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

const network = z
  .strictObject({
    vnetCidr: cidr.default("10.10.0.0/16").meta({ description: "Address range of the VNET" }),
    controlPlaneSubnetCidr: cidr
      .optional()
      .meta({ description: "Subnet of the control plane. Default: the first /24 of the VNET (or its first quarter)" }),
    nodeSubnetCidr: cidr
      .optional()
      .meta({ description: "Subnet of all pools. Default: the upper half of the VNET" }),
    podCidr: cidr.default("192.168.0.0/16").meta({ description: "Pod addresses (Calico, VXLAN)" }),
    serviceCidr: cidr.default("10.96.0.0/12").meta({ description: "Service addresses" }),
    mtu: z
      .int()
      .min(1330)
      .max(1400)
      .default(1400)
      .meta({
        description: "MTU of the VNET in bytes. Azure fragments above 1400; pods get 50 less (VXLAN)",
        examples: [1400],
      }),
  })
  .prefault({})
  .meta({ description: "The VNET of the workload cluster and the cluster network" });

const controlPlane = z
  .strictObject({
    os: z
      .literal("linux")
      .default("linux")
      .meta({
        description: "Operating system of the control plane. Kubernetes has no Windows control plane",
        allowed: "linux: the Kubernetes control plane does not run on Windows; Windows nodes are workers only",
        examples: ["linux"],
      }),
    replicas: z.int().min(1).max(7).default(3).meta({
      description: "Number of machines, odd because etcd needs a majority. 1 is not for production",
      allowed: "1, 3, 5 or 7",
      examples: [3],
    }),
    vmSize: vmSize.default("Standard_D4s_v5"),
    osDiskGB: diskGB("Size of the OS disk", 30, 2048, 128),
    etcdDiskGB: diskGB("Size of etcd's data disk", 4, 4096, 256),
    image,
  })
  .prefault({})
  .meta({ description: "The Linux control plane" });

const addons = z
  .strictObject({
    calicoVersion: z
      .enum(["v3.30.7", "v3.31.7", "v3.32.1"])
      .optional()
      .meta({
        description: "Calico release. Default: v3.31.7, and v3.32.1 from Kubernetes 1.35 on",
        examples: ["v3.32.1"],
      }),
    kubeProxyWindowsImage: z.string().min(1).optional().meta({
      description:
        "kube-proxy image for Windows. Default: sigwindowstools/kube-proxy:<version>-calico-hostprocess; name another patch when that tag is not published yet",
      examples: ["sigwindowstools/kube-proxy:v1.35.5-calico-hostprocess"],
    }),
    cloudProviderAzureTag: z
      .string()
      .regex(/^v1\.[0-9]+\.[0-9]+$/)
      .optional()
      .meta({
        description: "Image tag of cloud-provider-azure. Default: by the cluster's minor version",
        allowed: "v1.MINOR.PATCH",
        examples: ["v1.35.4"],
      }),
  })
  .prefault({})
  .meta({ description: "What the ClusterResourceSets deliver" });

const access = z
  .strictObject({
    sshPublicKey: z.string().meta({
      description: "Public key of the user capi on every node, Linux and Windows",
      allowed: "one line: ssh-ed25519, ssh-rsa or ecdsa-sha2-nistp256/384/521, then the key",
      examples: ["ssh-ed25519 AAAA... you@example.com"],
    }),
    allowedCidrs: z
      .array(cidr)
      .default([])
      .meta({
        description:
          "Who may reach the API server (6443) and ssh of the control plane (22) from the Internet; empty means nobody but the management cluster",
        examples: [["203.0.113.0/24"]],
      }),
  })
  .meta({
    description: "Access to the cluster and its nodes",
    examples: [{ sshPublicKey: "ssh-ed25519 AAAA... you@example.com" }],
  });

export const stackSchema = z.strictObject({
  clusterName: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,42}[a-z0-9]$/)
    .meta({
      description: "Name of the workload cluster and of most things in Azure",
      allowed: "2–44 characters: a–z, 0–9 and -, the first and the last a letter or digit",
      examples: ["my-cluster"],
    }),
  namespace: z
    .string()
    .regex(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/)
    .optional()
    .meta({
      description: "Namespace in the management cluster. Default: clusterName",
      allowed: "1–63 characters: a–z, 0–9 and -",
      examples: ["my-cluster"],
    }),
  kubernetesVersion: kubernetesVersion.meta({
    description: "Kubernetes version of the workload cluster",
    examples: ["v1.35.6"],
  }),
  flavor: z.enum(["containerd"]).default("containerd").meta({
    description: "Container runtime and CNI: containerd with Calico",
    examples: ["containerd"],
  }),
  azure,
  management,
  managementKubeconfig: z.string().min(1).optional().meta({
    description:
      "SECRET. Kubeconfig of the existing management cluster: pulumi config set --secret managementKubeconfig < kubeconfig",
    secret: true,
    examples: ["(set it with: pulumi config set --secret managementKubeconfig < FILE)"],
  }),
  clusterApi,
  network,
  controlPlane,
  linuxPools: z
    .record(poolName, linuxPool)
    .default({})
    .meta({ description: "Linux pools by name", examples: [{ linux1: {} }] }),
  windowsPools: z
    .record(poolName, windowsPool)
    .default({})
    .meta({
      description: "Windows pools by name. Up to 9 characters the name is also the scale set's and the nodes' prefix",
      examples: [{ win1: {} }],
    }),
  addons,
  access,
  tags: z
    .record(z.string().min(1).max(512), z.string().max(256))
    .default({})
    .meta({ description: "Azure tags of everything that is made", examples: [{ team: "platform" }] }),
  protect: z
    .boolean()
    .default(true)
    .meta({
      description: "Refuse to delete resource groups, the VNET, the management cluster and the Cluster object",
      examples: [true],
    }),
  wait: z.enum(["nodes", "controlPlane", "none"]).default("controlPlane").meta({
    description:
      "How long `pulumi up` waits: until every pool runs, until the control plane answers, or not at all (then no workload kubeconfig is read)",
    examples: ["controlPlane"],
  }),
});

export type StackConfig = z.output<typeof stackSchema>;
export type LinuxPoolConfig = z.output<typeof linuxPool>;
export type WindowsPoolConfig = z.output<typeof windowsPool>;
export type ImageConfig = NonNullable<z.output<typeof image>>;

/** Keys whose values are secrets: never echoed, wrapped in `pulumi.secret` at the boundary. */
export const secretKeys = ["managementKubeconfig"] as const;
