import { existsSync, readdirSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import MarkdownIt from "markdown-it";
import { satisfies } from "semver";
import { parse } from "yaml";
import ts from "typescript";
import { projectDir } from "../support/stacks";
import { importsOfTree, isOfProject, resolved } from "./imports";
import { filesBelow, readText } from "./sources";

/** Documents and files of the repository that must agree with each other and with what other tools read. */

interface Package {
  readonly version: string;
  readonly license: string;
  readonly engines: { readonly node: string };
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const manifest = JSON.parse(readText("package.json")) as Package;
const documents = [
  ...readdirSync(projectDir).filter((name) => name.endsWith(".md")),
  "packages/plan-engine/README.md",
  ...["docs", "docs/workloads"].flatMap((folder) =>
    readdirSync(join(projectDir, folder))
      .filter((name) => name.endsWith(".md"))
      .map((name) => `${folder}/${name}`),
  ),
];

const inlineTokens = (document: string) =>
  new MarkdownIt().parse(readText(document), {}).flatMap(({ children }) => children ?? []);

/** Anchors that GitHub gives to the headings of a document. */
const anchorsOf = (document: string): string[] =>
  [...readText(document).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );

describe.each(documents)("%s", (document) => {
  it("links to files and headings that exist", () => {
    const broken = inlineTokens(document)
      .flatMap((token) => (token.type === "link_open" ? [String(token.attrGet("href") ?? "")] : []))
      .filter((target) => !/^https?:/.test(target))
      .filter((target) => {
        const [file = "", anchor] = target.split("#");
        const path = file === "" ? document : normalize(join(dirname(document), file));
        return (
          !existsSync(join(projectDir, path)) || (anchor !== undefined && !anchorsOf(path).includes(anchor))
        );
      });
    expect(broken).toEqual([]);
  });

  it("names only commands that package.json has", () => {
    const named = [...readText(document).matchAll(/npm run ([a-z][\w:-]*\w)/g)].map(([, name = ""]) => name);
    expect(named.filter((name) => !(name in manifest.scripts))).toEqual([]);
  });
});

it("the tables of docs/architecture.md name files that exist", () => {
  const paths = inlineTokens("docs/architecture.md")
    .filter(({ type }) => type === "code_inline")
    .map(({ content }) => content)
    .filter((text) => /^[\w.]+\/\S+\.\w+$/.test(text));
  expect(paths.length).toBeGreaterThan(30);
  expect(paths.filter((path) => !existsSync(join(projectDir, path)))).toEqual([]);
});

it("LICENSE is the one that package.json names", () => {
  expect(manifest.license).toBe("Apache-2.0");
  expect(readText("LICENSE")).toMatch(/^\s+Apache License\n\s+Version 2\.0, January 2004\n/);
});

describe("CHANGELOG.md", () => {
  const changelog = readText("CHANGELOG.md");
  const sections = changelog.split(/^## /m).slice(1);
  const headingsOf = (section: string) => [...section.matchAll(/^### (.+)$/gm)].map(([, heading]) => heading);

  it("has the version of package.json as its newest release, and newer releases above older ones", () => {
    const titles = sections.map((section) => section.split("\n")[0] ?? "");
    expect(titles[0]).toBe("Unreleased");
    expect(titles.slice(1).filter((title) => !/^\d+\.\d+\.\d+ - \d{4}-\d\d-\d\d$/.test(title))).toEqual([]);
    const versions = titles.slice(1).map((title) => title.split(" ")[0] ?? "");
    expect(versions[0]).toBe(manifest.version);
    expect(
      versions.filter((version, index) => index > 0 && !satisfies(version, `<${versions[index - 1]!}`)),
    ).toEqual([]);
  });

  it("has entries of at most 40 words", () => {
    const entries = changelog.split(/\n\n?(?=- |#|[A-Z])/).filter((text) => text.startsWith("- "));
    expect(entries.length).toBeGreaterThan(100);
    const words = (entry: string): number => entry.slice(2).trim().split(/\s+/).length;
    expect(entries.filter((entry) => words(entry) > 40)).toEqual([]);
  });

  it("begins every version with the machines that roll", () => {
    const known = ["Rolls machines", "Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"];
    for (const section of sections) {
      const headings = headingsOf(section);
      expect(headings[0]).toBe("Rolls machines");
      expect(headings.filter((heading) => !known.includes(heading ?? ""))).toEqual([]);
      expect(new Set(headings).size).toBe(headings.length);
    }
  });
});

interface CheckWorkflow {
  readonly jobs: { readonly check: { readonly strategy: { readonly matrix: { readonly node: number[] } } } };
}

describe("the versions of Node.js that are tested", () => {
  const { jobs } = parse(readText(".github/workflows/check.yml")) as CheckWorkflow;
  const tested = jobs.check.strategy.matrix.node;

  it("have that of .nvmrc among them, and may run the program", () => {
    expect(tested).toContain(Number(readText(".nvmrc")));
    expect(tested.filter((version) => !satisfies(`${version}.99.0`, manifest.engines.node))).toEqual([]);
  });

  it("are those that the documents name", () => {
    const [last, ...others] = tested.toReversed();
    const named = (word: string): string => `${others.toReversed().join(", ")} ${word} ${last ?? ""}`;
    expect(readText("README.md")).toContain(`Node.js ${named("or")} `);
    expect(readText("docs/getting-started.md")).toContain(`[Node.js](https://nodejs.org/) ${named("or")} `);
    expect(readText("CONTRIBUTING.md")).toContain(`Node.js ${named("and")}: `);
  });
});

describe("packages", () => {
  const isCode = (path: string): boolean => /\.[jt]s$/.test(path);

  /** The packages that files load, and those that load them, with all files that these load. */
  function loadedBy(starts: readonly string[]): Map<string, string> {
    const packages = new Map<string, string>();
    const files = new Set(starts);
    for (const file of files) {
      const tree = ts.createSourceFile(file, readText(file), ts.ScriptTarget.ES2022);
      for (const { from } of importsOfTree(tree).filter(({ typeOnly }) => !typeOnly)) {
        const target = resolved(file, from);
        const isOurs = isOfProject(from);
        const name = /^(@[\w.-]+\/)?[\w.-]+/.exec(from)?.[0] ?? "";
        if (!isOurs && !from.startsWith("node:")) {
          packages.set(name, file);
        } else if (isOurs && isCode(target)) {
          files.add(target);
        }
      }
    }
    return packages;
  }

  const ofScripts = (scripts: readonly string[]): string[] =>
    scripts.flatMap((script) => script.match(/scripts\/(?!install)\w+\.js/g) ?? []);
  const all = Object.values(manifest.scripts);
  const withoutDev = all.filter((script) => !script.includes("install.js --dev"));
  const loaded = loadedBy([
    ...["index.ts", "components/index.ts", ...ofScripts(withoutDev)],
    ...filesBelow("scripts/ci").filter(isCode),
  ]);

  it("that the program and the commands load are dependencies: `npm ci --omit=dev` is enough for them", () => {
    expect(ofScripts(withoutDev)).toEqual(expect.arrayContaining(["scripts/plan.js", "scripts/docs.js"]));
    expect([...loaded].filter(([name]) => !(name in manifest.dependencies))).toEqual([]);
  });

  it("that nothing of this loads are no dependencies, except for those that Pulumi needs", () => {
    const others = [
      "pulumi", // The CLI, for `npx pulumi`.
      ...["ts-node", "typescript"], // Pulumi's language host loads the program with them.
      "@swc/core", // ts-node and packages/plan-engine/transpile.js load it by its name in a variable.
    ];
    const unused = Object.keys(manifest.dependencies).filter((name) => !loaded.has(name));
    expect(unused.filter((name) => !others.includes(name))).toEqual([]);
    expect(others.filter((name) => !(name in manifest.dependencies))).toEqual([]);
  });

  it("that the engine of plans asks for are those with which it is tested", () => {
    const { peerDependencies } = JSON.parse(readText("packages/plan-engine/package.json")) as {
      readonly peerDependencies: Readonly<Record<string, string>>;
    };
    const missing = Object.entries(peerDependencies).filter(
      ([name, range]) => !satisfies(manifest.dependencies[name] ?? "", range),
    );
    expect(missing).toEqual([]);
  });

  it("for development are not started by scripts that do not install them", () => {
    const commands = Object.keys(manifest.devDependencies).map((name) =>
      name.replace(/^@stryker-mutator\/core$/, "stryker"),
    );
    expect(all.length - withoutDev.length).toBeGreaterThan(4);
    expect(
      withoutDev.filter((script) => script.split(/[ /]/).some((word) => commands.includes(word))),
    ).toEqual([]);
  });
});

interface Dependabot {
  readonly updates: readonly {
    readonly "package-ecosystem": string;
    readonly directories?: readonly string[];
    readonly ignore?: readonly {
      readonly "dependency-name": string;
      readonly versions?: readonly string[];
    }[];
  }[];
}

describe(".github/dependabot.yml", () => {
  const { updates } = parse(readText(".github/dependabot.yml")) as Dependabot;
  const ignored = updates.flatMap(({ ignore = [] }) => ignore);
  const installed = { ...manifest.dependencies, ...manifest.devDependencies };

  it("ignores only packages that are used, and no version that is in use", () => {
    const heldBack = (pattern: string) =>
      Object.keys(installed).filter((name) =>
        pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern,
      );
    expect(ignored.filter((rule) => heldBack(rule["dependency-name"]).length === 0)).toEqual([]);
    const contradicted = ignored.filter(({ versions = [], ...rule }) =>
      heldBack(rule["dependency-name"]).some((name) =>
        versions.some((range) => satisfies(installed[name] ?? "", range)),
      ),
    );
    expect(contradicted).toEqual([]);
  });

  it("updates the actions of every folder that uses some", () => {
    const actions = updates.find((update) => update["package-ecosystem"] === "github-actions");
    const own = readdirSync(join(projectDir, ".github/actions")).map((name) => `/.github/actions/${name}`);
    expect(actions?.directories).toEqual(["/", ...own]);
  });
});
