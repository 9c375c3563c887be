/** Type token of a component; part of every URN below it, so a change would replace everything. */
export const componentType = (name: string): string => `capz-windows:index:${name}`;
