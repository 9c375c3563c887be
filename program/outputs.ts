import { bash } from "capz-windows-kit/shell";
import type { Provider } from "@pulumi/azure-native/provider";
import type * as pulumi from "@pulumi/pulumi";
import type { Settings } from "../config/settings";
import type { StackOutputs } from "capz-windows-contract";
import type { Run } from "./run";
import type { LinuxControlPlane } from "../components/controlPlane/linuxControlPlane";
import type { LinuxPool } from "../components/machinePool/linuxPool";
import type { WindowsPool } from "../components/machinePool/windowsPool";
import type { ManagementCluster } from "../components/managementCluster/managementCluster";
import { hybridBenefitCommand } from "capz-windows-platform/machines/hybridBenefit";
import { firstNodeText } from "capz-windows-platform/machines/naming";
import { byName } from "capz-windows-kit/byName";
import { remoteSideCommand } from "capz-windows-platform/company-network/peerings";
import { linkCommands, linkServiceId } from "capz-windows-platform/company-network/privateLink";
import { vxlanMtu } from "capz-windows-platform/network/mtu";
import { ExistingNetwork } from "../components/virtualNetwork/existingNetwork";
import type { Network } from "../components/virtualNetwork/network";
import type { SampleWorkload } from "../components/sampleWorkload/sampleWorkload";
import { controlPlaneSsh, kubeconfigCommand, poolAccess } from "capz-windows-platform/cluster/access";
import { wayInOf } from "capz-windows-platform/cluster/wayIn";
import type { WorkloadCluster } from "../components/workloadCluster/workloadCluster";
import { privateLinkOf, stackPeering } from "../config/managementReach";
import { authenticationArgs } from "./authenticationArgs";
import { loginKubeconfig } from "./loginKubeconfig";
import { managementRequirementsOutput } from "./managementRequirements";
import { managementVnet } from "./managementVnet";
import { present } from "capz-windows-kit/present";

/** What a stack is made of, and what resources beside it can be built on. */
export interface StackParts {
  readonly settings: Settings;
  readonly run: Run;
  /** The stack's provider for Azure. There are no default providers, so resources beside the stack name it. */
  readonly azure: Provider;
  readonly management: ManagementCluster;
  readonly network: Network;
  readonly controlPlane: LinuxControlPlane;
  readonly cluster: WorkloadCluster;
  readonly pools: readonly (LinuxPool | WindowsPool)[];
  readonly samples: readonly SampleWorkload[];
}

/** Creates resources beside a stack from its parts; what it returns are outputs beside those of the stack. */
export type Beside = (parts: StackParts) => Outputs | undefined | Promise<Outputs | undefined>;

type Outputs = Readonly<Record<string, unknown>>;

/** Outputs of the contract, as a program has them before Azure answers. */
export type Written<T> = { readonly [K in keyof T]: pulumi.Input<T[K]> };

/**
 * The outputs of a stack: where the cluster is, and how to reach it and its nodes.
 * @param unsecret - the SDK's, which this file does not load
 */
export function stackOutputs(
  { settings, run, management, network, controlPlane, cluster, pools, samples }: StackParts,
  unsecret: typeof pulumi.unsecret,
) {
  const { clusterName, namespace } = settings;
  const host = cluster.apiServerHost;
  const wayIn = wayInOf(settings);
  return {
    resourceGroup: network.resourceGroupName,
    vnetId: network.vnetId,
    ...(network instanceof ExistingNetwork ? { networkRequirements: network.requirements } : {}),
    ...managementRequirementsOutput(settings),
    ...peeringOutputs(settings, network, management),
    ...(privateLinkOf(settings)?.manual === true && {
      privateLinkCommands: linkCommands(
        linkServiceId(settings.azure.subscriptionId, settings.azure.resourceGroup, clusterName),
        host,
      ).join("\n"),
    }),
    ...(wayIn === undefined ? {} : { wayIn }),
    mtu: network.mtu,
    podMtu: vxlanMtu(network.mtu),
    apiServerHost: host,
    managementKubeconfig: management.kubeconfig,
    ...(cluster.kubeconfig === undefined ? {} : { workloadKubeconfig: cluster.kubeconfig }),
    ...loginOutputs(settings, cluster, unsecret),
    controlPlane: {
      image: controlPlane.image,
      listImages: controlPlane.listImages,
      ssh: controlPlaneSsh(host, { stack: run.stack, wayIn }),
    },
    pools: Object.fromEntries(
      pools.map((pool) => [pool.poolName, poolOutputs(pool, host, settings, run.stack)]),
    ),
    ...(samples[0] === undefined ? {} : { sampleWorkloadUrl: samples[0].url }),
    // One text: `pulumi stack output` prints a list as one line of JSON.
    nextSteps: present(
      bash`(umask 077 && npx pulumi stack output managementKubeconfig --stack ${run.stack} --show-secrets > management.kubeconfig)`,
      cluster.kubeconfig === undefined
        ? `(umask 077 && KUBECONFIG=management.kubeconfig ${kubeconfigCommand(clusterName, namespace)} > workload.kubeconfig)`
        : bash`(umask 077 && npx pulumi stack output workloadKubeconfig --stack ${run.stack} --show-secrets > workload.kubeconfig)`,
      bash`KUBECONFIG=management.kubeconfig clusterctl describe cluster ${clusterName} -n ${namespace}`,
      ...ownCniStep(settings, vxlanMtu(network.mtu)),
      "KUBECONFIG=workload.kubeconfig kubectl get nodes -o wide",
      cluster.kubeconfig !== undefined &&
        settings.controlPlane.authentication !== undefined &&
        bash`npx pulumi stack output loginKubeconfig --stack ${run.stack} > login.kubeconfig`,
      bash`npm run access -- ${run.stack}`,
      bash`npm run doctor -- ${run.stack}`,
    ).join("\n"),
  } satisfies Written<StackOutputs> & Outputs;
}

