import type { Facts, Found } from "../config/policy/facts";
import { imagesOfPods, imagesOfStream } from "../config/policy/images";
import { isAnyone } from "../platform/network/addressing";
import { type ArtifactPart, artifactParts, partOf } from "../platform/cluster/artifacts";
import { staticPodsOf } from "../platform/manifests/staticPods";
import { credentialWarning, credentialsIn } from "../config/rules/credentials";
import { readObjects } from "../platform/manifests/yamlStream";
import { at, isRecord, list, ownValue, strings, text, textAt } from "../tools/untyped";
import { isControlPlane } from "./controlPlane";
import { poolsIn } from "./pools";
import { isKind, notKnown, type Resource } from "./resource";

/** What is inside of registered objects: images, texts, and the Service of the sample. */

/** Whether a component has made a resource, by its URN. */
const isOf = ({ urn }: Resource, component: string): boolean => urn.includes(`:index:${component}$`);

const isObject = ({ type }: Resource): boolean => type.startsWith("kubernetes:");

/** The key of the stack file that is about a resource, as far as it can be told. */
function placeOf(resource: Resource, resources: readonly Resource[]): string {
  if (isControlPlane(resource)) {
    return "controlPlane";
  }
  if (isOf(resource, "ClusterResourceSet")) {
    return /::(?:extra|once)-/.test(resource.urn) ? "extraManifests" : "addons";
  }
  const name = textAt(resource.props, "metadata", "name");
  const pool = poolsIn(resources).find(
    ({ resource: own, machines }) =>
      own === resource ||
      machines === resource ||
      textAt(own.props, "spec", "template", "spec", "bootstrap", "configRef", "name") === name,
  );
  return pool?.path ?? (isOf(resource, "ClusterAutoscaler") ? "addons.clusterAutoscaler" : "");
}

/** The streams that a ConfigMap delivers to the workload cluster. */
const streams = (resource: Resource): string[] =>
  isKind(resource, "core", "ConfigMap")
    ? Object.values((resource.props.data ?? {}) as Readonly<Record<string, unknown>>).map(text)
    : [];

/** Only documents with an image are read: definitions of kinds are long. */
const objectsWithImages = (stream: string) =>
  stream
    .split(/^---$/m)
    .filter((document) => /\bimage["']?\s*:/.test(document))
    .flatMap((document) => [...readObjects(document).objects]);

const isRelease = ({ type }: Resource): boolean => type === "kubernetes:helm.sh/v3:Release";

const isProvider = ({ type }: Resource): boolean =>
  /^kubernetes:operator\.cluster\.x-k8s\.io\/\w+:\w+Provider$/.test(type);

/** Charts and providers are images of a kind: what their name installs can change, too. */
const unpinned = (resource: Resource): string | undefined => {
  const { props } = resource;
  if (isRelease(resource) && text(props.chart) !== "" && props.version === undefined) {
    return `the chart ${text(props.chart)}`;
  }
  return isProvider(resource) && isRecord(props.spec) && props.spec.version === undefined
    ? `the provider ${textAt(props, "metadata", "name")}`
    : undefined;
};

export const images = (resources: readonly Resource[]): ReturnType<Facts["images"]> =>
  resources.filter(isObject).flatMap((resource) => {
    const { urn, props } = resource;
    const chart = unpinned(resource);
    const found = [
      ...[props, ...staticPodsOf(props)].flatMap((one) => imagesOfPods(one).map(({ image }) => image)),
      ...streams(resource).flatMap((stream) => imagesOfStream(stream, objectsWithImages(stream))),
    ];
    const path = isOf(resource, "SampleWorkload") ? "sampleWorkload.image" : placeOf(resource, resources);
    return [...found, ...(chart === undefined ? [] : [chart])].map((image) => ({
      ...{ path, urn, image },
    }));
  });

/** Keys of charts and providers that could have a digest, in the order of the stack file. */
export function artifacts(resources: readonly Resource[]): ArtifactPart[] {
  const found = resources.flatMap((resource) => {
    const { props, type } = resource;
    return isRelease(resource)
      ? [ownValue(partOf, text(props.name))]
      : isProvider(resource) && at(props, "spec", "fetchConfig", "oci") === undefined
        ? [ownValue(partOf, type.split(":").at(-1) ?? "")]
        : [];
  });
  return artifactParts.filter((part) => found.includes(part));
}

const internal = "service.beta.kubernetes.io/azure-load-balancer-internal";

export const openSamples = (resources: readonly Resource[]): ReturnType<Facts["openSamples"]> =>
  resources
    .filter((resource) => isKind(resource, "core", "Service") && isOf(resource, "SampleWorkload"))
    .filter(({ props }) => {
      const sources = at(props, "spec", "loadBalancerSourceRanges");
      return (
        textAt(props, "spec", "type") === "LoadBalancer" &&
        textAt(props, "metadata", "annotations", internal) !== "true" &&
        sources !== notKnown &&
        (list(sources).length === 0 || strings(sources).some(isAnyone))
      );
    })
    .map(({ urn }) => ({ path: "sampleWorkload.internal", urn }));

/** Azure's resources and Kubernetes' objects, except for Secrets: those are where credentials belong. */
const isReadable = (resource: Resource): boolean =>
  (isObject(resource) &&
    !isKind(resource, "core", "Secret") &&
    !resource.type.startsWith("kubernetes:helm.sh/")) ||
  resource.type.startsWith("azure-native:");

/** Credentials in texts of resources. */
export function credentials(resources: readonly Resource[]): Found[] {
  return resources.filter(isReadable).flatMap((resource) =>
    credentialsIn(resource.props, []).map(({ what, path }) => {
      const [holder = "", key = ""] = path.slice(-2).map(String);
      const place = /^(?:additionalT|t)ags$/.test(holder) ? ["tags", key] : [placeOf(resource, resources)];
      const isFile = path.includes("files") && path.at(-1) === "content";
      return {
        ...credentialWarning(
          what,
          place[0] === "" ? [] : place.flatMap((one) => one.split(".")),
          isFile ? ["files", 0, "content"] : path.slice(-2),
        ),
        urn: resource.urn,
      };
    }),
  );
}
