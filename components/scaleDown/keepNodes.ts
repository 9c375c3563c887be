import * as pulumi from "@pulumi/pulumi";
import { apiVersions } from "../../capi/apiVersions";
import { askApiServer } from "../../io/apiServer";
import { loadOptional } from "../../io/optionalPackage";
import { textAt } from "../../tools/untyped";
import { brakeRollout } from "./brake";
import { changesModel, fewerNodes, mayLower } from "./poolSize";
import { PoolClient } from "./poolClient";
import type { SendRequest } from "./requests";
import { beforeUpdate, resumePools } from "./resumePools";

export interface KeepNodesArgs {
  /** Run by the offline plan, which has no cluster. */
  readonly offline: boolean;
  /** Namespace of the cluster's objects. */
  readonly namespace: string;
  /** Number of nodes of each scale set; undefined for one that is autoscaled. */
  readonly pools: Readonly<Record<string, number | undefined>>;
}

const types = {
  machinePool: `kubernetes:${apiVersions.cluster}:MachinePool`,
  azureMachinePool: `kubernetes:${apiVersions.azure}:AzureMachinePool`,
} as const;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

class MissingPackageError extends Error {
  override readonly name = "MissingPackageError";
}

/** @throws Error if the package is missing or the kubeconfig cannot be read */
async function sender(kubeconfig: string): Promise<SendRequest> {
  const config = await emptyConfig();
  config.loadFromString(kubeconfig);
  const server = (config.getCurrentCluster()?.server ?? "").replace(/\/$/, "");
  return (path, request) => askApiServer(config, `${server}${path}`, request);
}

async function emptyConfig() {
  // Loaded here, because the package takes half a second and is needed only where a number of nodes may change.
  const { KubeConfig } = await loadOptional(
    "@kubernetes/client-node",
    "`pulumi up` lowers the number of nodes of a scale set without losing others",
    () => import("@kubernetes/client-node"),
    (message) => new MissingPackageError(message),
  );
  return new KubeConfig();
}

const valueOf = <T>(output: pulumi.Input<T>): Promise<T> =>
  new Promise((resolve) => {
    pulumi.output(output).apply((value) => {
      resolve(value as T);
    });
  });

/**
 * Lets exactly as many nodes go as the number of a scale set falls: before the update of a MachinePool the pool is paused for
 * a moment, and the Machines that go are marked. What an interrupted `up` has left is finished first. Call it before the
 * pools are made. Returns the management cluster.
 *
 * A hook and not a resource: it has to see the number of now, and is nothing that could be in the state.
 */
export function keepNodes<Management extends { readonly kubeconfig: pulumi.Output<string> }>(
  management: Management,
  { offline, namespace, pools }: KeepNodesArgs,
): Management {
  if (offline) {
    return management;
  }
  const { kubeconfig } = management;
  const isPreview = pulumi.runtime.isDryRun();
  const client = async () => new PoolClient(await sender(await valueOf(kubeconfig)));
  const say = (text: string): void => {
    void pulumi.log.info(text);
  };
  const resume = async (): Promise<void> => {
    try {
      await resumePools(await client(), namespace, pools, { say });
    } catch (error) {
      // Without the package, no earlier `up` can have paused a pool.
      if (!(error instanceof MissingPackageError)) {
        await pulumi.log.warn(
          `It is not known whether an interrupted \`pulumi up\` has left a pool paused: ${messageOf(error)}`,
        );
      }
    }
  };
  const resumed = isPreview ? Promise.resolve() : resume();
  const remodelled = new Set<string>();

  const size = new pulumi.ResourceHook(
    "pool-size",
    async ({ oldInputs, newInputs }) => {
      if (!mayLower(oldInputs, newInputs)) {
        return;
      }
      if (isPreview) {
        await emptyConfig();
        say(
          fewerNodes(oldInputs, newInputs) ??
            `${textAt(newInputs, "metadata", "name")}: the autoscaler's range decides how many nodes stay; those that go are drained, and no others`,
        );
        return;
      }
      await resumed;
      const name = textAt(newInputs, "metadata", "name");
      const update = { oldInputs, newInputs, changesModel: remodelled.has(name) };
      await beforeUpdate(
        await client(),
        update,
        { namespace: textAt(newInputs, "metadata", "namespace"), name },
        { say },
      );
    },
    { onDryRun: true },
  );
  const model = new pulumi.ResourceHook("pool-model", ({ oldInputs, newInputs }) => {
    if (!changesModel(oldInputs, newInputs)) {
      return;
    }
    const pool = {
      namespace: textAt(newInputs, "metadata", "namespace"),
      name: textAt(newInputs, "metadata", "name"),
    };
    remodelled.add(pool.name);
    // Not awaited: it looks after the rollout for as long as this `up` lives, and a rollout goes on without it.
    client()
      .then((each) => brakeRollout(each, pool))
      .catch((error: unknown) =>
        pulumi.log.warn(`Nobody looks after the rollout of ${pool.name}: ${messageOf(error)}`),
      );
  });
  const hooks: Readonly<Record<string, pulumi.ResourceHook>> = {
    [types.machinePool]: size,
    [types.azureMachinePool]: model,
  };
  pulumi.runtime.registerResourceTransform(({ type, props, opts }) => {
    const hook = hooks[type];
    return hook === undefined
      ? undefined
      : {
          props,
          opts: {
            ...opts,
            hooks: { ...opts.hooks, beforeUpdate: [...(opts.hooks?.beforeUpdate ?? []), hook] },
          },
        };
  });
  return management;
}
