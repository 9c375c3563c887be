import { loadSettings } from "../../config/load";
import { stackFacts } from "../../config/stackFacts";
import { projectConfig } from "../../config/stackFile";
import type { StackFacts } from "capz-windows-contract";
import { factsWith, publicKey, readExample } from "./stacks";

/** What the program says of stacks to its packages, recorded for their own tests, which have no program. */

const ofExample = (stack: string): StackFacts => {
  const { config, file } = readExample(stack);
  return stackFacts(loadSettings(projectConfig(config), file).settings);
};

/** The path of a recording, from the project folder; `npm run golden` writes it. */
export const recordedFactsFile = (name: string): string => `packages/test-kit/stacks/${name}.json`;

export const recordedFacts: Readonly<Record<string, () => StackFacts>> = {
  ...Object.fromEntries(
    ["dev", "prod", "pools", "everything"].map((stack) => [stack, () => ofExample(stack)]),
  ),
  smallest: () => factsWith({}),
  onePoolEach: () =>
    factsWith({
      linuxPools: { linux1: {} },
      windowsPools: { win1: { taints: [{ key: "example.org/dedicated", value: "iis" }] } },
      access: { sshPublicKey: publicKey, allowedCidrs: ["203.0.113.0/24"] },
    }),
  similarNames: () => factsWith({ linuxPools: { web: {} }, windowsPools: { win1: {}, win10: {}, web2: {} } }),
};

export const recordedText = (facts: StackFacts): string => `${JSON.stringify(facts, null, 2)}\n`;
