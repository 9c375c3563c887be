import { lstatSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Options, parseCommand, refuse } from "../commandLine/arguments";
import { answerTo, endWith } from "../commandLine/main";
import { projectDir } from "../commandLine/projectDir";
import { stackNamed } from "../commandLine/stack";
import { parseReport } from "../plan/reports/json";
import { markdownReport } from "../plan/reports/markdown/markdownReport";
import { previewMarkdown } from "../plan/reports/markdown/preview";
import { azureDevOps } from "./azureDevOps";
import { github } from "./github";
import { gitlab } from "./gitlab";
import { images } from "./images";
import { preview, readPreview } from "./preview";
import { installPulumi, isArch, recordPulumi } from "./pulumi";
import { type Env, PipelineError, type Service } from "./service";

const usage = `What the jobs of a pipeline do beside planning, in GitHub Actions, Azure Pipelines and GitLab CI/CD.

  npm run pipeline -- preview --stack NAME --out FILE.json [--refresh] [--expect-no-changes] [--approved FILE.json]
  npm run pipeline -- comment (plan|preview) FILE.json
  npm run pipeline -- label NAME
  npm run pipeline -- drift FILE.json
  npm run pipeline -- images --stack NAME
  npm run pipeline -- pulumi (--home FOLDER | --write [--arch x64|arm64]) [--from URL]

  preview   runs \`pulumi preview\`, and writes its text and operations to a file, and to the summary of the run
  comment   writes the report of a plan or a preview into a comment of the pull request, which later runs update
  label     says whether the pull request has a label
  drift     opens, updates or closes the issue about the drift of a stack, from the file of a preview
  images    puts newer images into the stack file, and opens or updates the pull request with that change
  pulumi    installs Pulumi's CLI and the plug-ins of its providers, which must have the digests in pulumi.sha256

  -s, --stack NAME       the stack to preview, or the one whose images to raise
  --out FILE             where to write the preview
  --refresh              compare with what runs, not with the state
  --expect-no-changes    every change is drift, except for patch versions that AKS chose
  --approved FILE        the preview that was approved: this one must have the same operations
  --home FOLDER          a new folder, which becomes PULUMI_HOME of the following steps
  --write                download what has no digest yet, and write its digest into pulumi.sha256
  --arch x64|arm64       the processor of the runners, for --write (default: x64)
  --from URL             a mirror of https://get.pulumi.com/releases

The token comes from the environment: GH_TOKEN, SYSTEM_ACCESSTOKEN or GITLAB_TOKEN, which is IMAGES_TOKEN for images. docs/pipelines.md has pipelines that use this.

Exit codes: 0 done; 1 an error, or the label is not there; 3 not what was approved; another one is Pulumi's; 64 wrong arguments.
`;

export const options = {
  stack: { type: "string", short: "s" },
  out: { type: "string" },
  approved: { type: "string" },
  refresh: { type: "boolean", default: false },
  "expect-no-changes": { type: "boolean", default: false },
  home: { type: "string" },
  write: { type: "boolean", default: false },
  arch: { type: "string" },
  from: { type: "string" },
  // For tests.
  pulumi: { type: "string" },
  help: { type: "boolean", short: "h", default: false },
} satisfies Options;

export const actions = ["preview", "comment", "label", "drift", "images", "pulumi"];

export function readArguments(argv: readonly string[], env: NodeJS.ProcessEnv) {
  const { values, positionals } = parseCommand("pipeline", { options, allowPositionals: true }, argv, env);
  const [action = "", ...words] = positionals;
  const stack = stackNamed(values.stack, undefined);
  const isPreview = action === "preview";
  refuse(
    values.help
      ? []
      : [
          [!actions.includes(action), `Write one of ${actions.join(", ")}.`],
          [
            isPreview && (stack === undefined || values.out === undefined),
            "preview needs --stack and --out.",
          ],
          [isPreview && words.length > 0, "preview takes options only."],
          [
            action === "comment" && !(words.length === 2 && ["plan", "preview"].includes(words[0] ?? "")),
            "Write comment plan FILE.json, or comment preview FILE.json.",
          ],
          [action === "label" && words.length !== 1, "Write label NAME."],
          [action === "drift" && words.length !== 1, "Write drift FILE.json."],
          [action === "images" && (stack === undefined || words.length > 0), "Write images --stack NAME."],
          [
            action === "pulumi" && (words.length > 0 || (values.home === undefined) !== values.write),
            "Write pulumi --home FOLDER, or pulumi --write.",
          ],
          [values.arch !== undefined && !isArch(values.arch), "--arch is x64 or arm64."],
          [values.arch !== undefined && !values.write, "--arch is for --write."],
          [values.from !== undefined && !URL.canParse(values.from), "--from is a URL."],
        ],
  );
  return { ...values, action, words, stack };
}

/** The service whose variables the environment has. */
function serviceOf(env: Env): Service | undefined {
  const services = [
    [env.GITHUB_ACTIONS, github],
    [env.TF_BUILD, azureDevOps],
    [env.GITLAB_CI, gitlab],
  ] as const;
  return services.find(([found]) => (found ?? "") !== "")?.[1](env);
}

