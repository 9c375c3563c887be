import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse, parseDocument } from "yaml";
import { goScalars } from "capz-windows-kit/goScalars";
import { loadSettings } from "../../config/load";
import { isManagementOnly } from "../../config/managementStack";
import { documentedKeys, exampleOf } from "../../config/configDocument";
import { configSchema, keysOf, type SchemaNode } from "../../config/jsonSchema";
import { parseConfig, unknownSecret } from "../../config/parse";
import { optionPaths } from "../support/optionPaths";
import { readStackFile } from "../../config/stackFile";
import { isRecord } from "capz-windows-kit/untyped";
import { readArguments } from "../../plan/cli/arguments";
import { run } from "../../plan/cli/main";
import { planJson } from "../../plan/model/planJson";
import { readText } from "../architecture/sources";
import { planFileInline } from "../support/inlinePlans";
import { planOf } from "../support/plans";
import { testProject } from "../support/project";
import { said } from "capz-windows-test-kit/said";
import { exampleFile, minimal, projectDir } from "../support/stacks";
import { blocksOf, documents, merged, npmCommands } from "./examples";

const project = testProject();
afterAll(project.remove);

type Raw = Readonly<Record<string, unknown>>;

const withoutPrefix = (config: Raw): Raw =>
  Object.fromEntries(
    Object.entries(config).map(([key, value]) => [
      key.replace(/^capz-windows:/, ""),
      isRecord(value) && "secure" in value ? unknownSecret : value,
    ]),
  );

/** The config of a YAML block. A part of a stack file is completed; keys without `config` are those of a pool. */
function configOf(block: string): { readonly config: Raw; readonly whole: boolean } {
  const { config, ...pool } = parse(block) as Raw & { readonly config?: Raw };
  const given = config === undefined ? { windowsPools: { win1: pool } } : withoutPrefix(config);
  const secrets = "management" in given ? { managementKubeconfig: unknownSecret } : {};
  const whole = "clusterName" in given;
  const { kind } = (given.management ?? {}) as { readonly kind?: string };
  return {
    whole,
    config: whole ? given : merged({ ...minimal(), ...(kind === "existing" ? secrets : {}) }, given),
  };
}

const yamlBlocks = documents.flatMap((document) =>
  blocksOf(document, "yaml").map((block, index) => [`${document} (${index + 1})`, block] as const),
);

describe("the YAML of documents", () => {
  it("exists", () => {
    expect(yamlBlocks.length).toBeGreaterThan(4);
  });

  it.each(yamlBlocks)("of %s is a valid stack file, or a valid part of one", (_, block) => {
    expect(() => loadSettings(configOf(block).config, "the example")).not.toThrow();
  });

  it.each(yamlBlocks.filter(([, block]) => configOf(block).whole))(
    "of %s can be planned",
    async (_, block) => {
      project.write("Pulumi.shown.yaml", block);
      const plan = await planFileInline(readStackFile(project.dir, "shown"));
      expect(plan.cluster.pools.length > 0).toBe(!isManagementOnly(plan.settings));
    },
  );
});

