/** Create, update and delete limits of what needs Azure machines to come or go. Default of the provider: 10 minutes. */
export const machineTimeouts = { create: "60m", update: "60m", delete: "60m" } as const;
