import type { CustomRoles } from "../../../../platform/azure/roles";

/** Who may do what in Azure, as plain text. */

/** A role of a principal at a scope, and why. */
export interface RightModel {
  /** Name of an identity, or a command. */
  readonly who: string;
  readonly what: string;
  readonly role: string;
  /** ARM ID, or words where it is not known. */
  readonly scope: string;
  readonly why: string;
  /** What the role allows beyond that; "" for nothing. */
  readonly wider: string;
  /** What is needed. */
  readonly actions: readonly string[];
  /** Of the file with a custom role that can take the place of this one, or has; for identities, also the key of azure.roles. */
  readonly key?: keyof CustomRoles | "up" | "upElsewhere";
  /** ARM ID of a custom role. */
  readonly definitionId?: string;
  /** Where the scope is a resource, or a group, that the stack does not make. */
  readonly ofOthers?: true;
}

export interface RightsModel {
  readonly identities: readonly RightModel[];
  /** Who runs the commands. */
  readonly people: readonly RightModel[];
  /** For the role with which roles are assigned: only those of this program. */
  readonly condition: string;
}
