import { applySteps, valueAt, type Path } from "../../config/steps";
import { exampleOf, nodeAt } from "../../config/jsonSchema";
import { contains, formatCidr, parseCidr } from "capz-windows-platform/network/addressing";
import { vnetIdOf } from "capz-windows-platform/company-network/existingNetwork";
import { vnetIdIn } from "capz-windows-platform/company-network/outbound";
import { text, textAt, type Plain } from "capz-windows-kit/untyped";
import type { Open } from "./findings";

/** Values for what only the user knows, so that a draft can be checked and planned. */

/** A value that only the user can give: its path, and the placeholder that is written there. */
export interface Question extends Open {
  readonly at: Path;
  readonly written: unknown;
}

const sampleKey =
  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKFwQe4cBdoWLMHy9MI59G0upaxktpmiI3qQYPo1DbyV example-replace-me";

/** A value that the schema accepts instead of a placeholder; the placeholder itself where any text is accepted. */
const exampleFor = (at: Path, written: unknown): unknown => {
  const node = nodeAt(at);
  const key = String(at.at(-1));
  const example = node === undefined ? undefined : exampleOf(node);
  if (at[0] === "azureContainerRegistries" || at.slice(-2).join(".") === "computeGallery.name") {
    // The known part stays: nodes have the name of a registry in files that are compared, and the name of an image says
    // its operating system.
    return String(written).replace(/<\w+>/g, "example");
  }
  return key === "content" || String(at.at(-2)).endsWith("Commands") || example === undefined
    ? written
    : example;
};

/** A range with all these, of /16 if possible, for a VNET of which only subnets are known. */
function around(cidrs: readonly string[]): string | undefined {
  const [first, ...more] = cidrs.flatMap((cidr) => parseCidr(cidr) ?? []);
  const ranges = [16, 15, 14, 13, 12, 11, 10, 9, 8]
    .filter((prefix) => first !== undefined && prefix <= first.prefix)
    .flatMap((prefix) => parseCidr(formatCidr({ first: first?.first ?? 0, prefix })) ?? []);
  const range = ranges.find((one) => more.every((other) => contains(one, other)));
  return range && formatCidr(range);
}

const isSubnetOfOthers = ({ path }: Question): boolean => /^network\.existing\..*SubnetId/.test(path);

/** Values of a network that must fit each other, where the example of each would not. */
function fittingFor(trial: Plain, question: Question, index: number): unknown {
  const { at, path, written } = question;
  const { network } = trial;
  if (path === "network.vnetCidr") {
    return around(["controlPlaneSubnetCidr", "nodeSubnetCidr"].map((key) => textAt(network, key)));
  }
  const vnet = parseCidr(textAt(network, "vnetCidr"));
  if (path.startsWith("network.poolSubnets.") && vnet !== undefined) {
    // Between the subnets that have a default: the first /24, and the upper half.
    return formatCidr({ first: vnet.first + 2 ** (30 - vnet.prefix) + index * 256, prefix: 24 });
  }
  if (path.endsWith(".addressSpaces")) {
    // RFC 2544: for tests of networks, so no source has it.
    return [`198.18.${index}.0/24`];
  }
  const subscription = textAt(trial, "azure", "subscriptionId");
  const id = text(written).replace(/^\/subscriptions\/<[^>]*>/, `/subscriptions/${subscription}`);
  if (id.startsWith("/subscriptions/") && new RegExp(nodeAt(at)?.pattern ?? "$^", "i").test(id)) {
    return id;
  }
  if (!isSubnetOfOthers(question)) {
    return undefined;
  }
  const known = ["controlPlaneSubnetId", "nodeSubnetId"]
    .map((key) => textAt(network, "existing", key))
    .find((one) => one.startsWith("/"));
  return `${known === undefined ? vnetIdIn(subscription, "network", "spoke") : vnetIdOf(known)}/subnets/${String(at.at(-1))}`;
}

/** The config with values for all questions. Ranges of subnets have a default that fits the VNET. */
export function trialOf(config: Plain, questions: readonly Question[]): Plain {
  const isDefault = ({ path }: Question): boolean => /^network\.\w+SubnetCidr$/.test(path);
  const asked = questions.filter((one) => !isDefault(one));
  const plain = applySteps(config, [
    ...questions
      .filter((one) => isDefault(one) && valueAt(config, one.at) !== undefined)
      .map(({ at }) => ({ remove: at })),
    ...asked
      .filter((one) => !isSubnetOfOthers(one))
      .map(({ at, written }) => ({
        set: at,
        value: at.at(-1) === "sshPublicKey" ? sampleKey : exampleFor(at, written),
      })),
  ]);
  return asked.reduce((trial, question, index) => {
    const value = fittingFor(trial, question, index);
    return value === undefined ? trial : applySteps(trial, [{ set: question.at, value }]);
  }, plain);
}
