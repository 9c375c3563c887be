import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { jinjaOpening } from "../../bootstrap/jinja";
import { filesBelow, readText } from "../architecture/sources";
import { projectDir } from "../support/stacks";

const folder = join(projectDir, "bootstrap");
const scripts = readdirSync(folder).filter((name) => name.endsWith(".ps1"));
const read = (name: string): string => readFileSync(join(folder, name), "utf8");

describe.each(scripts)("%s", (name) => {
  const script = read(name);

  it("is plain ASCII, because PowerShell 5.1 reads a file without a byte order mark in the machine's code page", () => {
    expect(script).toMatch(/^[\t\n\x20-\x7e]*\n$/);
  });

  it("needs no base64: it has no Jinja template and no indented first line", () => {
    expect(jinjaOpening(script)).toBeUndefined();
    expect(script).toMatch(/^\S/);
  });

  it("prints what it does to cloudbase-init's log", () => {
    expect(script).toMatch(/^# \S/);
    expect(script).toContain("Write-Output");
  });
});

describe.each(["addons", "older"].flatMap(filesBelow).filter((path) => path.endsWith(".ps1")))(
  "%s of the add-ons",
  (path) => {
    const script = readText(path);

    it("is plain ASCII, and has a comment on its purpose", () => {
      expect(script).toMatch(/^# \S[\t\n\x20-\x7e]*\n$/);
    });
  },
);
