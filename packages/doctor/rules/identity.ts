import { textAt } from "capz-windows-kit/untyped";
import { anyOf, says, wasRead } from "./finders";
import { azureKinds } from "./kinds";
import { roles } from "./roles";
import type { Detectors, Match } from "./rule";
import { secrets } from "./secrets";
import type { World } from "../cluster/snapshot";
import { present } from "capz-windows-kit/present";

/** The identity of the controllers in Azure, and its roles. */

const missingIdentity = (world: World): Match[] =>
  world
    .all("AzureCluster")
    .filter(() => wasRead("AzureClusterIdentity", "management", world))
    .flatMap((object) => {
      const name = textAt((object.spec as { identityRef?: unknown } | undefined)?.identityRef, "name");
      return present(
        name !== "" &&
          world.find("AzureClusterIdentity", name) === undefined && {
            object,
            proof: {
              where: `AzureCluster ${object.metadata.name}, spec.identityRef`,
              text: `there is no AzureClusterIdentity ${name} in ${world.snapshot.cluster.namespace}`,
            },
            vars: { identity: name },
          },
      );
    });

export const identity: Detectors = {
  ...secrets,
  "identity-missing": anyOf(
    missingIdentity,
    says({
      kinds: azureKinds,
      text: /AzureClusterIdentity external object \S+ azureclusteridentities\S* \\?"(?<identity>[\w.-]+)\\?" not found/,
    }),
  ),
  ...roles,
};
