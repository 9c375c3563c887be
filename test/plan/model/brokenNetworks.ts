import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { type Edit, editOf, resourceOf, withInput } from "../../support/planDocuments";

/**
 * Networks of plans, each broken in one place. A paragraph of brokenNetworks.txt is what is broken and in which example, the
 * edits, and after `=` every report: path, value, problem, what is allowed, what to write. Edits are those of `editOf`, and:
 *
 *     rule GROUP NAME PRIORITY | YAML        another rule of a security group, which denies everything that YAML does not say
 *     resource GROUP NAME PRIORITY | YAML    the same as a resource
 *     route PREFIX TYPE ADDRESS              the only route of the route table
 */
type Broken = readonly [breaks: string, stack: string, change: Edit, says: readonly string[]];

const wide = {
  ...{ access: "Deny", direction: "Inbound", protocol: "*", sourceAddressPrefix: "*", sourcePortRange: "*" },
  ...{ destinationAddressPrefix: "*", destinationPortRange: "*" },
};

function changeOf(line: string): Edit {
  const [head = "", yaml = ""] = line.split(" | ");
  const [form, group = "", name = "", priority] = head.split(" ");
  if (form === "route") {
    const [addressPrefix, nextHopType, nextHopIpAddress] = [group, name, priority];
    const route = { name: "own", addressPrefix, nextHopType, ...(nextHopIpAddress && { nextHopIpAddress }) };
    return (document) => withInput(document, "network-routes", ["routes"], [route]);
  }
  if (form !== "rule" && form !== "resource") {
    return editOf(line);
  }
  const rule = {
    name,
    priority: Number(priority),
    ...wide,
    ...(parse(`{${yaml}}`, { schema: "failsafe" }) as object),
  };
  return (document) => {
    const inputs = document.resources.find((resource) => resource.name === group)?.inputs;
    if (form === "rule") {
      return withInput(
        document,
        group,
        ["securityRules"],
        [...((inputs?.securityRules ?? []) as unknown[]), rule],
      );
    }
    const { networkSecurityGroupName, resourceGroupName } = inputs!;
    const own = { ...rule, networkSecurityGroupName, resourceGroupName };
    const added = resourceOf("azure-native:network:SecurityRule", "added", own);
    return { ...document, resources: [...document.resources, added] };
  };
}

export const brokenNetworks = readFileSync(join(__dirname, "brokenNetworks.txt"), "utf8")
  .trimEnd()
  .split("\n\n")
  .map((paragraph): Broken => {
    const [head = "", ...lines] = paragraph.split("\n");
    const [breaks, stack] = [head.slice(0, head.lastIndexOf(" in ")), head.slice(head.lastIndexOf(" ") + 1)];
    const changes = lines.filter((line) => !line.startsWith("= ")).map(changeOf);
    const says = lines.filter((line) => line.startsWith("= ")).map((line) => line.slice(2));
    return [breaks, stack, (document) => changes.reduce((edited, change) => change(edited), document), says];
  });
