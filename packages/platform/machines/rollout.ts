/**
 * How many nodes a pool may have more or fewer than it wants while it rolls. A percentage of surge is rounded up, one of
 * unavailable nodes down (CAPZ v1.27.0 azure/scope/strategies/machinepool_deployments; CAPI v1.14.2 mdutil).
 */

/** A number of nodes, also as a text, or a percentage such as "25%". */
type NodeCount = number | string;

const scaled = (count: NodeCount, nodes: number): number =>
  String(count).endsWith("%") ? (Number.parseInt(String(count), 10) * nodes) / 100 : Number(count);

export const surgeNodes = (maxSurge: NodeCount, nodes: number): number => Math.ceil(scaled(maxSurge, nodes));

export const unavailableNodes = (maxUnavailable: NodeCount, nodes: number): number =>
  Math.floor(scaled(maxUnavailable, nodes));
