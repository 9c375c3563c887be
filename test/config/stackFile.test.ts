import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadSettings } from "../../config/load";
import { sizeProblems } from "../../config/configSize";
import { projectConfig, readStackFile } from "../../config/stackFile";
import { secretKeys } from "../../config/schema/stack";
import { ConfigError } from "capz-windows-kit/problem";
import { minimal, stackText } from "../support/stacks";

/** Mistakes in the structure of a stack file, with which Pulumi or the program would not read a key at all. */

let dir = "";

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "stack-file-"));
  writeFileSync(join(dir, "Pulumi.yaml"), "name: capz-windows\nruntime: nodejs\n");
});

afterAll(() => {
  rmSync(dir, { recursive: true });
});

const read = (text: string, encoding: BufferEncoding = "utf8") => {
  writeFileSync(join(dir, "Pulumi.test.yaml"), text, encoding);
  return readStackFile(dir, "test");
};

/** A stack file without mistakes, to which lines may be added. */
const valid = `config:\n${Object.entries(minimal())
  .map(([key, value]) => `  capz-windows:${key}: ${JSON.stringify(value)}\n`)
  .join("")}`;

const reportOn = (text: string): string => {
  try {
    const { config } = read(text);
    loadSettings(projectConfig(config), "Pulumi.test.yaml");
    return "";
  } catch (error) {
    return (error as Error).message;
  }
};

it("reads UTF-16, as Windows PowerShell 5.1 writes it", () => {
  const text = stackText(minimal());
  expect(read(`\ufeff${text}`, "utf16le")).toEqual(read(text));
});

it.each(["{ secure: { replicas: 3 } }", "{ secure: { replicas: 3 }, web: {} }", "{ secure: {} }"])(
  "takes a pool for a pool, also one of the name secure: %s",
  (pools) => {
    expect(reportOn(`${valid}  capz-windows:windowsPools: ${pools}\n`)).toBe("");
    const { config } = read(`${valid}  capz-windows:windowsPools: ${pools}\n`);
    expect(Object.keys(loadSettings(projectConfig(config), "test").settings.windowsPools)).toContain(
      "secure",
    );
  },
);

it.each(["{ win1: { subnet: { secure: v1:a:b } } }", "{ secure: v1:a:b, web: {} }"])(
  "finds a secret inside of a value, and shows nothing of it: %s",
  (pools) => {
    const report = reportOn(`${valid}  capz-windows:windowsPools: ${pools}\n`);
    expect(report).toContain("a nested secret makes the whole value secret and hides its diff");
    expect(report).not.toContain("v1:a:b");
  },
);

it("says that keys are beside config: instead of below it", () => {
  expect(reportOn("capz-windows:clusterName: dev\nwait: none\nsecretsprovider: passphrase\n")).toBe(
    [
      "Pulumi.test.yaml: 1 problem",
      "",
      "  capz-windows:clusterName",
      "    problem  this key is not below config:, so Pulumi does not read it, nor wait",
      "    allowed  keys of the stack below config:, indented, each as capz-windows:KEY",
    ].join("\n"),
  );
  expect(reportOn("wait: none\nsecretsprovider: passphrase\n")).toBe(
    [
      "Pulumi.test.yaml: 1 problem",
      "",
      "  wait",
      "    problem  this key is not below config:, so Pulumi does not read it",
      "    allowed  keys of the stack below config:, indented, each as capz-windows:KEY",
    ].join("\n"),
  );
});

it("says that a namespace is misspelled, and leaves those of providers alone", () => {
  expect(
    reportOn(`${valid}  capz_windows:wait: none\n  azure-native:location: x\n  kubernetes:namespace: y\n`),
  ).toBe(
    [
      "Pulumi.test.yaml: 1 problem",
      "",
      "  capz_windows:wait",
      "    problem  this key is not in the namespace capz-windows, so the program does not read it",
      "    allowed  capz-windows:KEY",
    ].join("\n"),
  );
});

