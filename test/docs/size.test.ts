import { filesBelow, readText } from "../architecture/sources";

/** Documents stay short, and say each thing once. */

/** What `wc -w` counts, without the bars and dashes of tables. */
const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));

const pages = filesBelow("docs").filter((path) => path.endsWith(".md"));

const isGenerated = (path: string): boolean =>
  /^docs\/(?:components\/|(?:config|compatibility|policies|troubleshooting)\.md$)/.test(path);

const generatedPart = /^<!-- Generated .*?^<!-- End of the generated part. -->$/ms;

const count = (paths: readonly string[]): number =>
  paths.reduce((sum, path) => sum + wordsOf(readText(path).replace(generatedPart, "")).length, 0);

it("README.md fits on two screens, and leads to at most eight documents", () => {
  const readme = readText("README.md");
  expect(readme.match(/\S+/g)?.length).toBeLessThanOrEqual(700);
  const links = new Set([...readme.matchAll(/\]\(([^)#]+\.md)/g)].map(([, path]) => path));
  expect(links.size).toBeLessThanOrEqual(8);
});

/** A ceiling is what has been reached: lower it when documents become shorter. */
it.each([
  ["written by hand", pages.filter((path) => !isGenerated(path)), 20_730],
  ["generated", pages.filter(isGenerated), 30_450],
])("documents that are %s have at most as many words as before", (_, paths, most) => {
  expect(paths.length).toBeGreaterThan(10);
  expect(count(paths)).toBeLessThanOrEqual(most);
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
