import type { KubernetesObject } from "../../../domain/capi/types";
import type { Clock } from "../azure/clock";
import type { Kube } from "../kube";
import type { Timeline } from "../timeline";
import { networkDelivered, operatorCrds, rendersNetwork } from "./addons";

export interface NetworkOptions {
  readonly kube: Kube;
  /** What ClusterResourceSets deliver. */
  readonly delivered: readonly KubernetesObject[];
  /** From the API server's start to the CRDs of the Calico operator. */
  readonly operatorMs: number;
  /** From the delivery of the network to nodes that are Ready; may be changed while it runs. */
  networkMs: number;
  /** No node is Ready before this time after the API server's start. Default 0. */
  readonly networkNotBeforeMs?: number;
}

/** Stands for the network of pods: the operator's CRDs, then what it renders, then nodes that are Ready. */
export class Network {
  private crdsApplied = false;
  private since: number | undefined;
  private apiSince = 0;

  constructor(
    private readonly options: NetworkOptions,
    private readonly clock: Clock,
    private readonly timeline: Timeline,
  ) {}

  /** @param apiSince - when the API server began to answer, in seconds of the clock */
  async turn(apiSince: number): Promise<void> {
    this.apiSince = apiSince;
    const { kube, operatorMs, delivered, networkMs } = this.options;
    if (!this.crdsApplied && (this.clock.now() - apiSince) * 1000 >= operatorMs) {
      this.crdsApplied = true;
      for (const crd of operatorCrds(delivered)) {
        await kube.applyAs("operator", crd, true);
      }
    }
    if (this.since !== undefined) {
      return;
    }
    const by = await networkDelivered(kube);
    const nodes = by === "operator" ? await kube.list({ apiVersion: "v1", kind: "Node" }) : [];
    if (by === "manifest" || (by === "operator" && rendersNetwork(nodes))) {
      this.since = this.clock.now();
      this.timeline.add("node", "network", `delivered (${by}), which takes ${networkMs / 1000} s`);
    }
  }

  runs(): boolean {
    const { networkMs, networkNotBeforeMs = 0 } = this.options;
    const passed = (from: number): number => (this.clock.now() - from) * 1000;
    return (
      this.since !== undefined &&
      passed(this.since) >= networkMs &&
      passed(this.apiSince) >= networkNotBeforeMs
    );
  }
}
