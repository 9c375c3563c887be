import * as apps from "@pulumi/kubernetes/apps/v1";
import * as core from "@pulumi/kubernetes/core/v1";
import * as kubernetes from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import { childOf, type ComponentOptions } from "../childOptions";
import { componentType } from "../componentType";
import { assertDefined } from "../../domain/assertDefined";
import type { SampleWorkloadObjectArgs } from "./manifests";
import { deploymentObject, sampleDeadlineSeconds, serviceObject } from "./manifests";

export interface SampleWorkloadArgs extends SampleWorkloadObjectArgs {
  /** Secret. Of the workload cluster. */
  readonly kubeconfig: pulumi.Output<string>;
  /** Another text exactly when the workload cluster is another one. */
  readonly clusterIdentifier: pulumi.Input<string>;
}

/**
 * IIS on the Windows nodes, behind a load balancer: shows that everything works together. Must depend on the Cluster:
 * then the Service goes first when the stack is destroyed, and takes its load balancer out of Azure while the cloud
 * provider still runs.
 */
export class SampleWorkload extends pulumi.ComponentResource {
  /** Where IIS answers. */
  readonly url: pulumi.Output<string>;

  constructor(name: string, args: SampleWorkloadArgs, opts: ComponentOptions) {
    super(componentType("SampleWorkload"), name, {}, opts);
    const provider = new kubernetes.Provider(
      `${name}-provider`,
      { kubeconfig: pulumi.secret(args.kubeconfig), clusterIdentifier: args.clusterIdentifier },
      childOf(this, opts),
    );
    const limit = `${sampleDeadlineSeconds / 60}m`;
    const inCluster = {
      ...childOf(this, opts),
      provider,
      // First boot of a Windows node and a large image before a pod runs; the Service waits for that pod and for Azure.
      customTimeouts: { create: limit, update: limit, delete: "20m" },
    };
    new apps.Deployment(`${name}-deployment`, deploymentObject(args), inCluster);
    const service = new core.Service(`${name}-service`, serviceObject(args), inCluster);
    this.url = service.status.loadBalancer.ingress.apply(
      ([ingress]) => `http://${assertDefined(ingress?.ip, "the address of the Service's load balancer")}/`,
    );
    this.registerOutputs({ url: this.url });
  }
}
