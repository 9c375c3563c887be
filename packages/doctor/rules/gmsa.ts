import { at, list, textAt } from "capz-windows-kit/untyped";
import type { KubeObject } from "../cluster/objects";
import { anyOf, podWarns } from "./finders";
import { podWith, tells } from "./podFinders";
import type { Detectors, Match } from "./rule";
import type { World } from "../cluster/snapshot";
import { present } from "capz-windows-kit/present";

/** Group managed service accounts: the webhook of the add-on, credential specs, and errors of Windows about them. */

const waits = /^(?:CreateContainerError|RunContainerError|CrashLoopBackOff)$/;

/** Errors of Windows about an account of Active Directory. The names of images and Pods may say gMSA, and do not match. */
const aboutAccounts =
  /credential ?spec\b(?![-:@])|trust relationship between this workstation|domain (?:either does not exist|is not available)|primary domain failed|RPC server for the domain|hcs\w*::CreateComputeSystem[^\n]*user name or password is incorrect/i;

/** What a container with an account says when Container Credential Guard or its plug-in fails: HCS passes on their RPC errors. */
const aboutGuard =
  /::CreateComputeSystem[^]*(?:winapi error #\d+|RPC server is unavailable|remote procedure call failed|0x[cd]0020017|0x6b[ae])/i;

const hasAccount = ({ spec }: KubeObject): boolean =>
  [
    at(spec, "securityContext"),
    ...list(at(spec, "containers")).map((one) => at(one, "securityContext")),
  ].some((context) => at(context, "windowsOptions", "gmsaCredentialSpec") !== undefined);

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
    (world) => tells(aboutGuard)(world).filter(({ object }) => object !== undefined && hasAccount(object)),
  ),
};
