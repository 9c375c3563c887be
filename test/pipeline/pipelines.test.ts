import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "yaml";
import { readArguments as readImages } from "../../commands/images/cli";
import { readArguments as readPipeline } from "../../commands/pipeline/cli";
import { readArguments as readPlan } from "../../plan/cli/arguments";
import { isRecord } from "capz-windows-kit/untyped";
import { projectDir } from "../support/stacks";

/** The pipelines that users get. Their syntax is checked by actionlint and by the schemas of the services: see .ci/run. */

const dir = join(projectDir, "examples/pipelines");
const filesOf = {
  github: readdirSync(join(dir, "github")).map((name) => `github/${name}`),
  "azure-devops": ["azure-pipelines.yml"],
  gitlab: ["gitlab-ci.yml"],
};
const textOf = (file: string): string => readFileSync(join(dir, file), "utf8");

const scriptKeys = ["run", "bash", "inlineScript", "script", "before_script", "after_script"];

/** All shell scripts of a document. */
function scriptsIn(value: unknown): string[] {
  if (Array.isArray(value)) {
    return value.flatMap(scriptsIn);
  }
  return isRecord(value)
    ? Object.entries(value).flatMap(([key, inner]) =>
        scriptKeys.includes(key) ? [inner].flat().map(String) : scriptsIn(inner),
      )
    : [];
}

const scriptsOf = (files: readonly string[]): string[] =>
  files.flatMap((file) => scriptsIn(parse(textOf(file)))).map((script) => script.replaceAll(/\\\n\s*/g, ""));

const readers: Readonly<Record<string, (args: readonly string[]) => unknown>> = {
  images: readImages,
  plan: (args) => readPlan(args),
  pipeline: (args) => readPipeline(args, {}),
};

/** The npm scripts that a script starts, with the stack `dev`. */
const commandsIn = (script: string) =>
  [...script.matchAll(/npm run (?:--silent )?(\S+) -- (.*?)(?= \|\|| >|;|\n|$)/g)].map(
    ([, name = "", args = ""]) => ({
      name,
      args: args
        .replaceAll("$STACK", "dev")
        .replaceAll("$kind", "plan")
        .replaceAll("$RUN", "https://example.com/runs/1")
        .replaceAll('"', "")
        .replace(/(?<=--run )\S+/, "https://example.com/run")
        .trim()
        .split(/\s+/),
    }),
  );

describe.each(Object.entries(filesOf))("the pipelines of %s", (_, files) => {
  const scripts = scriptsOf(files);

  it("are scripts that bash reads", () => {
    expect(scripts.length).toBeGreaterThan(5);
    const wrong = scripts.filter((script) => spawnSync("bash", ["-n"], { input: script }).status !== 0);
    expect(wrong).toEqual([]);
  });

  it("start commands that are there, with options that these have", () => {
    const commands = scripts.flatMap(commandsIn);
    expect(commands.length).toBe(scripts.join("\n").split("npm run ").length - 1);
    for (const { name, args } of commands) {
      expect(() => readers[name]!(args)).not.toThrow();
    }
  });

  it("plan, ask for the label, preview, compare with what was approved, and look for drift", () => {
    const lines = scripts.flatMap(commandsIn).map(({ args }) => args.join(" "));
    expect(
      lines.filter((line) => /^--all --against (\$base|\$CI_MERGE_REQUEST_DIFF_BASE_SHA) /.test(line)),
    ).toHaveLength(1);
    expect(scripts.filter((script) => script.includes("destructive-ok"))).toHaveLength(1);
    expect(lines).toEqual(
      expect.arrayContaining([
        "preview --stack dev --out previews/dev.json",
        "preview --stack dev --out previews/dev.json --refresh --expect-no-changes",
        expect.stringMatching(/^preview --stack dev --out previews\/dev.json --approved \S+\/dev.json$/),
      ]),
    );
  });

  it("have no secret in the arguments of a program or in a log, and no password", () => {
    const secret = /\w*(TOKEN|PASSPHRASE|SECRET|PASSWORD)\b(?!_FILE)/g;
    const named = scripts.flatMap((script) => script.match(secret) ?? []);
    // A command of the shell itself has no list of arguments.
    const printed =
      /printf (?:%s "\$AZURE_ID_TOKEN" > |'Authorization: Bearer %s' "\$SYSTEM_ACCESSTOKEN"\))/g;
    expect(named).toHaveLength(scripts.join("\n").match(printed)?.length ?? 0);
    expect(scripts.filter((script) => /set -\w*x|\$\{\{|\benv$/.test(script))).toEqual([]);
    expect(files.map(textOf).join("")).not.toMatch(/CLIENT_SECRET|creds:/);
  });

  it("run `up` only after the comparison, in the same job, for which an environment asks for approval", () => {
    const ups = (value: unknown, environment: unknown): unknown[] => {
      if (!isRecord(value)) {
        return Array.isArray(value) ? value.flatMap((one) => ups(one, environment)) : [];
      }
      const own = value.environment ?? environment;
      const scripts = scriptsIn(
        Object.fromEntries(Object.entries(value).filter(([key]) => scriptKeys.includes(key))),
      );
      const found = scripts.some((script) => script.includes("pulumi up"))
        ? [{ environment: own, approved: /--approved[^]*pulumi up/.test(scripts.join("\n")) }]
        : [];
      return [...found, ...Object.values(value).flatMap((inner) => ups(inner, own))];
    };
    const found = files.flatMap((file) => ups(parse(textOf(file)), undefined));
    expect(found).toHaveLength(1);
    expect(found).toEqual([{ environment: expect.anything() as unknown, approved: true }]);
  });

  it("name the document that says what to set up", () => {
    expect(existsSync(join(projectDir, "docs/pipelines.md"))).toBe(true);
    expect(textOf(files[0]!)).toContain("docs/pipelines.md says what to set up.");
  });
});

const shellcheck = join(dirname(process.env.CAPZ_WINDOWS_PYTHON ?? ""), "shellcheck");

(existsSync(shellcheck) ? it : it.skip)("shellcheck finds nothing in any script", () => {
  for (const script of scriptsOf(Object.values(filesOf).flat())) {
    const { stdout } = spawnSync(shellcheck, ["--shell=bash", "-"], { input: script, encoding: "utf8" });
    expect({ script, stdout }).toEqual({ script, stdout: "" });
  }
});
