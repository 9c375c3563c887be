import type { ComponentResourceOptions } from "@pulumi/pulumi";
import { ExistingNetwork, type ExistingNetworkArgs } from "./existingNetwork";
import { VirtualNetwork, type VirtualNetworkArgs } from "./virtualNetwork";

/** The VNET of a stack: its own, or that of others. */
export type Network = VirtualNetwork | ExistingNetwork;

export interface NetworkArgs {
  readonly own: VirtualNetworkArgs;
  /** With them the VNET is that of others. */
  readonly existing?: ExistingNetworkArgs | undefined;
}

/** A root of the stack like what index.ts makes: its options come from there, and it has no parent. */
export const networkOf = (
  name: string,
  { own, existing }: NetworkArgs,
  opts: ComponentResourceOptions,
): Network => (existing ? new ExistingNetwork(name, existing, opts) : new VirtualNetwork(name, own, opts));
