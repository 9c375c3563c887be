import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectDir } from "../support/stacks";

const dir = mkdtempSync(join(tmpdir(), "capz-windows-notes-"));
const file = join(dir, "CHANGELOG.md");

afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
});

function notes(...args: readonly string[]) {
  const script = join(projectDir, "scripts/ci/releaseNotes.js");
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: "utf8" });
  return { status, stdout, stderr };
}

describe("the notes of a release", () => {
  beforeAll(() => {
    writeFileSync(
      file,
      "# Changelog\n\nIntroduction.\n\n## Unreleased\n\n## 0.2.0 - 2026-12-01\n\n### Rolls machines\n\n- Pools.\n\n### Added\n\n- A key.\n\n## 0.1.0 - 2026-11-21\n\nFirst.\n",
    );
  });

  it.each(["0.2.0", "v0.2.0"])("of %s are what the changelog has about it, and no more", (version) => {
    expect(notes(version, file)).toEqual({
      status: 0,
      stdout: "### Rolls machines\n\n- Pools.\n\n### Added\n\n- A key.\n",
      stderr: "",
    });
  });

  it.each(["0.2", "Unreleased", ""])("are refused for %j, about which it has no text", (version) => {
    expect(notes(version, file)).toEqual({
      status: 1,
      stdout: "",
      stderr: `CHANGELOG.md has no text about the version ${version}; it has: Unreleased, 0.2.0, 0.1.0.\n`,
    });
  });

  it("exist for the first release of this program", () => {
    expect(notes("v0.1.0").stdout).toMatch(/^The first release with a tag/);
  });
});
