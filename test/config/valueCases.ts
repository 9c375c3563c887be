import type { Case } from "./ruleCases";

/** Values of the right type that cannot work. */

const win = (pool: object) => ({ windowsPools: { win1: pool } });
const linux = (pool: object) => ({ linuxPools: { linux1: pool } });
const own = { computeGallery: { gallery: "mine", name: "own", version: "1.2.3" } };
const vmSize = "windowsPools.win1.vmSize";
const generation =
  "a size that boots images of Hyper-V generation 2 only, and the reference images of the Cluster API projects are of generation 1";
const arm = "a size with Arm processors";
const moving =
  "each new node gets the image that is newest at that time: the nodes of a pool differ, a plan cannot show it, and no rollout follows";
const early =
  "this stops or restarts the machine before it has joined: cloud-init and cloudbase-init do not run the commands after it, so it never becomes a node";
const second =
  "Cluster API runs kubeadm join itself, once, with a token that is valid for minutes: a second join, an init or a reset breaks the node";
const domain = "this joins the machine to a domain";
const command = (text: string) => win({ preKubeadmCommands: [text] });
const script = (content: string) => win({ files: [{ path: "C:/x.ps1", content }] });
const patch = (content: string) =>
  win({ files: [{ path: "C:\\k\\patches\\kubeletconfiguration1+strategic.yaml", content }] });

export const sizeCases: readonly Case[] = [
  [
    "a v6 size with the default image",
    win({ vmSize: "Standard_D4s_v6" }),
    `${vmSize}: ${generation}`,
    win({ vmSize: "Standard_D4s_v5" }),
  ],
  [
    "a v6 size of AMD with a Marketplace image",
    {
      kubernetesVersion: "v1.30.3",
      ...win({ vmSize: "Standard_D8ads_v6", windowsServer: "2019", image: { marketplace: {} } }),
    },
    `${vmSize}: ${generation}`,
    win({ vmSize: "Standard_D8ads_v6", image: own }),
  ],
  [
    "a confidential size",
    win({ vmSize: "Standard_DC4as_v5" }),
    `${vmSize}: ${generation}`,
    win({ vmSize: "Standard_DC4as_v5", image: own }),
  ],
  [
    "a GPU of generation 2",
    linux({ vmSize: "Standard_NC24ads_A100_v4" }),
    `linuxPools.linux1.vmSize: ${generation}`,
    linux({ vmSize: "Standard_NC16as_T4_v3" }),
  ],
  [
    "Arm for Windows, even with an image of one's own",
    win({ vmSize: "Standard_D4ps_v5", image: own }),
    `${vmSize}: ${arm}, and Windows nodes`,
    linux({ vmSize: "Standard_D4ps_v5", image: own }),
  ],
  [
    "Arm with the default image",
    linux({ vmSize: "Standard_D4ps_v5" }),
    `linuxPools.linux1.vmSize: ${arm}, and the reference images`,
    linux({ vmSize: "Standard_D4s_v5" }),
  ],
  [
    "a control plane whose etcd disk would not be found",
    { controlPlane: { vmSize: "Standard_D4s_v6", image: own } },
    "controlPlane.vmSize: a size with NVMe disks: the control plane finds etcd's disk by a path that exists with SCSI only",
    { controlPlane: { vmSize: "Standard_D4s_v5", image: own } },
  ],
  [
    "a size without premium disks",
    win({ vmSize: "Standard_D2_v3" }),
    `${vmSize}: a size that takes no premium disks, and the OS disk of each node is one (Premium_LRS)`,
    win({ vmSize: "Standard_D2s_v3" }),
  ],
  [
    "the same of the control plane",
    { controlPlane: { vmSize: "Standard_D2_v2" } },
    "controlPlane.vmSize: a size that takes no premium disks",
    { controlPlane: { vmSize: "Standard_DS2_v2" } },
  ],
  [
    "the same of an old family",
    linux({ vmSize: "Standard_F4" }),
    "linuxPools.linux1.vmSize: a size that takes no premium disks",
    linux({ vmSize: "Standard_F4s_v2" }),
  ],
];

