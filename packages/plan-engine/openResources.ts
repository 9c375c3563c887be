import { setTimeout as sleep } from "node:timers/promises";
import { hasChildren } from "./child";

/** What keeps this process alive, by its type: timers, sockets, files being read. */
export type OpenResources = ReadonlyMap<string, number>;

/** Resources of this process's other children come and go independently of a program. */
const ofChildren = ["ProcessWrap", "PipeWrap"];

export function openResources(): OpenResources {
  const found = new Map<string, number>();
  for (const type of process.getActiveResourcesInfo()) {
    found.set(type, (found.get(type) ?? 0) + 1);
  }
  return found;
}

const isMore = (before: OpenResources): boolean =>
  [...openResources()].some(
    ([type, count]) => count > (before.get(type) ?? 0) && !(hasChildren() && ofChildren.includes(type)),
  );

/**
 * Waits until no more resources are open than before.
 * @returns false if resources are still open after the timeout
 */
export async function settle(before: OpenResources, timeoutMs: number): Promise<boolean> {
  const end = performance.now() + timeoutMs;
  while (isMore(before)) {
    if (performance.now() > end) {
      return false;
    }
    await sleep(2);
  }
  return true;
}
