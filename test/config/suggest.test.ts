import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { parse } from "yaml";
import { aliases, type Alias } from "../../config/aliases";
import { configSchema, keysOf, nodeAt } from "../../config/jsonSchema";
import { loadSettings } from "../../config/load";
import { decodeConfig, parseConfig } from "../../config/parse";
import { type Path, pathText, type Step } from "../../config/steps";
import { corrected } from "../../config/suggest";
import { ConfigError, type Problem } from "capz-windows-kit/problem";
import { configOf, type Mistake, mistakesIn } from "../support/mistakes";
import { existing } from "../support/networks";
import { minimal, otherKey, publicKey } from "../support/stacks";

/** What is suggested for wrong keys and values is certain, or is a question. */

type Raw = Record<string, unknown>;

/** The problems that a report on the minimal config with a change has. */
function problemsWith(change: object): readonly Problem[] {
  try {
    loadSettings({ ...minimal(), ...change }, "Pulumi.test.yaml");
    return [];
  } catch (error) {
    if (error instanceof ConfigError) {
      return error.problems;
    }
    throw error;
  }
}

/** PATH: WRITE of each problem; the corrections that `plan --fix` applies have a mark. */
const answers = (change: object): string[] =>
  problemsWith(change).map(({ path, write, fix }) => `${path}: ${fix === undefined ? "" : "! "}${write}`);

const win = (pool: object): object => ({ windowsPools: { win1: pool } });

const fixesOf = (config: Raw): (readonly Step[])[] =>
  parseConfig(decodeConfig(config)).problems.flatMap(({ fix }) => (fix === undefined ? [] : [fix]));

/** A config after all that is certain; a mistake may hide another one. */
function fixed(config: Raw): Raw {
  const fixes = fixesOf(config);
  return fixes.length === 0 ? config : fixed(corrected(decodeConfig(config), fixes));
}

