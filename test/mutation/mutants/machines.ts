import { inFile, type Mutant } from "./mutant";

export const machines: readonly Mutant[] = [
  ...inFile("bootstrap/controlPlane.ts", [
    [
      '? [{ name: "cloud-provider", value: "external" }]',
      "? []",
      "two cloud providers work against each other",
    ],
    ["dataDir: `${etcdMount}/etcd`", 'dataDir: "/var/lib/etcd"', "etcd on the OS disk"],
    ["8 * 1024 ** 3", "2 * 1024 ** 3", "etcd runs full"],
    ["deviceOfLun(0)", "deviceOfLun(1)", "etcd's disk is not found"],
    [
      "joinConfiguration: { nodeRegistration, ...patches, timeouts }",
      "joinConfiguration: { nodeRegistration, ...patches }",
      "the webhook refuses",
    ],
    ['replaceFS: "ntfs"', 'replaceFS: "ext4"', "the temporary disk stays NTFS"],
  ]),
  ...inFile("components/controlPlane/manifests.ts", [
    ['osType: "Linux"', 'osType: "Windows"', "a control plane of Windows"],
    [
      "sshPublicKey: encodedSshKey(args.sshPublicKey)",
      "sshPublicKey: args.sshPublicKey",
      "the webhook refuses the key",
    ],
    ["hashedName(base, unnamed.spec?.template.spec)", "base", "a changed template is refused as immutable"],
    [
      "providerID: `azure://${args.identityId}`",
      "providerID: args.identityId",
      "CAPZ does not find the identity",
    ],
    ["rollingUpdate: { maxSurge: 1 }", "rollingUpdate: { maxSurge: 0 }", "one machine can never roll"],
    ['cachingType: "None"', 'cachingType: "ReadWrite"', "etcd loses what the cache had"],
    ["replicas: args.replicas,", "replicas: 1,", "one machine for every stack"],
  ]),
  ...inFile("components/controlPlane/linuxControlPlane.ts", [
    ["replicas > 1", "replicas > 3", "three machines without a health check"],
    [
      "childOf(this, opts, template, ...keys)",
      "childOf(this, opts, ...keys)",
      "the old template goes before the new one is used",
    ],
  ]),
  ...inFile("platform/machines/naming.ts", [
    ["windowsPrefixLimit = 9", "windowsPrefixLimit = 15", "Azure refuses the prefix"],
    ["poolName.slice(-5)", "poolName.slice(-6)", "predicted names are wrong"],
    ['.padStart(6, "0")', '.padStart(5, "0")', "predicted names are wrong"],
  ]),
  ...inFile("components/machinePool/machineSpec.ts", [
    ['osType: args.os === "windows" ? "Windows" : "Linux"', 'osType: "Linux"', "Windows is treated as Linux"],
    [
      'sshPublicKey: args.os === "windows" ? undefined',
      'sshPublicKey: args.os === "windows" ? ""',
      "CAPZ makes a key that no user has",
    ],
    [
      'spot.evictionPolicy ?? "Delete"',
      'spot.evictionPolicy ?? "Deallocate"',
      "evicted machines stay as dead nodes",
    ],
    ['identity: "UserAssigned",', 'identity: "None",', "the webhook refuses identities without their type"],
  ]),
  ...inFile("bootstrap/kubeletConfig.ts", [
    ['const byDefault = os === "windows"', 'const byDefault = os === "linux"', "pods take Windows' memory"],
  ]),
  ...inFile("capi/waits.ts", [
    [
      "@.replicas == @.deprecated.v1beta1.updatedReplicas",
      "@.replicas == @.replicas",
      "a lost machine is not replaced while its pool rolls",
    ],
  ]),
  ...inFile("components/machinePool/manifests.ts", [
    [
      "rollingUpdate: args.rollout",
      "rollingUpdate: { ...args.rollout, maxSurge: args.rollout.maxUnavailable }",
      "a pool never rolls",
    ],
    [
      "replicas: autoscale ? undefined : args.replicas",
      "replicas: args.replicas",
      "Pulumi and the autoscaler fight",
    ],
    ["...autoscalerAnnotations(args),", "...{},", "without annotations the replicas fall to 1"],
    ["...autoscalerCapacity(args),", "...{},", "the autoscaler never starts a pool without nodes"],
    ["failureDomains: args.zones", "failureDomains: []", "zones are lost"],
    ["version: args.kubernetesVersion,", 'version: "v1.35.6",', "a pool of another version"],
    [
      "hashedName(object.metadata.name, content)",
      "object.metadata.name",
      "changed bootstrap data reaches no new node",
    ],
    ["{ additionalTags: args.tags }", "{}", "no tags on the machines"],
  ]),
  ...inFile("components/machinePool/poolResources.ts", [
    ["childOf(parent, opts, bootstrap, infrastructure)", "childOf(parent, opts)", "objects go in any order"],
    ["contentHash(Object.values(objects))", 'contentHash("")', "a changed pool is not waited for"],
  ]),
  ...inFile("platform/machines/images.ts", [
    [
      'version: kubernetesVersion.replace(/^v/, "")',
      "version: kubernetesVersion",
      "the gallery has no such version",
    ],
  ]),
  ...inFile("platform/machines/communityGallery.ts", [
    ["`capi-win-${windowsServer}-containerd`", "`capi-win-2022-containerd`", "Windows 2025 pools run 2022"],
  ]),
  ...inFile("bootstrap/windows.ts", [
    ['effect: "NoExecute"', 'effect: "NoSchedule"', "the node cannot register"],
    [
      "registerWithTaints: [uninitializedTaint, ",
      "registerWithTaints: [",
      "the node never gets its provider id",
    ],
    ["npipe:////./pipe/containerd-containerd", "npipe:////./pipe/docker", "kubeadm finds no runtime"],

    ['groups: "Administrators"', 'groups: "Users"', "no administrator can help the node"],
    ["sshAuthorizedKeys: keys", "sshAuthorizedKeys: []", "no user can log in"],
    ["*S-1-5-18:F", "*S-1-1-0:F", "sshd refuses a file that everybody can write"],
    ['[runScript("C:/restart-kubelet.ps1")],', "", "kubelet runs without its patch"],
    [
      "...taintField(args.taints),",
      "",
      "images that start kubelet with flags register it without the taints",
    ],
    [
      "] : [`${runScript(",
      "] : [], [] as string[] || [`${runScript(",
      "nodes of a native kubelet have no labels",
    ],
  ]),
  ...inFile("bootstrap/kubeletConfig.ts", [
    ["join: { patches: { directory } }", "join: {}", "the taint never reaches kubelet"],
    ["kubeletconfiguration0+strategic.yaml", "kubelet.yaml", "kubeadm takes no notice of the patch"],
    ["pulls === undefined ? undefined : pulls === 1,", "undefined,", "kubelet refuses parallel pulls"],
  ]),
  ...inFile("bootstrap/kubelet.ts", [
    ['? [{ name: "cloud-provider", value: "external" }]', "? []", "no node gets its provider id"],
    ['{ name: "cloud-provider", value: "azure" },', "", "old nodes know no load balancer"],
  ]),
  ...inFile("bootstrap/mtu.ts", [["${mtu} || exit 1`", "${mtu}`", "a node with the wrong MTU joins"]]),
  ...inFile("bootstrap/set-mtu.sh", [
    ["driver: $driver", "", "accelerated networking's second interface becomes eth0"],
  ]),
  ...inFile("bootstrap/files.ts", [
    [
      "contentFrom: { secret: { name: secret, key } }",
      'contentFrom: { secret: { name: secret, key: "azure.json" } }',
      "the key is not in the secret",
    ],
  ]),
];
