import { pathsOf } from "azure-network-paths";
import { text, textAt } from "capz-windows-kit/untyped";
import { isWithin } from "../components";
import { readRights } from "./rights";
import { readSubject } from "../reach/subject";
import { cniOf, readApiServer, readManagement, readNetwork } from "./azure";
import { readControlPlane, readPools } from "./machines";
import { overridesField } from "./overrides";
import { readBill } from "./bill";
import { readHosts } from "./hosts";
import { readQuota } from "./quota";
import { readAddons, readAutoscaler, readSample } from "./workload";
import { componentsIn, ofType, type ClusterSource, type PlanResources } from "./resources";
import type { ClusterModel } from "./types";
import { withoutUndefined } from "capz-windows-kit/without";

/** An address of the simulated Azure, as a network (packages/plan-engine/simulation.ts): no real one begins with 0. */
const simulated = /\b0(?:\.\d{1,3}){3}\/32\b/g;

/** From where the management cluster leaves, in place of an address that is not known yet. */
const managementEgress = "MANAGEMENT-EGRESS";

/** What says the addresses from which the management cluster leaves. */
function egressSource(resources: PlanResources): string {
  const [holder] = componentsIn(resources, "ManagementCluster");
  const stack = textAt(holder?.inputs, "stack", "stack");
  return stack === ""
    ? "which `pulumi up` makes, and then waits for these rules: the output networkRequirements of the stack says it"
    : `which the output egressCidrs of ${stack} says`;
}

/** The same in a sentence. */
const inWords = (text: string): string => text.replace(simulated, "its address, known after `up`");

/** The list with a word in place of each simulated address. */
function withKnownAfterUp(lines: readonly string[], resources: PlanResources): string[] {
  const replaced = lines.map((line) => line.replace(simulated, managementEgress));
  const isKnown = lines.every((line, index) => line === replaced[index]);
  return isKnown
    ? replaced
    : [
        `known after \`up\`: ${managementEgress} is the address from which the management cluster leaves, ${egressSource(resources)}`,
        ...replaced,
      ];
}

/** Of a stack without a workload cluster: that in which Pulumi creates. */
const subscriptionOf = (resources: PlanResources): string =>
  text(resources.find(({ type }) => type === "pulumi:providers:azure-native")?.inputs.subscriptionId);

function read(source: ClusterSource): ClusterModel {
  const { resources, outputs } = source;
  const { nextSteps = [] } = outputs;
  const [cluster] = ofType(resources, "Cluster");
  const [azureCluster] = ofType(resources, "AzureCluster");
  const spec = azureCluster?.inputs.spec;
  const [aks] = ofType(resources, "ManagedCluster");
  const name = textAt(cluster?.inputs, "metadata", "name");
  const apiServer = readApiServer(source);
  const controlPlane = readControlPlane(resources, name);
  const management = readManagement(source);
  const pools = readPools(source, apiServer.host);
  const sample = readSample(resources);
  const autoscaler = readAutoscaler(resources);
  const subscriptionId = textAt(spec, "subscriptionID") || subscriptionOf(resources);
  const { byOthers, ...ownNetwork } = readNetwork({
    ...source,
    // The management cluster may have a VNET, too.
    resources: resources.filter(({ urn }) => !isWithin(urn, "AksCluster")),
  });
  const network = {
    ...ownNetwork,
    ...(byOthers === undefined ? {} : { byOthers: withKnownAfterUp(byOthers, resources) }),
  };
  const quota = readQuota(resources, { management, controlPlane, pools });
  return {
    name,
    namespace: textAt(cluster?.inputs, "metadata", "namespace"),
    kubernetesVersion: controlPlane?.version ?? "",
    location: textAt(spec, "location") || text(aks?.inputs.location),
    subscriptionId,
    resourceGroup: textAt(spec, "resourceGroup"),
    management,
    network,
    apiServer,
    reach:
      cluster === undefined
        ? []
        : pathsOf(readSubject(resources, { apiServer, pools, network }, cniOf(resources))).map((path) => ({
            ...path,
            by: inWords(path.by),
          })),
    hosts: readHosts(resources, { apiServer, controlPlane, management, network, pools }),
    rights: readRights(resources, outputs.wayIn, { name, subscriptionId }, source.state),
    ...(controlPlane === undefined ? {} : { controlPlane }),
    pools,
    addons: readAddons(resources),
    ...withoutUndefined({ autoscaler, sample }),
    quota,
    bill: readBill(resources, { management, controlPlane, pools, quota }),
    ...overridesField(componentsIn(resources, "WorkloadCluster")[0]),
    nextSteps: typeof nextSteps === "string" ? nextSteps.split("\n") : nextSteps,
  };
}

/** A comparison reads both sides for its impacts, its reports and its costs. */
const known = new WeakMap<ClusterSource, ClusterModel>();

/**
 * Reads what a stack is from the resources of a plan. This is the only place that knows which resource is what: a
 * component's type says so, never a logical name. It works for a plan that was just made and for a plan.json alike.
 */
export function readCluster(source: ClusterSource): ClusterModel {
  const model = known.get(source) ?? read(source);
  known.set(source, model);
  return model;
}
