import { setTimeout as sleep } from "node:timers/promises";
import * as pulumi from "@pulumi/pulumi";
import { adviceAfterConflict } from "./fieldConflicts";
import { adviceAfterKill } from "./killedRun";
import { refuseChanges } from "capz-windows-platform/cluster/refusedChanges";
import { secondsUntilRetry, webhookPatience } from "./unreadyWebhooks";

type DependsOn = NonNullable<pulumi.ResourceOptions["dependsOn"]>;

type Package = "azure-native" | "kubernetes";

type Further = pulumi.Resource | pulumi.Output<pulumi.Resource>;

const merged = (dependsOn: DependsOn, further: readonly Further[]): DependsOn =>
  Array.isArray(dependsOn)
    ? [...dependsOn, ...further]
    : pulumi
        .output<pulumi.Resource | pulumi.Input<pulumi.Resource>[]>(dependsOn)
        .apply((found): Further[] => [...(Array.isArray(found) ? found : [found]), ...further]);

/**
 * Options of a component's child: what the component waits for, and further resources. Pulumi itself would create the
 * child in time, but record no dependency, and then delete the two in any order.
 */
export const childOf = (
  parent: pulumi.ComponentResource,
  { dependsOn = [] }: Pick<pulumi.ComponentResourceOptions, "dependsOn"> = {},
  ...further: readonly Further[]
): { parent: pulumi.ComponentResource; dependsOn: DependsOn } => ({
  parent,
  dependsOn: merged(dependsOn, further),
});

/**
 * For what a cluster stands on, and all in it goes with: azure-native would delete it before it makes it anew under the
 * same name. The other order fails, because the name is taken, and deletes nothing.
 */
export const neverDeletedFirst: Pick<pulumi.CustomResourceOptions, "deleteBeforeReplace"> = {
  deleteBeforeReplace: false,
};

/**
 * The resource of `deletedWith` with its whole URN. In a plug-in, the SDK takes the URN for the reference of a provider,
 * `URN::ID`, and cuts the name off as the ID (createProviderResource in provider/server.js of pulumi 3.270).
 */
function wholeResource(resource: pulumi.Resource): pulumi.Resource {
  if (!(resource instanceof pulumi.DependencyProviderResource)) {
    return resource;
  }
  const urn = pulumi.interpolate`${resource.urn}::${resource.id}`;
  return Object.assign(new pulumi.DependencyResource(""), { urn });
}

/** Options of a component that a program in another language may have made. */
export function givenOptions<Options extends pulumi.ComponentResourceOptions>(
  opts?: Options,
): Options | undefined {
  return opts?.deletedWith === undefined ? opts : { ...opts, ...deletedWithOf(opts) };
}

/** The option `deletedWith`, which a component passes on to those of its children that live inside that resource. */
export const deletedWithOf = ({
  deletedWith,
}: Pick<pulumi.ComponentResourceOptions, "deletedWith"> = {}): Pick<
  pulumi.CustomResourceOptions,
  "deletedWith"
> => (deletedWith === undefined ? {} : { deletedWith: wholeResource(deletedWith) });

/**
 * Options of a component of which only some children live inside that resource. Pulumi's engine gives each child without
 * a `deletedWith` that of its parent (inheritFromParent in pkg/resource/deploy/source_eval.go, v3.259).
 */
export function withoutDeletedWith(
  opts: pulumi.ComponentResourceOptions = {},
): pulumi.ComponentResourceOptions {
  const others = { ...opts };
  delete others.deletedWith;
  return others;
}

/**
 * Refuses a component without the providers of its children: Pulumi would take the machine's own kubeconfig
 * or login instead.
 * @throws ResourceError at the component
 */
export function requireProviders(component: pulumi.ComponentResource, ...packages: readonly Package[]): void {
  for (const name of packages) {
    // Any type of the package finds its provider.
    if (component.getProvider(`${name}:index:Provider`) === undefined) {
      throw new pulumi.ResourceError(`give it a provider of ${name} in opts.providers`, component, true);
    }
  }
}

/**
 * The Cluster with which a component's objects are deleted.
 * @throws ResourceError at the component if `opts.deletedWith` does not name it
 */
export function requireDeletedWith(
  component: pulumi.ComponentResource,
  { deletedWith }: Pick<pulumi.ComponentResourceOptions, "deletedWith"> = {},
): pulumi.Resource {
  if (deletedWith === undefined) {
    throw new pulumi.ResourceError(
      "name the Cluster in opts.deletedWith: `cluster` of a WorkloadCluster",
      component,
      true,
    );
  }
  return wholeResource(deletedWith);
}

/**
 * Hook for the objects of a component that webhooks admit: retries while the webhooks cannot be reached. Each component
 * has its own, because a hook's name is unique in a program.
 */
export const webhookRetry = (name: string): { readonly onError: pulumi.ErrorHook[] } => ({
  onError: [
    new pulumi.ErrorHook(`${name}-webhooks`, async (failure) => {
      const seconds = secondsUntilRetry(
        failure,
        pulumi.runtime.isDryRun() ? webhookPatience.preview : webhookPatience.update,
      );
      if (seconds !== undefined) {
        await sleep(seconds * 1000);
      }
      return seconds !== undefined;
    }),
  ],
});

/** The same, and a change that cannot be made is refused before anything is deployed, in a preview too. */
export const guarded = (
  name: string,
  retry = webhookRetry(name),
): { readonly onError: pulumi.ErrorHook[]; readonly beforeUpdate: pulumi.ResourceHook[] } => ({
  ...retry,
  beforeUpdate: [new pulumi.ResourceHook(`${name}-refuse`, refuseChanges, { onDryRun: true })],
});

/**
 * Reports, for each resource of the program that cannot be created or updated, what to do if an interrupted run has created
 * it already, or if another tool has changed a field of it. This is a hook of the program, because other programs use the
 * components, too.
 */
export function adviseAfterErrors(): void {
  const hook = new pulumi.ErrorHook(
    // The state of each resource has the name of its hooks, so it stays.
    "advice-after-kill",
    async ({ failedOperation, errors: [newest = ""] }) => {
      const stack = pulumi.getStack();
      const advice =
        (failedOperation === "create" ? adviceAfterKill(newest, stack) : undefined) ??
        adviceAfterConflict(newest, stack);
      if (advice !== undefined) {
        // Awaited, because the run ends with the failure, and a message that is still being sent would be lost.
        await pulumi.log.error(advice);
      }
      return false;
    },
  );
  // Not registerResourceTransform: between the engine and such a transform, an option that is not set becomes `false`, and
  // `deleteBeforeReplace: false` overrules a provider that has to delete first (pulumi 3.270 runtime/callbacks.js).
  pulumi.runtime.registerStackTransformation(({ resource, props, opts }) => {
    if (!(resource instanceof pulumi.CustomResource)) {
      return undefined;
    }
    const hooks = { ...opts.hooks, onError: [...(opts.hooks?.onError ?? []), hook] };
    return { props, opts: { ...opts, hooks } };
  });
}

/** All resources of the program from now on, in the order in which it makes them; without components, which only contain others. */
export function collectResources(): readonly pulumi.Resource[] {
  const found: pulumi.Resource[] = [];
  pulumi.runtime.registerStackTransformation(({ resource }) => {
    if (resource instanceof pulumi.CustomResource) {
      found.push(resource);
    }
    return undefined;
  });
  return found;
}