describe("a word that Pulumi reads otherwise stands in quotes", () => {
  /** `key: value` in a sentence. */
  const pairs = (text: string): string[] =>
    [...text.matchAll(/`([^`]+)`/g)]
      .map(([, span = ""]) => span)
      .filter((span) => /^[\w.:-]+: \S/.test(span));
  const unquoted = (yaml: string) => goScalars(parseDocument(yaml));

  it("in the YAML of documents, and in their sentences", () => {
    const texts = [...yamlBlocks.map(([, block]) => block), ...documents.map(readText).flatMap(pairs)];
    expect(texts.length).toBeGreaterThan(yamlBlocks.length + 10);
    expect(texts.flatMap(unquoted)).toEqual([]);
    expect(pairs("`until: 2027-03-31`").flatMap(unquoted)).toMatchObject([{ read: "time" }]);
  });

  it("in the sentences of the schema, whose examples are texts, and in examples/", () => {
    expect(pairs(readText("schema/stack.schema.json")).flatMap(unquoted)).toEqual([]);
    const days = documentedKeys().map(({ node }) => exampleOf(node));
    expect(days.filter((example) => example === "2027-03-31").length).toBeGreaterThan(0);
    const files = readdirSync(join(projectDir, "examples")).filter((name) => name.endsWith(".yaml"));
    expect(files.length).toBeGreaterThan(15);
    expect(files.flatMap((name) => unquoted(readText(`examples/${name}`)))).toEqual([]);
  });
});

describe("the commands of documents", () => {
  const commands = [...new Set(documents.flatMap(npmCommands))];
  const { scripts } = JSON.parse(readText("package.json")) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  const plans = commands.filter((command) => /^npm run plan\b/.test(command) && command.includes(" -- "));

  it("are scripts of package.json, with paths that exist", () => {
    const faults = commands.filter((command) => {
      const [, verb = "", name = "", ...rest] = command.split(/\s+/);
      const script = verb === "run" ? name : verb;
      const paths = rest.filter((word) => /^(test|config|domain|examples)\//.test(word));
      return !(script in scripts) || paths.some((path) => !existsSync(join(project.dir, path)));
    });
    expect(faults).toEqual([]);
    expect(plans.length).toBeGreaterThan(5);
  });

  /** The arguments of a command, with values for placeholders such as NAME, STACK and FILE. */
  const filled = (text: string): string[] =>
    text
      .replace(/^npm run plan\s+--\s+/, "")
      .replaceAll(/\[[^\]]*\]/g, "")
      .replace(/\b(NAME|STACK)\b/, "dev")
      .replace(/\bFILE\b/, exampleFile("prod"))
      .replace(/--against(?:-version)?(?: [^-\s]\S*)?/, `--against ${join(project.dir, "base")}`)
      .replace(/ > \S+$/, "")
      .split(/\s+/)
      .filter((word) => word !== "");

  beforeAll(async () => {
    for (const stack of ["dev", "prod", "mine"]) {
      mkdirSync(join(project.dir, "base", stack), { recursive: true });
      writeFileSync(
        join(project.dir, "base", stack, "plan.json"),
        JSON.stringify(planJson(await planOf(stack === "mine" ? "dev" : stack))),
      );
    }
    for (const stack of ["dev", "prod"]) {
      project.write(`Pulumi.${stack}.yaml`, readText(exampleFile(stack)));
    }
    project.write("Pulumi.mine.yaml", readText(exampleFile("dev")));
  });

  it.each(plans)("%s", async (command) => {
    const cwd = process.cwd();
    process.chdir(project.dir);
    try {
      const { code } = await said(() =>
        run(filled(command), {
          projectDir: project.dir,
          planner: ({ stack }) => planOf(stack === "prod" ? stack : "dev"),
          // As without a network.
          fetching: { endpoint: "http://127.0.0.1:1/", tries: 1 },
        }),
      );
      expect([0, 2, 3]).toContain(code);
    } finally {
      process.chdir(cwd);
    }
  });

  it("name options that exist", () => {
    expect(() => plans.map((command) => readArguments(filled(command)))).not.toThrow();
  });
});

it("a language of components that was never run is said to be untried, and no other document has one", () => {
  const others = /\bPython, Go\b|\bGo (?:or|and) \.NET\b/;
  expect(documents.filter((document) => others.test(readText(document)))).toEqual(["docs/components.md"]);
  expect(readText("docs/components.md")).toContain("**Python, Go and .NET are untried.**");
});

describe.each(["docs/migrating-from-clusterctl.md", "docs/migrating-from-aks-engine.md"])(
  "%s",
  (document) => {
    it("names only keys that exist", () => {
      const known = new Set(optionPaths());
      const keys = readText(document)
        .split("\n")
        .filter((line) => line.startsWith("|"))
        .flatMap((line) => [...(line.split("|")[2] ?? "").matchAll(/`([^`]+)`/g)].map(([, key = ""]) => key))
        .filter((key) => !/^(npx|kubectl) /.test(key));
      expect(keys.length).toBeGreaterThan(12);
      expect(keys.filter((key) => !known.has(key))).toEqual([]);
    });
  },
);

/** Variables of the cluster templates of CAPZ v1.27.0, and those of its book. */
const templateVariables = [
  ...["APISERVER_LB_DNS_SUFFIX", "ASO_CREDENTIAL_SECRET_NAME", "AZURE_CLIENT_ID", "AZURE_CLIENT_SECRET"],
  ...["AZURE_CLIENT_ID_USER_ASSIGNED_IDENTITY", "AZURE_CLUSTER_IDENTITY_SECRET_NAME"],
  ...["AZURE_CLUSTER_IDENTITY_SECRET_NAMESPACE", "AZURE_CONTROL_PLANE_MACHINE_TYPE", "AZURE_ENVIRONMENT"],
  ...["AZURE_EXTENDEDLOCATION_NAME", "AZURE_EXTENDEDLOCATION_TYPE", "AZURE_INTERNAL_LB_PRIVATE_IP"],
  ...["AZURE_LOCATION", "AZURE_NODE_MACHINE_TYPE", "AZURE_RESOURCE_GROUP", "AZURE_SERVER_APP_ID"],
  ...["AZURE_SSH_PUBLIC_KEY", "AZURE_SSH_PUBLIC_KEY_B64", "AZURE_SUBSCRIPTION_ID", "AZURE_TENANT_ID"],
  ...["AZURE_VNET_NAME", "CI_RG", "CLUSTER_CLASS_NAME", "CLUSTER_IDENTITY_NAME", "CLUSTER_IDENTITY_TYPE"],
  ...["CLUSTER_NAME", "CLUSTER_TOPOLOGY", "CONTROL_PLANE_MACHINE_COUNT", "EXP_AKS_RESOURCE_HEALTH"],
  ...["EXP_CLUSTER_RESOURCE_SET", "EXP_EDGEZONE", "EXP_MACHINE_POOL", "FLATCAR_DISABLE_AUTO_UPDATE"],
  ...["FLATCAR_VERSION", "SERVICE_ACCOUNT_ISSUER", "USER_IDENTITY"],
  ...["WINDOWS_SERVER_VERSION", "WINDOWS_WORKER_MACHINE_COUNT", "WORKER_MACHINE_COUNT"],
];

