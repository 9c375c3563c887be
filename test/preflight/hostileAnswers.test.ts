import { isCollection, isPair, isScalar, parseDocument, visit } from "yaml";
import { isRecord } from "capz-windows-kit/untyped";
import { isItsTurn } from "capz-windows-test-kit/sample";
import { runsOf } from "../printed/hostileValues";
import { type Case, cases } from "./cases";
import { rowsOf, withAzure } from "./support";

/** Whoever names something in Azure chooses no key of a line for the stack file, and no word of a command. */

withAzure();

const named = /^(?:name|id|location|tenantId|displayName|version|addressPrefix|ipPrefix|kty|serviceName)$/;

/** All that others can name, with more than a name has. */
function renamed(node: unknown, more: string, key = ""): unknown {
  if (typeof node === "string") {
    return named.test(key) || /^(?:addressPrefixes|zones)$/.test(key) ? `${node}${more}` : node;
  }
  if (Array.isArray(node)) {
    return node.map((one) => renamed(one, more, key));
  }
  return isRecord(node)
    ? Object.fromEntries(Object.entries(node).map(([inner, value]) => [inner, renamed(value, more, inner)]))
    : node;
}

const judged = cases.filter(({ found }) => found?.source !== "nothing");

/** The rows of cases, whose answers have other names. */
async function remediesOf(more: string, chosen: readonly Case[] = judged): Promise<string[]> {
  const found: string[] = [];
  for (const { change, more: stack } of chosen) {
    const rows = await rowsOf((method, url, body) => {
      const reply = change(method, url, body);
      return reply && { ...reply, body: renamed(reply.body, more) };
    }, stack);
    found.push(...rows.flatMap(({ remedy }) => remedy));
  }
  return [...new Set(found)];
}

/** The keys of a line of YAML; what is no YAML has the key "broken". */
function keysOf(line: string): string[] {
  // Notes that the program itself writes go to the end of a line.
  const document = parseDocument(line.replace(/ {3}# [^{}]*/, ""), { version: "1.1" });
  const keys = document.errors.length > 0 || !isCollection(document.contents) ? ["broken"] : [];
  visit(document, {
    Pair(_, pair) {
      if (isPair(pair) && isScalar(pair.key)) {
        keys.push(String(pair.key.value));
      }
    },
  });
  return keys;
}

const isLine = (remedy: string): boolean => /^capz-windows:\w+: \S/.test(remedy);

it.each([
  ["]}, evil: {a: [b # evil", 0],
  ["\"'; PWNED; '$(PWNED)", 1],
])(
  "a name that ends with %j stays one value of a line, and one word of a command, in half of the cases",
  async (more, half) => {
    const remedies = await remediesOf(
      more,
      judged.filter((_, index) => isItsTurn(index + half, 2)),
    );
    const lines = remedies.filter(isLine);
    expect(lines.length).toBeGreaterThan(10);
    expect(lines.filter((line) => keysOf(line).some((key) => /^(?:evil|broken)$/.test(key)))).toEqual([]);
    const commands = remedies.filter((remedy) => /^(?:az|npx|npm|curl) /.test(remedy));
    const wrong = runsOf(commands).filter(
      ({ runs, error }) => error !== undefined || runs.flat().includes("PWNED"),
    );
    expect(wrong.map(({ text }) => text)).toEqual([]);
  },
);

it("no ID of an answer is in a command that changes something", async () => {
  const changing = /^az .*\b(?:create|delete|update|set|approve|add|register)\b/;
  const found = (await remediesOf("-of-others")).filter((remedy) => changing.test(remedy));
  expect(found.length).toBeGreaterThan(10);
  expect(found.filter((remedy) => /--(?:id|ids|scope) \S*-of-others\S*\//.test(remedy))).toEqual([]);
});
