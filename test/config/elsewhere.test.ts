import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { follow, followAll, problemsOfText, stackText } from "../support/advice";
import { minimal, publicKey } from "../support/stacks";

/**
 * Stack files of people who know other tools, with several mistakes each. One report is enough: all its advice together
 * makes the file valid and keeps its meaning.
 */

type Raw = Readonly<Record<string, unknown>>;

/** The paragraphs of elsewhere.txt: what it is, keys that are missing, what is written beside the others, and what was meant. */
const cases = readFileSync(join(__dirname, "elsewhere.txt"), "utf8")
  .trimEnd()
  .split("\n\n")
  .map((paragraph): [what: string, wrong: Raw, right: Raw] => {
    const [what = "", ...lines] = paragraph.split("\n");
    const [right, wrong] = lines.reverse().map((line) => parse(`{ ${line.slice(1)} }`) as Raw);
    const missing = /^without (.*)/.exec(lines.at(-1) ?? "")?.[1]?.split(", ") ?? [];
    const own = Object.entries(minimal()).filter(([key]) => !missing.includes(key));
    return [what, { ...Object.fromEntries(own), ...wrong }, right!];
  });

it.each(cases)("%s", (_what, wrong, right) => {
  const text = stackText(wrong);
  const problems = problemsOfText(text);
  const after = followAll(text, problems);
  expect(problemsOfText(after).map(({ path, problem }) => `${path}: ${problem}`)).toEqual([]);
  const { config } = parse(after) as { readonly config: Raw };
  const expected = Object.entries(right).map(([key, value]) => [`capz-windows:${key}`, value]);
  expect(config).toMatchObject(Object.fromEntries(expected));
  // Each mistake is reported once.
  expect(new Set(problems.map(({ path, problem }) => `${path}: ${problem}`)).size).toBe(problems.length);
  expect(
    problems.filter(({ problem, path }) => problem === "this key is required" && after.includes(path)),
  ).toEqual([]);
});

describe("the apimodel of a blog", () => {
  /** The file that acs-engine's documentation of Windows began with, under `config:`. */
  const apimodel = {
    orchestratorProfile: { orchestratorType: "Kubernetes", orchestratorVersion: "1.11.1" },
    masterProfile: { count: 3, dnsPrefix: "kubernetes-windows", vmSize: "Standard_D2_v3" },
    agentPoolProfiles: [
      {
        name: "windowspool1",
        count: 3,
        vmSize: "Standard_D2_v3",
        availabilityProfile: "AvailabilitySet",
        osType: "Windows",
      },
      { name: "Linux1", count: 2, vmSize: "Standard_D2_v3", osDiskSizeGB: 100, osType: "Linux" },
    ],
    windowsProfile: { adminUsername: "me", adminPassword: "PLANTED" },
    linuxProfile: {
      adminUsername: "azure",
      ssh: { publicKeys: [{ keyData: publicKey }] },
    },
    servicePrincipalProfile: { clientId: "", secret: "" },
  };

  it("becomes a stack file by its advice", () => {
    const { clusterName, kubernetesVersion, azure } = minimal();
    let text = stackText({ clusterName, kubernetesVersion, azure, ...apimodel });
    expect(text).toContain("PLANTED");
    for (let round = 0; round < 20; round++) {
      const [first] = problemsOfText(text);
      if (first === undefined) {
        break;
      }
      expect(JSON.stringify(first)).not.toContain("PLANTED");
      text = follow(text, first);
    }
    expect(problemsOfText(text)).toEqual([]);
    expect(parse(text)).toMatchObject({
      config: {
        "capz-windows:controlPlane": { replicas: 3, vmSize: "Standard_D2s_v5" },
        "capz-windows:linuxPools": { linux1: { replicas: 2, vmSize: "Standard_D2s_v5", osDiskGB: 100 } },
        "capz-windows:windowsPools": {
          windowspool1: { replicas: 3, vmSize: "Standard_D2s_v5", kind: "MachineDeployment" },
        },
        // A report does not show the key, because it might be a secret.
        "capz-windows:access": { sshPublicKey: expect.stringMatching(/^ssh-ed25519 .* me$/) as unknown },
      },
    });
  });
});
