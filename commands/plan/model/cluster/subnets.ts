import { list, strings, text, textAt } from "../../../../tools/untyped";
import type { SubnetModel } from "./types";

/** Of AzureCluster, which names what is attached to the subnets of others. */
export const readSubnets = (subnets: unknown, ofOthers: boolean): SubnetModel[] =>
  list(subnets).map((subnet) => {
    const table = textAt(subnet, "routeTable", "name");
    return {
      name: text(subnet.name),
      cidrs: strings(subnet.cidrBlocks),
      role: subnet.role === "control-plane" ? "control-plane" : "node",
      ...(ofOthers && {
        attached: {
          group: textAt(subnet, "securityGroup", "name"),
          ...(table === "" ? {} : { table }),
        },
      }),
    };
  });
