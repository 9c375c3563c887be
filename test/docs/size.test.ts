import { filesBelow, readText } from "../architecture/sources";

/** Documents stay short, and say each thing once. */

/** What `wc -w` counts, without the bars and dashes of tables. */
const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));

const pages = filesBelow("docs").filter((path) => path.endsWith(".md"));

const isGenerated = (path: string): boolean =>
  /^docs\/(?:config|compatibility|policies|troubleshooting)\.md$/.test(path);

const generatedPart = /^<!-- Generated .*?^<!-- End of the generated part. -->$/ms;

const count = (paths: readonly string[], textOf = readText): number =>
  paths.reduce((sum, path) => sum + wordsOf(textOf(path)).length, 0);

it("README.md fits on two screens, and leads to at most eight documents", () => {
  const readme = readText("README.md");
  expect(readme.match(/\S+/g)?.length).toBeLessThanOrEqual(700);
  const links = new Set([...readme.matchAll(/\]\(([^)#]+\.md)/g)].map(([, path]) => path));
  expect(links.size).toBeLessThanOrEqual(8);
});

it("docs/ has at most 35,000 words, with what is generated", () => {
  expect(pages.length).toBeGreaterThan(30);
  expect(count(pages)).toBeLessThanOrEqual(35_000);
});

/** The ceiling is what has been reached: lower it when documents become shorter. */
it("documents that are written by hand have at most as many words as before", () => {
  const byHand = pages.filter((path) => !isGenerated(path));
  expect(byHand.length).toBeGreaterThan(10);
  expect(count(byHand, (path) => readText(path).replace(generatedPart, ""))).toBeLessThanOrEqual(20_810);
});

/** Paragraphs and items of lists, without code, commands, tables and headings. */
function paragraphsOf(text: string): string[] {
  const prose = text.replace(/^ *```.*?^ *```$/gms, "").replace(/^(?:\||#|<!--).*$/gm, "");
  return prose
    .split(/\n\s*\n|\n(?= *(?:-|\d+\.) )/)
    .map((one) => one.trim().replaceAll(/\s+/g, " "))
    .filter((one) => !one.startsWith("- `") && wordsOf(one).length >= 20);
}

it("no paragraph stands twice", () => {
  const seen = new Map<string, string>();
  const twice = pages.flatMap((path) =>
    paragraphsOf(readText(path)).flatMap((paragraph) => {
      const before = seen.get(paragraph);
      seen.set(paragraph, path);
      return before === undefined ? [] : [`${before} and ${path}: ${paragraph}`];
    }),
  );
  expect(twice).toEqual([]);
});

it("finds what stands twice", () => {
  const words = Array.from({ length: 20 }, (_, index) => `word${index}`).join(" ");
  expect(paragraphsOf(`# Title\n\n${words}\n\n- ${words}\n- short\n\n| ${words} |\n`)).toEqual([
    words,
    `- ${words}`,
  ]);
});
