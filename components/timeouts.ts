/** Limits for creating, updating and deleting what waits for Azure machines. The provider's default is 10 minutes. */
export const machineTimeouts = { create: "60m", update: "60m", delete: "60m" } as const;
