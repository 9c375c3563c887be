import fc from "fast-check";
import { substitute, VariableError } from "../../commands/import/variables";

/** A stranger's template takes no more time and memory than its length says. */

const key = `ssh-rsa ${"AAAAB3NzaC1yc2EAAAADAQABAAABgQ".repeat(12)}`;
const variables = { CLUSTER_NAME: "dev-cluster-name", AZURE_SSH_PUBLIC_KEY: key };

const messageOf = (text: string): string => {
  try {
    return `made ${substitute(text, variables).length}`;
  } catch (error) {
    return error instanceof VariableError ? error.message : `not in words: ${String(error)}`;
  }
};

it.each(["##", "#", "%%", "%"])("patterns with many stars after %s end", (operator) => {
  const stars = "*?".repeat(40);
  const glob = operator.startsWith("#") ? `${stars}!` : `!${stars}`;
  expect(substitute(`\${AZURE_SSH_PUBLIC_KEY${operator}${glob}}`, variables)).toBe(key);
});

it("a pattern has a limit", () => {
  expect(messageOf(`\${CLUSTER_NAME##${"a".repeat(101)}}`)).toBe("a pattern has more than 100 characters");
});

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

it("patterns match what they say, the shortest and the longest", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "-"), maxLength: 8 });
  const glob = fc.string({ unit: fc.constantFrom("a", "b", "*", "?"), maxLength: 5 });
  const source = (one: string, star: string): string => one.replaceAll("?", ".").replaceAll("*", star);
  fc.assert(
    fc.property(word, glob, (A, one) => {
      const cut = (pattern: RegExp): string => A.replace(pattern, "");
      const made = (operator: string): string => substitute(`\${A${operator}${one}}`, { A });
      expect(made("##")).toBe(cut(new RegExp(`^${source(one, ".*")}`)));
      expect(made("#")).toBe(cut(new RegExp(`^${source(one, ".*?")}`)));
      expect(made("%%")).toBe(cut(new RegExp(`${source(one, ".*")}$`)));
      expect(made("%")).toBe(A.replace(new RegExp(`(.*)${source(one, ".*?")}$`), "$1"));
    }),
  );
});
