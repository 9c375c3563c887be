import { scopeOf } from "capz-windows-doctor/cluster/scope";
import { World } from "capz-windows-doctor/cluster/snapshot";
import type { KubeObject } from "capz-windows-doctor/cluster/objects";

/** Names in a recording, or from a server that is no API server, mean nothing but themselves. */

const object = (kind: string, name: string): KubeObject => ({ apiVersion: "v1", kind, metadata: { name } });

const worldWith = (...objects: readonly KubeObject[]): World =>
  new World({
    takenAt: "2026-11-29T00:00:00Z",
    cluster: { name: "dev", namespace: "dev" },
    management: { objects, problems: [] },
    workload: { objects: [], problems: [] },
  });

const poolOf = (pool: string, node: string): string =>
  scopeOf(object("Node", node), worldWith(object("AzureMachinePool", pool)));

it.each([
  ["win1", "win1abc123", "pool win1"],
  ["WIN1", "win1ABC123", "pool WIN1"],
  ["win1", "win1abc12", "cluster"],
  ["win1", "win1-abc12", "cluster"],
  ["(", "(abc123", "pool ("],
  ["w.n1", "win1abc123", "cluster"],
  ["(a+)+", `${"a".repeat(60)}!`, "cluster"],
])("the pool %s, for the node %s: %s", (pool, node, scope) => {
  expect(poolOf(pool, node)).toBe(scope);
});
