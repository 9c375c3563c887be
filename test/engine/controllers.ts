import { contentHash } from "../../capi/contentHash";
import type { KubernetesObject } from "capz-types";
import { at, isRecord, list, numberAt, text, textAt, type Plain } from "capz-windows-kit/untyped";
import { ApiServer } from "../apiserver/client";
import { base64, plantedKubeconfig } from "capz-windows-test-kit/secrets";

const finalizer = "cluster.cluster.x-k8s.io";
const mergePatch = "application/merge-patch+json";

/** True since a time that never changes, so that a status is written once. */
const condition = (type: string, reason = type) => ({
  ...{ type, status: "True", reason, message: "it is" },
  lastTransitionTime: "2026-01-01T00:00:00Z",
});

const generationOf = (object: Plain): number => numberAt(object, "metadata", "generation") ?? 1;
const replicasOf = (object: Plain): number => numberAt(object, "spec", "replicas") ?? 1;

/** What the controller of a kind reports when it has done everything, by collection. */
const finished: Readonly<Record<string, (object: Plain) => Plain>> = {
  "/apis/cluster.x-k8s.io/v1beta2/clusters": () => ({
    initialization: { infrastructureProvisioned: true, controlPlaneInitialized: true },
  }),
  "/apis/controlplane.cluster.x-k8s.io/v1beta2/kubeadmcontrolplanes": (object) => ({
    observedGeneration: generationOf(object),
    version: textAt(object, "spec", "version"),
  }),
  "/apis/cluster.x-k8s.io/v1beta2/machinepools": (object) => ({
    observedGeneration: generationOf(object),
    phase: "Running",
  }),
  "/apis/cluster.x-k8s.io/v1beta2/machinedeployments": (object) => ({
    observedGeneration: generationOf(object),
    phase: "Running",
    replicas: replicasOf(object),
    deprecated: { v1beta1: { updatedReplicas: replicasOf(object) } },
  }),
  "/apis/infrastructure.cluster.x-k8s.io/v1beta1/azureclusters": () => ({
    ready: true,
    conditions: [condition("PrivateLinksReady")],
  }),
  ...Object.fromEntries(
    ["coreproviders", "bootstrapproviders", "controlplaneproviders", "infrastructureproviders"].map(
      (provider) => [
        `/apis/operator.cluster.x-k8s.io/v1alpha2/${provider}`,
        (object: Plain) => ({
          observedGeneration: generationOf(object),
          installedVersion: textAt(object, "spec", "version"),
          conditions: [condition("Ready")],
        }),
      ],
    ),
  ),
  "/apis/apps/v1/deployments": (object) => ({
    observedGeneration: generationOf(object),
    replicas: replicasOf(object),
    updatedReplicas: replicasOf(object),
    readyReplicas: replicasOf(object),
    availableReplicas: replicasOf(object),
    conditions: [condition("Available"), condition("Progressing", "NewReplicaSetAvailable")],
  }),
  "/apis/apps/v1/statefulsets": (object) => ({
    observedGeneration: generationOf(object),
    replicas: replicasOf(object),
    readyReplicas: replicasOf(object),
    currentReplicas: replicasOf(object),
    updatedReplicas: replicasOf(object),
    currentRevision: contentHash(at(object, "spec", "template")),
    updateRevision: contentHash(at(object, "spec", "template")),
  }),
  "/api/v1/services": (object) =>
    textAt(object, "spec", "type") === "LoadBalancer"
      ? { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } }
      : {},
};

/** A cluster's kubeconfig has no password: the program refuses one. */
const plantedWorkload = plantedKubeconfig("workload").replace(/^ *password:.*\n/m, "");

/** Kinds that have finished long after they were changed: an `up` that waits for one is there before. */
const isSlow = (collection: string): boolean => /\/(cluster|controlplane|operator)\./.test(collection);

/** Milliseconds after which they have finished also if nobody waits. */
const patience = 15_000;

const clusters = "/apis/cluster.x-k8s.io/v1beta2/clusters";
const deployments = "/apis/apps/v1/deployments";
const services = "/api/v1/services";
const azureClusters = "/apis/infrastructure.cluster.x-k8s.io/v1beta1/azureclusters";
const pools = "/apis/infrastructure.cluster.x-k8s.io/v1beta1/azuremachinepools";
const templates = "/apis/infrastructure.cluster.x-k8s.io/v1beta1/azuremachinetemplates";

/** Whether everything of a status is in another one. */
function includes(whole: unknown, part: unknown): boolean {
  if (Array.isArray(part)) {
    return (
      part.length === list(whole).length && part.every((each, index) => includes(list(whole)[index], each))
    );
  }
  return isRecord(part)
    ? Object.entries(part).every(([key, value]) => includes(at(whole, key), value))
    : whole === part;
}

