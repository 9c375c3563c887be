import { textAt } from "capz-windows-kit/untyped";
import { withVars } from "./answers";
import { anyOf, says, wasRead } from "./finders";
import { azureKinds } from "./kinds";
import type { Detectors, Match } from "./rule";
import type { World } from "../cluster/snapshot";
import { present } from "capz-windows-kit/present";

/** The identity of the controllers in Azure. */

/** AzureClusters that name an identity that does not exist. */
export const missingIdentity = (world: World): Match[] =>
  world
    .all("AzureCluster")
    .filter(() => wasRead("AzureClusterIdentity", "management", world))
    .flatMap((object) => {
      const name = textAt(object.spec, "identityRef", "name");
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

/** Logins that were refused for their client secret, with the client and the Secret of the AzureClusterIdentity that has one. */
function refusedSecrets(world: World): Match[] {
  const spec = world
    .all("AzureClusterIdentity")
    .map((identity) => identity.spec)
    .find((each) => textAt(each, "clientSecret", "name") !== "");
  const named = {
    client: textAt(spec, "clientID"),
    secret: textAt(spec, "clientSecret", "name"),
    secretNamespace: textAt(spec, "clientSecret", "namespace"),
  };
  const known = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== ""));
  return withVars(says({ kinds: azureKinds, text: /AADSTS70002(?:22|15)\b/ }), () => known)(world);
}

export const identity: Detectors = {
  "client-secret": refusedSecrets,
  "identity-missing": anyOf(
    missingIdentity,
    says({
      kinds: azureKinds,
      text: /AzureClusterIdentity external object \S+ azureclusteridentities\S* \\?"(?<identity>[\w.-]+)\\?" not found/,
    }),
  ),
};
