import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { readArguments as readAccess } from "capz-windows-doctor/access/cli/arguments";
import { UsageError } from "capz-windows-kit/commandLine/arguments";
import { readArguments as readDoctor } from "capz-windows-doctor/cli/arguments";
import { run as runExplain } from "../../commands/explain/cli";
import { readArguments as readImages } from "../../commands/images/cli";
import { run as runImport } from "../../commands/import/cli";
import { readArguments as readPipeline } from "../../commands/pipeline/cli";
import { readArguments as readPlan } from "../../plan/cli/arguments";
import { readArguments as readPreflight } from "../../commands/preflight/cli/main";
import { readArguments as readEncryption } from "capz-windows-doctor/encryption/cli";
import { readArguments as readProbe } from "capz-windows-probe/cli";
import { readArguments as readWorkloads, run as runWorkloads } from "windows-workloads/cli";
import { readText, sourcesOf } from "../architecture/sources";
import { planner, templateVariables } from "../import/support";
import { testProject } from "../support/project";
import { said } from "capz-windows-test-kit/said";
import { exampleFile } from "../support/stacks";
import { documents, npmCommands } from "./examples";

/**
 * Every command in documents, messages, outputs and remedies has valid arguments. Commands that need neither Azure nor a
 * cluster are run; for `npm run plan` see examples.part.ts.
 */

const project = testProject(["manifests"]);
afterAll(project.remove);

/** Commands with arguments in the texts of the program itself. */
const inSources = sourcesOf([
  ...["addons", "bootstrap", "capi", "commands", "components", "config"],
  ...["older", "packages", "plan", "program"],
]).flatMap(({ text }) => text.match(/npm run [a-z]+ -- [^\n`"\\]+/g) ?? []);

/** A command with values for its placeholders, without optional arguments, and with the first of alternatives. */
const filled = (command: string): string =>
  command
    .replace(/\s+#.*$/, "")
    .replace(/--config-file \$\{[^}]*\}/, "--config-file FILE")
    .replace(/\$\(.*?\)|\$\{[^}]*\}?|\{\w+\}|\bNAME\b|\bNAMESPACE\b/g, "dev")
    .replace(/\bREF\b/, "HEAD")
    .replace(/\bGATE\b/, "rolls")
    .replace(/\(([^|)]*)\|[^)]*\)(\.\.\.)?/g, "$1")
    .replace(/\[[^\]]*\]/g, "")
    .replace(/FILE\|FOLDER|\bFOLDER\b/, "manifests")
    .replace(/\bFILE\b/g, exampleFile("prod"))
    .replace(/ > \S+$|[.;)]+$/, "")
    .trim();

const commands = [...new Set([...documents.flatMap(npmCommands), ...inSources])]
  .filter((command) => /^npm run \S+ -- /.test(command))
  .map((command) => [command, filled(command).match(/'[^']*'|\S+/g) ?? []] as const)
  .map(([command, [, , name = "", , ...args]]) => ({ command, name, args: stackAfter(args) }));

/** Adds a stack if a text ends with `--stack`, because the program appends its name. */
function stackAfter(args: readonly string[]): readonly string[] {
  return ["--stack", "--against"].includes(args.at(-1) ?? "") ? [...args, "dev"] : args;
}

const of = (name: string) => commands.filter((one) => one.name === name);

const readers: Readonly<Record<string, (args: readonly string[]) => unknown>> = {
  access: readAccess,
  doctor: readDoctor,
  encryption: (args) => readEncryption(args, {}),
  images: readImages,
  pipeline: (args) => readPipeline(args, {}),
  plan: readPlan,
  preflight: readPreflight,
  probe: readProbe,
  workloads: readWorkloads,
};

describe.each(Object.entries(readers))("npm run %s", (name, read) => {
  it("is mentioned somewhere", () => {
    expect(of(name).length).toBeGreaterThan(0);
  });

  it.each(of(name).filter(({ command }) => !command.endsWith("--against")))("$command", ({ args }) => {
    expect(() => read(args)).not.toThrow(UsageError);
  });
});

describe("without Azure and without a cluster", () => {
  const cwd = process.cwd();

  beforeAll(() => {
    project.write("Pulumi.dev.yaml", readText(exampleFile("dev")));
    project.write("Pulumi.prod.yaml", readText(exampleFile("prod")));
    mkdirSync(join(project.dir, "manifests"));
    project.write("manifests/pod.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: none}\n");
    for (const file of ["live.yaml", "cluster.yaml", "template.yaml"]) {
      project.write(file, readText("test/import/sources/template.yaml"));
    }
    project.write("apimodel.json", readText("test/import/sources/apimodel.json"));
    process.chdir(project.dir);
  });

  afterAll(() => {
    process.chdir(cwd);
  });

  /** The exit code of a command, and what it printed to the standard error. */
  async function ran(command: () => Promise<number>) {
    const { code, err } = await said(command);
    return code === 0 || code === 2 ? "worked" : `${code}: ${err}`;
  }

  it.each(of("workloads").filter(({ args }) => !args.includes("--kubeconfig")))(
    "$command",
    async ({ args }) => {
      const stdin = () => readFileSync("manifests/pod.yaml", "utf8");
      expect(await ran(() => runWorkloads([...args, "--offline"], { projectDir: project.dir, stdin }))).toBe(
        "worked",
      );
    },
  );

  it.each(of("import").filter(({ args }) => args.length > 1 && !args.includes("--kubeconfig")))(
    "$command",
    async ({ args }) => {
      rmSync(join(project.dir, "Pulumi.my-cluster.yaml"), { force: true });
      expect(await ran(() => runImport(args, { planner, env: templateVariables }))).toBe("worked");
    },
  );

  // KEY and TYPE stand for any, and "dev" for what the program writes there.
  it.each(of("explain").filter(({ args }) => !["KEY", "TYPE", "dev"].includes(args[0] ?? "")))(
    "$command",
    async ({ args }) => {
      expect(await ran(() => runExplain(args))).toBe("worked");
    },
  );

  it("are mentioned somewhere", () => {
    expect(of("explain").length).toBeGreaterThan(1);
    expect(of("workloads").length).toBeGreaterThan(2);
    expect(of("import").length).toBeGreaterThan(2);
  });
});

it("every command with arguments is one of these, or for developers of the program", () => {
  const known = [
    ...Object.keys(readers),
    "workloads",
    "import",
    "explain",
    "schemas",
    "crd-types",
    "mutate",
    "mutate:mechanical",
    "release",
  ];
  expect(commands.filter(({ name }) => !known.includes(name)).map(({ command }) => command)).toEqual([]);
});
