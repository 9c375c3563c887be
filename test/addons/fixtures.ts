import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import type { KubernetesObject } from "capz-types";
import type { CalicoArgs } from "../../addons/calico";
import { manifestCacheVariable } from "capz-windows-kit/offline";

/** The objects of a YAML stream; an empty or invalid document is an error. */
export function objectsOf(stream: string): KubernetesObject[] {
  return parseAllDocuments(stream).map((document) => {
    expect(document.errors).toEqual([]);
    expect(document.contents).not.toBeNull();
    return document.toJS() as KubernetesObject;
  });
}

export const titles = (objects: readonly KubernetesObject[]): string[] =>
  objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);

/** The one object of that kind and name. */
export function find(objects: readonly KubernetesObject[], kind: string, name: string): KubernetesObject {
  const [found, ...more] = objects.filter((object) => object.kind === kind && object.metadata.name === name);
  if (found === undefined || more.length > 0) {
    throw new Error(`not exactly one ${kind} ${name} in ${titles(objects).join(", ")}`);
  }
  return found;
}

interface Selector {
  readonly matchLabels: Readonly<Record<string, string>>;
}

export interface Workload extends KubernetesObject {
  readonly spec: {
    readonly replicas?: number;
    readonly selector: Selector;
    readonly strategy?: object;
    readonly updateStrategy?: object;
    readonly template: {
      readonly metadata: {
        readonly labels: Readonly<Record<string, string>>;
        readonly annotations?: Readonly<Record<string, string>>;
      };
      readonly spec: {
        dnsPolicy?: string;
        readonly serviceAccountName: string;
        readonly nodeSelector: Readonly<Record<string, string>>;
        tolerations: readonly Toleration[];
        readonly securityContext?: object;
        readonly topologySpreadConstraints?: readonly { readonly labelSelector: Selector }[];
        readonly volumes?: readonly {
          readonly name: string;
          readonly configMap?: { readonly name: string };
        }[];
        readonly containers: readonly {
          readonly image: string;
          readonly command?: readonly string[];
          readonly args?: readonly string[];
          readonly env?: readonly object[];
          readonly envFrom?: readonly object[];
          readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
        }[];
      };
    };
  };
}

export interface Toleration {
  readonly key?: string;
  readonly operator: string;
  readonly effect?: string;
}

export const workloadsOf = (objects: readonly KubernetesObject[]): Workload[] =>
  objects.filter(({ kind }) => kind === "Deployment" || kind === "DaemonSet") as Workload[];

export const workload = (objects: readonly KubernetesObject[], kind: string, name: string): Workload =>
  find(objects, kind, name) as Workload;

export const containerOf = (one: Workload): Workload["spec"]["template"]["spec"]["containers"][number] => {
  const [container, ...more] = one.spec.template.spec.containers;
  if (container === undefined || more.length > 0) throw new Error("not exactly one container");
  return container;
};

/** The parts of tigera-operator.yaml that the tests need; other tests use the real file if the cache has it. */
export const operatorFixture = `# a comment that stays
apiVersion: v1
kind: Namespace
metadata:
  name: tigera-operator
  labels:
    from: manifest
---
# Source: account.yaml
apiVersion: v1
kind: ServiceAccount
metadata:
  name: tigera-operator
  namespace: tigera-operator
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: tigera-operator
  namespace: tigera-operator
spec:
  template:
    spec:
      nodeSelector:
        kubernetes.io/os: linux
      # Which nodes
      tolerations:
        - effect: NoExecute
          operator: Exists
        - effect: NoSchedule
          operator: Exists
      # After them
      hostNetwork: true
      # Why this policy
      dnsPolicy: ClusterFirstWithHostNet # and here
      containers:
        - name: tigera-operator
          image: quay.io/tigera/operator:v0.0.0
`;

export const calicoArgs: CalicoArgs = {
  operatorManifest: operatorFixture,
  apiServerHost: "demo-1a2b3c.westeurope.cloudapp.azure.com",
  apiServerPort: 6443,
  podCidr: "192.168.0.0/16",
  serviceCidr: "10.96.0.0/12",
  podMtu: 1350,
};

/** A file of the manifest cache; `undefined` if it is missing, and then the skipped tests are named on the terminal. */
export function cachedFile(file: string, what: string): string | undefined {
  const folder = process.env[manifestCacheVariable] ?? "";
  if (folder !== "" && existsSync(join(folder, file))) {
    return readFileSync(join(folder, file), "utf8");
  }
  process.stdout.write(`skipped: ${what} (set ${manifestCacheVariable} to a folder with ${file})\n`);
  return undefined;
}
