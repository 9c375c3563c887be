import type { KubernetesObject } from "capz-types";
import type { Clock } from "../azure/clock";
import type { Kube } from "../kube";
import type { Timeline } from "../timeline";
import { networkDelivered, operatorCrds, rendersNetwork } from "./addons";

export interface NetworkOptions {
  readonly kube: Kube;
  /** Objects that ClusterResourceSets deliver. */
  readonly delivered: readonly KubernetesObject[];
  /** Milliseconds from the start of the API server to the CRDs of the Calico operator. */
  readonly operatorMs: number;
  /** Milliseconds from the delivery of the network to Ready nodes. May be changed at runtime. */
  networkMs: number;
  /** Milliseconds after the start of the API server before which no node is Ready. Default: 0. */
  readonly networkNotBeforeMs?: number;
}

/** Simulates the pod network: the operator's CRDs, then its objects, then Ready nodes. */
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
