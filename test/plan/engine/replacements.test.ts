import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { version } from "@pulumi/pulumi/package.json";
import { readText } from "../../architecture/sources";
import { projectDir } from "../../support/projectDir";

/**
 * One canary for each part of the SDK that packages/plan-engine replaces. Internals keep no promise from one version to the
 * next, so a new SDK comes with a look at those that fail here: each is named by its file and by what it replaces.
 */

interface Swc {
  readonly jsc: { readonly parser: object; readonly transform: object };
}

/** What fixtures/replacements.js says. */
interface Found {
  readonly lazyModules: { readonly lazily: string[]; readonly otherwise: string[] };
  readonly tsNode: { readonly engine: Swc; readonly tsNode: Swc };
  readonly inside: Readonly<Record<string, unknown>> & { readonly former: number; readonly promises: number };
  readonly unanswered: unknown;
}

const run = (args: readonly string[]): string =>
  execFileSync(process.execPath, args, { cwd: projectDir, encoding: "utf8" });

let found: Found;
beforeAll(() => {
  found = JSON.parse(run([join(__dirname, "../fixtures/replacements.js")])) as Found;
});

const note = `
Error.prepareStackTrace = () => "a stack";
const { debuggablePromise } = require("@pulumi/pulumi/runtime/debuggable");
const promise = Promise.resolve();
debuggablePromise(promise, "context");
console.log(promise._debugStackTrace);`;

/** By the file in packages/plan-engine, as in the table of its README. */
const canaries: readonly (readonly [where: string, what: string, check: () => void])[] = [
  [
    "transpile.js",
    "ts-node calls swc with the same options, but for those of JSX and of the place of a source map's text",
    () => {
      const { engine, tsNode } = found.tsNode;
      expect(tsNode).toEqual({
        ...engine,
        inlineSourcesContent: undefined,
        jsc: {
          ...engine.jsc,
          parser: { ...engine.jsc.parser, importAssertions: true },
          transform: { ...engine.jsc.transform, react: { throwIfNamespace: false, useBuiltins: false } },
        },
      });
    },
  ],
  [
    "spare.ts",
    "mergeOptions of the SDK keeps former types, providers call it for dozens of them, and afterwards it is back",
    () => {
      const { mergedByTheSdk, merged, replaced, restored, former } = found.inside;
      expect(mergedByTheSdk).toHaveLength(2);
      expect(merged).toEqual([{ name: "former" }]);
      expect(replaced).toContain("mergeOptions");
      expect(former).toBeGreaterThan(12);
      expect((restored as boolean[])[0]).toBe(true);
    },
  ],
  [
    "lazyModules.ts",
    "the SDK loads the TypeScript compiler, npm's resolver and the Automation API at once, by these names",
    () => {
      // 3.276 has no resolver any more.
      const resolver = version === "3.270.0" ? ["/@npmcli/arborist/"] : [];
      expect(found.lazyModules.otherwise).toEqual([
        ...["/typescript/lib/", ...resolver, "/@pulumi/pulumi/automation/"],
      ]);
      expect(found.lazyModules.lazily).toEqual([]);
    },
  ],
  [
    "spare.ts",
    "debuggablePromise of the SDK notes promises in leakCandidates, the SDK calls it, and afterwards it is back",
    () => {
      const { noted, replaced, restored, promises } = found.inside;
      expect(noted).toBe(true);
      expect(replaced).toContain("debuggablePromise");
      expect(promises).toBeGreaterThan(10);
      expect((restored as boolean[])[1]).toBe(true);
    },
  ],
  [
    "callbacks.ts",
    "CallbackServer of the SDK has the same fields, and the SDK uses the one in its store",
    () => {
      const { fieldsOfTheSdk, fields, isUsed } = found.inside;
      expect(fields).toEqual([...(fieldsOfTheSdk as string[]), "call"]);
      expect((isUsed as boolean[])[0]).toBe(true);
    },
  ],
  [
    "preload.js",
    "debuggablePromise of the SDK takes its stack trace in runtime/debuggable.js, and the preload leaves it empty",
    () => {
      const preload = join(projectDir, "packages/plan-engine/preload.js");
      expect(run(["-e", note])).toBe("a stack\n");
      expect(run(["-r", preload, "-e", note])).toBe("\n");
    },
  ],
  [
    "sdk.ts",
    "the SDK runs an inline program by the settings of its store, and the engine answers every call of its protocol but one",
    () => {
      const { host, diagnostics, isUsed, run: seen, config } = found.inside;
      expect({ host, diagnostics }).toEqual({ host: "in-process", diagnostics: [] });
      expect((isUsed as boolean[])[1]).toBe(true);
      expect(seen).toEqual(["o", "replaced", "s", true]);
      expect(config).toEqual(["value", "secret", true]);
      expect(found.unanswered).toEqual({ monitor: ["existsResource"], engine: [] });
    },
  ],
];

describe("a part of the SDK that the offline engine replaces", () => {
  it.each(canaries)("%s: %s", (_, __, check) => {
    check();
  });

  it("is in the README's table, with its file", () => {
    const [, table = ""] = readText("packages/plan-engine/README.md").split("## What it replaces in the SDK");
    const rows = [...table.matchAll(/^\|.*\| `(\w+\.\w+)` *\|$/gm)].map(([, where]) => where);
    expect(rows).toEqual(canaries.map(([where]) => where));
  });

  it("is that of the versions with which this file passed, which the range of the peer lists", () => {
    const { peerDependencies } = JSON.parse(readText("packages/plan-engine/package.json")) as {
      readonly peerDependencies: Readonly<Record<string, string>>;
    };
    // What it sends through gRPC and protobuf, and swc with the options of ts-node, are internals of the SDK, too.
    expect(peerDependencies).toMatchObject({
      "@grpc/grpc-js": "1.14.7",
      "@pulumi/pulumi": "3.270.0 || 3.276.0",
      "@swc/core": "1.16.18",
      "google-protobuf": "3.21.4",
    });
    for (const [name, range] of Object.entries(peerDependencies).filter(
      ([, range]) => !range.startsWith("^"),
    )) {
      const { version: installed } = JSON.parse(readText(`node_modules/${name}/package.json`)) as {
        readonly version: string;
      };
      expect({ name, versions: range.split(" || ") }).toEqual({
        name,
        versions: expect.arrayContaining([installed]) as string[],
      });
    }
  });
});
