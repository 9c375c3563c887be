import { list, strings, text, textAt } from "capz-windows-kit/untyped";

/** Of AzureCluster, which names what is attached to the subnets of others. */
export const readSubnets = (subnets: unknown, ofOthers: boolean) =>
  list(subnets).map((subnet) => {
    const table = textAt(subnet, "routeTable", "name");
    return {
      name: text(subnet.name),
      cidrs: strings(subnet.cidrBlocks),
      role: subnet.role === "control-plane" ? ("control-plane" as const) : ("node" as const),
      /** In a VNET of others: names of the security group and of the route table. */
      ...(ofOthers && {
        attached: {
          group: textAt(subnet, "securityGroup", "name"),
          ...(table === "" ? {} : { table }),
        },
      }),
    };
  });
