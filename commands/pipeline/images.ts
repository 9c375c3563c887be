import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { inTemporaryFolder } from "../commandLine/temporaryFolder";
import { parseReport } from "../plan/reports/json";
import { fenced } from "../plan/reports/markdown/escape";
import { markdownReport } from "../plan/reports/markdown/markdownReport";
import { clip } from "../plan/reports/values";
import { runAndShow } from "./runAndShow";
import { PipelineError, type Repository, type Service } from "./service";

/**
 * Newer images as a pull request. Each stack has one branch, which the change of the next month replaces, so there is at most
 * one open pull request.
 */

/** @returns what it printed. @throws PipelineError after another exit code */
async function npmRun(args: readonly string[], expected: readonly number[]): Promise<string> {
  const { code, text } = await runAndShow("npm", ["run", "--silent", ...args]);
  if (!expected.includes(code)) {
    throw new PipelineError(`npm run ${args.join(" ")}: exit code ${code}`);
  }
  return text;
}

/** @throws PipelineError with what git said */
async function git(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  try {
    return (await promisify(execFile)("git", args, { env: { ...process.env, ...env } })).stdout;
  } catch (error) {
    const said = (error as { stderr?: string }).stderr?.trim() ?? "";
    throw new PipelineError(
      `git ${args[0] ?? ""}: ${said}. docs/pipelines.md says what the token must be allowed to do.`,
    );
  }
}

/** Commits the file, and makes the branch that commit. */
async function push(file: string, branch: string, message: string, to: Repository): Promise<void> {
  const [name, mail] = to.author;
  await git(["commit", "--quiet", "--message", message, "--", file], {
    ...{ GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: mail, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: mail },
  });
  // As a variable, because everybody on the machine can read arguments. Checkouts keep no credentials.
  await git(["push", "--quiet", "--force", to.url, `HEAD:refs/heads/${branch}`], {
    ...{ GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "http.extraHeader", GIT_TERMINAL_PROMPT: "0" },
    GIT_CONFIG_VALUE_0: `Authorization: ${to.authorization}`,
  });
}

/** @returns the exit code */
export async function images(stack: string, service: Service): Promise<number> {
  const file = `Pulumi.${stack}.yaml`;
  // Before anything else, so that a missing token is reported before Azure is asked.
  const repository = service.repository();
  const { maxText } = repository;
  // 2: there are newer images, or Azure did not answer.
  const found = await npmRun(["images", "--", "--stack", stack, "--write"], [0, 2]);
  if ((await git(["diff", "--name-only", "--", file])) === "") {
    process.stdout.write(`${file} stays as it is: no pull request.\n`);
    return 0;
  }
  return inTemporaryFolder("images", async (work) => {
    const report = join(work, "plan.json");
    // 2 and 3: machines roll, or something is destroyed, which the text then says.
    await npmRun(["plan", "--", "--stack", stack, "--against", "HEAD", "--report", report], [0, 2, 3]);
    const title = `Newer images for ${stack}`;
    const listed = fenced([clip(found.trimEnd(), maxText / 4)], "text");
    const details = `\n<details><summary>Images</summary>\n\n${listed}\n</details>\n`;
    const intro = `Newer images for the stack \`${stack}\`. Checks and reviews are those of every pull request.\n\n`;
    const limit = maxText - intro.length - details.length;
    const body = `${intro}${markdownReport(parseReport(readFileSync(report, "utf8")), { whole: service.run, limit })}${details}`;
    const branch = `images/${stack}`;
    await push(file, branch, title, repository);
    const own = await repository.requestFrom(branch);
    await repository.writeRequest(own, { branch, title, body });
    process.stdout.write(`${own === undefined ? "Opened" : "Updated"} the pull request "${title}"\n`);
    return 0;
  });
}
