import { join } from "node:path";
import { scriptContent } from "../../bootstrap/files";
import { jinjaOpening } from "../../bootstrap/jinja";
import { filesBelow, readText } from "../architecture/sources";
import { scriptsOf } from "../nodes/texts";

/** What holds for every script for nodes, whatever it does: test/nodes runs them. */

const folder = "bootstrap/scripts";
const scripts = filesBelow(folder).map((path) => path.slice(folder.length + 1));

it("lie in one folder", () => {
  const all = [".ps1", ".psm1", ".sh", ".bash", ".cmd", ".bat"].flatMap(scriptsOf);
  // Those of the probe run in its pods.
  const ours = all.filter((path) => !/^(?:test|scripts|examples|template|packages\/probe)\//.test(path));
  expect(ours.sort()).toEqual(scripts.map((name) => join(folder, name)).sort());
  expect(scripts.length).toBeGreaterThan(15);
});

it("have a test that runs them", () => {
  const tests = filesBelow("test/nodes").map(readText);
  const isRun = (name: string) => tests.some((text) => text.includes(`"${name}"`));
  expect(scripts.filter((name) => !isRun(name))).toEqual([]);
});

describe.each(scripts)("%s", (name) => {
  const script = scriptContent(name);

  it("is plain ASCII, because PowerShell 5.1 reads a file without a byte order mark in the machine's code page", () => {
    expect(script).toMatch(/^[\t\n\x20-\x7e]*\n$/);
  });

  it("needs no base64: it has no Jinja template and no indented first line", () => {
    expect(jinjaOpening(script)).toBeUndefined();
    expect(script).toMatch(/^\S/);
  });

  it("begins with a comment on its purpose", () => {
    expect(script).toMatch(/^(?:#!.*\n)?# \S/);
  });
});
