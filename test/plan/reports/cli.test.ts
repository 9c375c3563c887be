import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readArguments, UsageError } from "../../../plan/arguments";
import { projectDir } from "../../support/stacks";

const work = mkdtempSync(join(tmpdir(), "capz-windows-reports-"));
afterAll(() => {
  rmSync(work, { recursive: true, force: true });
});

describe("npm run plan with reports", () => {
  it("prints one format, writes the others, and nothing else comes between", () => {
    const files = ["a/plan.html", "a/plan.md", "plan.txt"].map((name) => join(work, name));
    const { status, stdout } = spawnSync(
      process.execPath,
      [
        ...[join(projectDir, "scripts/plan.js"), "--stack", "existing", "--out", join(work, "out")],
        ...["--format", "json", ...files.flatMap((file) => ["--report", file])],
      ],
      { cwd: work, encoding: "utf8" },
    );
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ version: 1, stacks: [{ stack: "existing" }] });
    const [page = "", comment = "", text = ""] = files.map((file) => readFileSync(file, "utf8"));
    expect(page).toMatch(/^<!doctype html>\n<html lang="en">[^]*<\/html>\n$/);
    expect(page).toContain("Managed identities");
    expect(comment).toMatch(/^## Plan\n/);
    expect(text).toMatch(/^Plan of capz-windows, stack existing: /);
    expect(
      [stdout, page, comment, text].filter((each) => each.includes("replace-me-with-pulumi-config-set")),
    ).toEqual([]);
    expect(readdirSync(join(work, "a")).sort()).toEqual(["plan.html", "plan.md"]);
    expect(existsSync(join(work, "out/plan.json"))).toBe(true);
  });

  it.each([
    [["--format", "pdf"], "--format pdf: write one of text, markdown, json, html."],
    [["--report", "a.md", "--report", "a.pdf"], "--report a.pdf: end it in .txt, .md, .json or .html."],
  ])("refuses %j", (args, message) => {
    expect(() => readArguments(["--stack", "dev", ...args])).toThrow(new UsageError(message));
  });
});
