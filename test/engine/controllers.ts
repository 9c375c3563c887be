import { base64, plantedKubeconfig } from "../support/secrets";
import { ApiServer, type Answer } from "../apiserver/client";
import type { KubernetesObject } from "../../capi/types";
import { at, textAt } from "../../tools/untyped";

const finalizer = "cluster.cluster.x-k8s.io";

/**
 * Fake of Cluster API for a stack that waits for it: it creates the kubeconfig of a cluster, reports that the control
 * plane is reachable and has the wanted version, and lets a deleted Cluster go after a moment. It creates no machines.
 */
export class FakeControllers extends ApiServer {
  private stopped = false;
  private readonly loop: Promise<void>;

  /** @param name - name of the cluster and of its namespace */
  constructor(
    kubeconfig: string,
    private readonly name: string,
    private readonly pause = 300,
  ) {
    super(kubeconfig);
    this.loop = this.run();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.loop;
    this.close();
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      try {
        await this.reconcile();
      } catch {
        // The API server may be unreachable; the next round asks it again.
      }
      await new Promise((resolve) => setTimeout(resolve, this.pause));
    }
  }

  private async reconcile(): Promise<void> {
    const cluster = await this.get(this.object("cluster.x-k8s.io/v1beta2", "Cluster", this.name));
    if (cluster === undefined) {
      return;
    }
    if (at(cluster, "metadata", "deletionTimestamp") !== undefined) {
      await this.finalizers([]);
      return;
    }
    await this.finalizers([finalizer]);
    await this.apply(
      {
        ...this.object("v1", "Secret", `${this.name}-kubeconfig`),
        data: { value: base64(plantedKubeconfig("workload")) },
      },
      { dryRun: false },
    );
    const controlPlane = await this.get(
      this.object(
        "controlplane.cluster.x-k8s.io/v1beta2",
        "KubeadmControlPlane",
        `${this.name}-control-plane`,
      ),
    );
    if (controlPlane !== undefined) {
      await this.applyStatus({
        ...this.object(
          "controlplane.cluster.x-k8s.io/v1beta2",
          "KubeadmControlPlane",
          `${this.name}-control-plane`,
        ),
        status: {
          observedGeneration: at(controlPlane, "metadata", "generation"),
          version: textAt(controlPlane, "spec", "version"),
        },
      });
    }
    await this.applyStatus({
      ...this.object("cluster.x-k8s.io/v1beta2", "Cluster", this.name),
      status: { initialization: { infrastructureProvisioned: true, controlPlaneInitialized: true } },
    });
  }

  private object(apiVersion: string, kind: string, name: string): KubernetesObject {
    return { apiVersion, kind, metadata: { name, namespace: this.name } };
  }

  private async get(object: KubernetesObject): Promise<Answer["body"] | undefined> {
    const path = await this.path(object);
    const answer = path === undefined ? undefined : await this.call("GET", path);
    return answer?.status === 200 ? answer.body : undefined;
  }

  private async finalizers(finalizers: readonly string[]): Promise<void> {
    const object = this.object("cluster.x-k8s.io/v1beta2", "Cluster", this.name);
    const path = await this.path(object);
    if (path !== undefined) {
      await this.call("PATCH", path, { metadata: { finalizers } }, "application/merge-patch+json");
    }
  }
}
