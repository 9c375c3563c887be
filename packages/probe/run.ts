import type { Send } from "capz-windows-doctor/cluster/connect";
import { inParallel } from "capz-windows-kit/io/parallel";
import { at, list, numberAt, textAt } from "capz-windows-kit/untyped";
import { podRows, stepsOf } from "./checks";
import { Client, EndedError, RefusedError } from "./client";
import { cleanUp, type Lifetime, makeRoom, showLife, stillThere } from "./lifetime";
import type { ProbePlace, ProbeNode, ProbeReport, ProbeRow, ProbeWorld } from "./model";
import { nodeRows, startRows } from "./nodeChecks";
import { chosenNodes, nodesOf } from "./nodes";
import { baseObjects, imageOf, namespaceObject, serverText, serviceObject } from "./objects";
import { type LoadBalancerOptions, loadBalancerRows, servicePath } from "./loadBalancer";
import { removePod, runPod } from "./pods";
import { checkRestart, restart } from "./restart";
import { volumeRows } from "./volumes";
import { present } from "capz-windows-kit/present";

export interface ProbeOptions extends LoadBalancerOptions {
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

interface Run extends ProbeOptions {
  readonly client: Client;
  readonly all: readonly ProbeNode[];
  readonly nodes: readonly ProbeNode[];
  /** Grows as pods end, so that a run that ends early has what it measured. */
  readonly rows: ProbeRow[];
}

/** A pod that does not do its work: a node that hangs is a finding. */
const failedRow = (name: string, node: ProbeNode, measured: string): ProbeRow => ({
  ...{ check: "start", where: `pod ${name} on ${node.name}`, expected: "runs to its end", measured },
  verdict: "finding",
  remedy: "Run `npm run doctor -- NAME`: it explains pods that do not start, and nodes that do not answer.",
});

/** Runs a pod on each node: "server" for those to which the others send, "host" and "pod" for those that measure. */
async function pods(
  { client, facts, nodes, rows, say }: Run,
  kind: "host" | "server" | "pod",
  round: number,
  world: ProbeWorld,
) {
  let ended = 0;
  say(`${kind} pods: 0 of ${nodes.length}`);
  const serves = kind === "server";
  const place: ProbePlace = kind === "host" ? "host" : "pod";
  return inParallel(
    nodes.map((node, index) => async () => {
      const name = `${kind}-${index}-${round}`;
      const steps = serves ? `serve ${serverText}` : stepsOf(place, node, world);
      const outcome = await runPod(client, {
        ...{ name, node, place, serves, steps, image: imageOf(facts, node, place) },
        deadlineSeconds: serves ? limits.serves : limits[place],
      }).catch((error: unknown) => {
        if (error instanceof EndedError) {
          rows.push(failedRow(name, node, "had not ended when the run ended"));
        }
        throw error;
      });
      ended += 1;
      say(`${kind} pods: ${ended} of ${nodes.length}`);
      rows.push(
        ...(serves ? [] : podRows(place, node, world, outcome)),
        ...(outcome.problem === "" ? [] : [failedRow(name, node, outcome.problem)]),
      );
      return { name, node, outcome };
    }),
    serves ? nodes.length : atOnce,
  );
}

async function serviceOf({ client }: Run): Promise<ProbeWorld["service"]> {
  const found = await client.get(servicePath);
  const [port] = list(at(found?.spec, "ports"));
  const [clusterIp, nodePort] = [textAt(found?.spec, "clusterIP"), numberAt(port, "nodePort")];
  return nodePort === undefined ? undefined : { clusterIp, nodePort };
}

/** What could not be measured because there are not enough nodes. */
const missingRows = ({ facts, nodes }: Run): ProbeRow[] =>
  present(
    ...facts.pools
      .map(({ name }) => name)
      .filter((pool) => !nodes.some((node) => node.pool === pool))
      .map((pool): ProbeRow => ({
        ...{ check: "node", where: `pool ${pool}`, expected: "" },
        ...{ measured: "no node of the pool is ready", verdict: "not measured" },
      })),
    !(nodes.filter(({ os }) => os === "windows").length >= 2) && {
      ...{ check: "packets", where: "windows → windows", expected: "" },
      measured: "there are no two ready nodes with Windows",
      verdict: "not measured" as const,
    },
  );

/** Everything that is measured, once. */
async function measure(run: Run, round: number): Promise<void> {
  const { client, facts, nodes, all, rows } = run;
  const empty: ProbeWorld = { facts, nodes, servers: new Map() };
  rows.push(...missingRows(run));
  for (const node of nodes) {
    const path = `/api/v1/nodes/${node.name}/proxy/configz`;
    const kubelet = await client.read(path).catch((error: unknown) => {
      if (error instanceof RefusedError) {
        return undefined;
      }
      throw error;
    });
    rows.push(...nodeRows(node, kubelet, empty));
  }
  const [hosts, servers] = await Promise.all([
    pods(run, "host", round, empty),
    pods(run, "server", round, empty),
  ]);
  const answering = servers.filter(({ outcome }) => outcome.problem === "" && outcome.ip !== undefined);
  const world: ProbeWorld = {
    ...empty,
    servers: new Map(answering.map(({ node, outcome }) => [node.name, outcome.ip ?? ""])),
    service: await serviceOf(run),
  };
  const pools = [...new Set(nodes.map(({ pool }) => pool))].filter((pool) => pool !== "control-plane");
  const [measuring] = await Promise.all([
    pods(run, "pod", round, world),
    ...pools.map(async (pool) => rows.push(...(await volumeRows(client, facts, all, pool, round)))),
    ...(round === 0 ? [loadBalancerRows(client, run).then((found) => rows.push(...found))] : []),
  ]);
  const every = [...hosts, ...servers, ...measuring];
  rows.push(
    ...startRows(
      every.flatMap(({ node, outcome: { image, startSeconds } }) =>
        startSeconds === undefined ? [] : [{ image, os: node.os, seconds: startSeconds }],
      ),
    ),
  );
  await Promise.all(every.map(({ name }) => removePod(client, name)));
}

/** Everything once more after the restart of a node, if one is to be restarted. */
async function restarted(run: Run): Promise<void> {
  const target = run.nodes.find(({ name }) => name === run.reboot);
  if (target === undefined) {
    return;
  }
  const rows: ProbeRow[] = [];
  try {
    const back = await restart(run.client, run.facts, target, run.say);
    rows.push(back);
    if (back.verdict === "as planned") {
      await measure({ ...run, rows }, 1);
    }
  } finally {
    run.rows.push(...rows.map((row) => ({ ...row, afterRestartOf: target.name })));
  }
}

const orderOf = ({ afterRestartOf = "", check, where }: ProbeRow): string =>
  `${afterRestartOf} ${check} ${where}`;

/**
 * Measures a cluster and removes what it has made.
 * @throws BusyError, RestartError, RefusedError
 */
export async function probe(options: ProbeOptions): Promise<ProbeReport> {
  const { facts, stack, send, signal, say, pollMs, lifetime, reboot } = options;
  const startedAt = new Date().toISOString();
  const client = new Client(send, signal, pollMs);
  const all = nodesOf(facts, await client.nodes());
  const nodes = chosenNodes(all, reboot);
  if (reboot !== undefined) {
    checkRestart(reboot, all);
  }
  const rows: ProbeRow[] = [];
  const run: Run = { ...options, client, all, nodes, rows };
  await makeRoom(client, lifetime, say);
  await client.create(namespaceObject);
  const stop = showLife(client, lifetime);
  let ended = "";
  try {
    for (const object of [...baseObjects(), serviceObject(facts)]) {
      await client.create(object);
    }
    await measure(run, 0);
    await restarted(run);
  } catch (error) {
    if (!(error instanceof EndedError || error instanceof RefusedError)) {
      throw error;
    }
    ended = error.message;
  } finally {
    stop();
    say("removing what was made");
    // It has its own signal: a run that was interrupted cleans up, too.
    const cleaner = new Client(send, new AbortController().signal, pollMs);
    const gone = await cleanUp(cleaner, lifetime, reboot).catch(() => false);
    ended ||= gone ? "" : stillThere;
  }
  return {
    ...{ version: 1, stack, cluster: facts.clusterName, kubernetesVersion: facts.kubernetesVersion },
    ...{ startedAt, endedAt: new Date().toISOString(), ended },
    // Pods end in any order.
    rows: [...rows].sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1)),
    nodes: nodes.map(({ name, os, pool, zone, ip, ready }) => ({ name, os, pool, zone, ip, ready })),
  };
}
