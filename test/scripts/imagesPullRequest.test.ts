import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectDir } from "../support/stacks";

/** The script of images.yml with the real git, and fakes of gh and npm that record their arguments. */
describe("the pull request of newer images", () => {
  let dir: string;
  let repository: string;
  const git = (...args: string[]): string =>
    execFileSync("git", args, { cwd: repository, encoding: "utf8", stdio: "pipe" });

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), "capz-windows-images-pr-"));
    repository = join(dir, "repository");
    execFileSync("git", ["init", "--quiet", "--bare", join(dir, "origin")]);
    execFileSync("git", ["init", "--quiet", "--initial-branch=main", repository]);
    git("config", "user.name", "a");
    git("config", "user.email", "a@example.com");
    git("remote", "add", "origin", join(dir, "origin"));
    writeFileSync(join(repository, "Pulumi.prod.yaml"), "version: 1\n");
    git("add", ".");
    git("commit", "--quiet", "--message", "first");
    mkdirSync(join(dir, "bin"));
    const stub = (name: string, script: string): void => {
      writeFileSync(join(dir, "bin", name), `#!/bin/sh\n${script}\n`);
      chmodSync(join(dir, "bin", name), 0o755);
    };
    stub("npm", `echo "npm $*" >> "${dir}/asked"; echo "win1 rolls"; exit "\${NPM_STATUS:-2}"`);
    stub("gh", `echo "gh $*" >> "${dir}/asked"; [ "$2" = list ] && printf '%s' "\${OPEN_PR:-}" || true`);
    writeFileSync(join(dir, "images.txt"), "windowsPools.win1: newer: 1.35.9\n");
  });
  afterEach(() => {
    rmSync(dir, { recursive: true, force: true });
  });

  const run = (env: Readonly<Record<string, string>> = {}) =>
    spawnSync(
      "bash",
      [join(projectDir, "scripts/ci/imagesPullRequest.sh"), "prod", join(dir, "images.txt")],
      {
        cwd: repository,
        encoding: "utf8",
        env: {
          ...process.env,
          PATH: `${join(dir, "bin")}:${process.env.PATH ?? ""}`,
          RUNNER_TEMP: dir,
          ...env,
        },
      },
    );
  const asked = (): string => readFileSync(join(dir, "asked"), "utf8").replaceAll(dir, "DIR");

  it("has the changed stack file on its own branch, and the impact in its text", () => {
    writeFileSync(join(repository, "Pulumi.prod.yaml"), "version: 2\n");
    writeFileSync(join(repository, "other"), "not for the pull request");
    expect(run()).toMatchObject({ status: 0 });
    expect(git("show", "--stat", "--format=%s", "origin/images/prod")).toMatch(
      /^Newer images for prod\n\n Pulumi\.prod\.yaml \| 2 \+-\n 1 file changed/,
    );
    const body = readFileSync(join(dir, "images-prod.md"), "utf8");
    expect(body).toContain("win1 rolls");
    expect(body).toContain("windowsPools.win1: newer: 1.35.9");
    expect(asked()).toBe(
      [
        "npm run --silent plan -- --stack prod --against HEAD --format markdown",
        "gh pr list --head images/prod --state open --json number --jq .[].number",
        "gh pr create --head images/prod --title Newer images for prod --body-file DIR/images-prod.md",
        "",
      ].join("\n"),
    );
  });

  it("is updated if it is open already", () => {
    writeFileSync(join(repository, "Pulumi.prod.yaml"), "version: 2\n");
    expect(run({ OPEN_PR: "7" }).status).toBe(0);
    expect(asked()).toContain("gh pr edit images/prod --body-file DIR/images-prod.md\n");
  });

  it("is not created if nothing is newer, or if the plan fails", () => {
    expect(run()).toMatchObject({ status: 0, stdout: "Nothing newer for prod.\n" });
    writeFileSync(join(repository, "Pulumi.prod.yaml"), "version: 2\n");
    expect(run({ NPM_STATUS: "1" }).status).toBe(1);
    expect(asked()).not.toContain("gh ");
  });
});