export const valueCases: readonly Case[] = [
  ...sizeCases,
  [
    "a patch that an ended minor never had",
    { kubernetesVersion: "v1.33.99" },
    "kubernetesVersion: Kubernetes 1.33 ended with v1.33.13, so there is no v1.33.99",
    { kubernetesVersion: "v1.33.13" },
  ],
  [
    "the same of a pool",
    win({ kubernetesVersion: "v1.34.14" }),
    "windowsPools.win1.kubernetesVersion: Kubernetes 1.34 ended with v1.34.13, so there is no v1.34.14",
    win({ kubernetesVersion: "v1.34.13" }),
  ],
  [
    "latest in a gallery of one's own",
    win({ image: { computeGallery: { gallery: "mine", name: "own", version: "latest" } } }),
    `windowsPools.win1.image.computeGallery.version: ${moving}`,
    win({ image: own }),
  ],
  [
    "latest of another publisher",
    win({ image: { marketplace: { publisher: "p", offer: "o", sku: "s", version: "latest" } } }),
    `windowsPools.win1.image.marketplace.version: ${moving}`,
    win({ image: { marketplace: { publisher: "p", offer: "o", sku: "s", version: "1.0.0" } } }),
  ],
  [
    "latest in a URN",
    win({ image: { marketplace: { urn: "p:o:s:latest" } } }),
    `windowsPools.win1.image.marketplace.urn: ${moving}`,
    win({ image: { marketplace: { urn: "p:o:s:1.0.0" } } }),
  ],
  [
    "a reboot before the join",
    command("powershell Restart-Computer -Force"),
    `windowsPools.win1.preKubeadmCommands[0]: ${early}`,
    win({ postKubeadmCommands: ["powershell Restart-Computer -Force"] }),
  ],
  [
    "shutdown /r before the join",
    command("shutdown /r /t 0"),
    `windowsPools.win1.preKubeadmCommands[0]: ${early}`,
    command("shutdown /a"),
  ],
  [
    "reboot on Linux before the join",
    linux({ preKubeadmCommands: ["apt-get install -y x && reboot"] }),
    `linuxPools.linux1.preKubeadmCommands[0]: ${early}`,
    linux({ preKubeadmCommands: ["echo no reboot needed"] }),
  ],
  [
    "a script with a reboot that runs before the join",
    win({
      files: [{ path: "C:/x.ps1", content: "Restart-Computer" }],
      preKubeadmCommands: ["powershell -File C:/x.ps1"],
    }),
    `windowsPools.win1.files[0].content: ${early}`,
    script("Restart-Computer"),
  ],
  [
    "a second join",
    command("kubeadm join 10.0.0.1:6443 --token x"),
    `windowsPools.win1.preKubeadmCommands[0]: ${second}`,
    command("echo kubeadm joins by itself"),
  ],
  [
    "kubeadm reset in a script",
    script("& C:/k/kubeadm.exe reset"),
    `windowsPools.win1.files[0].content: ${second}`,
    script("& C:/k/kubeadm.exe version"),
  ],
  [
    "joining a domain",
    command("powershell Add-Computer -DomainName corp"),
    `windowsPools.win1.preKubeadmCommands[0]: ${domain}`,
    command("powershell Get-ComputerInfo"),
  ],
  [
    "joining a domain on Linux",
    linux({ postKubeadmCommands: ["realm join corp.example"] }),
    `linuxPools.linux1.postKubeadmCommands[0]: ${domain}`,
    linux({ postKubeadmCommands: ["realm list"] }),
  ],
  [
    "a patch of kubelet with taints of its own",
    patch("apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\nregisterWithTaints: []\n"),
    "windowsPools.win1.files[0].path: kubeadm replaces the program's list with this one, and without the program's taint the cloud provider never initializes a new node",
    patch("apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\nmaxPods: 30\n"),
  ],
  [
    "kubelet's configuration as a file",
    linux({ files: [{ path: "/var/lib/kubelet/config.yaml", content: "maxPods: 30" }] }),
    "linuxPools.linux1.files[0].path: kubeadm writes this file when the node joins, and what you write is lost",
    linux({ files: [{ path: "/var/lib/kubelet/own.yaml", content: "maxPods: 30" }] }),
  ],
  [
    "more tags than Azure takes",
    { tags: Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`t${index}`, "x"])) },
    "tags: ",
    { tags: Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`t${index}`, "x"])) },
  ],
];
