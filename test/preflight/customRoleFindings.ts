import { minimal } from "../support/stacks";
import type { Change } from "./armStandIn";
import { at, named, type Row } from "./findings";

/** Custom roles that the stack assigns. */

const guid = "11111111-2222-4333-8444-777777777777";
const subscription = "/subscriptions/11111111-2222-4333-8444-555555555555";
const more = {
  azure: {
    ...(minimal().azure as object),
    roles: { controlPlane: `${subscription}/providers/Microsoft.Authorization/roleDefinitions/${guid}` },
  },
};

const role = (actions: readonly string[], assignableScopes: readonly string[] = [subscription]): Change =>
  at(new RegExp(`/roleDefinitions/${guid}$`), () => ({
    body: {
      properties: {
        roleName: "our control plane",
        permissions: [{ actions, notActions: [] }],
        assignableScopes,
      },
    },
  }));

const all = ["Microsoft.Compute/*", "Microsoft.Network/*"];
const update = /^az role definition update --role-definition @rights\/controlPlane.json /;

const rows: readonly Row[] = [
  [
    "no such role",
    () => undefined,
    new RegExp(
      `^error custom roles: the role ${guid} of azure.roles.controlPlane does not exist, or this login may not read it$`,
    ),
    /^az role definition create --role-definition @rights\/controlPlane.json /,
    more,
  ],
  [
    "a role that lacks an action",
    role(["Microsoft.Compute/*", "Microsoft.Network/*/read", "Microsoft.Network/*/write", "*/join/action"]),
    /^error custom roles: the role our control plane of azure.roles.controlPlane lacks Microsoft.Network\/loadBalancers\/delete, Microsoft.Network\/loadBalancers\/backendAddressPools\/delete, Microsoft.Network\/publicIPAddresses\/delete$/,
    update,
    more,
  ],
  [
    "a role for another group",
    role(all, [`${subscription}/resourceGroups/other`]),
    /^error custom roles: the role our control plane of azure.roles.controlPlane cannot be assigned at \S+\/resourceGroups\/[^/]+$/,
    update,
    more,
  ],
  [
    "a role that assigns roles",
    role(["*"]),
    /^error custom roles: the role our control plane of azure.roles.controlPlane may assign roles: whoever has it can become owner$/,
    update,
    more,
  ],
];

export const customRoleFindings = rows.map(named);

export const rightRoles = [{ name: "a custom role as it should be", change: role(all), more }];