it("says what looks like a credential beside a key that is not read, in keys that are otherwise right", () => {
  const tags = "  capz-windows:tags: {password: Pl4ntedPassw0rd}\n";
  expect(reportOn(valid + tags)).toBe("");
  expect(reportOn(`${valid}${tags}  capz_windows:wait: none\n`)).toBe(
    [
      "Pulumi.test.yaml: 2 problems",
      "",
      "  capz_windows:wait",
      "    problem  this key is not in the namespace capz-windows, so the program does not read it",
      "    allowed  capz-windows:KEY",
      "",
      "  tags.password",
      "    problem  this looks like a password, which anyone who can read the stack file or a plan can read",
      "    allowed  secrets in files[].contentFrom and in the keys that Pulumi encrypts",
      "    write    use a managed identity, or what needs no password",
    ].join("\n"),
  );
});

it("says that a key is in the namespace of a project of another name, where pulumi config set writes it", () => {
  const own = join(dir, "own");
  mkdirSync(own);
  writeFileSync(join(own, "Pulumi.yaml"), "name: my-clusters\nruntime: nodejs\n");
  writeFileSync(
    join(own, "Pulumi.test.yaml"),
    "config: { my-clusters:wait: none, tags: {}, my-clusters:mine: 1 }\n",
  );
  expect.assertions(3);
  try {
    readStackFile(own, "test");
  } catch (error) {
    const { message } = error as Error;
    for (const key of ["my-clusters:wait", "tags"]) {
      const says = [
        `\n  ${key}\n`,
        "    problem  this key is not in the namespace capz-windows, so the program does not read it\n",
        "    allowed  capz-windows:KEY",
      ];
      expect(message).toContain(says.join(""));
    }
    expect(message).not.toContain("my-clusters:mine");
  }
});

/** The message about a project of its own with these two files. */
function reportOnProject(projectYaml: string, stackYaml: string): string {
  const own = mkdtempSync(join(dir, "own-"));
  writeFileSync(join(own, "Pulumi.yaml"), projectYaml);
  writeFileSync(join(own, "Pulumi.test.yaml"), stackYaml);
  try {
    readStackFile(own, "test");
    return "";
  } catch (error) {
    return (error as Error).message;
  }
}

const sayOldSpelling = (file: string, namespace: string, key = "wait", count = 1) => [
  `${file}: ${count} ${count === 1 ? "problem" : "problems"}`,
  "",
  `  ${namespace}:config:${key}`,
  "    problem  a key has one colon; in the old spelling NAMESPACE:config:KEY Pulumi reads another key than is written",
  "    allowed  NAMESPACE:KEY",
];

