import type { CustomRoles } from "capz-windows-platform/azure/roles";

/** Parts of the model of a cluster that several of its readers make. */

/** A role of a principal at a scope, and why. */
export interface RightModel {
  /** Name of an identity, or a command. */
  readonly who: string;
  readonly role: string;
  /** ARM ID, or words where it is not known. */
  readonly scope: string;
  readonly why: string;
  /** What is needed. */
  readonly actions: readonly string[];
  /** Of the file with a custom role that can take the place of this one, or has; for identities, also the key of azure.roles. */
  readonly key?: keyof CustomRoles | "up";
  /** ARM ID of a custom role. */
  readonly definitionId?: string;
  /** Where the scope is a resource, or a group, that the stack does not make. */
  readonly ofOthers?: true;
}

/** A fixed number of nodes has the same limits. */
export interface NodeRange {
  readonly min: number;
  readonly max: number;
}

export interface OutboundModel {
  /** "firewall" */
  readonly what: string;
  /** Name or address. */
  readonly name: string;
  /** The rest, one sentence or less each. */
  readonly details: readonly string[];
}

/** Equal things that Azure bills by time. */
export interface BillItem {
  /** What they are for: "pool windows". With `role` it is unique in a stack. */
  readonly owner: string;
  /** "machines", "OS disks" */
  readonly role: string;
  readonly count: NodeRange;
  /** Of one of them, as price lists name it: "Standard_D4s_v5 Windows", "Premium_LRS P10". */
  readonly price: string;
}
