import { tagPatterns } from "capz-windows-platform/workloads/admissionPolicy";
import { taggedVersion, tagWords, windowsNames } from "capz-windows-platform/workloads/imageReferences";

/** The admission policy, which has patterns only, and the check of `npm run workloads` recognize the same tags. */

/** The builds that the policy's patterns find, as CEL evaluates them: RE2's syntax here is that of JavaScript. */
function builds(reference: string): number[] {
  const image = reference.toLowerCase();
  return tagWords()
    .filter((words) => {
      const { always, ofWindows } = tagPatterns([words]);
      return (
        always.some((pattern) => new RegExp(pattern).test(image)) ||
        (ofWindows !== undefined && new RegExp(windowsNames).test(image) && new RegExp(ofWindows).test(image))
      );
    })
    .map(({ build }) => build);
}

const words = tagWords().flatMap(({ always, ofWindows }) => [...always, ...ofWindows]);
const names = [
  "mcr.microsoft.com/windows/servercore",
  "mcr.microsoft.com/windows/nanoserver",
  "registry.example:5000/team/app",
  "app",
];
const references = names.flatMap((name) => [
  name,
  `${name}:1.2.3`,
  `${name}:latest`,
  `${name}:1-linux-amd64`,
  ...words.flatMap((word) => [
    `${name}:${word}`,
    `${name}:1.2-${word}`,
    `${name}:${word.toUpperCase()}-amd64`,
    `${name}:x${word}y`,
    `${name}:nanoserver-${word}`,
    `${name}:nanoserver${word}`,
    `${name}:1.${word}@sha256:0000000000000000000000000000000000000000000000000000000000000000`,
  ]),
  ...[14393, 17763, 20348, 25398, 26100].flatMap((build) => [
    `${name}:10.0.${build}`,
    `${name}:10.0.${build}.2700-amd64`,
    `${name}:1.10.0.${build}`,
    `${name}:10.0.${build}1`,
  ]),
]);

it("agree on each of them", () => {
  const different = references
    .map((reference) => ({
      reference,
      policy: builds(reference).join(" "),
      check: String(taggedVersion(reference)?.build ?? ""),
    }))
    .filter(({ policy, check }) => policy !== check);
  expect(different).toEqual([]);
  expect(references.length).toBeGreaterThan(400);
});
