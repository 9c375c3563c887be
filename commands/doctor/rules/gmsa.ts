import { at, textAt } from "../../../tools/untyped";
import { anyOf, podWarns } from "./finders";
import { podWith } from "./podFinders";
import type { Detectors, Match } from "./rule";
import type { World } from "../../cluster/snapshot";
import { present } from "../../../tools/present";

/** Group managed service accounts: the webhook of the add-on, credential specs, and errors of Windows about them. */

const waits = /^(?:CreateContainerError|RunContainerError|CrashLoopBackOff)$/;

/** Errors of Windows about an account of Active Directory. The names of images and Pods may say gMSA, and do not match. */
const aboutAccounts =
  /credential ?spec\b(?![-:@])|trust relationship between this workstation|domain (?:either does not exist|is not available)|primary domain failed|RPC server for the domain|hcs\w*::CreateComputeSystem[^\n]*user name or password is incorrect/i;

/** Pods whose credential spec no webhook has filled in: they run, but without the account. */
const notFilledIn = (world: World): Match[] =>
  world.all("Pod", "workload").flatMap((object) => {
    const options = at(object.spec, "securityContext", "windowsOptions");
    const spec = textAt(options, "gmsaCredentialSpecName");
    return present(
      spec !== "" &&
        at(options, "gmsaCredentialSpec") === undefined && {
          object,
          vars: { spec },
          proof: {
            where: `Pod ${object.metadata.namespace ?? ""}/${object.metadata.name}, spec.securityContext.windowsOptions`,
            text: `gmsaCredentialSpecName is ${spec}, and there is no gmsaCredentialSpec`,
          },
        },
    );
  });

export const gmsa: Detectors = {
  "gmsa-not-filled-in": notFilledIn,
  gmsa: anyOf(
    podWith({
      side: "workload",
      text: aboutAccounts,
      container: ({ waiting, message }) => (waits.test(waiting) ? `${waiting}: ${message}` : undefined),
    }),
    podWarns(aboutAccounts),
  ),
};