/** @throws PipelineError outside of a pipeline */
function pipelineOf(env: Env): Service {
  const service = serviceOf(env);
  if (service === undefined) {
    throw new PipelineError(
      "This runs in a job of GitHub Actions, Azure Pipelines or GitLab CI/CD, but GITHUB_ACTIONS, TF_BUILD and GITLAB_CI are not set.",
    );
  }
  return service;
}

const maxBytes = 64 * 1024 * 1024;

/**
 * The comment about a plan, rendered from its JSON report. That may come from a fork's pull request, so it is parsed
 * strictly.
 */
function planMarkdown(file: string, run: string): string {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  // A link is refused, because it could point to another file of this machine.
  if (stat?.isFile() !== true || stat.size > maxBytes) {
    throw new PipelineError(`${file}: no file of less than ${maxBytes} bytes`);
  }
  return markdownReport(parseReport(readFileSync(file, "utf8")), { whole: run });
}

async function comment([kind, file = ""]: readonly string[], service: Service): Promise<number> {
  const found = kind === "plan" ? undefined : readPreview(file);
  const body =
    found === undefined ? planMarkdown(file, service.run) : previewMarkdown([found], { whole: service.run });
  const name = found === undefined ? "plan" : `preview ${found.stack}`;
  const number = await service.pullRequest();
  if (number === undefined) {
    process.stdout.write("There is no open pull request with this commit: no comment.\n");
    return 0;
  }
  const marker = `<!-- capz-windows: ${name} -->`;
  const own = (await service.comments(number)).find(({ text }) => text.startsWith(marker));
  await service.writeComment(number, own, `${marker}\n${body}`);
  process.stdout.write(
    `${own === undefined ? "Wrote" : "Updated"} the comment "${name}" of pull request ${number}\n`,
  );
  return 0;
}

async function label(name: string, service: Service): Promise<number> {
  const number = await service.pullRequest();
  const labels = number === undefined ? [] : await service.labels(number);
  const found = labels.includes(name);
  process.stdout.write(
    found
      ? `The label ${name} is there.\n`
      : `This pull request has no label ${name}. If what the report says is meant, add the label and run this job again.\n`,
  );
  return found ? 0 : 1;
}

async function drift(file: string, service: Service): Promise<number> {
  const found = readPreview(file);
  const title = `Drift in stack ${found.stack}`;
  if (found.result === "failed") {
    // Whether there is drift is unknown. The failed job itself notifies people.
    process.stdout.write(`No preview of ${found.stack}; the issue stays as it is.\n`);
    return 0;
  }
  if (service.issues === undefined || service.writeIssue === undefined) {
    process.stdout.write(`${service.name} has no issues; a run that finds drift fails.\n`);
    return 0;
  }
  const own = (await service.issues()).find(({ text }) => text === title);
  if (found.result === "changes") {
    const body = [
      `What runs in stack \`${found.stack}\` is not what the default branch says. Either it was changed by hand, or a`,
      "deployment is still to come. Bring the change into the stack file, or deploy the default branch to take it back.",
      "",
      previewMarkdown([found], { whole: service.run }),
    ].join("\n");
    await service.writeIssue(own, title, body);
    process.stdout.write(`${own === undefined ? "Opened" : "Updated"} the issue "${title}"\n`);
  } else if (own !== undefined) {
    await service.writeIssue(own, title, undefined);
    process.stdout.write(`Closed the issue "${title}"\n`);
  }
  return 0;
}

interface PulumiArguments {
  readonly home?: string | undefined;
  readonly arch?: string | undefined;
  readonly from?: string | undefined;
}

async function pulumi({ home, arch, from }: PulumiArguments, env: Env): Promise<number> {
  const processor = arch ?? (home === undefined ? "x64" : process.arch);
  if (!isArch(processor) || (home !== undefined && process.platform !== "linux")) {
    throw new PipelineError("Pulumi is installed by its digest on Linux only, on x64 or arm64.");
  }
  const options = { dir: projectDir, arch: processor, from };
  await (home === undefined ? recordPulumi(options) : installPulumi(resolve(home), options, env));
  return 0;
}

/** @returns the exit code, see usage */
export const run = (argv: readonly string[], env: Env = process.env): Promise<number> =>
  answerTo(
    usage,
    readArguments,
    argv,
    [PipelineError],
    async ({ action, words, stack = "", out = "", ...rest }) => {
      const [word = ""] = words;
      switch (action) {
        case "comment":
          return comment(words, pipelineOf(env));
        case "label":
          return label(word, pipelineOf(env));
        case "drift":
          return drift(word, pipelineOf(env));
        case "images":
          return images(stack, pipelineOf(env));
        case "pulumi":
          return pulumi(rest, env);
        default: {
          const program = rest.pulumi ?? join(projectDir, "node_modules/.bin/pulumi");
          const { "expect-no-changes": expectNoChanges, approved, refresh } = rest;
          const code = await preview({ stack, out, approved, refresh, expectNoChanges, pulumi: program });
          const service = serviceOf(env);
          if (service !== undefined) {
            const file = `${out.replace(/\.json$/, "")}.md`;
            writeFileSync(file, previewMarkdown([readPreview(out)], { whole: service.run }));
            service.summary(file);
          }
          return code;
        }
      }
    },
  );

/** Exit codes: see usage. */
export const main = (argv: readonly string[]): void => {
  endWith(run(argv));
};