/** The kubeconfig for those who log in with tokens. */
function loginOutputs(settings: Settings, { kubeconfig }: WorkloadCluster, unsecret: typeof pulumi.unsecret) {
  const login = authenticationArgs(settings);
  return login === undefined || kubeconfig === undefined
    ? {}
    : {
        // No secret: of the administrator's kubeconfig it has the address and the certificate authority only, and it is made
        // to be handed out.
        loginKubeconfig: unsecret(kubeconfig.apply((text) => loginKubeconfig(text, login.issuers))),
      };
}

/** The commands for whoever owns the VNETs whose side of a peering the stack does not make, one a line. */
function peeringOutputs(settings: Settings, { vnetId }: Network, management: ManagementCluster) {
  const { clusterName, network } = settings;
  const byOthers = byName(network.peerings)
    .filter(([, { remoteSide }]) => remoteSide === "manual")
    .map(([, { vnetId: other, useRemoteGateways }]) => ({ vnetId: other, useRemoteGateways }));
  const vnet = stackPeering(settings) === "manual" ? managementVnet(settings, management) : undefined;
  const commands = (own: string, others: typeof byOthers): string =>
    others.map((peering) => remoteSideCommand(clusterName, own, peering)).join("\n");
  if (vnet !== undefined) {
    return {
      peeringCommands: vnet.id.apply((other) =>
        vnetId.apply((own) => commands(own, [...byOthers, { vnetId: other, useRemoteGateways: false }])),
      ),
    };
  }
  if (byOthers.length === 0) {
    return {};
  }
  return { peeringCommands: vnetId.apply((own) => commands(own, byOthers)) };
}

/** What nodes wait for, where the users bring the CNI. */
const ownCniStep = ({ platform, extraManifests }: Settings, podMtu: number): string[] =>
  present(
    platform.cni === "none" &&
      (Object.keys(extraManifests).length === 0
        ? bash`KUBECONFIG=workload.kubeconfig kubectl apply -f YOUR-CNI.yaml  # nodes are NotReady until it runs; with VXLAN or Geneve, pods have an MTU of ${podMtu}`
        : bash`KUBECONFIG=workload.kubeconfig kubectl get pods -A -o wide  # nodes are NotReady until your CNI of extraManifests runs; with VXLAN or Geneve, pods have an MTU of ${podMtu}`),
  );

/** Only for a pool that uses it. */
function hybridBenefit(pool: LinuxPool | WindowsPool, { azure, windowsPools }: Settings) {
  return windowsPools[pool.poolName]?.hybridBenefit === true
    ? { hybridBenefit: hybridBenefitCommand(pool, azure.resourceGroup) }
    : {};
}

function poolOutputs(
  pool: LinuxPool | WindowsPool,
  host: string,
  settings: Settings,
  stack: string,
): Record<string, pulumi.Input<unknown>> {
  return {
    // CAPZ uses the scale set's name as the prefix of the computer names.
    ...(pool.kind === "MachinePool" ? { scaleSet: pool.computerNamePrefix } : {}),
    computerNamePrefix: pool.computerNamePrefix,
    firstNodes: pool.firstNodes,
    image: pool.image,
    listImages: pool.listImages,
    ...poolAccess(host, firstNodeText(pool), pool.os, {
      stack,
      hasOtherDns: mayHaveOtherDns(settings),
      wayIn: wayInOf(settings),
    }),
    ...hybridBenefit(pool, settings),
  };
}

/** What DNS servers a VNET of others has, the stack file does not say. */
const mayHaveOtherDns = ({ network }: Settings): boolean =>
  network.dnsServers !== undefined || network.existing !== undefined;
