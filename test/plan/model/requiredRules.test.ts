import { cniOf } from "../../../plan/model/cluster/azure";
import { readCluster } from "../../../plan/model/cluster/readCluster";
import { readSubject } from "../../../plan/model/reach/subject";
import type { ManagementCluster } from "../../../components/managementCluster/managementCluster";
import { loadSettings } from "../../../config/load";
import { projectConfig } from "../../../config/stackFile";
import { ruleText } from "capz-windows-platform/company-network/networkRequirements";
import { requiredRules, type RequiredRule } from "capz-windows-platform/company-network/requiredRules";
import { network } from "../../../program/networkArgs";
import { pathsOf, readRules, type Topology } from "azure-network-paths";
import { updateFileInline } from "../../support/inlinePlans";
import { documentOf } from "../../support/planDocuments";
import { readExample } from "../../support/stacks";

/** A network team that makes the rules of the list has a network in which each path is as it must be. */

jest.setTimeout(120_000);

/** What it writes for the words in capitals. */
const theirs: Readonly<Record<string, readonly string[]>> = {
  "BASTION-RANGE": ["10.50.0.128/26"],
  "HUB-RANGE": ["10.50.0.0/16"],
  "DNS-SERVERS": ["10.50.0.68", "10.50.0.69"],
};

const filledIn = (prefixes: readonly string[]): string[] =>
  prefixes.flatMap((prefix) => theirs[prefix] ?? [prefix]);

/** The rules of each group, as the path of packets reads them. */
function rulesOfStack(config: ReturnType<typeof readExample>["config"]) {
  const { settings } = loadSettings(projectConfig(config), "test");
  const { egressCidrs } = settings.management as { readonly egressCidrs: string[] };
  const args = network(settings, { egressCidrs } as unknown as ManagementCluster).existing!;
  const { allowedCidrs = [] } = args;
  return requiredRules({ ...args, location: "", allowedCidrs, managementCidrs: egressCidrs });
}

const readable = ({ securityGroup, name, priority, direction, ...rule }: RequiredRule) => ({
  group: securityGroup,
  ...readRules([
    {
      name,
      priority,
      direction,
      access: rule.access,
      protocol: rule.protocol,
      sourcePortRange: "*",
      sourceAddressPrefixes: filledIn(rule.from),
      destinationAddressPrefixes: filledIn(rule.to),
      destinationPortRanges: rule.ports.split(" "),
    },
  ])[0]!,
});

async function spoke(more: Readonly<Record<string, string>> = {}) {
  const file = readExample("spoke");
  const config = { ...file.config, ...more };
  const document = documentOf(await updateFileInline({ ...file, config }));
  const model = readCluster(document);
  const required = rulesOfStack(config);
  const said = (model.network.byOthers ?? []).filter((line) => /^nsg-[a-z-]+: /.test(line));
  expect(said.map((line) => line.replace(/(, port [^:]+): .*$/, "$1"))).toEqual(
    required.map((rule) => ruleText(rule).replace(/: $/, "")),
  );
  const rules = required.map(readable);
  const subject = readSubject(document.resources, model, cniOf(document.resources));
  const pathsWith = (used: typeof rules) => {
    const topology: Topology = {
      ...subject.topology,
      subnets: subject.topology.subnets.map((subnet) => ({
        ...subnet,
        group: {
          name: subnet.group?.name ?? "",
          rules: used.filter(({ group }) => group === subnet.group?.name),
        },
        table: {
          name: "rt-spoke",
          routes: [
            { name: "to-firewall", prefix: "0.0.0.0/0", hop: "VirtualAppliance", address: "10.50.0.4" },
          ],
        },
      })),
      dnsServers: ["10.50.0.68", "10.50.0.69"],
      peerings: [
        {
          ...{ name: "to-hub-vnet", cidrs: ["10.50.0.0/16"], access: true, forwarded: true },
          ...{ othersSide: false, gateway: true },
        },
      ],
    };
    return pathsOf({ ...subject, topology, wayIn: { label: "Bastion", what: "", address: "10.50.0.132" } });
  };
  const wrong = (used: typeof rules): string[] =>
    pathsWith(used).flatMap(({ from, to, port, state, wanted }) =>
      state === wanted || state === "unknown" ? [] : [`${from} → ${to} (${port}) is ${state}`],
    );
  return { rules, wrong };
}

const viaHub = {
  "capz-windows:proxy": JSON.stringify({ url: "http://10.50.1.5:3128", noProxy: ["10.50.1.6"] }),
  "capz-windows:registryMirror": JSON.stringify({ url: "https://10.50.1.6:5000" }),
};

const ways = [
  ["of the firewall", {}],
  ["of a proxy and a mirror", viaHub],
] as const;

it.each(ways)(
  "shuts no path by the way %s, also with the optional rule, and opens no other",
  async (_, more) => {
    const { rules, wrong } = await spoke(more);
    expect(rules.filter(({ access }) => access === "Deny")).toHaveLength(4);
    expect(wrong(rules)).toEqual([]);
    expect(wrong(rules.filter(({ name }) => name !== "deny_out"))).toEqual([]);
  },
);

it.each(ways)("has no rule that no path by the way %s needs", async (_, more) => {
  const { rules, wrong } = await spoke(more);
  // Azure's activation of Windows is no path of the plan.
  const names = [...new Set(rules.filter(({ access }) => access === "Allow").map(({ name }) => name))].filter(
    (name) => name !== "allow_activation_out",
  );
  expect(names.filter((name) => wrong(rules.filter((one) => one.name !== name)).length === 0)).toEqual([]);
});
