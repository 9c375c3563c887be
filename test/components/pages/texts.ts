/** What docstrings cannot say about a component: what it costs, and what a change or its removal may destroy. */
export interface Texts {
  /** Which of the resources are billed. */
  readonly costs: string;
  /** What a change or the removal of the component may destroy, one sentence or more an item. */
  readonly destroys: readonly string[];
  /** What else a reader of the example must know. Default: nothing. */
  readonly notes?: readonly string[];
}

const machines =
  "Each machine is billed by the hour with its disks, as long as it exists. See `npm run plan -- dev --prices` for the prices of a stack.";

const pool = [
  "Another image, Kubernetes version or file of the nodes replaces every machine of the pool, as `rollout` says. Each is drained first, and its disks are deleted with it: what pods keep in `emptyDir`, `hostPath` or data disks is lost.",
  "Another `poolName` or `kind` is another pool: the new one is created, and the old one is deleted with its machines.",
  "The removal drains and deletes all machines. Pods without room on other pools stay pending.",
];

export const texts: Readonly<Record<string, Texts>> = {
  ApiServerZone: {
    costs:
      "A private DNS zone is billed by the month and by the number of queries. With `zoneId` nothing is.",
    destroys: [
      "Another `zoneName` replaces the zone, and the nodes no longer find the API server under the old name: never change it while the cluster exists.",
      "The removal takes the name away: nodes, controllers and kubeconfigs lose the API server.",
    ],
    notes: ["Give the same address and name to the WorkloadCluster, in `privateApiServer`."],
  },
  AzureBastion: {
    costs:
      "Azure Bastion is billed by the hour, whether it is used or not, and for outbound data; its public address by the hour, too.",
    destroys: [
      "Other `zones` replace it and its address: open sessions end, and for about ten minutes there is no way in through it.",
      "The removal ends open sessions. Remove the component first, and `bastion` of the VirtualNetwork in the next `pulumi up`: Azure keeps the subnet while a Bastion is in it, and the VNET changes before the Bastion is deleted.",
    ],
    notes: [
      "Give the VirtualNetwork a range for its subnet, in `bastion`; `privateSsh` takes away the public port for ssh.",
    ],
  },
  ClusterApi: {
    costs:
      "Nothing is billed by itself: identities, roles and federated credentials are free. The controllers run on the nodes of the management cluster.",
    destroys: [
      "The removal deletes the namespace, and with it every cluster in it. `protect` refuses that.",
      "With `install`, the removal also uninstalls cert-manager, the operator and the providers, which other clusters on the same management cluster need. Destroy those first; for a second cluster write `install: false`.",
      "Another `identity` changes how CAPZ logs in. Until the roles of the new identity work, machines are neither created nor deleted.",
    ],
  },
  ClusterAutoscaler: {
    costs: "Nothing is billed by itself, but it adds machines to the pools, up to `autoscale.max` of each.",
    destroys: [
      "It drains and deletes nodes that are hardly used, down to `autoscale.min` of each pool. Pods without a controller, and data in `emptyDir`, are lost with them.",
      "The removal leaves the pools at the size that they have.",
    ],
  },
  ClusterResourceSet: {
    costs:
      "Nothing is billed by itself. A Service of type LoadBalancer or a claim for a volume among the objects is.",
    destroys: [
      "An object that leaves `entries`, or the removal of the component, deletes nothing in the workload cluster: delete it there.",
      "Another `name` or `namespace` replaces the ClusterResourceSet, and what it delivered stays. `clusterSelector` and `applyOnce` cannot be changed.",
    ],
    notes: [
      "The Cluster of a WorkloadCluster has the labels `cni: NAME-calico`, `cni-windows: NAME-calico` and `cloud-provider: NAME-azure`, with its name.",
      "In TypeScript, `addonSets` returns the args for the add-ons of a stack, such as Calico and the cloud provider. Without a CNI and the cloud provider nodes do not become ready.",
    ],
  },
  ExistingNetwork: {
    costs: "Nothing is billed: a resource group is free.",
    destroys: [
      "The removal deletes the resource group with everything in it, the machines of the cluster as well. `protect` refuses that. The VNET of the others is not touched.",
      "Another `resourceGroup` or `location` replaces the group.",
    ],
  },
  LinuxControlPlane: {
    costs: machines,
    destroys: [
      "Another Kubernetes version, VM size, image or file replaces the machines one by one. Each has its own etcd disk, which goes with it; the new member copies the data from the others.",
      "With `replicas: 1` the API server cannot be reached for a while during each replacement, and a lost disk is the loss of the cluster.",
      "The removal destroys etcd, and with it the state of the workload cluster: remove the WorkloadCluster before it, or together with it.",
    ],
    notes: [
      "`identityId` is that of the identity which ClusterApi makes. In TypeScript write `api.controlPlaneIdentityId`, which is known when the program runs; in other languages write it in full, as here.",
    ],
  },
  LinuxPool: { costs: machines, destroys: pool },
  ManagementCluster: {
    costs:
      "With `aks`: the uptime SLA of the cluster, its nodes with their disks, its load balancer and a public address, all by the hour. With `existing` nothing is.",
    destroys: [
      "If the management cluster goes before the clusters in it, nothing deletes their machines in Azure, and nothing repairs them. `protect` refuses the removal.",
      "Another `clusterName` or `location` replaces the AKS cluster.",
      "With `existing`, another `name` means another cluster: everything in it is created again there.",
    ],
    notes: [
      "In TypeScript, `management.provider` is a provider of this cluster as well. In other languages make it from `kubeconfig`, as here.",
    ],
  },
  RunningPools: {
    costs: "Nothing is billed.",
    destroys: ["Nothing: it only waits. Its removal leaves pools and machines as they are."],
    notes: [
      "In TypeScript, `contentHash` and `ordersUpgrades` of a pool can be passed on. They are known when the program runs; in other languages write a text that you change with the pool.",
    ],
  },
  SampleWorkload: {
    costs:
      "A public address and a rule of the load balancer, by the hour, unless `serviceType` or `internal` says otherwise; with `disk`, a managed disk.",
    destroys: [
      "Another `windowsServer` replaces the pods. Another `clusterIdentifier` means another cluster: everything is created again there.",
      "The removal deletes the pods, the Service with its address, and the claim of the disk.",
    ],
  },
  UpgradeOrder: {
    costs: "Nothing is billed.",
    destroys: ["Nothing: it only waits. After its removal, upgrades no longer wait for each other."],
  },
  VirtualNetwork: {
    costs:
      "The NAT gateway and each of its public addresses by the hour, and the data that passes the gateway. With `outbound` of another type than `nat`, the stack has no NAT gateway to pay for. Resource group, VNET, route table and security groups are free.",
    destroys: [
      "Another `clusterName`, `resourceGroup` or `location` replaces the network, which cannot be done while machines are in it.",
      "A subnet cannot change its range while machines are in it: Azure refuses it.",
      "Another `outbound` breaks the connections that leave the VNET, and targets see other addresses.",
      "The removal deletes the resource group with everything in it, the machines of the cluster as well. `protect` refuses that.",
    ],
  },
  VnetPeerings: {
    costs: "Peerings are free; the data that passes between the two VNETs is billed in both directions.",
    destroys: [
      "Another `vnetId` replaces the peering, and nothing passes meanwhile.",
      "The removal of a peering cuts off what the machines reach in the other VNET and behind its gateway, and who reaches them from there. Without the management cluster in it, machines are no longer managed.",
    ],
    notes: [
      "Without `remoteSide: stack`, whoever owns the other VNET makes the other side; packets pass once both exist.",
    ],
  },
  WindowsPool: {
    costs: `${machines} The Windows license is a part of the price of a machine.`,
    destroys: pool,
  },
  WindowsWorkload: {
    costs:
      "Nothing is billed by itself. A Service of type LoadBalancer costs a rule and, unless it is internal, a public address; each volume with a `storageClass` is a disk or a share.",
    destroys: [
      "Another `kind`, `workloadName` or `namespace` replaces the object with its pods.",
      "The removal deletes the pods and the Service. Claims that a StatefulSet has made stay, with their disks and their cost, until you delete them.",
    ],
    notes: [
      "The functions behind it, `windowsDeployment`, `windowsDaemonSet`, `windowsStatefulSet` and `windowsService`, return plain objects for TypeScript programs that write manifests instead.",
    ],
  },
  WorkloadCluster: {
    costs:
      "CAPZ makes the load balancers of the cluster, for the API server with a public address or, with `privateApiServer`, an internal one. They are billed by the hour and by the data that passes.",
    destroys: [
      "The removal deletes the cluster: Cluster API deletes all machines, their disks and the load balancers. `protect` refuses that.",
      "Another `clusterName` or `namespace` is another cluster, and the old one is deleted with its machines.",
      "`podCidr`, `serviceCidr` and the address of the API server cannot be changed in a cluster that exists.",
    ],
  },
};
