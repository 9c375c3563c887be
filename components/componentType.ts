/** Type token of a component; part of every URN below it, so a change would replace everything. */
export const componentType = (name: string): string => `capz-windows:index:${name}`;

/** Create, update and delete limits of what needs Azure machines to come or go. Default of the provider: 10 minutes. */
export const machineTimeouts = { create: "60m", update: "60m", delete: "60m" } as const;
