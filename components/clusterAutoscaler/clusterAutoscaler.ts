import * as apps from "@pulumi/kubernetes/apps/v1";
import * as core from "@pulumi/kubernetes/core/v1";
import * as rbac from "@pulumi/kubernetes/rbac/v1";
import * as pulumi from "@pulumi/pulumi";
import { autoscalerImage, autoscalerVersion } from "../../addons/clusterAutoscaler";
import { childOf, givenOptions, requireProviders } from "../childOptions";
import { componentType } from "../componentType";
import { autoscalerObjects, type AutoscalerBehavior } from "./manifests";

export interface ClusterAutoscalerArgs {
  /** Name of the workload cluster. */
  clusterName: string;
  /** Namespace of the cluster's objects. Default: clusterName. */
  namespace?: string | undefined;
  /** Kubernetes version of the cluster, with leading v. */
  kubernetesVersion: string;
  /** Release of the image, with leading v. Default: the newest one for the Kubernetes version. */
  version?: string | undefined;
  /** Whole image reference. Default: the release in registry.k8s.io. */
  image?: string | undefined;
  /** How it decides. Default: see AutoscalerBehavior. */
  behavior?: AutoscalerBehavior | undefined;
  /** Wait until it runs, which requires the API server of the cluster. Default: true. */
  wait?: boolean | undefined;
}

/**
 * The cluster autoscaler of one workload cluster, on the management cluster. It changes the size of the pools that have
 * `autoscale`, and of no others.
 *
 * Name in `opts.dependsOn` the Cluster with its API server: the autoscaler is deleted before it, and adds no machines
 * to a cluster that is being deleted.
 */
export class ClusterAutoscaler extends pulumi.ComponentResource {
  constructor(name: string, args: ClusterAutoscalerArgs, opts?: pulumi.ComponentResourceOptions) {
    super(componentType("ClusterAutoscaler"), name, { ...args }, givenOptions(opts));
    requireProviders(this, "kubernetes");
    const { clusterName, namespace = clusterName, kubernetesVersion, wait = true } = args;
    const minor = Number(kubernetesVersion.split(".")[1]);
    const { version = autoscalerVersion(minor) } = args;
    const { image = autoscalerImage(version) } = args;
    const objects = autoscalerObjects({ ...args.behavior, clusterName, namespace, image, version, wait });
    const account = new core.ServiceAccount(`${name}-account`, objects.serviceAccount, childOf(this, opts));
    const role = new rbac.Role(`${name}-role`, objects.role, childOf(this, opts));
    const binding = new rbac.RoleBinding(
      `${name}-binding`,
      objects.roleBinding,
      childOf(this, opts, account, role),
    );
    new apps.Deployment(`${name}-deployment`, objects.deployment, childOf(this, opts, binding));
    this.registerOutputs();
  }
}
