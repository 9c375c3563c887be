import "../stack/register";
import { appendFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { refuse } from "capz-windows-kit/commandLine/arguments";
import {
  chooseCommand,
  defineCommand,
  parseCommand,
  stackArgument,
} from "capz-windows-kit/commandLine/command";
import { answer, endWith } from "capz-windows-kit/commandLine/main";
import { writeMarkdown } from "capz-windows-kit/commandLine/output";
import { projectDir } from "capz-windows-kit/commandLine/projectDir";
import { chosenStack } from "capz-windows-kit/commandLine/stack";
import { isWebAddress } from "capz-windows-kit/markdown";
import { parseReport, PlanError } from "../../plan/reports/json";
import { markdownReport } from "../../plan/reports/markdown/markdownReport";
import { previewMarkdown } from "../../plan/reports/markdown/preview";
import { PipelineError, preview, readPreview, readUntrusted } from "./preview";
import { installPulumi, isArch, recordPulumi } from "./pulumi";

const group = {
  call: "npm run pipeline --",
  about: "What the jobs of a pipeline do beside planning. docs/pipelines.md has pipelines that use this.",
  notes: `Each command has its own --help.

Exit codes: those of the command; 64 wrong arguments.`,
};

const actions = {
  preview:
    "runs `pulumi preview`, and writes its text and operations to a file, and to the summary of a run of GitHub Actions",
  markdown:
    "prints the report of a plan or a preview for a comment or an issue; the file may come from a stranger",
  pulumi:
    "installs Pulumi's CLI and the plug-ins of its providers, which must have the digests in pulumi.sha256",
};

const previewCommand = defineCommand({
  call: `${group.call} preview`,
  about: actions.preview,
  args: stackArgument,
  options: ["stack", "outPreview", "refresh", "expectNoChanges", "approved", "pulumi"],
  examples: {
    "npm run pipeline -- preview prod --out previews/prod.json": "For a review",
    "npm run pipeline -- preview prod --out previews/now.json --approved previews/prod.json":
      "Whether it is still what was approved",
    "npm run pipeline -- preview prod --out previews/prod.json --refresh --expect-no-changes": "Drift",
  },
  exitCodes: { 0: "done", 1: "an error", 3: "not what was approved; another code is Pulumi's" },
});

const markdownCommand = defineCommand({
  call: `${group.call} markdown`,
  about: actions.markdown,
  args: { "<kind>": "plan or preview", "<file>": "the JSON of a plan or of a preview" },
  options: ["run"],
  examples: { "npm run pipeline -- markdown plan plan.json": "The comment about a plan" },
  exitCodes: { 0: "printed", 1: "the file cannot be read" },
});

const pulumiCommand = defineCommand({
  call: `${group.call} pulumi`,
  about: actions.pulumi,
  options: ["home", "writePlugins", "arch", "mirror"],
  examples: {
    "npm run pipeline -- pulumi --home FOLDER": "Before a job that deploys",
    "npm run pipeline -- pulumi --write": "After a new version of Pulumi",
  },
  exitCodes: { 0: "installed, or written", 1: "an error" },
});

function readPreviewArguments(argv: readonly string[], env: NodeJS.ProcessEnv) {
  const { values, args } = parseCommand(previewCommand, argv, env);
  const { outPreview: out = "", ...rest } = values;
  refuse([[out === "", "Write --out FILE."]]);
  return { ...rest, out, stack: chosenStack({ ...values, configFile: undefined }, args, projectDir) };
}

function readMarkdownArguments(argv: readonly string[], env: NodeJS.ProcessEnv) {
  const { values, args } = parseCommand(markdownCommand, argv, env);
  const [kind = "", file = ""] = args;
  refuse([
    [kind !== "plan" && kind !== "preview", `${kind}: write plan or preview.`],
    [values.run !== undefined && !isWebAddress(values.run), "--run is a web address."],
  ]);
  return { ...values, kind, file };
}

function readPulumiArguments(argv: readonly string[], env: NodeJS.ProcessEnv) {
  const { home, writePlugins, arch, mirror } = parseCommand(pulumiCommand, argv, env).values;
  refuse([
    [(home === undefined) !== writePlugins, "Write --home FOLDER, or --write."],
    [arch !== undefined && !writePlugins, "--arch is for --write."],
    [mirror !== undefined && !URL.canParse(mirror), "--from is a URL."],
  ]);
  return { home, arch, from: mirror };
}

/** The arguments of one of the actions. @throws UsageError */
export function readArguments(argv: readonly string[], env: NodeJS.ProcessEnv) {
  const { name, argv: rest } = chooseCommand(group, actions, undefined, argv);
  switch (name) {
    case "preview":
      return { action: name, ...readPreviewArguments(rest, env) };
    case "markdown":
      return { action: name, ...readMarkdownArguments(rest, env) };
    case "pulumi":
      return { action: name, ...readPulumiArguments(rest, env) };
  }
}

/** The text for a comment. Its first line, which no reader sees, says which comment of a pull request this is. */
function markdownOf(kind: string, file: string, run: string | undefined): string {
  const options = run === undefined ? {} : { whole: run };
  if (kind === "plan") {
    const reports = parseReport(readUntrusted(file));
    return `<!-- capz-windows: plan -->\n${markdownReport(reports, options)}`;
  }
  const found = readPreview(file);
  return `<!-- capz-windows: preview ${found.stack} -->\n${previewMarkdown([found], options)}`;
}

interface PulumiArguments {
  readonly home?: string | undefined;
  readonly arch?: string | undefined;
  readonly from?: string | undefined;
}

async function pulumi({ home, arch, from }: PulumiArguments, env: NodeJS.ProcessEnv): Promise<number> {
  const processor = arch ?? (home === undefined ? "x64" : process.arch);
  if (!isArch(processor) || (home !== undefined && process.platform !== "linux")) {
    throw new PipelineError("Pulumi is installed by its digest on Linux only, on x64 or arm64.");
  }
  const options = { dir: projectDir, arch: processor, from };
  await (home === undefined ? recordPulumi(options) : installPulumi(resolve(home), options, env));
  return 0;
}

type PreviewArguments = ReturnType<typeof readPreviewArguments>;

async function previewed(args: PreviewArguments, env: NodeJS.ProcessEnv): Promise<number> {
  const { pulumi: program = join(projectDir, "node_modules/.bin/pulumi"), ...rest } = args;
  const code = await preview({ ...rest, pulumi: program });
  const summary = env.GITHUB_STEP_SUMMARY;
  if (summary !== undefined) {
    appendFileSync(summary, previewMarkdown([readPreview(args.out)]));
  }
  return code;
}

/** @returns the exit code, see the definitions */
export function run(argv: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<number> {
  const options = previewCommand.options;
  return answer({ call: group.call, options }, argv, [PipelineError, PlanError], async () => {
    const args = readArguments(argv, env);
    switch (args.action) {
      case "markdown":
        writeMarkdown(markdownOf(args.kind, args.file, args.run));
        return 0;
      case "pulumi":
        return pulumi(args, env);
      case "preview":
        return previewed(args, env);
    }
  });
}

/** Exit codes: see the definitions. */
export const main = (argv: readonly string[]): void => {
  endWith(run(argv));
};
