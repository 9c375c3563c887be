import * as pulumi from "@pulumi/pulumi";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { apiVersions } from "../../capi/apiVersions";
import { poolRunning, pulumiAnnotations } from "../../capi/waits";
import { apiServerAt } from "capz-windows-kit/io/apiServer";
import { loadOptional } from "capz-windows-kit/io/optionalPackage";
import { loadKubeconfig, readLoginFiles } from "capz-windows-kit/kubeconfigFiles";
import { textAt } from "capz-windows-kit/untyped";
import { brakeRollout } from "./brake";
import { componentType } from "../componentType";
import { machineTimeouts } from "../timeouts";
import { changesModel, fewerNodes, mayLower } from "./poolSize";
import { PoolClient, type PoolName } from "./poolClient";
import { drainedPools, drainPool } from "./removedPools";
import { Rollouts } from "./rollouts";
import type { SendRequest } from "./requests";
import { beforeUpdate, resumePools } from "./resumePools";
import { messageOf } from "capz-windows-kit/messageOf";

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
  machinePoolPatch: `kubernetes:${apiVersions.cluster}:MachinePoolPatch`,
} as const;

class MissingPackageError extends Error {
  override readonly name = "MissingPackageError";
}

/** @throws Error if the package is missing or the kubeconfig cannot be read */
async function sender(kubeconfig: string): Promise<SendRequest> {
  const config = await emptyConfig();
  loadKubeconfig(config, kubeconfig, ".");
  readLoginFiles(config);
  return apiServerAt(config, config.getCurrentCluster()?.server ?? "");
}

/** Nothing is waited for without the package; it changes nothing of the pools. */
function withoutPackage(error: unknown): undefined {
  if (!(error instanceof MissingPackageError)) {
    throw error;
  }
  void pulumi.log.warn(`It is not waited for nodes that get another image: ${error.message}`);
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

/** For which `up` waits until nodes are replaced or drained: as for all machines (components/timeouts.ts). */
const limitMinutes = Number.parseInt(machineTimeouts.update, 10);

const poolOf = (inputs: unknown): PoolName => ({
  namespace: textAt(inputs, "metadata", "namespace"),
  name: textAt(inputs, "metadata", "name"),
});

/** Whether a patch waits for the nodes of a scale set (`wait: nodes`); another one waits for its upgrade alone. */
const isRunningPatch = (inputs: unknown): boolean =>
  textAt(inputs, "metadata", "annotations", pulumiAnnotations.waitFor).includes(poolRunning);

/**
 * The program of a killed `pulumi up` lives on for a while, and what it did then would be in no state: the next `up` would not know
 * that a number was lowered. `pulumi.log` says nothing of an engine that is gone, so the engine is asked here.
 * @throws Error if the engine does not answer
 */
async function alive(): Promise<void> {
  const request = new LogRequest();
  request.setSeverity(LogSeverity.DEBUG);
  request.setEphemeral(true);
  const engine = pulumi.runtime.getEngine();
  await new Promise<void>((resolve, reject) => {
    if (engine === undefined) {
      reject(new Error("no engine runs this program"));
      return;
    }
    engine.log(request, (error) => {
      if (error) {
        reject(new Error(`the \`pulumi up\` of this program has ended: ${error.message}`));
      } else {
        resolve();
      }
    });
  });
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
      await resumePools(await client(), namespace, pools, { say, alive });
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
            `${poolOf(newInputs).name}: the autoscaler's range decides how many nodes stay; those that go are drained, and no others`,
        );
        return;
      }
      await resumed;
      const pool = poolOf(newInputs);
      const update = { oldInputs, newInputs, changesModel: remodelled.has(pool.name) };
      await beforeUpdate(await client(), update, pool, { say, alive });
    },
    { onDryRun: true },
  );
  const rollouts = new Rollouts(() => client().catch(withoutPackage), say);
  const model = new pulumi.ResourceHook("pool-model", async ({ oldInputs, newInputs }) => {
    const pool = poolOf(newInputs);
    await rollouts.begin(pool, oldInputs, newInputs);
    if (!changesModel(oldInputs, newInputs)) {
      return;
    }
    remodelled.add(pool.name);
    // Not awaited: it looks after the rollout for as long as this `up` lives, and a rollout goes on without it.
    client()
      .then((each) => brakeRollout(each, pool))
      .catch((error: unknown) =>
        pulumi.log.warn(`Nobody looks after the rollout of ${pool.name}: ${messageOf(error)}`),
      );
  });
  const rolled = new pulumi.ResourceHook("pool-rolled", async ({ newInputs }) => {
    if (isRunningPatch(newInputs)) {
      await rollouts.wait(poolOf(newInputs));
    }
  });
  const removed = new pulumi.ResourceHook(
    "pools-removed",
    async ({ oldInputs, newInputs }) => {
      await Promise.all(
        drainedPools(oldInputs, newInputs).map(async (name) => {
          if (isPreview) {
            say(`${name} is removed: its nodes are drained before the scale set is deleted`);
            return;
          }
          await drainPool(await client(), { namespace, name }, { say, alive, limitMinutes });
        }),
      );
    },
    { onDryRun: true },
  );
  const hooks: Readonly<Record<string, pulumi.ResourceHook>> = {
    [types.machinePool]: size,
    [types.azureMachinePool]: model,
    [types.machinePoolPatch]: rolled,
    [componentType("ScaleSets")]: removed,
  };
  // Not registerResourceTransform, which turns options that are not set into `false` (components/childOptions.ts).
  pulumi.runtime.registerStackTransformation(({ type, props, opts }) => {
    const hook = hooks[type];
    if (hook === undefined) {
      return undefined;
    }
    const beforeUpdate = [...(opts.hooks?.beforeUpdate ?? []), hook];
    return { props, opts: { ...opts, hooks: { ...opts.hooks, beforeUpdate } } };
  });
  return management;
}
