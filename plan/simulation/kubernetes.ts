import type { Plain, SimulatedResource, Simulation, Values } from "pulumi-plan-engine";
import { Secret, address, digest, guid } from "pulumi-plan-engine";
import { base64, kubeconfig, map, now, text } from "./values";

/** A Kubernetes API server, as far as programs of this project see it. */

const release = "kubernetes:helm.sh/v3:Release";

/** `kubernetes:apps/v1:Deployment` → group version and kind. */
const kindOf = (type: string): { readonly apiVersion: string; readonly kind: string } => {
  const [, apiVersion = "", kind = ""] = type.split(":");
  return { apiVersion: apiVersion.replace(/^core\//, ""), kind };
};

/** Kinds of Kubernetes itself; those of custom resources have a group with a foreign domain. */
const isBuiltIn = (type: string): boolean =>
  /^(v\d|[a-z]+\/|([a-z-]+\.)*k8s\.io\/)/.test(kindOf(type).apiVersion);

const clusterScoped =
  /^(Namespace|Node|PersistentVolume|.*Class|Cluster.*|CustomResourceDefinition|APIService|CSI.*|.*Webhook.*|.*AdmissionPolicy.*)$/;

interface ObjectName {
  readonly name: string;
  readonly namespace: string;
}

function nameOf(inputs: Plain, { type, urn, name, provider }: SimulatedResource): ObjectName {
  const given = type === release ? inputs : map(inputs.metadata);
  const { kind } = kindOf(type);
  const inDefault = (isBuiltIn(type) || type === release) && !clusterScoped.test(kind) ? "default" : "";
  return {
    // The provider generates a name for an object without one.
    name: text(given.name) || `${name}-${digest(urn).slice(0, 8)}`,
    namespace: text(given.namespace) || (inDefault && (text(provider.namespace) || inDefault)),
  };
}

function kubernetesId(inputs: Plain, resource: SimulatedResource): string {
  const { namespace, name } = nameOf(inputs, resource);
  return namespace === "" ? name : `${namespace}/${name}`;
}

/** Status by kind, where programs read it; custom resources are ready. */
function statusOf(type: string, inputs: Plain, urn: string): Values {
  switch (kindOf(type).kind) {
    case "Service":
      return map(inputs.spec).type === "LoadBalancer"
        ? { status: { loadBalancer: { ingress: [{ ip: address(urn) }] } } }
        : {};
    case "Cluster":
    case "ClusterPatch":
      return {
        status: {
          phase: "Provisioned",
          initialization: { infrastructureProvisioned: true, controlPlaneInitialized: true },
          conditions: ready,
        },
      };
    default:
      return isBuiltIn(type) ? {} : { status: { conditions: ready } };
  }
}

const ready: Values[] = [{ type: "Ready", status: "True", lastTransitionTime: now }];

/** The API server keeps `stringData` as base64 under `data`. */
function secretData(inputs: Plain): Values {
  const plain = Object.entries(map(inputs.stringData)).map(([key, value]) => [key, base64(text(value))]);
  return plain.length === 0 ? {} : { data: new Secret(Object.fromEntries(plain) as Values) };
}

function kubernetesOutputs(inputs: Plain, resource: SimulatedResource): Values {
  const { type, urn } = resource;
  const { name, namespace } = nameOf(inputs, resource);
  if (type === release) {
    return { name, namespace };
  }
  const { apiVersion, kind } = kindOf(type);
  return {
    apiVersion,
    kind: kind.replace(/Patch$/, ""),
    metadata: {
      name,
      ...(namespace === "" ? {} : { namespace }),
      uid: guid(urn),
      resourceVersion: "1",
      generation: 1,
      creationTimestamp: now,
    },
    ...(kind === "Secret" ? secretData(inputs) : {}),
    ...statusOf(type, inputs, urn),
  };
}

const readNamespace = (name: string): Values => ({
  apiVersion: "v1",
  kind: "Namespace",
  metadata: { name, uid: guid(name), resourceVersion: "1", creationTimestamp: now },
  status: { phase: "Active" },
});

/** The Secret in which Cluster API stores the kubeconfig of a cluster. No other exists. */
function readSecret(id: string): Values | undefined {
  const [name = "", namespace = "default"] = id.split("/").reverse();
  const cluster = /^(.+)-kubeconfig$/.exec(name)?.[1];
  return cluster === undefined
    ? undefined
    : {
        apiVersion: "v1",
        kind: "Secret",
        type: "cluster.x-k8s.io/secret",
        metadata: { name, namespace, uid: guid(id), resourceVersion: "1", creationTimestamp: now },
        data: { value: base64(kubeconfig(cluster)) },
      };
}

export const kubernetes: Simulation = {
  ids: { "kubernetes:*": kubernetesId },
  outputs: { "kubernetes:*": kubernetesOutputs },
  reads: { "kubernetes:core/v1:Namespace": readNamespace, "kubernetes:core/v1:Secret": readSecret },
};
