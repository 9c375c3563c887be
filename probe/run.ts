import type { Send } from "../doctor/read/connect";
import { at, list, numberAt, textAt } from "../domain/untyped";
import { podRows, stepsOf } from "./checks";
import { Client, EndedError, RefusedError } from "./client";
import { cleanUp, type Lifetime, makeRoom, showLife, stillThere } from "./lifetime";
import type { Place, PodOutcome, ProbeNode, ProbeReport, Row, World } from "./model";
import { nodeRows, startRows } from "./nodeChecks";
import { chosenNodes, nodesOf } from "./nodes";
import { baseObjects, imageOf, namespaceObject, serverText, serviceObject } from "./objects";
import { type LoadBalancerOptions, loadBalancerRows, servicePath } from "./loadBalancer";
import { inTurn, removePod, runPod } from "./pods";
import { checkRestart, restart } from "./restart";
import { volumeRows } from "./volumes";

export interface RunOptions extends LoadBalancerOptions {
  readonly stack: string;
  /** Requests to the workload cluster. */
  readonly send: Send;
  /** Ends the run; what it has made is removed all the same. Its reason is reported. */
  readonly signal: AbortSignal;
  /** A node that is restarted, whereafter everything is measured again. */
  readonly reboot?: string | undefined;
  readonly pollMs: number;
  readonly lifetime: Lifetime;
}

/** Pods that run at the same time, besides those that wait for requests. */
const atOnce = 8;

/** Time limits of pods, in seconds: the image of the sample workload has 2 GB, and a lost packet is waited for. */
const limits = { host: 10 * 60, serves: 25 * 60, pod: 15 * 60 } as const;

interface Run extends RunOptions {
  readonly client: Client;
  readonly all: readonly ProbeNode[];
  readonly nodes: readonly ProbeNode[];
}

interface Pod {
  readonly name: string;
  readonly node: ProbeNode;
  readonly place: Place;
  readonly outcome: PodOutcome;
}

async function pods(
  { client, settings, nodes, say }: Run,
  kind: "host" | "server" | "pod",
  round: number,
  stepsFor: (node: ProbeNode) => string,
): Promise<Pod[]> {
  let ended = 0;
  say(`${kind} pods: 0 of ${nodes.length}`);
  return inTurn(
    kind === "server" ? nodes.length : atOnce,
    nodes.map((node, index) => async (): Promise<Pod> => {
      const serves = kind === "server";
      const place: Place = kind === "host" ? "host" : "pod";
      const name = `${kind}-${index}-${round}`;
      const outcome = await runPod(client, {
        ...{ name, node, place, serves, steps: stepsFor(node), image: imageOf(settings, node, place) },
        deadlineSeconds: serves ? limits.serves : limits[place],
      });
      ended += 1;
      say(`${kind} pods: ${ended} of ${nodes.length}`);
      return { name, node, place, outcome };
    }),
  );
}

async function serviceOf({ client }: Run): Promise<World["service"]> {
  const found = await client.get(servicePath);
  const [port] = list(at(found?.spec, "ports"));
  const [clusterIp, nodePort] = [textAt(found?.spec, "clusterIP"), numberAt(port, "nodePort")];
  return nodePort === undefined ? undefined : { clusterIp, nodePort };
}

/** What could not be measured because there are not enough nodes. */
const missingRows = ({ settings, nodes }: Run): Row[] => [
  ...[...Object.keys(settings.linuxPools), ...Object.keys(settings.windowsPools)]
    .filter((pool) => !nodes.some((node) => node.pool === pool))
    .map((pool): Row => ({
      ...{ check: "node", where: `pool ${pool}`, expected: "" },
      ...{ measured: "no node of the pool is ready", verdict: "not measured" },
    })),
  ...(nodes.filter(({ os }) => os === "windows").length >= 2
    ? []
    : [
        {
          ...{ check: "packets", where: "windows → windows", expected: "" },
          measured: "there are no two ready nodes with Windows",
          verdict: "not measured" as const,
        },
      ]),
];

const failedRows = (all: readonly Pod[]): Row[] =>
  all
    .filter(({ outcome }) => outcome.problem !== "")
    .map(({ name, node, outcome }): Row => ({
      ...{ check: "start", where: `pod ${name} on ${node.name}`, expected: "runs to its end" },
      ...{ measured: outcome.problem, verdict: "finding" },
      remedy:
        "Run `npm run doctor -- --stack NAME`: it explains pods that do not start, and nodes that do not answer.",
    }));

