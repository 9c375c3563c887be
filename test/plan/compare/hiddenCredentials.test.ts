import fc from "fast-check";
import { compareStack } from "../../../plan/cli/compareStacks";
import { problemsFound } from "../../../plan/cli/findings";
import { hiddenChange } from "../../../plan/compare/hiddenChanges";
import { hiddenDocuments, hiddenPlan } from "../../../plan/model/hiddenCredentials";
import type { Plan } from "../../../plan/model/plan";
import type { PlanDocument } from "capz-windows-contract";
import { parsePlanDocument } from "../../../plan/model/planDocument";
import { planJson } from "../../../plan/model/planJson";
import { planFiles } from "../../../plan/render/render";
import { formatReport, formats } from "../../../plan/reports/formats";
import { formatPlan } from "../../../plan/reports/planText";
import { formatComparisons } from "../../../plan/reports/text";
import { loadSettings } from "../../../config/load";
import { decodeConfig } from "../../../config/parse";
import { findingsOf } from "../../../config/policy/findings";
import { credentialForms, planted } from "capz-windows-test-kit/credentialForms";
import { updateInline } from "../../support/inlinePlans";
import { isThorough } from "capz-windows-test-kit/sample";
import { leaks } from "capz-windows-test-kit/secrets";
import { ConfigError } from "capz-windows-kit/problem";
import { isRecord } from "capz-windows-kit/untyped";
import { minimal } from "../../support/stacks";

/**
 * A text that a finding takes for a credential, at every place of a stack file that takes any text: no format shows it, of the plan
 * or of a comparison, whether the change adds it, removes it, or puts another one in its place.
 */

it("each text is searched once, however many credentials a kept plan has", () => {
  const files = Array.from({ length: 500 }, (_, index) => `password: s${index + 10}x${index}x`);
  const outputs = Object.fromEntries(files.map((file, index) => [`o${index}`, `it's ${file.slice(10)} now`]));
  const config = { "capz-windows:files": JSON.stringify(files) };
  const replaceAll = jest.spyOn(String.prototype, "replaceAll");
  const [hidden] = hiddenDocuments([{ config, outputs } as unknown as PlanDocument]);
  const { length: replacements } = replaceAll.mock.calls;
  replaceAll.mockRestore();
  expect(JSON.stringify(hidden)).not.toMatch(/s\d+x\d+x/);
  expect(hidden?.outputs).toMatchObject({ o0: "it's (not shown: a password, mark 33f9) now" });
  expect(replacements).toBeLessThan(10 * files.length);
});

it("a credential that is a key is hidden: in mappings, in texts, and in the path of a finding", () => {
  const key = "https://u:hunter2TOPsecret@registry.example.com";
  const config = { "capz-windows:a": JSON.stringify({ auths: { [key]: {} } }) };
  const outputs = { map: { [key]: 1 }, text: `auths:\n  ${key}: x\n` };
  const found = problemsFound(
    "/none",
    new ConfigError("a.yaml", [
      { path: `auths[${JSON.stringify(`"${key}"`)}]`, problem: "a", allowed: "b", write: "c" },
    ]),
  );
  for (const shown of [hiddenDocuments([{ config, outputs } as unknown as PlanDocument]), found]) {
    expect(JSON.stringify(shown)).not.toContain("hunter2TOPsecret");
    expect(JSON.stringify(shown)).toContain("registry.example.com");
  }
});

