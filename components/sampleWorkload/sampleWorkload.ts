import * as apps from "@pulumi/kubernetes/apps/v1";
import * as core from "@pulumi/kubernetes/core/v1";
import * as kubernetes from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import { childOf, deletedWithOf, givenOptions } from "../childOptions";
import { kubeconfigOfCluster } from "../kubeconfigOfCluster";
import { componentType } from "../componentType";
import { assertDefined } from "capz-windows-kit/assertDefined";
import { defaultPool } from "capz-windows-platform/machines/defaults";
import type { ResourcesArgs } from "capz-windows-platform/workloads/windowsArgs";
import { defaultLimits, defaultRequests } from "capz-windows-platform/workloads/windowsArgs";
import type { SampleDiskArgs } from "./manifests";
import { deploymentObject, diskObjects, sampleDeadlineSeconds, serviceObject } from "./manifests";

export interface SampleWorkloadArgs {
  /** Kubeconfig of the workload cluster, as Cluster API writes it, without login programs; it is kept as a secret. */
  kubeconfig: pulumi.Input<string>;
  /** A text that changes if, and only if, the workload cluster is another one. */
  clusterIdentifier: pulumi.Input<string>;
  /** Windows Server release of the nodes: "2019", "2022" or "2025". Default: 2022. */
  windowsServer?: pulumi.Input<string> | undefined;
  /** Whole image reference, for instance of a mirror. Default: IIS of the release from Microsoft's registry. */
  image?: pulumi.Input<string> | undefined;
  /** Number of pods. Default: 1. */
  replicas?: pulumi.Input<number> | undefined;
  /** Resources that a pod requests. Default: 100m CPU, 300Mi of memory. */
  requests?: ResourcesArgs | undefined;
  /** Resource limits of a pod. Default: 1 CPU, 800Mi of memory. */
  limits?: ResourcesArgs | undefined;
  /** Networks that may open the page if it has a public load balancer. */
  allowedCidrs: pulumi.Input<pulumi.Input<string>[]>;
  /** Type of the Service: LoadBalancer, ClusterIP or NodePort. Default: LoadBalancer. */
  serviceType?: string | undefined;
  /** Whether the load balancer has an address of the VNET instead of a public one. Default: false. */
  internal?: boolean | undefined;
  /** A second sample with this disk of Azure, which outlives its pods. Default: none. */
  disk?: SampleDiskArgs | undefined;
}

/**
 * IIS on the Windows nodes, behind a load balancer: shows that everything works together. Must depend on the Cluster, and
 * name it in `opts.deletedWith`: a cluster that is broken or cannot be reached could otherwise not be destroyed. The load
 * balancer that the cloud provider has made then goes with the cluster's resource group.
 */
export class SampleWorkload extends pulumi.ComponentResource {
  /** URL at which IIS answers: inside the cluster, or that of its load balancer. */
  readonly url: pulumi.Output<string>;

  constructor(name: string, args: SampleWorkloadArgs, opts?: pulumi.ComponentResourceOptions) {
    // Excludes the kubeconfig, which waits for the control plane.
    super(componentType("SampleWorkload"), name, { ...args, kubeconfig: undefined }, givenOptions(opts));
    const provider = new kubernetes.Provider(
      `${name}-provider`,
      {
        kubeconfig: pulumi.secret(args.kubeconfig).apply(kubeconfigOfCluster),
        clusterIdentifier: args.clusterIdentifier,
        // A destroy that stops at the Cluster has removed the sample from the state, but it still exists.
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
    const { requests = defaultRequests, limits = defaultLimits, disk } = args;
    const { serviceType = "LoadBalancer", internal = false } = args;
    const shared = pulumi
      .all([args.windowsServer ?? defaultPool.windowsServer, args.image])
      .apply(([windowsServer, image]) => ({ windowsServer, image, requests, limits }));
    const deployment = pulumi
      .all([shared, args.replicas ?? 1])
      .apply(([pods, replicas]) => deploymentObject({ ...pods, replicas }));
    new apps.Deployment(`${name}-deployment`, deployment, inCluster);
    const service = new core.Service(
      `${name}-service`,
      pulumi
        .output(args.allowedCidrs)
        .apply((allowedCidrs) => serviceObject({ serviceType, internal, allowedCidrs })),
      inCluster,
    );
    if (disk !== undefined) {
      const objects = shared.apply((pods) => diskObjects(pods, disk));
      new core.Service(`${name}-disk-service`, objects.service, inCluster);
      new apps.StatefulSet(`${name}-disk`, objects.statefulSet, inCluster);
    }
    this.url =
      serviceType === "LoadBalancer"
        ? service.status.loadBalancer.ingress.apply(
            ([ingress]) =>
              `http://${assertDefined(ingress?.ip, "the address of the Service's load balancer")}/`,
          )
        : pulumi.interpolate`http://${service.metadata.name}.${service.metadata.namespace}.svc/`;
    this.registerOutputs({ url: this.url });
  }
}
