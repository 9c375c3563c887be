import { Provider } from "@pulumi/azure-native/provider";
import { deferredOutput, output, type Resource } from "@pulumi/pulumi";
import { collectResources } from "./components/childOptions";
import { AzureBastion } from "./components/bastion/azureBastion";
import { ClusterApi } from "./components/clusterApi/clusterApi";
import { ClusterAutoscaler } from "./components/clusterAutoscaler/clusterAutoscaler";
import { ClusterResourceSet } from "./components/clusterResourceSet/clusterResourceSet";
import { addonSets } from "./components/clusterResourceSet/addonSets";
import { LinuxControlPlane } from "./components/controlPlane/linuxControlPlane";
import { LinuxPool } from "./components/machinePool/linuxPool";
import { WindowsPool } from "./components/machinePool/windowsPool";
import { keptCluster, ManagementCluster } from "./components/managementCluster/managementCluster";
import { keepNodes } from "./components/scaleDown/keepNodes";
import { ScaleSets } from "./components/scaleDown/scaleSets";
import { UpgradeOrder } from "./components/workloadCluster/upgradeOrder";
import { RunningPools } from "./components/workloadCluster/runningPools";
import { SampleWorkload } from "./components/sampleWorkload/sampleWorkload";
import { SharedManagement } from "./components/clusterApi/sharedManagement";
import { ApiServerEndpoint } from "./components/privateLink/apiServerEndpoint";
import { ApiServerZone } from "./components/privateDns/apiServerZone";
import { VnetPeerings } from "./components/peering/vnetPeerings";
import { networkOf } from "./components/virtualNetwork/network";
import { WorkloadCluster } from "./components/workloadCluster/workloadCluster";
import * as args from "./program/args";
import { managementOutputs, type ManagementProgram } from "./program/managementOnly";
import { stackProgram, type WorkloadProgram } from "./program/stackProgram";

/** A stack that makes only a management cluster, for other stacks. */
const managementOnly: ManagementProgram = (settings, run) => {
  const inAzure = { provider: new Provider("azure", args.azureProvider(settings)), ...keptCluster() };
  const management = new ManagementCluster("management", args.managementCluster(settings), inAzure);
  const inManagement = { provider: management.provider, dependsOn: [management], ...management.contents };
  const shared = new SharedManagement("shared", args.sharedManagement(settings, run), inManagement);
  return managementOutputs({ settings, run, management, shared });
};

/** The stack: from the management cluster and the network up to the workload cluster with its pools. */
const workloadCluster: WorkloadProgram = async (settings, run, outputs) => {
  const resources = collectResources();
  const azure = new Provider("azure", args.azureProvider(settings));
  const inAzure = { provider: azure };
  const management = new ManagementCluster("management", args.managementCluster(settings), inAzure);
  const network = networkOf("network", args.network(settings, management), inAzure);
  const inVnet = { ...inAzure, dependsOn: management.vnetReady };
  const place = [settings, network, management] as const;
  const zones = args.zones(...place).map((one) => new ApiServerZone("api-server", one, inVnet));
  const peerings = args.peerings(...place).map((one) => new VnetPeerings("peering", one, inVnet));
  const afterPeerings = { ...inAzure, dependsOn: [...inVnet.dependsOn, ...peerings] };
  args.bastions(settings, network).map((one) => new AzureBastion("bastion", one, afterPeerings));
  const both = { providers: [azure, management.provider], ...management.contents };
  const clusterApi = new ClusterApi("cluster-api", args.clusterApi(settings, management, network, run), both);
  const { provider } = keepNodes(management, args.keptNodes(settings, run));
  const after = (...parts: Resource[]) => ({
    provider,
    dependsOn: [...management.ready, ...clusterApi.ready, ...parts],
  });
  // In the order of an upgrade: nothing may be newer than the API server, and Linux goes before Windows.
  const controlPlaneArgs = args.controlPlane(settings, network, clusterApi, await args.audit(settings, run));
  const controlPlane = new LinuxControlPlane("control-plane", controlPlaneArgs, after());
  const addons = await addonSets(args.addonSets(settings, network, run));
  const [deliveredAfter, answers] = deferredOutput<Resource>();
  const early = addons.beforeCluster.map((set) => new ClusterResourceSet(set.role, set, after(controlPlane)));
  const afterAnswer = { ...after(controlPlane), deliveredAfter };
  const late = addons.afterApiServer.map((set) => new ClusterResourceSet(set.role, set, afterAnswer));
  const beforeLinux = [controlPlane, ...early, ...late.flatMap(({ contents }) => contents)];
  const linuxPools = args
    .linuxPools(settings, network)
    .map((pool) => new LinuxPool(`pool-${pool.poolName}`, pool, after(...beforeLinux)));
  const windowsPools = args
    .windowsPools(settings, network)
    .map((pool) => new WindowsPool(`pool-${pool.poolName}`, pool, after(...beforeLinux, ...linuxPools)));
  const pools = [...linuxPools, ...windowsPools];
  const clusterOpts = after(network, ...zones, ...peerings, clusterApi, ...beforeLinux, ...pools);
  const endpoints = (dependsOn: Resource) =>
    args.links(...place).map((one) => new ApiServerEndpoint("private-link", one, { ...inAzure, dependsOn }));
  const clusterArgs = args.workloadCluster(settings, clusterApi, management);
  const cluster = new WorkloadCluster("cluster", clusterArgs, { ...clusterOpts, endpoints });
  answers(output(cluster.apiServer));
  addons.afterNetwork.map((set) => new ClusterResourceSet(set.role, set, after(cluster, ...late)));
  args.autoscalers(settings).map((each) => new ClusterAutoscaler("cluster-autoscaler", each, after(cluster)));
  const inCluster = { deletedWith: cluster.cluster, dependsOn: [cluster, ...pools, ...late] };
  const upgrades = args.upgradeOrders(settings, controlPlane, pools);
  upgrades.map((order) => new UpgradeOrder("upgrade", order, { ...inCluster, ...after(cluster) }));
  const awaited = args.runningPools(settings, pools);
  const nodes = awaited.map((running) => new RunningPools("pools", running, { provider, ...inCluster }));
  const afterNodes = { ...inCluster, dependsOn: [...inCluster.dependsOn, ...nodes] };
  const sampleArgs = args.sampleWorkloads(settings, management, cluster);
  const samples = sampleArgs.map((sample) => new SampleWorkload("sample", sample, afterNodes));
  // Last: a destroy that is refused there has deleted nothing.
  new ScaleSets("scale-sets", args.scaleSets(settings), { dependsOn: [...resources] });
  return outputs({ settings, run, azure, management, network, controlPlane, cluster, pools, samples });
};

export = stackProgram(workloadCluster, managementOnly);
