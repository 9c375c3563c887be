import { Provider } from "@pulumi/azure-native/provider";
import { ClusterApi } from "./components/clusterApi/clusterApi";
import { ClusterResourceSet } from "./components/clusterResourceSet/clusterResourceSet";
import { addonSets } from "./components/clusterResourceSet/addonSets";
import { LinuxControlPlane } from "./components/controlPlane/linuxControlPlane";
import { LinuxPool } from "./components/machinePool/linuxPool";
import { WindowsPool } from "./components/machinePool/windowsPool";
import { ManagementCluster } from "./components/managementCluster/managementCluster";
import { SampleWorkload } from "./components/sampleWorkload/sampleWorkload";
import { stackOutputs } from "./program/outputs";
import { stackProgram } from "./program/stackProgram";
import { VirtualNetwork } from "./components/virtualNetwork/virtualNetwork";
import { WorkloadCluster } from "./components/workloadCluster/workloadCluster";
import * as args from "./program/args";

/** The stack: from the management cluster and the network up to the workload cluster with its pools. */
export = stackProgram(async (settings, run) => {
  const azure = new Provider("azure", args.azureProvider(settings));
  const management = new ManagementCluster("management", args.managementCluster(settings), {
    provider: azure,
  });
  const network = new VirtualNetwork("network", args.virtualNetwork(settings, management), {
    provider: azure,
  });
  const clusterApi = new ClusterApi("cluster-api", args.clusterApi(settings, management, network, azure), {});

  const inManagement = { provider: management.provider, dependsOn: clusterApi.ready };
  const addons = (await addonSets(args.addonSets(settings, network, run))).map(
    (set) => new ClusterResourceSet(set.role, set, inManagement),
  );
  const controlPlane = new LinuxControlPlane(
    "control-plane",
    args.controlPlane(settings, clusterApi),
    inManagement,
  );
  const place = args.clusterPlace(settings);
  const linuxPools = Object.entries(settings.linuxPools).map(
    ([name, pool]) => new LinuxPool(`pool-${name}`, { ...place, ...pool, name }, inManagement),
  );
  const windowsPools = Object.entries(settings.windowsPools).map(
    ([name, pool]) => new WindowsPool(`pool-${name}`, { ...place, ...pool, name }, inManagement),
  );
  const pools = [...linuxPools, ...windowsPools];
  const cluster = new WorkloadCluster(
    "cluster",
    args.workloadCluster(settings, clusterApi, pools, [network, clusterApi, ...addons, controlPlane]),
    inManagement,
  );

  const samples = args
    .sampleWorkloads(settings, management, cluster)
    .map((sample) => new SampleWorkload("sample", sample, { dependsOn: [cluster] }));

  return stackOutputs({ settings, management, network, controlPlane, cluster, pools, samples });
});
