import { substitute, VariableError } from "../../commands/import/variables";

/** A stranger's template takes no more time and memory than its length says. */

const variables = { CLUSTER_NAME: "dev-cluster-name" };

const messageOf = (text: string): string => {
  try {
    return `made ${substitute(text, variables).length}`;
  } catch (error) {
    return error instanceof VariableError ? error.message : `not in words: ${String(error)}`;
  }
};

it.each(["##a", "%%a", "#a*", "%*a", "^", "^^", ",", ",,", ":0:10", ":1:2", "@Q"])(
  "%s, which no template of CAPZ has, is refused",
  (rest) => {
    expect(messageOf(`\${CLUSTER_NAME${rest}}`)).toBe(
      `\${CLUSTER_NAME${rest}}: this function of envsubst is not known here; write its result into the template, or import what \`clusterctl generate yaml\` makes of it`,
    );
  },
);

it("replacements of replacements do not fill the memory", () => {
  const nested = (depth: number): string => (depth === 0 ? "b" : `\${CLUSTER_NAME///${nested(depth - 1)}}`);
  expect(messageOf(nested(3))).toMatch(/^made \d{4}$/);
  expect(messageOf(nested(12))).toBe("the variables make more than 50,000,000 characters");
});

it("variables inside one another have a limit", () => {
  const nested = (depth: number): string => `${"${A:-".repeat(depth)}x${"}".repeat(depth)}`;
  expect(substitute(nested(20), {})).toBe("x");
  expect(messageOf(nested(21))).toBe("more than 20 variables stand inside one another");
  expect(messageOf(nested(100_000))).toBe("more than 20 variables stand inside one another");
});

it("nothing in a replacement has a meaning", () => {
  expect(substitute("${A/b/$$&$$`}", { A: "abc" })).toBe("a$&$`c");
  expect(substitute("${A//b/$$&}", { A: "abcb" })).toBe("a$&c$&");
});
