import {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from "@pulumi/kubernetes/admissionregistration/v1";
import * as core from "@pulumi/kubernetes/core/v1";
import * as pulumi from "@pulumi/pulumi";
import { clientsNamespace } from "capz-windows-platform/cluster/clients";
import { childOf, deletedWithOf, requireProviders, withoutDeletedWith } from "../childOptions";
import { Providers, type ProvidersArgs } from "./providers";
import { componentType } from "../componentType";
import { bindingObject, guardObject, policyObject } from "./sharedManifests";

export interface SharedManagementArgs extends ProvidersArgs {
  /** Whether Cluster API is installed; otherwise it must be there. Default: true. */
  install?: boolean | undefined;
  /** Refuse to delete the guard, and with it all that it depends on. Default: false. */
  protect?: boolean | undefined;
}

/**
 * A management cluster that several stacks use: Cluster API, and what keeps it as long as it has clients.
 *
 * Each client has a ConfigMap in one namespace. The guard is deleted before anything else of the stack, by a request to
 * the API server, which an admission policy denies while there is a ConfigMap of a client. So a destroy ends before it
 * has deleted anything.
 */
export class SharedManagement extends pulumi.ComponentResource {
  /** Namespace with the ConfigMaps of the clients. */
  readonly clientsNamespace: pulumi.Output<string>;

  constructor(name: string, args: SharedManagementArgs, opts?: pulumi.ComponentResourceOptions) {
    const { install = true, protect = false, ...providers } = args;
    // Or the guard would inherit it, and would not be deleted by its own request.
    super(componentType("SharedManagement"), name, { ...args, protect: undefined }, withoutDeletedWith(opts));
    requireProviders(this, "kubernetes");
    const inManagement = deletedWithOf(opts);
    const installed = install
      ? [new Providers(`${name}-providers`, providers, { parent: this, ...inManagement })]
      : [];
    const space = new core.Namespace(
      `${name}-clients`,
      { metadata: { name: clientsNamespace } },
      { parent: this, ...inManagement },
    );
    const policy = new ValidatingAdmissionPolicy(`${name}-policy`, policyObject, {
      parent: this,
      ...inManagement,
    });
    const binding = new ValidatingAdmissionPolicyBinding(`${name}-policy-binding`, bindingObject, {
      parent: this,
      ...inManagement,
      dependsOn: [policy, space],
    });
    // After everything else, and so the first that a destroy deletes.
    const guard = new core.ConfigMap(`${name}-guard`, guardObject, {
      ...childOf(this, opts, ...installed, space, policy, binding),
      protect,
    });
    // Clients come after the guard.
    this.clientsNamespace = pulumi.all([space.metadata.name, guard.id]).apply(([namespace]) => namespace);
    this.registerOutputs({ clientsNamespace: this.clientsNamespace });
  }
}
