/**
 * Type token of a component. It is part of every URN below the component, so a change would replace everything.
 *
 * All components have this in common:
 * - Values that decide names, content hashes or how many resources there are must be known when the program runs, so
 *   they are plain types: objects of Cluster API are built and checked as plain values, and the names of immutable ones
 *   carry a hash of their content. Everything else takes a `pulumi.Input`.
 * - Args are recorded in the state as the component's inputs, so that a diff names what the program asked for. Outputs
 *   of slow resources are left out, because Pulumi holds every child back until the inputs of its parent are known.
 */
export const componentType = (name: string): string => `capz-windows:index:${name}`;
