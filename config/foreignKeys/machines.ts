import type { ForeignKey } from "./foreignKey";
import { absent, moved } from "./foreignKey";

/** Keys of single machines and of what runs on them, such as files, commands and users. */
export const machineKeys: readonly ForeignKey[] = [
  absent(
    "template machineTemplate spec",
    "the keys of a machine stand in the pool itself",
    "replicas, vmSize, zones, image and the other keys of docs/config.md",
    { within: ["pool", "controlPlane"] },
  ),
  absent(
    "bootstrap bootstrapConfig kubeadmConfig kubeadmConfigSpec joinConfiguration clusterConfiguration initConfiguration infrastructureRef bootstrapProvider bootstrapFormat format",
    "nodes are set up by kubeadm, whose configuration this program writes; npm run plan shows it",
    "files, preKubeadmCommands and postKubeadmCommands of each pool",
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
    "a file is written byte for byte and belongs to the administrator",
    "path, content and permissions; a command can change the rest",
    { within: ["file"] },
  ),
  absent(
    "files preKubeadmCommands postKubeadmCommands",
    "the machines of the control plane are the same in each cluster, so that upgrades are safe",
    "files and commands of pools",
    { within: ["controlPlane", "cluster"] },
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
    "az vmss boot-diagnostics or the serial console (docs/operations.md)",
  ),
  absent(
    "minReadySeconds progressDeadlineSeconds providerID providerIDList clusterName selector",
    "Cluster API sets this by itself",
    "rollout, for how nodes are replaced",
    { within: ["pool"] },
  ),
  absent(
    "enableFips enableFIPS fips fipsImage",
    "FIPS is a property of the VM image",
    "image, for one that you have built so (docs/images.md)",
  ),
  absent(
    "gpuInstanceProfile gpuProfile gpu",
    "drivers of GPUs are a property of the VM image",
    "vmSize with a GPU and image with its driver (docs/images.md)",
  ),
  absent(
    "scaleDownMode powerState snapshotId creationData workloadRuntime podIPAllocationMode messageOfTheDay kubeletDiskType virtualMachinesProfile virtualMachineNodesStatus gatewayProfile localDNSProfile allowedHostPorts asgIds nodeImageVersion linuxOSConfig linuxOsConfig sysctls disableVMBootstrapExtension",
    "this is a feature of AKS or of its agents, which machines of CAPZ do not have",
    "files and commands, for what a node shall have in addition",
    { within: ["pool"] },
  ),
  absent(
    "runtimes hyperv hypervIsolation isolation isolationType",
    "containers run in process isolation, so the release of a container image must be the node's; no Hyper-V isolation is set up",
    "windowsServer of a pool, and images of the same release",
  ),
  absent(
    "identity userAssignedIdentities userAssignedIdentity systemAssignedIdentityRole roleAssignmentName managedIdentity",
    "machines of pools have no identity of their own",
    "workload identity in the cluster, for pods",
    { within: ["pool"] },
  ),
  absent(
    "licenseType hybridBenefit enableAhub ahub",
    "CAPZ has no field for the Azure Hybrid Benefit",
    "az vmss update --license-type Windows_Server for the scale set of each pool",
    { note: "CAPZ may take it back" },
  ),
];
