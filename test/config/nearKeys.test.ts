import { parse } from "yaml";
import { loadSettings } from "../../config/load";
import { follow, followAll, problemsOfText, stackText } from "../support/advice";
import { minimal } from "../support/stacks";
import { type Case, wordCases } from "./wordCases";

/** Keys and values in other words, which the stack file can keep: the answer, and what comes of it. */

type Raw = Readonly<Record<string, unknown>>;

const settingsOf = (text: string): unknown => {
  const { config } = JSON.parse(text) as { config: Raw };
  return loadSettings(
    Object.fromEntries(
      Object.entries(config).map(([key, value]) => [key.replace("capz-windows:", ""), value]),
    ),
    "test",
  ).settings;
};

/** The answers of the first report, and the settings once every report has been followed to the letter. */
function endOf(change: Raw, without: readonly string[]) {
  const config = Object.fromEntries(Object.entries(minimal()).filter(([key]) => !without.includes(key)));
  let text = stackText({ ...config, ...change });
  const first = problemsOfText(text);
  for (let left = first; left.length > 0; left = problemsOfText(text)) {
    const open = left.find(({ write }) => write.includes("<one of these keys>"));
    // Where only the user knows what is meant, the other choice is that the key goes.
    text =
      open === undefined
        ? followAll(text, left)
        : follow(text, { ...open, write: open.write.replace(/^.* # or (remove .*)$/, "$1") });
  }
  return {
    answers: first.flatMap(({ path, problem, allowed, write }) => [`${path}: ${problem}`, allowed, write]),
    settings: settingsOf(text),
  };
}

/** What a sample needs beside itself, and a public key. */
const sampled = "access: { sshPublicKey: KEY, allowedCidrs: [203.0.113.0/24] }\nwindowsPools: { win1: {} }\n";
const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKFwQe4cBdoWLMHy9MI59G0upaxktpmiI3qQYPo1DbyV";
const rawOf = (yaml: string): Raw => parse(yaml.replace("SAMPLED", sampled).replace("KEY", key)) as Raw;

it.each<Case>(wordCases)("%s", (_what, wrong, right, answers, without = []) => {
  const end = endOf(rawOf(wrong), without);
  expect(end.answers).toEqual(answers);
  expect(end.settings).toEqual(settingsOf(stackText({ ...minimal(), ...rawOf(right) })));
});

it("keeps the issuer of logins where it is in the wrong place or no list, and asks for what is missing", () => {
  const oidc = { issuerUrl: "https://id.shop.example", clientId: "kube" };
  const answers = (controlPlane: Raw): string[] =>
    problemsOfText(stackText({ ...minimal(), controlPlane: { replicas: 1, ...controlPlane } })).map(
      ({ path, write }) => `${path}: ${write}`,
    );
  expect(answers({ oidc })).toEqual(["controlPlane.oidc: move oidc to controlPlane.authentication.oidc"]);
  expect(answers({ authentication: { oidc } })).toEqual([
    "controlPlane.authentication.oidc: oidc: [{issuerUrl: https://id.shop.example, audiences: [kube]}]",
  ]);
  expect(answers({ authentication: { oidc: { issuerUrl: oidc.issuerUrl } } })).toEqual([
    "controlPlane.authentication.oidc: oidc: [{issuerUrl: https://id.shop.example}]",
    "controlPlane.authentication.oidc[0].audiences: audiences: <client ID>",
  ]);
});

it.each([
  [
    "network",
    { enabled: true },
    "network.enabled: unknown key => move enabled to <one of these keys> # or remove enabled",
  ],
  [
    "network",
    { name: "shop" },
    "network.name: unknown key => move name to <one of these keys> # or remove name",
  ],
  ["type", "none", "type: unknown key => move capz-windows:type to <one of these keys> # or remove type"],
])("moves no common word to another part of the stack file: %s", (name, value, answer) => {
  const problems = problemsOfText(stackText({ ...minimal(), [name]: value }));
  expect(problems.map(({ path, problem, write }) => `${path}: ${problem} => ${write}`)).toEqual([answer]);
});

it("takes a mapping with keys of a pool for a pool, whatever its name", () => {
  const windowsPools = { pools: { autoscaling: { min: 1, max: 3 }, replicas: 2 } };
  const answers = problemsOfText(stackText({ ...minimal(), windowsPools }));
  expect(answers.map(({ path }) => path)).toEqual(["windowsPools.pools.autoscaling"]);
});

it("removes a key that only another kind has", () => {
  const management = {
    kind: "existing",
    name: "shared",
    egressCidrs: ["203.0.113.9/32"],
    authorizedCidrs: [],
  };
  const problems = problemsOfText(stackText({ ...minimal(), management })).filter(
    ({ path }) => path === "management.authorizedCidrs",
  );
  expect(problems.map(({ problem, write }) => [problem, write])).toEqual([
    ["there is no such key with kind: existing", "remove authorizedCidrs"],
  ]);
});
