import * as apps from "@pulumi/kubernetes/apps/v1";
import * as core from "@pulumi/kubernetes/core/v1";
import * as pulumi from "@pulumi/pulumi";
import { childOf, deletedWithOf, givenOptions, requireProviders } from "../childOptions";
import { componentType } from "../componentType";
import type { WindowsPodArgs, WindowsServiceArgs } from "capz-windows-platform/workloads/windowsArgs";
import {
  headlessService,
  windowsDaemonSet,
  windowsDeployment,
  windowsService,
  windowsStatefulSet,
  type WorkloadKind,
} from "capz-windows-platform/workloads/windowsObjects";

export interface WindowsWorkloadArgs extends WindowsPodArgs {
  /** Deployment, DaemonSet or StatefulSet. Default: Deployment. */
  kind?: WorkloadKind;
  /** Name of the object, its container and its Service. Default: the name of the resource. */
  workloadName?: string | undefined;
  /** Whole image reference; an image for another release of Windows Server is rejected by its tag. */
  image: pulumi.Input<string>;
  /** Environment variables; no place for secrets. */
  env?: pulumi.Input<Record<string, pulumi.Input<string>>> | undefined;
  /** Number of pods; a DaemonSet has one on each node of the release. Default: 1. */
  replicas?: pulumi.Input<number> | undefined;
  /** Service in front of the pods. Default: none. */
  service?: WindowsServiceArgs | undefined;
  /** How long Pulumi waits for the pods, including the download of a large image: 40m. Default: 40m. */
  waitFor?: string | undefined;
}

interface Workload {
  readonly spec: { readonly template: { readonly spec: { readonly containers: object[] } } };
}

/** Sets the environment variables of a workload, whose values may become known later than the rest of it. */
function setEnv<T extends Workload>(workload: T, env: WindowsWorkloadArgs["env"]): T {
  const { containers } = workload.spec.template.spec;
  if (env !== undefined) {
    const variables = pulumi
      .output(env)
      .apply((values) => Object.entries(values).map(([name, value]) => ({ name, value })));
    containers.forEach((container) => Object.assign(container, { env: variables }));
  }
  return workload;
}

/**
 * A workload on the Windows nodes of one release: a Deployment, DaemonSet or StatefulSet, and the Service in front of
 * it. Selector, toleration and paths are those of Windows, and an image that could not start there is rejected before
 * anything is deployed. Pass the provider of the workload cluster in `opts.provider`, and the Cluster in
 * `opts.deletedWith` if both are in one program.
 */
export class WindowsWorkload extends pulumi.ComponentResource {
  /** Name of the object. */
  readonly workloadName: string;
  /** Host at which pods of the cluster reach the Service; empty without a Service. */
  readonly host: pulumi.Output<string>;

  constructor(name: string, args: WindowsWorkloadArgs, opts?: pulumi.ComponentResourceOptions) {
    super(componentType("WindowsWorkload"), name, { ...args }, givenOptions(opts));
    requireProviders(this, "kubernetes");
    const {
      kind = "Deployment",
      workloadName = name,
      service,
      namespace = "default",
      waitFor = "40m",
    } = args;
    const named = { ...args, env: undefined, name: workloadName };
    const image = pulumi.output(args.image);
    const pods = pulumi
      .all([args.image, args.replicas ?? 1])
      .apply(([reference, replicas]) => ({ ...named, image: reference, replicas }));
    const inCluster = {
      ...childOf(this, opts),
      ...deletedWithOf(opts),
      // The first boot of a Windows node and the download of a large image come before a pod runs.
      customTimeouts: { create: waitFor, update: waitFor },
    };
    if (kind === "DaemonSet") {
      const daemonSet = image.apply((reference) =>
        setEnv(windowsDaemonSet({ ...named, image: reference }), args.env),
      );
      new apps.DaemonSet(`${name}-daemonset`, daemonSet, inCluster);
    } else if (kind === "StatefulSet") {
      new core.Service(`${name}-pods`, headlessService(named), inCluster);
      new apps.StatefulSet(
        `${name}-statefulset`,
        pods.apply((each) => setEnv(windowsStatefulSet(each), args.env)),
        inCluster,
      );
    } else {
      new apps.Deployment(
        `${name}-deployment`,
        pods.apply((each) => setEnv(windowsDeployment(each), args.env)),
        inCluster,
      );
    }
    if (service !== undefined) {
      new core.Service(`${name}-service`, windowsService(named, service), inCluster);
    }
    this.workloadName = workloadName;
    this.host = pulumi.output(service === undefined ? "" : `${workloadName}.${namespace}.svc`);
    this.registerOutputs({ workloadName, host: this.host });
  }
}