/** Everything that is measured, once. Rows are added as they come, so that a run that is interrupted has them. */
async function measure(run: Run, round: number, rows: Row[]): Promise<void> {
  const { client, settings, nodes, all } = run;
  const empty: World = { settings, nodes, servers: new Map() };
  rows.push(...missingRows(run));
  for (const node of nodes) {
    const path = `/api/v1/nodes/${node.name}/proxy/configz`;
    const kubelet = await client.get(path).catch((error: unknown) => {
      if (error instanceof RefusedError) {
        return undefined;
      }
      throw error;
    });
    rows.push(...nodeRows(node, kubelet, empty));
  }
  const [hosts, servers] = await Promise.all([
    pods(run, "host", round, (node) => stepsOf("host", node, empty)),
    pods(run, "server", round, () => `serve ${serverText}`),
  ]);
  rows.push(...hosts.flatMap(({ node, outcome }) => podRows("host", node, empty, outcome)));
  const answering = servers.filter(({ outcome }) => outcome.problem === "" && outcome.ip !== undefined);
  const world: World = {
    ...empty,
    servers: new Map(answering.map(({ node, outcome }) => [node.name, outcome.ip ?? ""])),
    service: await serviceOf(run),
  };
  const pools = [...new Set(nodes.map(({ pool }) => pool))].filter((pool) => pool !== "control-plane");
  const [measuring] = await Promise.all([
    pods(run, "pod", round, (node) => stepsOf("pod", node, world)),
    ...pools.map(async (pool) => rows.push(...(await volumeRows(client, settings, all, pool, round)))),
    ...(round === 0 ? [loadBalancerRows(client, run).then((found) => rows.push(...found))] : []),
  ]);
  rows.push(...measuring.flatMap(({ node, outcome }) => podRows("pod", node, world, outcome)));
  const every = [...hosts, ...servers, ...measuring];
  rows.push(
    ...failedRows(every),
    ...startRows(
      every.flatMap(({ node, outcome: { image, startSeconds } }) =>
        startSeconds === undefined ? [] : [{ image, os: node.os, seconds: startSeconds }],
      ),
    ),
  );
  await Promise.all(every.map(({ name }) => removePod(client, name)));
}

/** Everything once more after the restart of a node, if one is to be restarted. */
async function restarted(run: Run): Promise<Row[]> {
  const target = run.nodes.find(({ name }) => name === run.reboot);
  if (target === undefined) {
    return [];
  }
  const rows: Row[] = [await restart(run.client, run.settings, target, run.say)];
  if (rows[0]?.verdict === "as planned") {
    await measure(run, 1, rows);
  }
  return rows.map((row) => ({ ...row, afterRestartOf: target.name }));
}

/**
 * Measures a cluster and removes what it has made.
 * @throws BusyError, RestartError, RefusedError
 */
export async function probe(options: RunOptions): Promise<ProbeReport> {
  const { settings, stack, send, signal, say, pollMs, lifetime, reboot } = options;
  const startedAt = new Date().toISOString();
  const client = new Client(send, signal, pollMs);
  const all = nodesOf(settings, await client.list("/api/v1/nodes"));
  const nodes = chosenNodes(all, reboot);
  if (reboot !== undefined) {
    checkRestart(reboot, all);
  }
  const run: Run = { ...options, client, all, nodes };
  const rows: Row[] = [];
  await makeRoom(client, lifetime, say);
  await client.create(namespaceObject);
  const stop = showLife(client, lifetime);
  let ended = "";
  try {
    for (const object of [...baseObjects(), serviceObject(settings)]) {
      await client.create(object);
    }
    await measure(run, 0, rows);
    rows.push(...(await restarted(run)));
  } catch (error) {
    if (!(error instanceof EndedError || error instanceof RefusedError)) {
      throw error;
    }
    ended = error.message;
  } finally {
    stop();
    say("removing what was made");
    // It has a signal of its own: a run that was interrupted cleans up, too.
    const cleaner = new Client(send, new AbortController().signal, pollMs);
    const gone = await cleanUp(cleaner, lifetime).catch(() => false);
    ended ||= gone ? "" : stillThere;
  }
  return {
    ...{ version: 1, stack, cluster: settings.clusterName, kubernetesVersion: settings.kubernetesVersion },
    ...{ startedAt, endedAt: new Date().toISOString(), ended, rows },
    nodes: nodes.map(({ name, os, pool, zone, ip, ready }) => ({ name, os, pool, zone, ip, ready })),
  };
}