describe("a key", () => {
  it.each([
    ["in another case", { VmSize: "Standard_D4s_v5" }, "rename VmSize to vmSize"],
    ["in snake case", { vm_size: "Standard_D4s_v5" }, "rename vm_size to vmSize"],
    ["in the singular", { zone: ["1"] }, "rename zone to zones"],
    ["of another tool", { count: 3 }, "rename count to replicas"],
    ["of another tool, as text", { node_count: "3" }, "rename node_count to replicas"],
    ["with a letter lost", { replcas: 3 }, "rename replcas to replicas"],
    ["with two letters swapped", { repilcas: 3 }, "rename repilcas to replicas"],
    ["with one letter more", { replicass: 3 }, "rename replicass to replicas"],
  ])("%s is renamed", (_what, pool, write) => {
    expect(answers(win(pool))).toEqual([`windowsPools.win1.${Object.keys(pool)[0]}: ! ${write}`]);
  });

  it("whose mapping is empty beside it moves into that", () => {
    expect(answers(win({ autoscale: null, min: 1, max: 3 }))).toEqual([
      "windowsPools.win1.min: ! move min to windowsPools.win1.autoscale.min",
      "windowsPools.win1.max: ! move max to windowsPools.win1.autoscale.max",
    ]);
  });

  it("that stands one level too high moves to its only place", () => {
    expect(answers({ podCidr: "192.168.0.0/16", location: "westeurope" })).toEqual([
      "podCidr: ! move capz-windows:podCidr to network.podCidr",
      "location: <only azure.location, which means the same as location>",
    ]);
  });

  it("of several names with dots is that of the mapping inside", () => {
    expect(
      answers({
        windowsPools: { win1: {} },
        "windowsPools.win1.replicas": 3,
        "network.podCidr": "192.168.0.0/16",
      }),
    ).toEqual([
      "windowsPools.win1.replicas: ! move capz-windows:windowsPools.win1.replicas to windowsPools.win1.replicas",
      "network.podCidr: ! move capz-windows:network.podCidr to network.podCidr",
    ]);
  });

  it("with dots of a pool that is not there is a question with both paths", () => {
    expect(answers({ windowsPools: { win1: {} }, "windowsPools.win2.replicas": 3 })).toEqual([
      "windowsPools.win2.replicas: <move capz-windows:windowsPools.win2.replicas to windowsPools.win2.replicas, if the stack is to have windowsPools.win2>",
    ]);
  });

  it("that resembles none at the top is answered with the command for all keys", () => {
    expect(answers({ color: "red" })).toEqual(["color: <another key: `npm run explain` lists all>"]);
  });

  it.each<[string, object, string]>([
    [
      "whose target exists",
      { vm_size: "Standard_D4s_v5", vmSize: "Standard_D8s_v5" },
      "<only windowsPools.win1.vmSize, which means the same as windowsPools.win1.vm_size>",
    ],
    [
      "that would switch something on",
      { spotMaxPrice: "0.5" },
      "<move windowsPools.win1.spotMaxPrice to windowsPools.win1.spot.maxPrice, if the stack is to have windowsPools.win1.spot>",
    ],
    [
      "of a subnet of others",
      {
        vnet_subnet_id: `/subscriptions/${"1".repeat(8)}-2222-4333-8444-555555555555/resourceGroups/net/providers/Microsoft.Network/virtualNetworks/spoke/subnets/nodes`,
      },
      "<move windowsPools.win1.vnet_subnet_id to network.existing.nodeSubnetId, if the stack is to have network.existing>",
    ],
    [
      "whose value does not fit",
      { autoscaling: true },
      "<windowsPools.win1.autoscale, whose value has another form>",
    ],
    [
      "that resembles none",
      { color: "red" },
      "<another key: `npm run explain -- windowsPools.win1` lists all>",
    ],
    [
      "that is about more than its pool",
      { mtu: 1390 },
      "<another key: `npm run explain -- windowsPools.win1` lists all>",
    ],
  ])("%s is a question", (_what, pool, write) => {
    const [problem, ...others] = problemsWith(win(pool));
    expect(others).toEqual([]);
    expect(problem).not.toHaveProperty("fix");
    expect(problem?.write).toBe(write);
  });

  it("two of which mean one key is a question", () => {
    expect(answers(win({ vm_size: "Standard_D4s_v5", machineType: "Standard_D8s_v5" }))).toEqual([
      "windowsPools.win1.vm_size: <windowsPools.win1.vmSize, which several keys seem to mean>",
      "windowsPools.win1.machineType: <windowsPools.win1.vmSize, which several keys seem to mean>",
    ]);
  });

  it("that is unknown is answered with the five nearest and the page", () => {
    expect(problemsWith({ network: { color: "red" } })[0]).toMatchObject({
      problem: "unknown key",
      allowed: expect.stringMatching(/^(\w+, ){5}and others \(docs\/config\.md#network\)$/) as unknown,
    });
  });
});

describe("a value", () => {
  it.each<[string, object, string]>([
    ["a number as text", { replicas: "3" }, "replicas: 3"],
    ["a switch in a word", { encryptionAtHost: "yes" }, "encryptionAtHost: true"],
    ["a choice in another case", { rollout: { deletePolicy: "oldest" } }, "deletePolicy: Oldest"],
    ["a text for a list", { zones: "1, 2" }, 'zones: ["1", "2"]'],
    ["a command for a list", { preKubeadmCommands: "echo a, b" }, 'preKubeadmCommands: ["echo a, b"]'],
    ["a list for a text", { vmSize: ["Standard_D4s_v5"] }, "vmSize: Standard_D4s_v5"],
    ["blanks around a text", { vmSize: " Standard_D4s_v5 " }, "vmSize: Standard_D4s_v5"],
  ])("%s is written in its right form", (_what, pool, write) => {
    expect(answers(win(pool)).map((line) => line.replace(/^\S+ /, ""))).toEqual([`! ${write}`]);
  });

  it.each<[string, object, string]>([
    ["of which nothing is known", { replicas: "many" }, "replicas: <an allowed value>"],
    ["above the maximum", { replicas: 5000 }, "replicas: <an allowed value>"],
    ["that is no number of the range", { replicas: "-1" }, "replicas: <an allowed value>"],
  ])("%s is a question", (_what, pool, write) => {
    expect(answers(win(pool)).map((line) => line.replace(/^\S+ /, ""))).toEqual([write]);
  });

  it("that YAML has read as a fraction is a question: 1.30 is 1.3", () => {
    expect(answers({ management: { kind: "aks", kubernetesVersion: 1.3 } })).toEqual([
      "management.kubernetesVersion: kubernetesVersion: <an allowed value>",
    ]);
  });

  it("of an example is never written", () => {
    const [problem] = problemsWith({ clusterName: undefined });
    expect(problem).toMatchObject({ write: "capz-windows:clusterName: <an allowed value>" });
  });
});

it("a name in the wrong case is renamed, unless another one has it", () => {
  expect(answers({ windowsPools: { Win_1: {} } })).toEqual(["windowsPools.Win_1: ! rename Win_1 to win-1"]);
  expect(answers({ windowsPools: { Win_1: {}, "win-1": {} } })).toEqual([
    "windowsPools.Win_1: <another name than Win_1>",
  ]);
});

it("in a VNET of others, AKS is asked for a subnet there at once, not for a VNET that nothing is peered with", () => {
  const inOthers = existing({}, { apiServer: { private: true } });
  expect(problemsWith({ ...inOthers, management: { kind: "aks" } }).map(({ allowed }) => allowed)).toEqual([
    "management.network.subnetId, in the VNET of network.existing or in one that is peered with it",
  ]);
});

/** Each of these turned a private cluster into a public one, or lost machines or subnets, when advice removed keys. */
it.each<[string, object]>([
  ["a private cluster of Terraform", { private_cluster_enabled: true }],
  ["a private API server at the top", { apiServer: { private: true } }],
  ["a way out by a firewall", { network: { outboundType: "userDefinedRouting" } }],
  ["a management cluster that exists", { management: { existing: true, name: "hub" } }],
  ["a subnet that exists", win({ vnet_subnet_id: "/subscriptions/1/subnets/nodes" })],
  ["a path as a key", { "windowsPools.win1.replicas": 3, ...win({ replicas: 2 }) }],
  ["an add-on in the place of a digest", { addons: { certManager: true } }],
  ["Azure's network plug-in", { network: { networkPlugin: "azure" } }],
  ["the subnet of a Bastion", { network: { poolSubnets: { AzureBastionSubnet: "10.10.1.0/26" } } }],
  ["a JSON patch", { overrides: { AzureCluster: [{ op: "add", path: "/spec", value: "x" }] } }],
  ["a pool in its kind, which patches have, too", win({ machineDeployment: { replicas: 4 } })],
  ["several commands in one text", win({ preKubeadmCommands: "hostname\nipconfig /all\n" })],
  [
    "the issuer of a cluster's logins, which is no key of AKS",
    {
      controlPlane: { authentication: { "oidc-issuer-url": "https://login.example.com" } },
      management: { kind: "existing", name: "hub" },
    },
  ],
  ["a number of nodes of no pool", { management: { kind: "aks" }, nodeCount: 3 }],
  ["two SSH keys in one", { access: { sshPublicKeys: [publicKey, otherKey] } }],
  ["pools below a word for pools", { linuxPools: { nodePools: { linux1: { replicas: 3 } } } }],
  ["a price that is none", win({ spot: { maxPrice: "0.0" } })],
  ["a switch the other way round", { management: { kind: "aks", disableRunCommand: true } }],
])("%s is a question", (_what, change) => {
  const problems = problemsWith(change);
  expect(problems).not.toEqual([]);
  expect(problems.flatMap(({ fix = [] }) => fix)).toEqual([]);
});

describe("an alias", () => {
  const rows = aliases.map((alias): [string, Alias] => [`${alias.to}: ${alias.names.join(" ")}`, alias]);
  const placesOf = ({ to, in: places }: Alias): readonly string[] =>
    places ?? [to.split(".").slice(0, -1).join(".")];
  const sample: Readonly<Record<string, PropertyKey>> = { "*": "any", "#": 0 };
  const pathOf = (place: string): Path[] =>
    ["windowsPools", "linuxPools"].map((group) =>
      place
        .split(".")
        .filter((key) => key !== "")
        .flatMap((key) => (key === "pool" ? [group, "any"] : [sample[key] ?? key])),
    );

  it("has a path of the schema, or does not compile", () => {
    // @ts-expect-error There is no such key.
    const wrong: Alias = { to: "pool.vmSizes", names: ["size"] };
    expect(wrong.names).toEqual(["size"]);
  });

  it.each(rows)("%s has names that one of its mappings does not have", (_text, alias) => {
    expect(pathOf(alias.to).some((path) => nodeAt(path) !== undefined)).toBe(true);
    const known = placesOf(alias).map((place) =>
      pathOf(place).flatMap((path) => keysOf(path.length === 0 ? configSchema() : nodeAt(path))),
    );
    expect(alias.names.filter((name) => known.every((keys) => keys.includes(name)))).toEqual([]);
  });

  it("has one meaning in a mapping", () => {
    const all = aliases.flatMap((alias) =>
      placesOf(alias).flatMap((place) => alias.names.map((name) => `${place}: ${name.toLowerCase()}`)),
    );
    expect(all.filter((one, index) => all.indexOf(one) !== index)).toEqual([]);
    expect(aliases.length).toBeLessThanOrEqual(300);
  });
});

type End = "repaired" | "asks" | "another";

/** Where all that is certain leads. */
function endOf({ wrong, right }: Pick<Mistake, "wrong" | "right">): End {
  const after = fixed(wrong);
  const { config, problems } = parseConfig(after);
  if (problems.length > 0) {
    return "asks";
  }
  const plain = (one: unknown): unknown => JSON.parse(JSON.stringify(one));
  return isDeepStrictEqual(plain(config), plain(parseConfig(right).config)) ? "repaired" : "another";
}

describe("1,000 mistakes of the hand", () => {
  const stacks = ["dev", "everything", "hub-spoke", "pools", "private"].map(configOf);
  const all = stacks.flatMap(mistakesIn);
  const chosen = fc
    .sample(fc.shuffledSubarray(all, { minLength: 1200, maxLength: 1200 }), { numRuns: 1, seed: 55 })
    .flat()
    // Some are none, as a number in quotes where both are right.
    .filter(({ wrong }) => parseConfig(wrong).problems.length > 0)
    .slice(0, 1000);
  const ends = chosen.map((mistake) => ({ ...mistake, end: endOf(mistake) }));
  const lines = (end: End): string[] =>
    ends.filter((one) => one.end === end).map(({ kind, at }) => `${kind}: ${pathText(at)}`);

  it("never lead to another stack", () => {
    expect(lines("another")).toEqual([]);
  });

  it("are nearly all repaired", () => {
    expect(chosen).toHaveLength(1000);
    expect(lines("asks").length < 30 ? [] : lines("asks")).toEqual([]);
  });
});

/** The paragraphs of elsewhere.txt: what it is, keys that are missing, what is written beside the others, and what was meant. */
const elsewhere = readFileSync(join(__dirname, "elsewhere.txt"), "utf8")
  .trimEnd()
  .split("\n\n")
  .map((paragraph): [what: string, wrong: Raw, right: Raw] => {
    const [what = "", ...lines] = paragraph.split("\n");
    const [right, wrong] = lines.reverse().map((line) => parse(`{ ${line.slice(1)} }`) as Raw);
    const missing = /^without (.*)/.exec(lines.at(-1) ?? "")?.[1]?.split(", ") ?? [];
    const own = Object.entries(minimal()).filter(([key]) => !missing.includes(key));
    return [what, { ...Object.fromEntries(own), ...wrong }, right!];
  });

it.each(elsewhere)(
  "a file of people who know other tools leads to no other stack: %s",
  (_what, wrong, right) => {
    const after = fixed(wrong);
    if (parseConfig(after).problems.length === 0) {
      expect(after).toMatchObject(right);
    }
  },
);
