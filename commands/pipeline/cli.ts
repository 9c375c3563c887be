import { appendFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Options, parseCommand, refuse } from "../commandLine/arguments";
import { answerTo, endWith } from "../commandLine/main";
import { projectDir } from "../commandLine/projectDir";
import { stackNamed } from "../commandLine/stack";
import { parseReport } from "../plan/reports/json";
import { markdownReport } from "../plan/reports/markdown/markdownReport";
import { previewMarkdown } from "../plan/reports/markdown/preview";
import { PipelineError, preview, readPreview, readUntrusted } from "./preview";
import { installPulumi, isArch, recordPulumi } from "./pulumi";

const usage = `What the jobs of a pipeline do beside planning. docs/pipelines.md has pipelines that use this.

  npm run pipeline -- preview --stack NAME --out FILE.json [--refresh] [--expect-no-changes] [--approved FILE.json]
  npm run pipeline -- markdown (plan|preview) FILE.json [--run URL]
  npm run pipeline -- pulumi (--home FOLDER | --write [--arch x64|arm64]) [--from URL]

  preview   runs \`pulumi preview\`, and writes its text and operations to a file, and to the summary of a run of GitHub Actions
  markdown  prints the report of a plan or a preview for a comment or an issue; the file may come from a stranger
  pulumi    installs Pulumi's CLI and the plug-ins of its providers, which must have the digests in pulumi.sha256

  -s, --stack NAME       the stack to preview
  --out FILE             where to write the preview
  --refresh              compare with what runs, not with the state
  --expect-no-changes    every change is drift, except for patch versions that AKS chose
  --approved FILE        the preview that was approved: this one must have the same operations
  --run URL              the page of the run, which the text links to
  --home FOLDER          a new folder, which becomes PULUMI_HOME of the following steps
  --write                download what has no digest yet, and write its digest into pulumi.sha256
  --arch x64|arm64       the processor of the runners, for --write (default: x64)
  --from URL             a mirror of https://get.pulumi.com/releases

Exit codes: 0 done; 1 an error; 3 not what was approved; another one is Pulumi's; 64 wrong arguments.
`;

export const options = {
  stack: { type: "string", short: "s" },
  out: { type: "string" },
  approved: { type: "string" },
  refresh: { type: "boolean", default: false },
  "expect-no-changes": { type: "boolean", default: false },
  run: { type: "string" },
  home: { type: "string" },
  write: { type: "boolean", default: false },
  arch: { type: "string" },
  from: { type: "string" },
  // For tests.
  pulumi: { type: "string" },
  help: { type: "boolean", short: "h", default: false },
} satisfies Options;

export const actions = ["preview", "markdown", "pulumi"];

export function readArguments(argv: readonly string[], env: NodeJS.ProcessEnv) {
  const { values, positionals } = parseCommand("pipeline", { options, allowPositionals: true }, argv, env);
  const [action = "", kind = "", file = ""] = positionals;
  const stack = stackNamed(values.stack, undefined);
  const isPreview = action === "preview";
  const isReport = ["plan", "preview"].includes(kind) && positionals.length === 3;
  if (!values.help) {
    refuse([
      [!actions.includes(action), `Write one of ${actions.join(", ")}.`],
      [isPreview && (stack === undefined || values.out === undefined), "preview needs --stack and --out."],
      [isPreview && positionals.length > 1, "preview takes options only."],
      [action === "markdown" && !isReport, "Write markdown plan FILE.json, or markdown preview FILE.json."],
      [
        action === "pulumi" && (positionals.length > 1 || (values.home === undefined) !== values.write),
        "Write pulumi --home FOLDER, or pulumi --write.",
      ],
      [values.arch !== undefined && !isArch(values.arch), "--arch is x64 or arm64."],
      [values.arch !== undefined && !values.write, "--arch is for --write."],
      [values.from !== undefined && !URL.canParse(values.from), "--from is a URL."],
    ]);
  }
  return { ...values, action, kind, file, stack };
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

/** @returns the exit code, see usage */
export const run = (argv: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<number> =>
  answerTo(usage, readArguments, argv, [PipelineError], async (args) => {
    const { action, kind, file, stack = "", out = "", approved, refresh } = args;
    if (action === "markdown") {
      process.stdout.write(markdownOf(kind, file, args.run));
      return 0;
    }
    if (action === "pulumi") {
      return pulumi(args, env);
    }
    const program = args.pulumi ?? join(projectDir, "node_modules/.bin/pulumi");
    const expectNoChanges = args["expect-no-changes"];
    const code = await preview({ stack, out, approved, refresh, expectNoChanges, pulumi: program });
    const summary = env.GITHUB_STEP_SUMMARY;
    if (summary !== undefined) {
      appendFileSync(summary, previewMarkdown([readPreview(out)]));
    }
    return code;
  });

/** Exit codes: see usage. */
export const main = (argv: readonly string[]): void => {
  endWith(run(argv));
};
