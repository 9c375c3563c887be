import type { ForeignKey } from "./foreignKey";
import { absent, moved } from "./foreignKey";
import { identityIdsOf } from "./values";

/** Keys of single machines and of what runs on them, such as files, commands and users. */
export const machineKeys: readonly ForeignKey[] = [
  absent(
    "template machineTemplate spec",
    "the keys of a machine belong directly below the name of its pool, or below controlPlane",
    "replicas, vmSize, zones and the other keys of docs/config.md; overrides for fields without a key",
    { within: ["pool", "controlPlane"], holds: "siblings" },
  ),
  absent(
    "bootstrap bootstrapConfig kubeadmConfig kubeadmConfigSpec joinConfiguration clusterConfiguration initConfiguration infrastructureRef bootstrapProvider bootstrapFormat format",
    "nodes are set up by kubeadm, whose configuration this program writes; npm run plan shows it",
    "files and commands of each pool, or overrides with a patch of KubeadmConfig or KubeadmControlPlane",
  ),
  moved("preCommands preBootstrapCommands userDataCommands bootCommands runcmd", "commands before kubeadm", [
    "pool.preKubeadmCommands",
  ]),
  moved("postCommands postBootstrapCommands", "commands after kubeadm", ["pool.postKubeadmCommands"]),
  moved("extraFiles writeFiles additionalFiles", "files on each node", ["pool.files"], { within: ["pool"] }),
  moved("mode", "the mode of a file", ["file.permissions"], { within: ["file"] }),
  moved("text contents data", "the content of a file", ["file.content"], { within: ["file"] }),
  absent(
    "owner encoding append",
    "a file is written byte for byte and belongs to root or the administrators",
    "path, content and permissions; postKubeadmCommands can change the rest",
    { within: ["file"] },
  ),
  absent(
    "files preKubeadmCommands postKubeadmCommands",
    "no key adds files or commands to control plane machines, because they would decide about upgrades",
    "files, preKubeadmCommands and postKubeadmCommands of pools",
    { within: ["controlPlane"] },
  ),
  absent(
    "user users username adminUser adminUsername sshUser",
    "the user is always capi: Azure makes it on Linux, and the bootstrap data on Windows",
    "access.sshPublicKey, with which capi logs in",
  ),
  absent(
    "passwordAuthentication sshEnabled enableSsh sshAccess",
    "SSH with the public key is always on, and with a password always off",
    "access.sshPublicKey and access.allowedCidrs",
  ),
  absent(
    "enableNodePublicIP enableVMSSNodePublicIP allocatePublicIP publicIP nodePublicIpPrefixId ports loadBalancerBackendAddressPoolIDs",
    "nodes have no public addresses: they reach the Internet through the NAT gateway of the VNET",
    "a Service of type LoadBalancer, or ssh through the control plane (docs/operations.md)",
  ),
  absent(
    "diagnostics bootDiagnostics",
    "boot diagnostics are always on, in storage that Azure manages",
    "overrides with a patch of AzureMachinePool, for storage of your own",
  ),
  absent(
    "minReadySeconds progressDeadlineSeconds providerID providerIDList selector",
    "Cluster API sets this by itself",
    "rollout, for how nodes are replaced",
    { within: ["pool"] },
  ),
  absent(
    "enableFips fips fipsImage",
    "FIPS is a property of the VM image",
    "image, for one that you have built so (docs/images.md)",
  ),
  absent(
    "gpuInstanceProfile gpuProfile gpu",
    "drivers of GPUs are a property of the VM image",
    "vmSize with a GPU and image with its driver (docs/images.md)",
  ),
  absent(
    "scaleDownMode powerState snapshotId creationData workloadRuntime podIPAllocationMode messageOfTheDay kubeletDiskType virtualMachinesProfile virtualMachineNodesStatus gatewayProfile localDNSProfile allowedHostPorts asgIds nodeImageVersion linuxOSConfig sysctls disableVMBootstrapExtension",
    "this is a feature of AKS or of its agents, which machines of CAPZ do not have",
    "files and commands, for further settings of a node; overrides for fields of CAPZ",
    { within: ["pool"] },
  ),
  absent(
    "runtimes isolation isolationType",
    "containers run in process isolation, unless a pod asks for Hyper-V isolation by its RuntimeClass",
    "workloads.hyperV, which adds these RuntimeClasses (docs/workloads.md)",
  ),
  moved("hyperv hypervIsolation", "Hyper-V isolation for pods", ["workloads.hyperV"], {
    within: ["pool", "cluster", "addons"],
  }),
  moved(
    "identity userAssignedIdentities userAssignedIdentity managedIdentity",
    "the user-assigned identities of machines",
    ["pool.identityIds"],
    { as: identityIdsOf, within: ["pool"] },
  ),
  absent(
    "systemAssignedIdentityRole roleAssignmentName",
    "machines of pools have no system-assigned identity",
    "identityIds for user-assigned ones, or overrides with a patch of AzureMachinePool",
    { within: ["pool"] },
  ),
  absent(
    "licenseType enableAhub ahub",
    "CAPZ has no field for the Azure Hybrid Benefit",
    "hybridBenefit of a Windows pool, for the command that sets it",
  ),
];