describe.each(["capz-windows", "my-clusters"])("in a project of the name %s", (project) => {
  const projectYaml = `name: ${project}\nruntime: nodejs\n`;

  it.each(["capz-windows", "my-clusters", "azure-native"])(
    "refuses a key of the namespace %s in Pulumi's old spelling, in both files",
    (namespace) => {
      const config = `config:\n  ${namespace}:config:wait: {value: SECRET}\n`;
      const inStackFile = reportOnProject(projectYaml, valid + config.replace("config:\n", ""));
      expect(inStackFile).toBe(sayOldSpelling("Pulumi.test.yaml", namespace).join("\n"));
      const inProject = reportOnProject(projectYaml + config, valid);
      expect(inProject).toBe(sayOldSpelling("Pulumi.yaml", namespace).join("\n"));
    },
  );

  it.each(["Pulumi.test.yaml", "Pulumi.yaml"])("finds a secret in plain text there, in %s", (file) => {
    const line = "  capz-windows:config:managementKubeconfig: SECRET\n";
    const [inProject, inStack] = file === "Pulumi.yaml" ? [`config:\n${line}`, ""] : ["", line];
    expect(reportOnProject(projectYaml + inProject, valid + inStack)).toBe(
      [
        ...sayOldSpelling(file, "capz-windows", "managementKubeconfig", 2),
        "",
        "  capz-windows:config:managementKubeconfig",
        "    problem  this secret is stored in plain text; consider it compromised",
        "    allowed  a value encrypted by Pulumi (secure: ...)",
        "    write    npx pulumi config set --stack test --secret capz-windows:managementKubeconfig < FILE",
      ].join("\n"),
    );
  });

  it.each(secretKeys.flatMap((key) => ["value", "default", ""].map((form) => [key, form] as const)))(
    "refuses the secret %s in plain text in Pulumi.yaml, as %s",
    (key, form) => {
      const value = form === "" ? "SECRET" : `{${form}: SECRET}`;
      expect(reportOnProject(`${projectYaml}config:\n  capz-windows:${key}: ${value}\n`, valid)).toBe(
        [
          "Pulumi.yaml: 1 problem",
          "",
          `  capz-windows:${key}`,
          "    problem  this secret is stored in plain text; consider it compromised",
          "    allowed  a value encrypted by Pulumi (secure: ...)",
          `    write    npx pulumi config set --stack test --secret capz-windows:${key} < FILE`,
        ].join("\n"),
      );
    },
  );

  it("refuses a ciphertext in Pulumi.yaml", () => {
    const config = "config:\n  capz-windows:tags: {value: {a: {secure: v1:a:b}}}\n";
    expect(reportOnProject(projectYaml + config, valid)).toBe(
      [
        "Pulumi.yaml: 1 problem",
        "",
        "  capz-windows:tags",
        "    problem  Pulumi encrypts with the key of one stack, so that Pulumi.yaml can have no secret",
        "    allowed  secrets in stack files",
        "    write    npx pulumi config set --stack test --secret capz-windows:tags < FILE",
      ].join("\n"),
    );
  });

  it.each([
    ["stackConfigDir", "stackConfigDir: stacks\n"],
    ["config", "config: stacks\n"],
  ])("refuses %s, with which Pulumi reads another stack file, unless a file is named", (path, line) => {
    expect(reportOnProject(projectYaml + line, valid)).toBe(
      [
        "Pulumi.yaml: 1 problem",
        "",
        `  ${path}`,
        "    problem  Pulumi reads the stack files of this folder, and this program those beside Pulumi.yaml",
        "    allowed  stack files beside Pulumi.yaml, or the path of one",
        `    write    --config-file stacks/Pulumi.test.yaml # or remove ${path} from Pulumi.yaml`,
      ].join("\n"),
    );
    const own = mkdtempSync(join(dir, "named-"));
    writeFileSync(join(own, "Pulumi.yaml"), projectYaml + line);
    mkdirSync(join(own, "stacks"));
    writeFileSync(join(own, "stacks/Pulumi.test.yaml"), valid);
    expect(readStackFile(own, "test", "stacks/Pulumi.test.yaml").project).toBe(project);
  });
});

it.each(["{values: {pulumiConfig: {capz-windows:wait: none}}}", "[{values: {}}]", "dev"])(
  "refuses an environment that is no list of names: %s",
  (environment) => {
    expect(reportOn(`${valid}environment: ${environment}\n`)).toBe(
      [
        "Pulumi.test.yaml: 1 problem",
        "",
        "  environment",
        "    problem  an environment in the stack file sets config that no plan and no policy sees",
        "    allowed  a list of names of environments, of which a plan knows only the names; its keys below config:",
      ].join("\n"),
    );
    expect(reportOn(`${valid}environment: [company/dev]\n`)).toBe("");
  },
);

it("refuses a Pulumi.json beside Pulumi.yaml, because Pulumi reads it instead", () => {
  const own = mkdtempSync(join(dir, "json-"));
  writeFileSync(join(own, "Pulumi.yaml"), "name: capz-windows\nruntime: nodejs\n");
  writeFileSync(join(own, "Pulumi.json"), "{}");
  writeFileSync(join(own, "Pulumi.test.yaml"), valid);
  expect(() => readStackFile(own, "test")).toThrow(
    new ConfigError("Pulumi.yaml", [
      {
        path: "Pulumi.json",
        problem: "where this file stands beside Pulumi.yaml, Pulumi reads it instead, and Pulumi.STACK.json",
        allowed: "Pulumi.yaml alone",
        write: "rm Pulumi.json # what it has belongs into Pulumi.yaml",
      },
    ]),
  );
});

it.each([
  ["a list", "config:\n- capz-windows:wait: none\n"],
  ["text", "config:\n  capz-windows:wait:none\n"],
])("says that config: is %s", (what, text) => {
  expect(reportOn(text)).toBe(
    [
      "Pulumi.test.yaml: 1 problem",
      "",
      "  config",
      `    problem  expected a mapping, found ${what}`,
      "    allowed  a line for each key, with a space after the colon and without a hyphen before it",
    ].join("\n"),
  );
});