it("docs/migrating-from-clusterctl.md has each variable of the templates", () => {
  const text = readText("docs/migrating-from-clusterctl.md");
  expect(templateVariables.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
});

describe("docs/config.md", () => {
  /** A config with the example of a documented key at its place. */
  function withExample(group: string, path: string, example: unknown, pools: string): Raw {
    const inList = (key: string, value: unknown): unknown => (key.endsWith("[]") ? [value] : value);
    const nested = path
      .split(".")
      .reduceRight<unknown>(
        (value, key) => ({ [key.replace("[]", "").replace("<name>", "own")]: inList(key, value) }),
        example,
      ) as Raw;
    const places: Readonly<Record<string, Raw>> = {
      "The cluster": nested,
      "linuxPools and windowsPools": { [pools]: { pool1: nested } },
      image: { windowsPools: { win1: { image: nested } } },
    };
    return merged(minimal(), places[group] ?? { [group]: nested });
  }

  const keys = documentedKeys().filter(({ node }) => keysOf(node).length === 0);

  it("has an example for each key, which the schema accepts", () => {
    expect(keys.length).toBeGreaterThan(60);
    const refused = keys.filter(({ group, path, node }) => {
      const example = node.secret === true ? unknownSecret : exampleOf(node);
      const at = path.replaceAll("[]", "").split(".");
      // Some keys are for one kind of pool only.
      const accepted = ["windowsPools", "linuxPools"].some(
        (pools) =>
          !parseConfig(withExample(group, path, example, pools)).problems.some((problem) =>
            problem.path.endsWith(at.at(-1) ?? ""),
          ),
      );
      return example === undefined || !accepted;
    });
    expect(refused.map(({ group, path }) => `${group}: ${path}`)).toEqual([]);
  });

  /** The keys below a node that have no keys themselves. */
  function leavesOf(node: SchemaNode, path: string): string[] {
    const { properties = {}, additionalProperties: named, items, oneOf, anyOf } = node;
    const below = (key: string): string => (path === "" ? key : `${path}.${key}`);
    const inner = [
      ...Object.entries(properties).map(([key, one]) => leavesOf(one, below(key))),
      ...(typeof named === "object" && keysOf(named).length > 0 ? [leavesOf(named, below("<name>"))] : []),
      ...(items !== undefined && keysOf(items).length > 0 ? [leavesOf(items, `${path}[]`)] : []),
      ...(oneOf ?? anyOf ?? []).filter((one) => keysOf(one).length > 0).map((one) => leavesOf(one, path)),
    ].flat();
    return inner.length === 0 ? [path] : [...new Set(inner)];
  }

  it("has a row for each key of the schema, also below names and in lists", () => {
    const pools = ["linuxPools.<name>", "windowsPools.<name>", "poolDefaults"];
    const holders: Readonly<Record<string, readonly string[]>> = {
      "The cluster": [""],
      "linuxPools and windowsPools": pools,
      image: ["controlPlane", ...pools].map((holder) => `${holder}.image`),
    };
    const rows = new Set(
      documentedKeys().flatMap(({ group, path }) =>
        (holders[group] ?? [group]).map((holder) => (holder === "" ? path : `${holder}.${path}`)),
      ),
    );
    const leaves = leavesOf(configSchema(), "");
    expect(leaves).toContain("policyExceptions[].path");
    expect(leaves).toContain("network.peerings.<name>.vnetId");
    expect(leaves.filter((leaf) => !rows.has(leaf))).toEqual([]);
  });

  it("describes keys of several sections only once", () => {
    const text = readText("docs/config.md");
    expect(text.match(/^\| `marketplace\.urn`/gm)).toHaveLength(1);
    expect(text.match(/As in \[image\]\(#image\)/g)).toHaveLength(2);
  });
});

it("docs/getting-started.md has the same quota as the plan of dev", async () => {
  const { quota } = (await planOf("dev")).cluster;
  const [{ family, steady, peak } = { family: "", steady: 0, peak: 0 }] = quota.vcpus;
  expect(readText("docs/getting-started.md").replaceAll(/\s+/g, " ")).toContain(
    `${steady} vCPUs of ${family} (at most ${peak}) and ${quota.publicAddresses} public addresses`,
  );
});

it("an invalid example is reported, so the test can fail", () => {
  const wrong = "config:\n  capz-windows:windowsPools:\n    win1:\n      vmsize: Standard_D4s_v5\n";
  expect(() => loadSettings(configOf(wrong).config, "the example")).toThrow("vmsize");
});