const places: Readonly<Record<string, (text: string) => object>> = {
  command: (text) => ({ windowsPools: { win1: { preKubeadmCommands: [text] } } }),
  laterCommand: (text) => ({ windowsPools: { win1: { postKubeadmCommands: ["dir", text] } } }),
  linuxCommand: (text) => ({ linuxPools: { linux1: { preKubeadmCommands: [text] } } }),
  defaults: (text) => ({ poolDefaults: { postKubeadmCommands: [text] }, windowsPools: { win1: {} } }),
  file: (text) => ({ windowsPools: { win1: { files: [{ path: "C:/k/own.txt", content: text }] } } }),
  longFile: (text) => ({
    windowsPools: {
      win1: { files: [{ path: "C:/k/own.ps1", content: `# own\n$a = 1\n${text}\nexit 0\n` }] },
    },
  }),
  // Jinja would read the braces, so that the content is written in base64.
  encodedFile: (text) => ({
    windowsPools: { win1: { files: [{ path: "C:/k/own.txt", content: `{{ own }} {% x %}\n${text}\n` }] } },
  }),
  extension: (text) => ({
    windowsPools: {
      win1: {
        vmExtensions: [
          { name: "Agent", publisher: "Own", version: "1.0", settings: { commandToExecute: text } },
        ],
      },
    },
  }),
  configMap: (text) => ({
    extraManifests: {
      web: {
        objects: [
          {
            apiVersion: "v1",
            kind: "ConfigMap",
            metadata: { name: "web", namespace: "default" },
            data: { "own.ini": `[own]\n${text}\n`, DB_PASSWORD: text },
          },
        ],
      },
    },
  }),
  environment: (text) => ({
    extraManifests: {
      own: {
        objects: [
          {
            apiVersion: "v1",
            kind: "Pod",
            metadata: { name: "own", namespace: "default" },
            spec: {
              containers: [
                {
                  name: "web",
                  image: "r.example.com/a:1",
                  env: [{ name: "DB_PASSWORD", value: text }],
                  args: [text],
                },
              ],
            },
          },
        ],
      },
    },
  }),
  override: (text) => ({
    windowsPools: { win1: { overrides: { KubeadmConfigTemplate: { spec: { bootCommands: [text] } } } } },
  }),
};

/** Mappings together, and lists one after the other. */
function merged(a: unknown, b: unknown): unknown {
  if (Array.isArray(a) && Array.isArray(b)) {
    return [...(a as unknown[]), ...(b as unknown[])];
  }
  if (!isRecord(a) || !isRecord(b)) {
    return b;
  }
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return Object.fromEntries(
    keys.map((key) => [key, key in a && key in b ? merged(a[key], b[key]) : (b[key] ?? a[key])]),
  );
}

const stack = (changes: readonly object[]): object =>
  changes.reduce((all, change) => merged(all, change) as object, minimal());

const findingsIn = (raw: object) =>
  findingsOf(loadSettings(raw as never, "test"), decodeConfig(raw as never), "2026-11-25");

/** Some of these commands are refused. */
function problemsOf(raw: object): string {
  try {
    loadSettings(raw as never, "test");
    return "";
  } catch (error) {
    return (error as Error).message;
  }
}

const style = { color: false, width: 100, verbose: true };

/** What is made of each plan once for all comparisons. */
function once<Made>(make: (plan: Plan) => Made): (plan: Plan) => Made {
  const made = new WeakMap<Plan, Made>();
  return (plan) => {
    const known = made.get(plan) ?? make(plan);
    made.set(plan, known);
    return known;
  };
}

const hidden = once(hiddenPlan);
const document = once((plan) => parsePlanDocument(JSON.stringify(planJson(plan)), "plan.json"));

/** Every report of a plan, and every file that it writes. */
function placesOfPlan(plan: Plan, raw: object): [string, string][] {
  const shown = hidden(plan);
  const findings = findingsIn(raw).map((found) => ({ ...found, file: "Pulumi.test.yaml", line: 1 }));
  const reports = [{ stack: plan.stack, plan: shown, findings }];
  return [
    ...planFiles(shown),
    ["text", formatPlan(shown, { out: "out", files: [] }, style)],
    ...formats.flatMap((format): [string, string][] =>
      format === "text" ? [] : [[format, formatReport(reports, format)]],
    ),
  ];
}

