import type { ClusterModel } from "../model/cluster/types";
import type { Row } from "./layout";

/** Rows of a plan about the management cluster. */

/** Whoever is not kept out by a list of networks. */
export const everyone = "everyone on the Internet";

export const managementReach = ({ aks }: ClusterModel["management"]): Row[] =>
  aks === undefined
    ? []
    : [
        {
          label: "management API server",
          lines: [`${aks.authorizedCidrs.join(", ") || everyone}; credentials are needed`],
        },
      ];