const nameOf = (object: Plain): string => textAt(object, "metadata", "name");
const namespaceOf = (object: Plain): string => textAt(object, "metadata", "namespace");

/** The path of an object in its collection, and of a part of it such as its status. */
function pathIn(collection: string, object: Plain, part = ""): string {
  const kind = collection.lastIndexOf("/");
  const place = `${collection.slice(0, kind)}/namespaces/${namespaceOf(object)}${collection.slice(kind)}`;
  return `${place}/${nameOf(object)}${part}`;
}

export interface ControllersOptions {
  /** Milliseconds between two rounds. Default: 300. */
  readonly pause?: number;
  /** Kubeconfig of the workload clusters. Default: one that leads nowhere. */
  readonly workload?: string;
}

/**
 * Fake of Cluster API, of its operator and of Kubernetes' own controllers for stacks that wait for them: everything is ready
 * in the next round, and a deleted Cluster goes after a moment. They make no machines and no pods.
 */
export class FakeControllers extends ApiServer {
  private stopped = false;
  /** Of each Deployment, by uid. */
  private readonly revisions = new Map<string, { readonly hash: string; readonly revision: number }>();
  /** Services that lead to something, by uid. */
  private readonly services = new Set<string>();
  /** What was last seen of slow objects, by uid. */
  private readonly seen = new Map<string, { generation: number; awaited: string; since: number }>();
  private readonly loop: Promise<void>;
  private readonly owns: (namespace: string) => boolean;
  private readonly pause: number;
  private readonly workload: string | undefined;

  /** @param namespaces - those whose objects they reconcile */
  constructor(
    kubeconfig: string,
    namespaces: string | ((namespace: string) => boolean),
    { pause = 300, workload }: ControllersOptions = {},
  ) {
    super(kubeconfig);
    this.owns = typeof namespaces === "string" ? (name) => name === namespaces : namespaces;
    this.pause = pause;
    this.workload = workload;
    this.loop = this.run();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.loop;
    this.close();
  }

  /** IDs of the subnets in which the clusters have machines. */
  async subnetsInUse(): Promise<string[]> {
    const living = new Set((await this.list(clusters)).map(namespaceOf));
    const machines = [...(await this.list(pools)), ...(await this.list(templates))];
    return (await this.list(azureClusters))
      .filter((cluster) => living.has(namespaceOf(cluster)))
      .flatMap((cluster) => {
        const { vnet, subnets } = at(cluster, "spec", "networkSpec") as Plain;
        const own = machines.filter((each) => namespaceOf(each) === namespaceOf(cluster));
        const named = list(subnets).filter(
          ({ name, role }) =>
            role === "control-plane" || own.some((each) => interfacesOf(each, subnets).includes(text(name))),
        );
        const group = `/subscriptions/${textAt(cluster, "spec", "subscriptionID")}/resourceGroups/${textAt(vnet, "resourceGroup")}`;
        const network = `${group}/providers/Microsoft.Network/virtualNetworks/${textAt(vnet, "name")}`;
        return named.map(({ name }) => `${network}/subnets/${text(name)}`);
      });
  }

