import * as apiextensions from "@pulumi/kubernetes/apiextensions";
import * as pulumi from "@pulumi/pulumi";
import type { KubeadmConfigSpec } from "../../domain/capi/types";
import { refuseChanges } from "../../domain/capi/refusedChanges";
import { childOf, type ComponentOptions } from "../childOptions";
import { componentType } from "../componentType";
import { machineTimeouts } from "../timeouts";
import { imageText, listImagesCommand } from "../../domain/machines/images";
import { azureJsonSecret } from "../../domain/cluster/naming";
import type { MachineTemplateArgs } from "./manifests";
import { kubeadmControlPlaneObject, machineHealthCheckObject, machineTemplateObject } from "./manifests";

export interface LinuxControlPlaneArgs extends MachineTemplateArgs {
  readonly location: string;
  /** Odd. */
  readonly replicas: number;
  readonly kubernetesVersion: string;
  /** Bootstrap data, given the name of the secret in which CAPZ puts azure.json. */
  readonly bootstrap: (azureJsonSecret: string) => KubeadmConfigSpec;
}

/** The control plane: machine template, KubeadmControlPlane and, from three machines on, a health check. */
export class LinuxControlPlane extends pulumi.ComponentResource {
  readonly image: string;
  /** Command that lists which images there are of this kind. */
  readonly listImages: string;

  constructor(name: string, args: LinuxControlPlaneArgs, opts: ComponentOptions) {
    super(componentType("LinuxControlPlane"), name, {}, opts);
    const templateObject = machineTemplateObject(args);
    const template = new apiextensions.CustomResource(
      `${name}-template`,
      templateObject,
      childOf(this, opts),
    );
    const machineTemplateName = templateObject.metadata.name;
    const hooks = {
      beforeUpdate: [new pulumi.ResourceHook(`${name}-refuse`, refuseChanges, { onDryRun: true })],
    };
    new apiextensions.CustomResource(
      `${name}-kubeadm`,
      kubeadmControlPlaneObject({
        ...args,
        machineTemplateName,
        bootstrap: args.bootstrap(azureJsonSecret(machineTemplateName)),
      }),
      // Depends on the template, so that a changed one exists before and the old one goes after.
      { ...childOf(this, opts, template), customTimeouts: machineTimeouts, hooks },
    );
    if (args.replicas > 1) {
      const healthCheck = machineHealthCheckObject(args.clusterName, args.namespace);
      new apiextensions.CustomResource(`${name}-health-check`, healthCheck, childOf(this, opts));
    }
    this.image = imageText(args.image);
    this.listImages = listImagesCommand(args.image, args.location);
    this.registerOutputs({ machineTemplateName });
  }
}