it("reads a key without a value as Pulumi passes it, and says what to write", () => {
  expect(read("config:\n  capz-windows:sampleWorkload:\n").config).toEqual({
    "capz-windows:sampleWorkload": "",
  });
  const { access } = minimal();
  const config = {
    ...minimal(),
    access: { ...(access as object), allowedCidrs: ["198.51.100.0/24"] },
    windowsPools: { win1: {} },
    sampleWorkload: null,
  };
  expect(reportOn(stackText(config))).toContain(
    [
      "    problem  expected a mapping, found nothing",
      "    allowed  a mapping with the keys pool, replicas, image, requests, limits, serviceType, internal, disk",
      "    write    capz-windows:sampleWorkload: <its keys or an empty mapping for the defaults>",
    ].join("\n"),
  );
});

it.each([
  [
    "management",
    "{kind: kind}",
    "the program creates a management cluster on AKS only; any cluster of yours is kind: existing",
  ],
  [
    "windowsPools",
    "{win1: {windowsServer: 2016}}",
    "Windows Server 2016 cannot run nodes: Kubernetes supports Windows Server 2019 and newer",
  ],
  [
    "windowsPools",
    "{win1: {windowsServer: 20H2}}",
    "CAPZ builds no images of the semi-annual and annual channels of Windows Server; version 1809 is Windows Server 2019",
  ],
])("says why %s cannot be %s", (key, value, reason) => {
  expect(reportOn(`config:\n  capz-windows:${key}: ${value}\n`)).toContain(`    problem  ${reason}\n`);
});

it("leads from the name of an example to its file", () => {
  mkdirSync(join(dir, "examples"));
  writeFileSync(join(dir, "examples/Pulumi.pools.yaml"), "config: {}\n");
  const problemOf = (stack: string) => {
    try {
      return readStackFile(dir, stack);
    } catch (error) {
      return String(error instanceof Error ? error.message : error);
    }
  };
  expect(problemOf("pools")).toContain(
    "    write    --config-file examples/Pulumi.pools.yaml # or: cp examples/Pulumi.pools.yaml Pulumi.pools.yaml",
  );
  expect(problemOf("other")).not.toContain("examples/Pulumi.other.yaml");
});

it("refuses a key that JavaScript would ignore", () => {
  expect(
    reportOn("config:\n  capz-windows:overrides: {Cluster: {spec: {__proto__: {paused: true}}}}\n"),
  ).toBe(
    [
      "Pulumi.test.yaml: 1 problem",
      "",
      '  config["capz-windows:overrides"].Cluster.spec.__proto__',
      "    problem  JavaScript has another use for this name, so the program cannot read the key",
      "    allowed  other names",
    ].join("\n"),
  );
});

describe("a stack file that Pulumi cannot pass to the program", () => {
  const config = (length: number) => ({
    ...minimal(),
    extraManifests: {
      web: {
        objects: [
          {
            apiVersion: "v1",
            kind: "ConfigMap",
            metadata: { name: "web", namespace: "default" },
            data: { text: "<".repeat(length) },
          },
        ],
      },
    },
  });
  const problemsOf = (length: number, more = {}) =>
    sizeProblems(read(stackText({ ...config(length), ...more })));

  it("is refused from 120,000 bytes on, as Go writes them as JSON", () => {
    expect(problemsOf(16_000)).toEqual([]);
    const problems = problemsOf(18_000);
    expect(problems).toHaveLength(1);
    const { problem, ...rest } = problems[0]!;
    expect(problem).toMatch(
      /^126,\d\d\d bytes: Pulumi passes the config to the program in one environment variable, which may have 131,072 bytes on Linux; with more, `pulumi up` says "argument list too long" and does not start$/,
    );
    expect(rest).toEqual({
      path: "config",
      allowed: "less than 120,000 bytes",
      write:
        "file: manifests/web.yaml # instead of objects of extraManifests, or contentFrom.secret instead of a content",
    });
  });

  it("counts secrets by the length of their ciphers", () => {
    const secret = (bytes: number) => ({
      secretFiles: { secure: `v1:nonce:${"A".repeat((bytes * 4) / 3)}` },
    });
    expect(problemsOf(1000, secret(105_000))).toEqual([]);
    expect(problemsOf(1000, secret(114_000))[0]?.path).toBe("config");
  });
});
