import { parseReference } from "capz-windows-platform/workloads/imageReferences";
import { at, list, numberAt, strings, text, textAt } from "capz-windows-kit/untyped";
import { byName } from "../order";
import type { PlanResource } from "capz-windows-contract";
import { streamsOfSet, type WorkloadStream } from "../workloadStreams";
import { childrenOf, componentsIn, ofType, type PlanResources } from "./resources";
import { serviceReach } from "./serviceReach";

/** What a stack runs for and in its workload cluster: add-ons, the autoscaler, the sample. */

/** A manifest of others has one version; what the program writes itself has that of its images. */
function versionsOf({ inputs }: PlanResource, streams: readonly WorkloadStream[]): string[] {
  const containers = streams
    .flatMap(({ objects }) => objects)
    .map((object) => at(object, "spec", "template", "spec"))
    .flatMap((spec) => [...list(at(spec, "initContainers")), ...list(at(spec, "containers"))]);
  const tags = containers.map(({ image }) => parseReference(text(image)).tag);
  return inputs.version === undefined ? [...new Set(tags)].sort() : [text(inputs.version)];
}

/** Each ClusterResourceSet with what it delivers. */
export const readAddons = (resources: PlanResources) =>
  componentsIn(resources, "ClusterResourceSet")
    .flatMap((component) => {
      const children = childrenOf(resources, component);
      return ofType(children, "ClusterResourceSet").map((set) => ({
        name: component.name,
        /** Each object is applied once, and left to the cluster afterwards. */
        ...(textAt(set.inputs, "spec", "strategy") === "ApplyOnce" ? ({ applyOnce: true } as const) : {}),
        versions: versionsOf(component, streamsOfSet(set, children)),
        /** In the order in which Cluster API applies them; objects as "DaemonSet kube-proxy-windows". */
        streams: streamsOfSet(set, children).map(({ configMap, key, objects }) => ({
          configMap,
          key,
          objects: objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`),
        })),
      }));
    })
    .sort(byName);

/** The release of the cluster autoscaler, by the tag of its image. */
export function readAutoscaler(resources: PlanResources): string | undefined {
  const [component] = componentsIn(resources, "ClusterAutoscaler");
  const [deployment] = component === undefined ? [] : ofType(childrenOf(resources, component), "Deployment");
  const [container] = list(at(deployment?.inputs.spec, "template", "spec", "containers"));
  return container === undefined ? undefined : parseReference(textAt(container, "image")).tag;
}

/** What Pulumi itself runs in the workload cluster. */
export function readSample(resources: PlanResources) {
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
        /** Networks that its public load balancer lets in; none means everyone. */
        allowedCidrs: strings(at(service?.inputs, "spec", "loadBalancerSourceRanges")),
        /** Where it has no public load balancer: from where it can be reached instead. */
        ...(reach === "internet" ? {} : { reach }),
        /** The StatefulSet of the second sample, where there is one. */
        ...(statefulSet === undefined ? {} : { statefulSet: textAt(statefulSet.inputs, "metadata", "name") }),
      };
}
