import { loadSettings } from "../../config/load";
import { minimal } from "../support/stacks";
import { casesOf } from "./ruleCases";

/** What a right config is warned of, at the paths of its case. */
function warningsAt(config: object, paths: readonly string[]): string[] {
  const { warnings } = loadSettings({ ...minimal(), ...config }, "Pulumi.test.yaml");
  return warnings
    .filter(({ path }) => paths.includes(path))
    .map(({ path, message }) => `${path}: ${message}`)
    .sort();
}

it.each(casesOf("warnings.txt"))(
  "%s draws a warning, and what barely differs draws none",
  (_what, odd, text, right) => {
    const lines = text.split("\n");
    const paths = lines.map((line) => line.slice(0, line.indexOf(": ")));
    expect(warningsAt(odd, paths)).toEqual([...lines].sort());
    const others = warningsAt(right, paths);
    expect(lines.filter((line) => others.includes(line))).toEqual([]);
  },
);
