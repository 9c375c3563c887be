import { spawnSync } from "node:child_process";
import ts from "typescript";
import { bash, verbatim } from "capz-windows-kit/shell";
import { sourcesOf } from "../architecture/sources";
import { commands, filledWith, hostile, hostileTo, runsOf, shape } from "./hostileValues";
import {
  azurePython,
  azureRefusals,
  kubeconfig,
  kubectlRefusals,
  otherRefusals,
  rig,
  type Refusal,
  type Run,
} from "./tools";

/** What real parsers of arguments make of hostile values in the commands of every output. */

/** Every command with values in the sources, as the texts around the values. */
const tagged = sourcesOf([
  "commands",
  "components",
  "config",
  "plan",
  "packages",
  "program",
  "addons",
  "bootstrap",
]).flatMap(({ path, text }) => {
  if (!text.includes("bash`")) {
    return [];
  }
  const found: {
    readonly where: string;
    readonly parts: readonly string[];
    readonly own: readonly boolean[];
  }[] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isTaggedTemplateExpression(node) &&
      node.tag.getText() === "bash" &&
      ts.isTemplateExpression(node.template)
    ) {
      const { head, templateSpans } = node.template;
      found.push({
        where: path,
        parts: [head.text, ...templateSpans.map(({ literal }) => literal.text)],
        // What a command of ours has made is no value of others.
        own: templateSpans.map(({ expression }) =>
          /verbatim|[cC]ommand|[wW]ords|^at\b/.test(expression.getText()),
        ),
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return found;
});

/** Without parts of commands that begin with a value: they are judged in the command around them. */
const whole = tagged.filter(({ parts: [first = ""] }) => /\S\s/.test(first));

const filledTag = ({ parts, own }: (typeof whole)[number], text: string): string =>
  bash(Object.assign([...parts], { raw: parts }), ...own.map((isOwn) => (isOwn ? verbatim("a1") : text)));

describe("every command of preflight, import, workloads, access, probe and the others", () => {
  it("starts in bash the programs that we wrote, with the options that we wrote", () => {
    expect(whole.length).toBeGreaterThan(80);
    const plain = runsOf(whole.map((each) => filledTag(each, "a1")));
    const cases = whole.flatMap((each, index) =>
      hostileTo(index).map((one) => ({ index, one, text: filledTag(each, one), where: each.where })),
    );
    const found = runsOf(cases.map(({ text }) => text));
    const wrong = cases.filter(
      ({ index }, at) =>
        found[at]!.runs.flat().includes("PWNED") ||
        found[at]!.error !== plain[index]!.error ||
        JSON.stringify(shape(found[at]!.runs)) !== JSON.stringify(shape(plain[index]!.runs)),
    );
    expect(wrong).toEqual([]);
  });
});

/** The same words with values that are plain, and with one hostile value in each place, another for each command. */
const pairsOf = (program: string): { readonly plain: Run; readonly filled: Run }[] => {
  const texts = [
    ...whole.map(
      (each) => [each.where, filledTag(each, "a1"), (one: string) => filledTag(each, one)] as const,
    ),
    ...commands.map(
      (line) => ["doctor", filledWith(line, ["a1"]), (one: string) => filledWith(line, [one])] as const,
    ),
  ];
  const plain = runsOf(texts.map(([, text]) => text));
  const filled = runsOf(texts.map(([, , fill], index) => fill(hostile[index % hostile.length]!)));
  // The programs of a pipeline start in any order.
  const ofProgram = (runs: readonly (readonly string[])[]): (readonly string[])[] =>
    runs.filter(([name]) => name === program);
  return texts.flatMap(([where], index) => {
    const others = ofProgram(filled[index]!.runs);
    return ofProgram(plain[index]!.runs).map((words, at) => ({
      plain: { where, words },
      filled: { where, words: others[at] ?? [] },
    }));
  });
};

/**
 * What a tool refuses with a hostile value, and not with a plain one: it took the value for something else. Few are refused, so that
 * a command is rarely judged twice.
 */
const refusedMore = (
  pairs: readonly { readonly plain: Run; readonly filled: Run }[],
  judge: (runs: readonly Run[]) => readonly Refusal[],
): readonly Refusal[] => {
  const textOf = ({ words }: Run): string => words.join(" ");
  const refused = judge(pairs.map(({ filled }) => filled)).filter(({ refusal }) => misread.test(refusal));
  const suspects = new Set(refused.map(({ command }) => command));
  const plain = pairs.filter(({ filled }) => suspects.has(textOf(filled))).map((pair) => pair.plain);
  const before = new Set(judge(plain).map(({ command }) => command));
  const known = pairs.filter((pair) => before.has(textOf(pair.plain))).map(({ filled }) => textOf(filled));
  return refused.filter(({ command }) => !known.includes(command));
};

const withoutPlaceholders = ({ words }: Run): string =>
  words.map((word) => word.replace(/a1|[A-Z][A-Z-]*/g, "VALUE")).join(" ");

/** In place of most hostile values a command has a word in capitals, which no parser takes for an option. */
const hasValue = ({ plain, filled }: { readonly plain: Run; readonly filled: Run }): boolean =>
  withoutPlaceholders(plain) !== withoutPlaceholders(filled);

/** How parsers of arguments say that a word is none of theirs. That a value has a wrong form is the right answer to it. */
const misread =
  /unrecognized|unknown (?:flag|shorthand|option|command)|illegal option|misspelled|expected (?:at least )?one argument/i;

const sshPairs = pairsOf("ssh");
const withSsh = spawnSync("ssh", ["-V"]).error === undefined && sshPairs.length > 0 ? it : it.skip;

withSsh(
  "where ssh is installed: it connects to no other host, and starts no program, whatever the values are",
  () => {
    const settings = ({ words }: Run): string[] =>
      spawnSync("ssh", ["-F", "none", "-G", ...words.slice(1)], { encoding: "utf8" })
        .stdout.split("\n")
        .filter((line) =>
          /^(?:hostname|user|port|proxycommand|proxyjump|localcommand|permitlocalcommand) /.test(line),
        );
    const evil = /PWNED|evil|passwd/;
    expect(
      sshPairs
        .map(({ filled }) => ({ words: filled.words, found: settings(filled) }))
        .filter(({ found }) => found.some((line) => evil.test(line))),
    ).toEqual([]);
    // The judge would see it.
    expect(
      settings({ where: "", words: ["ssh", "-oProxyCommand=PWNED", "a"] }).some((line) => evil.test(line)),
    ).toBe(true);
    expect(refusedMore(sshPairs, otherRefusals)).toEqual([]);
  },
);

const withKubectl = rig === undefined || kubeconfig === undefined ? it.skip : it;

withKubectl("with CAPZ_WINDOWS_RIG and CAPZ_WINDOWS_KUBECONFIG: kubectl takes no value for an option", () => {
  const pairs = pairsOf("kubectl").filter(hasValue);
  expect(pairs.length).toBeGreaterThan(10);
  expect(refusedMore(pairs, kubectlRefusals)).toEqual([]);
  // The judge would see it.
  expect(kubectlRefusals([{ where: "", words: ["kubectl", "get", "pod", "--oProxy"] }])).toMatchObject([
    { refusal: expect.stringMatching(misread) as string },
  ]);
});

const withAzure = azurePython === undefined ? it.skip : it;

withAzure(
  "with CAPZ_WINDOWS_AZ: az takes no value for an option",
  () => {
    const pairs = pairsOf("az").filter(hasValue);
    expect(pairs.length).toBeGreaterThan(10);
    expect(refusedMore(pairs, azureRefusals)).toEqual([]);
    // The judge would see it.
    expect(
      azureRefusals([{ where: "", words: ["az", "group", "show", "--name", "--oProxy"] }]),
    ).toMatchObject([{ refusal: expect.stringMatching(misread) as string }]);
  },
  600_000,
);
