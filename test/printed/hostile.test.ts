import { spawnSync } from "node:child_process";
import * as fc from "fast-check";
import ts from "typescript";
import { formatSections, sectionsOf } from "capz-windows-doctor/access/commands";
import { reachableOf } from "capz-windows-doctor/access/model";
import { allRules } from "capz-windows-doctor/rules/allRules";
import { sourcesOf } from "../architecture/sources";
import { patient } from "../../packages/doctor/test/patient";
import { bash } from "capz-windows-kit/shell";
import {
  commands,
  filledWith,
  hostile,
  hostileTo,
  isOfWords,
  isWords,
  isYaml,
  runsOf,
  shape,
  templates,
  value,
} from "./hostileValues";

/** Names in printed commands are chosen by whoever made the object. A command stays the one that we wrote. */

it("there are commands to judge", () => {
  expect(commands.length).toBeGreaterThan(300);
});

describe("bash", () => {
  it("starts the programs of each remedy with the options of each remedy, whatever the values are", () => {
    const plain = runsOf(commands.map((line) => filledWith(line, ["a1"])));
    const samples = fc.sample(fc.array(value, { minLength: 3, maxLength: 3 }), 4);
    const cases = commands
      .flatMap((line, index) =>
        [...hostileTo(index).map((one) => [one]), ...samples].map((values) => ({
          values,
          index,
          text: filledWith(line, values),
        })),
      )
      // Two plain words are two words there, and no command.
      .filter(({ values, index }) => !(isOfWords(commands[index]!) && values.some(isWords)));
    const found = runsOf(cases.map(({ text }) => text));
    const wrong = cases.flatMap(({ values, index, text }, at) => {
      const { runs, error } = found[at]!;
      return error === undefined &&
        !runs.flat().includes("PWNED") &&
        JSON.stringify(shape(runs)) === JSON.stringify(shape(plain[index]!.runs))
        ? []
        : [{ values, text, error, runs: shape(runs) }];
    });
    expect(wrong).toEqual([]);
  });

  it("would notice a value that is inserted as it is", () => {
    const [one] = runsOf(["kubectl describe pod $(PWNED) -n x"]);
    expect(one?.runs.flat()).toContain("PWNED");
    expect(shape(runsOf(["kubectl get pod --all"])[0]!.runs)).not.toEqual(
      shape(runsOf(["kubectl get pod a1"])[0]!.runs),
    );
  });
});

it("no command has a control character or a line break of a value", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...templates),
      fc.array(value, { minLength: 1, maxLength: 4 }),
      (line, values) => {
        expect(filledWith(line, values)).not.toMatch(
          /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/,
        );
      },
    ),
    { numRuns: 2_000 },
  );
});

it("lines for the stack file stay one line of YAML with the keys that we wrote", async () => {
  const { parse } = await import("yaml");
  const lines = allRules
    .flatMap(({ remedy }) => remedy)
    .filter((line) => isYaml(line) && /\{\w+\}/.test(line));
  expect(lines.length).toBeGreaterThan(3);
  const keysOf = (node: unknown): number =>
    typeof node === "object" && node !== null
      ? Object.values(node).reduce<number>((sum, inner) => sum + keysOf(inner), Object.keys(node).length)
      : 0;
  for (const line of lines) {
    const count = keysOf(parse(filledWith(line, ["a1"])));
    for (const one of hostile) {
      const filled = filledWith(line, [one]);
      expect(filled).not.toContain("\n");
      expect(keysOf(parse(filled))).toBe(count);
    }
  }
});

describe("access", () => {
  /** All names and addresses of all objects. */
  const renamed = (name: string) => {
    const snapshot = patient().snapshot();
    const replaced = (node: unknown, key = ""): unknown => {
      if (typeof node === "string") {
        return /^(?:name|address|host|resourceGroup|providerID|instanceID|namespace)$/.test(key) &&
          node !== "sick"
          ? name
          : node;
      }
      if (Array.isArray(node)) {
        return node.map((one) => replaced(one, key));
      }
      return typeof node === "object" && node !== null
        ? Object.fromEntries(Object.entries(node).map(([inner, below]) => [inner, replaced(below, inner)]))
        : node;
    };
    const only = (keys: readonly string[], object: { readonly kind: string }) => keys.includes(object.kind);
    const objects = (all: readonly object[]) =>
      all.map((object) =>
        only(["AzureCluster", "AzureMachine", "AzureMachinePoolMachine", "Node"], object as { kind: string })
          ? {
              ...object,
              spec: replaced((object as { spec?: unknown }).spec),
              status: replaced((object as { status?: unknown }).status),
            }
          : object,
      );
    return {
      ...snapshot,
      stack: name,
      management: { ...snapshot.management, objects: objects(snapshot.management.objects) },
      workload: { ...snapshot.workload, objects: objects(snapshot.workload.objects) },
    } as typeof snapshot;
  };

  it.each(hostileTo(0).filter((one) => one !== ""))(
    "stays what it is where everything is called %j",
    (name) => {
      for (const targets of [{}, { bastion: "hub/hub-bastion" }, { jump: "ops@10.0.0.4:2222" }]) {
        const reachable = reachableOf(renamed(name), new Map());
        const sections = sectionsOf(reachable, targets);
        const found = runsOf(sections.flatMap(({ commands: all }) => all.map(({ command }) => command)));
        expect(
          found.flatMap(({ text, runs, error }) =>
            error !== undefined || runs.flat().includes("PWNED") ? [text] : [],
          ),
        ).toEqual([]);
        const options = found.flatMap(({ runs }) =>
          runs.flat().filter((word) => /^-o\w|^--kubeconfig=/.test(word)),
        );
        expect(options.filter((word) => !/^-oStrict|^-oHostKey/.test(word))).toEqual([]);
        expect(formatSections(sections, reachable)).not.toContain("ProxyCommand");
      }
    },
  );
});

