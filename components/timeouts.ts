/** Limits for creating, updating and deleting what waits for Azure machines. The provider's default is 10 minutes. */
export const machineTimeouts = { create: "60m", update: "60m", delete: "60m" } as const;

/**
 * The same for machines that are replaced one after another: half an hour each, of which the first boot of Windows takes up
 * to 25 minutes (packages/platform/machines/healthChecks.ts).
 */
export const rollTimeouts = (machines = 1) =>
  machines <= 2
    ? machineTimeouts
    : { ...machineTimeouts, create: `${machines * 30}m`, update: `${machines * 30}m` };
