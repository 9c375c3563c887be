import { sharedOutputs } from "../../../../platform/cluster/clients";
import { textAt } from "../../../../tools/untyped";
import { isWithin } from "../components";
import { componentsIn, ofType, type PlanResources } from "./resources";

/** What a list for others cannot say before Azure has chosen it. */

/** An address of the simulated Azure, as a network (packages/plan-engine/simulation.ts): no real one begins with 0. */
const simulated = /\b0(?:\.\d{1,3}){3}\/32\b/g;

const variable = "MANAGEMENT_EGRESS";

/** How the addresses from which the management cluster leaves become known: what says it in words, and a command. */
function source(resources: PlanResources): { readonly says: string; readonly command: string } {
  const [holder] = componentsIn(resources, "ManagementCluster");
  const stack = textAt(holder?.inputs, "stack", "stack");
  const [address] = ofType(resources, "PublicIPAddress").filter(({ urn }) => isWithin(urn, "AksCluster"));
  return stack === ""
    ? {
        says: "known as soon as `pulumi up` has made it, which then waits for these rules: the first of the commands asks Azure, and after `up` the output networkRequirements of the stack says it",
        command: `$(az network public-ip show --ids ${address?.id ?? ""} --query ipAddress --output tsv)/32`,
      }
    : {
        says: `known after \`up\` of ${stack}: the output ${sharedOutputs.egressCidrs} of that stack says it`,
        command: `$(npx pulumi stack output ${sharedOutputs.egressCidrs} --stack ${stack} --json | jq --raw-output 'join(" ")')`,
      };
}

/** The same in a sentence. */
export const inWords = (text: string): string => text.replace(simulated, "its address, known after `up`");

/** The list with a variable in place of each simulated address, which its first command fills. */
export function withKnownAfterUp(lines: readonly string[], resources: PlanResources): string[] {
  if (!lines.some((line) => line.search(simulated) >= 0)) {
    return [...lines];
  }
  const { says, command } = source(resources);
  const replaced = lines.map((line) => line.replace(simulated, `$${variable}`));
  const commands = replaced.findIndex((line) => /^(?:az|#) /.test(line));
  return [
    `known after \`up\`: $${variable}, from where the management cluster leaves, is ${says}`,
    ...replaced.slice(0, commands),
    `${variable}="${command}"`,
    ...replaced.slice(commands),
  ];
}
