import * as apps from "@pulumi/kubernetes/apps/v1";
import * as core from "@pulumi/kubernetes/core/v1";
import * as kubernetes from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import { childOf, deletedWithOf } from "../childOptions";
import { componentType } from "../componentType";
import { assertDefined } from "../../domain/assertDefined";
import type { ResourcesArgs } from "./manifests";
import {
  defaultLimits,
  defaultRequests,
  deploymentObject,
  sampleDeadlineSeconds,
  serviceObject,
} from "./manifests";

export interface SampleWorkloadArgs {
  /** Kubeconfig of the workload cluster; it is kept as a secret. */
  kubeconfig: pulumi.Input<string>;
  /** Another text exactly when the workload cluster is another one. */
  clusterIdentifier: pulumi.Input<string>;
  /** Windows Server release of the nodes: "2019", "2022" or "2025". Default: 2022. */
  windowsServer?: pulumi.Input<string> | undefined;
  /** Whole image reference, for instance of a mirror. Default: IIS of the release from Microsoft's registry. */
  image?: pulumi.Input<string> | undefined;
  /** Number of pods. Default: 1. */
  replicas?: pulumi.Input<number> | undefined;
  /** What a pod is sure to get. Default: 100m CPU, 300Mi of memory. */
  requests?: ResourcesArgs | undefined;
  /** What a pod gets at most. Default: 1 CPU, 800Mi of memory. */
  limits?: ResourcesArgs | undefined;
  /** Networks that may open the page. */
  allowedCidrs: pulumi.Input<pulumi.Input<string>[]>;
}

/**
 * IIS on the Windows nodes, behind a load balancer: shows that everything works together. Must depend on the Cluster, and
 * name it in `opts.deletedWith`: a cluster that is broken or cannot be reached could otherwise not be destroyed. The load
 * balancer that the cloud provider has made then goes with the cluster's resource group.
 */
export class SampleWorkload extends pulumi.ComponentResource {
  /** URL at which IIS answers. */
  readonly url: pulumi.Output<string>;

  constructor(name: string, args: SampleWorkloadArgs, opts?: pulumi.ComponentResourceOptions) {
    // Without the kubeconfig: it waits for the control plane.
    super(componentType("SampleWorkload"), name, { ...args, kubeconfig: undefined }, opts);
    const provider = new kubernetes.Provider(
      `${name}-provider`,
      {
        kubeconfig: pulumi.secret(args.kubeconfig),
        clusterIdentifier: args.clusterIdentifier,
        // A destroy that stops at the Cluster has forgotten the sample, which is still there.
        upsertExistingObjects: true,
      },
      childOf(this, opts),
    );
    const limit = `${sampleDeadlineSeconds / 60}m`;
    const inCluster = {
      ...childOf(this, opts),
      ...deletedWithOf(opts),
      provider,
      // First boot of a Windows node and a large image before a pod runs; the Service waits for that pod and for Azure.
      customTimeouts: { create: limit, update: limit, delete: "20m" },
    };
    const { requests = defaultRequests, limits = defaultLimits } = args;
    const deployment = pulumi
      .all([args.windowsServer ?? "2022", args.image, args.replicas ?? 1])
      .apply(([windowsServer, image, replicas]) =>
        deploymentObject({ windowsServer, image, replicas, requests, limits }),
      );
    new apps.Deployment(`${name}-deployment`, deployment, inCluster);
    const service = new core.Service(
      `${name}-service`,
      pulumi.output(args.allowedCidrs).apply((allowedCidrs) => serviceObject({ allowedCidrs })),
      inCluster,
    );
    this.url = service.status.loadBalancer.ingress.apply(
      ([ingress]) => `http://${assertDefined(ingress?.ip, "the address of the Service's load balancer")}/`,
    );
    this.registerOutputs({ url: this.url });
  }
}
