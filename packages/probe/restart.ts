import type { StackFacts } from "capz-windows-contract";
import { textAt } from "capz-windows-kit/untyped";
import type { Client } from "./client";
import { cordon, nodePath, uncordon } from "./lifetime";
import { judged, type ProbeNode, type ProbeRow } from "./model";
import { isReady } from "./nodes";
import { imageOf } from "./objects";
import { runPod } from "./pods";

/** Restarts one node with Windows, to see whether its network is the same afterwards. */

/** The node that --reboot names cannot be restarted. */
export class RestartError extends Error {
  override readonly name = "RestartError";
}

/** For the shutdown, Windows' start, and what makes its network. */
const backSeconds = 30 * 60;

/** @throws RestartError */
export function checkRestart(name: string, nodes: readonly ProbeNode[]): void {
  const node = nodes.find((each) => each.name === name);
  const windows = nodes.filter((each) => each.os === "windows" && each.ready).map((each) => each.name);
  const refuse = (why: string): never => {
    throw new RestartError(`--reboot ${name}: ${why}; there are ${windows.join(", ") || "none"}.`);
  };
  if (node === undefined) {
    return refuse("the cluster has no such node");
  }
  if (node.os !== "windows") {
    return refuse("the node does not run Windows, and the probe restarts only those");
  }
  if (!node.ready) {
    return refuse("the node is not ready, or cordoned");
  }
}

/**
 * Cordons the node, restarts it and waits until it is Ready. Its pods are not drained: they go with the machine, and start
 * again on it.
 * @throws EndedError; cleanUp then takes the cordon away
 */
export async function restart(
  client: Client,
  facts: StackFacts,
  node: ProbeNode,
  say: (text: string) => void,
): Promise<ProbeRow> {
  const row = { check: "restart", where: node.name, expected: `Ready within ${backSeconds} s` };
  const remedy = "Look at the machine's serial console in Azure, and run `npm run doctor -- NAME`.";
  const began = Date.now();
  await cordon(client, node.name);
  say(`restart of ${node.name}: ordered`);
  const boot = textAt(node.object.status, "nodeInfo", "bootID");
  const outcome = await runPod(client, {
    ...{ name: "restart", node, place: "host", steps: "restart", deadlineSeconds: 300 },
    image: imageOf(facts, node, "host"),
  });
  if (outcome.results.find(({ step }) => step === "restart")?.code !== 0) {
    await uncordon(client, node.name);
    const measured = `shutdown.exe did not run: ${outcome.problem || JSON.stringify(outcome.results)}`;
    return judged({ ...row, measured }, false, remedy);
  }
  let away = false;
  const back = await client.until(backSeconds, async () => {
    const found = await client.get(nodePath(node.name));
    const ready = found !== undefined && isReady(found);
    away ||= !ready;
    const up = away ? "back" : "going down";
    say(`restart of ${node.name}: ${ready ? up : "down"}`);
    // The kubelet of Windows reads the number of starts from the registry (Kubernetes v1.36.3 pkg/kubelet/winstats).
    const other = textAt(found?.status, "nodeInfo", "bootID") !== boot;
    return ready && (away || other) ? true : undefined;
  });
  await uncordon(client, node.name);
  const measured =
    back === undefined ? "not Ready" : `Ready after ${Math.round((Date.now() - began) / 1000)} s`;
  return judged({ ...row, measured }, back !== undefined, remedy);
}