/** A template that begins like a command, and is not made by `bash`. */
const isCommand = new RegExp(
  String.raw`^(?:# )?(?:\(umask 077 && )?(?:[A-Z][A-Z0-9_]*=\S+ +)*(?:\$\()?(?:az [a-z]|kubectl (?:-|[a-z])|clusterctl [a-z]+ |helm (?:install|template|upgrade|repo) |(?:npx )?pulumi [a-z]+ |(?:ssh|scp) |(?:openssl|jq|curl|calicoctl|gh) \S)`,
);

/** Files without such a word need no parser. */
const mentionsProgram = /\b(?:az|kubectl|clusterctl|helm|pulumi|ssh|scp|openssl|jq|curl|calicoctl|gh) /;

/** Sentences that begin with the name of a program. */
const sentences = [
  "plan/impact/rules/pools.ts",
  "plan/reports/text.ts",
  "commands/import/capz/draft.ts",
  "config/stackFile.ts",
];

it("every command with values in the sources is made by the one function that knows shells", () => {
  const untagged = sourcesOf([
    "addons",
    "bootstrap",
    "capi",
    "commands",
    "components",
    "config",
    "older",
    "plan",
    "packages",
    "program",
  ])
    .filter(({ path, text }) => !sentences.includes(path) && mentionsProgram.test(text))
    .flatMap(({ path, text: source }) => {
      const found: string[] = [];
      const visit = (node: ts.Node): void => {
        if (ts.isTemplateExpression(node) && !ts.isTaggedTemplateExpression(node.parent)) {
          const text =
            node.head.text + node.templateSpans.map(({ literal }) => `{value}${literal.text}`).join("");
          if (isCommand.test(text)) {
            found.push(`${path}: ${text}`);
          }
        }
        ts.forEachChild(node, visit);
      };
      visit(ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true));
      return found;
    });
  expect(untagged).toEqual([]);
});

const pwsh = process.env.CAPZ_WINDOWS_PWSH;
const withPowerShell = pwsh === undefined ? it.skip : it;

withPowerShell(
  "with CAPZ_WINDOWS_PWSH: PowerShell's parser sees the same words, and no other command",
  () => {
    const lines = commands.filter(
      (line) => /^(?:az|kubectl|npm|npx|pulumi) /.test(line) && !/[|&$<>;]|\bTest-|# /.test(line),
    );
    const all = hostile.flatMap((one) => [
      ...lines.map((line) => filledWith(line, [one])),
      bash`az group show --name ${one}`,
    ]);
    const texts = [...new Set(all)];
    // A visitor, because a predicate of FindAll is called for each node.
    const script =
      "using namespace System.Management.Automation.Language\n" +
      "class Commands : AstVisitor { [int]$Count; [AstVisitAction] VisitCommand([CommandAst]$one) { $this.Count++; return 'Continue' } }\n" +
      "$ErrorActionPreference='Stop'; $in=[Console]::In.ReadToEnd() | ConvertFrom-Json; foreach ($t in $in) { $e=$null; $k=$null;" +
      "$seen=[Commands]::new(); [Parser]::ParseInput($t,[ref]$k,[ref]$e).Visit($seen);" +
      '[Console]::Out.WriteLine("$($e.Count) $($seen.Count)") }';
    const { stdout, stderr } = spawnSync(pwsh ?? "", ["-NoProfile", "-NonInteractive", "-Command", script], {
      input: JSON.stringify(texts),
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
    });
    const verdicts = stdout.trim().split("\n");
    expect([stderr, verdicts.length]).toEqual(["", texts.length]);
    expect(texts.filter((_, index) => verdicts[index]?.trim() !== "0 1")).toEqual([]);
  },
);
