import { privateLinkChanges } from "./privateLinkChanges";
import { minimal } from "../support/stacks";

type Raw = Record<string, unknown>;

const withRole = (key: string, digit: number): Raw => ({
  ...{ ...minimal(), protect: false },
  azure: {
    ...(minimal().azure as Raw),
    roles: {
      [key]: `/subscriptions/s/providers/Microsoft.Authorization/roleDefinitions/00000000-0000-4000-8000-00000000000${digit}`,
    },
  },
});

/** Changes of azure.roles, by key: the stack before and after. */
export const customRoleChanges: Readonly<Record<string, readonly [Raw, Raw]>> = {
  ...privateLinkChanges,
  ...Object.fromEntries(
    ["controllers", "controlPlane"].map((key) => [
      `azure.roles.${key}`,
      [withRole(key, 1), withRole(key, 2)] as const,
    ]),
  ),
};