function placesOfComparison(base: PlanDocument, head: Plan): [string, string][] {
  const shown = hidden(head);
  const comparison = compareStack(head.stack, "base", { document: base }, { document: document(shown) });
  const reports = [{ stack: head.stack, plan: shown, comparison, findings: [] }];
  return [
    ["text", formatComparisons(reports, style)],
    ...formats.flatMap((format): [string, string][] =>
      format === "text" ? [] : [[format, formatReport(reports, format)]],
    ),
  ];
}

const other = "0therP1antedSecretQwertz";
const ofPassword = Object.entries(credentialForms).filter(([, form]) => form(planted).includes(planted));

it("no format shows a credential at any place, in any form, added, removed or changed", async () => {
  const without = await updateInline(stack([]) as never);
  await fc.assert(
    fc.asyncProperty(
      fc.subarray(Object.values(places), { minLength: 4 }),
      fc.constantFrom(...ofPassword),
      async (chosen, [, form]) => {
        const [raw, changed] = [planted, other].map((secret) =>
          stack(chosen.map((place) => place(form(secret)))),
        ) as [object, object];
        const refused = problemsOf(raw);
        expect(leaks([["problems", refused]], [planted, other])).toEqual([]);
        fc.pre(refused === "");
        const [plan, next] = [await updateInline(raw as never), await updateInline(changed as never)];
        expect(findingsIn(raw).filter(({ id }) => id === "plain-credential")).not.toEqual([]);
        const texts = [
          ...placesOfPlan(plan, raw),
          // Of an earlier release, which has hidden nothing, and of this one.
          ...[plan, hidden(plan)].flatMap((old) => [
            ...placesOfComparison(document(old), without),
            ...placesOfComparison(document(old), next),
          ]),
          ...placesOfComparison(document(without), plan),
        ];
        expect(leaks(texts, [planted, other])).toEqual([]);
        expect(texts.some(([, text]) => text.includes("(not shown: "))).toBe(true);
        // A reviewer sees that it is another one.
        const { authored, changes } = compareStack(
          plan.stack,
          "base",
          { document: document(hidden(plan)) },
          { document: document(hidden(next)) },
        );
        expect(authored?.config.length).toBeGreaterThan(0);
        expect(changes.length).toBeGreaterThan(0);
      },
    ),
    // Each run makes two plans and six comparisons in every format, which takes 3 s.
    { numRuns: isThorough ? 16 : 4 },
  );
}, 900_000);

it("a comparison hides what a plan of others shows: in values, in lists, in mappings and in lines", () => {
  const text = "docker login -u a -p hunter2TOP r.io";
  const change = hiddenChange({
    path: "spec.preKubeadmCommands",
    before: [text],
    after: { password: "hunter2TOP", nested: [{ content: `a\n${text}\n` }] },
    text: [` a`, `-${text}`, `+${text} kept`],
  });
  expect(JSON.stringify(change)).toContain("docker login");
  expect(JSON.stringify(change)).not.toContain("hunter2TOP");
});

it("a comparison by lines hides each line of a private key, and both values behind one name", () => {
  const body = [
    "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj",
    "/PlantedSecondLine/w0BAQEFAASCBKcwggSj",
    "Plant3d==",
  ];
  const { text = [] } = hiddenChange({
    path: "data.own",
    text: [
      "@@ -1,9 +1,9 @@",
      " -----BEGIN PRIVATE KEY-----",
      ...body.map((line) => `-${line}`),
      ...body.map((line) => `+${line}`),
      " -----END PRIVATE KEY-----",
      " password: |",
      "-  hunter2OLD",
      "+  hunter2NEW",
    ],
  });
  const marked = text.map((line) => line.replace(/mark [0-9a-f]{4}/, "mark"));
  const key = "(not shown: a private key, mark)";
  expect(marked).toEqual([
    "@@ -1,9 +1,9 @@",
    " -----BEGIN PRIVATE KEY-----",
    ...body.map(() => `-${key}`),
    ...body.map(() => `+${key}`),
    " -----END PRIVATE KEY-----",
    " password: |",
    "-  (not shown: a password, mark)",
    "+  (not shown: a password, mark)",
  ]);
});
