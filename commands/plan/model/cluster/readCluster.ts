import { parseReference } from "../../../../platform/workloads/imageReferences";
import { pathsOf } from "../../../../platform/network/reach/paths";
import { at, list, numberAt, strings, text, textAt } from "../../../../tools/untyped";
import { isWithin } from "../components";
import { byName } from "../order";
import type { PlanResource } from "../planDocument";
import { streamsOfSet, type WorkloadStream } from "../workloadStreams";
import { readRights } from "./rights";
import { readSubject } from "../reach/subject";
import { cniOf, readApiServer, readIdentities, readManagement, readNetwork } from "./azure";
import { readControlPlane, readPools } from "./machines";
import { overridesField } from "./overrides";
import { readWayIn } from "./bastion";
import { readBill } from "./bill";
import { readHosts } from "./hosts";
import { readQuota } from "./quota";
import { childrenOf, componentsIn, ofType, type ClusterSource, type PlanResources } from "./resources";
import { serviceReach } from "./serviceReach";
import type { AddonModel, ClusterModel, SampleModel } from "./types";
import { withoutUndefined } from "../../../../tools/without";
import { sharedOutputs } from "../../../../platform/cluster/clients";

/** An address of the simulated Azure, as a network (packages/plan-engine/simulation.ts): no real one begins with 0. */
const simulated = /\b0(?:\.\d{1,3}){3}\/32\b/g;

const variable = "MANAGEMENT_EGRESS";

/** How the addresses from which the management cluster leaves become known: what says it in words, and a command. */
function source(resources: PlanResources): { readonly says: string; readonly command: string } {
  const [holder] = componentsIn(resources, "ManagementCluster");
  const stack = textAt(holder?.inputs, "stack", "stack");
  const [address] = ofType(resources, "PublicIPAddress").filter(({ urn }) => isWithin(urn, "AksCluster"));
  return stack === ""
    ? {
        says: "known as soon as `pulumi up` has made it, which then waits for these rules: the first of the commands asks Azure, and after `up` the output networkRequirements of the stack says it",
        command: `$(az network public-ip show --ids ${address?.id ?? ""} --query ipAddress --output tsv)/32`,
      }
    : {
        says: `known after \`up\` of ${stack}: the output ${sharedOutputs.egressCidrs} of that stack says it`,
        command: `$(npx pulumi stack output ${sharedOutputs.egressCidrs} --stack ${stack} --json | jq --raw-output 'join(" ")')`,
      };
}

/** The same in a sentence. */
const inWords = (text: string): string => text.replace(simulated, "its address, known after `up`");

/** The list with a variable in place of each simulated address, which its first command fills. */
function withKnownAfterUp(lines: readonly string[], resources: PlanResources): string[] {
  if (!lines.some((line) => line.search(simulated) >= 0)) {
    return [...lines];
  }
  const { says, command } = source(resources);
  const replaced = lines.map((line) => line.replace(simulated, `$${variable}`));
  const commands = replaced.findIndex((line) => /^(?:az|#) /.test(line));
  return [
    `known after \`up\`: $${variable}, from where the management cluster leaves, is ${says}`,
    ...replaced.slice(0, commands),
    `${variable}="${command}"`,
    ...replaced.slice(commands),
  ];
}

/** A manifest of others has one version; what the program writes itself has that of its images. */
function versionsOf({ inputs }: PlanResource, streams: readonly WorkloadStream[]): string[] {
  const containers = streams
    .flatMap(({ objects }) => objects)
    .map((object) => at(object, "spec", "template", "spec"))
    .flatMap((spec) => [...list(at(spec, "initContainers")), ...list(at(spec, "containers"))]);
  const tags = containers.map(({ image }) => parseReference(text(image)).tag);
  return inputs.version === undefined ? [...new Set(tags)].sort() : [text(inputs.version)];
}

const readAddons = (resources: PlanResources): AddonModel[] =>
  componentsIn(resources, "ClusterResourceSet")
    .flatMap((component) => {
      const children = childrenOf(resources, component);
      return ofType(children, "ClusterResourceSet").map((set) => ({
        name: component.name,
        ...(textAt(set.inputs, "spec", "strategy") === "ApplyOnce" ? ({ applyOnce: true } as const) : {}),
        versions: versionsOf(component, streamsOfSet(set, children)),
        streams: streamsOfSet(set, children).map(({ configMap, key, objects }) => ({
          configMap,
          key,
          objects: objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`),
        })),
      }));
    })
    .sort(byName);

/** The release of the cluster autoscaler, by the tag of its image. */
function readAutoscaler(resources: PlanResources): string | undefined {
  const [component] = componentsIn(resources, "ClusterAutoscaler");
  const [deployment] = component === undefined ? [] : ofType(childrenOf(resources, component), "Deployment");
  const [container] = list(at(deployment?.inputs.spec, "template", "spec", "containers"));
  return container === undefined ? undefined : parseReference(textAt(container, "image")).tag;
}

/** One text with a line for each command; older programs have a list. */
const linesOf = (steps: unknown): string[] =>
  typeof steps === "string" ? steps.split("\n") : strings(steps);

function readSample(resources: PlanResources): SampleModel | undefined {
  const [component] = componentsIn(resources, "SampleWorkload");
  const children = component === undefined ? [] : childrenOf(resources, component);
  const [deployment] = ofType(children, "Deployment");
  const [statefulSet] = ofType(children, "StatefulSet");
  const service = ofType(children, "Service").find(
    ({ inputs }) => textAt(inputs, "spec", "clusterIP") !== "None",
  );
  const spec = deployment?.inputs.spec;
  const reach = serviceReach(service?.inputs);
  return deployment === undefined
    ? undefined
    : {
        name: textAt(deployment.inputs, "metadata", "name"),
        replicas: numberAt(spec, "replicas") ?? 1,
        image: textAt(list(at(spec, "template", "spec", "containers"))[0], "image"),
        allowedCidrs: strings(at(service?.inputs, "spec", "loadBalancerSourceRanges")),
        ...(reach === "internet" ? {} : { reach }),
        ...(statefulSet === undefined ? {} : { statefulSet: textAt(statefulSet.inputs, "metadata", "name") }),
      };
}

/** Of a stack without a workload cluster: that in which Pulumi creates. */
const subscriptionOf = (resources: PlanResources): string =>
  text(resources.find(({ type }) => type === "pulumi:providers:azure-native")?.inputs.subscriptionId);

function read(source: ClusterSource): ClusterModel {
  const { resources } = source;
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
    hosts: readHosts(resources, { name, apiServer, controlPlane, management, network, pools }),
    identities: readIdentities(resources),
    rights: readRights(resources, {
      name,
      subscriptionId,
      wayIn: readWayIn(source),
      state: source.state,
    }),
    ...(controlPlane === undefined ? {} : { controlPlane }),
    pools,
    addons: readAddons(resources),
    ...withoutUndefined({ autoscaler, sample }),
    quota,
    bill: readBill(resources, { management, controlPlane, pools, quota }),
    ...overridesField(componentsIn(resources, "WorkloadCluster")[0]),
    nextSteps: linesOf(source.outputs.nextSteps),
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