  /** The objects of a collection in the namespaces of these controllers. */
  protected async list(collection: string): Promise<Plain[]> {
    const { status, body } = await this.call("GET", collection);
    return status === 200 ? list(at(body, "items")).filter((item) => this.owns(namespaceOf(item))) : [];
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      try {
        for (const collection of Object.keys(finished)) {
          for (const object of await this.list(collection)) {
            await this.reconcile(collection, object);
          }
        }
      } catch {
        // The API server may be unreachable; the next round asks it again.
      }
      await new Promise((resolve) => setTimeout(resolve, this.pause));
    }
  }

  private async reconcile(collection: string, object: Plain): Promise<void> {
    if (collection === clusters) {
      await this.reconcileCluster(object);
    }
    if (at(object, "metadata", "deletionTimestamp") !== undefined) {
      return;
    }
    if (collection === deployments) {
      await this.replicaSet(object);
    }
    if (collection === services) {
      await this.endpoints(object);
    }
    if (isSlow(collection) && !this.hasSettled(object)) {
      return;
    }
    const status = finished[collection]!(object);
    if (!includes(object.status, status)) {
      await this.call("PATCH", pathIn(collection, object, "/status"), { status }, mergePatch);
    }
  }

  /** Whether an `up` waits for this change already, or none has come to wait for a while. */
  private hasSettled(object: Plain): boolean {
    const uid = textAt(object, "metadata", "uid");
    const generation = generationOf(object);
    const awaited = textAt(object, "metadata", "annotations", "capz-windows/awaited");
    const before = this.seen.get(uid);
    if (before?.awaited !== awaited) {
      this.seen.set(uid, { generation, awaited, since: awaited === "" ? Date.now() : 0 });
    } else if (before.generation !== generation) {
      this.seen.set(uid, { generation, awaited, since: Date.now() });
    }
    return Date.now() - this.seen.get(uid)!.since > patience;
  }

  private async reconcileCluster(cluster: Plain): Promise<void> {
    const isDeleted = at(cluster, "metadata", "deletionTimestamp") !== undefined;
    const finalizers = isDeleted ? [] : [finalizer];
    if (!includes(at(cluster, "metadata", "finalizers") ?? [], finalizers)) {
      await this.call("PATCH", pathIn(clusters, cluster), { metadata: { finalizers } }, mergePatch);
    }
    if (!isDeleted) {
      const name = `${nameOf(cluster)}-kubeconfig`;
      const value = base64(this.workload ?? plantedWorkload);
      await this.put({
        ...{ apiVersion: "v1", kind: "Secret", metadata: { name, namespace: namespaceOf(cluster) } },
        data: { value },
      });
    }
  }

  private async put(object: KubernetesObject): Promise<void> {
    await this.apply(object, { dryRun: false });
  }

  /** Pulumi looks for the ReplicaSet of a Deployment's revision. */
  private async replicaSet(deployment: Plain): Promise<void> {
    const hash = contentHash(at(deployment, "spec", "template"));
    const uid = textAt(deployment, "metadata", "uid");
    const { revision = 0, hash: before } = this.revisions.get(uid) ?? {};
    if (hash === before) {
      return;
    }
    this.revisions.set(uid, { hash, revision: revision + 1 });
    const annotations = { "deployment.kubernetes.io/revision": String(revision + 1) };
    const [name, namespace] = [`${nameOf(deployment)}-${revision + 1}`, namespaceOf(deployment)];
    const owner = {
      ...{ apiVersion: "apps/v1", kind: "Deployment", name: nameOf(deployment), controller: true },
      uid,
    };
    const set: KubernetesObject = {
      ...{ apiVersion: "apps/v1", kind: "ReplicaSet" },
      metadata: { name, namespace, annotations, ownerReferences: [owner] } as KubernetesObject["metadata"],
      spec: {
        replicas: replicasOf(deployment),
        selector: at(deployment, "spec", "selector"),
        template: at(deployment, "spec", "template"),
      },
    };
    await this.put(set);
    const count = replicasOf(deployment);
    await this.applyStatus({
      ...{ apiVersion: "apps/v1", kind: "ReplicaSet", metadata: { name, namespace } },
      status: { replicas: count, readyReplicas: count, availableReplicas: count },
    });
    await this.call("PATCH", pathIn(deployments, deployment), { metadata: { annotations } }, mergePatch);
  }

  /** Pulumi waits until a Service leads to something. */
  private async endpoints(service: Plain): Promise<void> {
    const uid = textAt(service, "metadata", "uid");
    if (this.services.has(uid)) {
      return;
    }
    this.services.add(uid);
    const ownerReferences = [{ apiVersion: "v1", kind: "Service", name: nameOf(service), uid }];
    const labels = { "kubernetes.io/service-name": nameOf(service) };
    const metadata = { name: nameOf(service), namespace: namespaceOf(service), labels, ownerReferences };
    await this.put({
      ...{ apiVersion: "discovery.k8s.io/v1", kind: "EndpointSlice", addressType: "IPv4" },
      metadata: metadata,
      endpoints: [{ addresses: ["192.0.2.2"], conditions: { ready: true } }],
    });
    await this.put({
      ...{ apiVersion: "v1", kind: "Endpoints", metadata: metadata },
      subsets: [{ addresses: [{ ip: "192.0.2.2" }], ports: [{ port: 80 }] }],
    });
  }
}

/** Names of the subnets of a pool's machines, which are in that of the nodes if their template names none. */
function interfacesOf(machines: Plain, subnets: unknown): string[] {
  const interfaces = list(
    at(machines, "spec", "template", "networkInterfaces") ??
      at(machines, "spec", "template", "spec", "networkInterfaces"),
  );
  const named = interfaces.map((each) => textAt(each, "subnetName"));
  const nodes = list(subnets).find(({ role }) => role === "node");
  return named.length > 0 ? named : [textAt(nodes, "name")];
}
