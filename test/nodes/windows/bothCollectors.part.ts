import fc from "fast-check";
import { scriptContent } from "../../../bootstrap/files";
import { hiddenOnLinux } from "../bash";
import { describeOnWindows, runOnWindows } from "../powershell";
import { credentialLine, log } from "../secrets";

/** Both collectors hide the same: their list is one, and each has its own reader of patterns, sed and .NET. */

const listIn = (script: string): string =>
  /^PASS=.*\n(?:[A-Z]+=.*\n|n .*\n|[ic] .* => .*\n)+/m.exec(scriptContent(script))?.[0] ?? "";

it("collect-linux.sh and collect-windows.ps1 have one list of what a secret looks like", () => {
  expect(listIn("collect-windows.ps1")).toBe(listIn("collect-linux.sh"));
  expect(listIn("collect-linux.sh").split("\n").length).toBeGreaterThan(20);
});

const names = [
  ...["password", "passwd", "PASS_PHRASE", "pass phrase", "clientSecret", "token", "api-key", "accessKey"],
  ...["x-functions-key", "x-ms-date", "client-key-data", "certificate-key", "registry_key", "publicKey"],
  ...["authorization", "Bearer", "auth", "cookie", "Set-Cookie", "sig", "pwd", "tenantId", "key", "clé"],
  ...[
    "docker login -p",
    "net user bob",
    "net use \\\\a\\b",
    "setx A_PASS",
    "psexec -p",
    "sqlcmd -P",
    "mysql -p",
  ],
  ...[
    "ConvertTo-SecureString",
    "PSCredential('a',",
    "<Password>",
    "password",
    "echo a | docker login --password-stdin",
  ],
];
const before = [
  "",
  " ",
  "  - ",
  "db",
  "AZURE_",
  " --",
  " -",
  '"',
  "'",
  '\\"',
  "?",
  "&",
  ";",
  ", ",
  "{",
  "%3F",
  "amp;",
];
const between = [
  ":",
  ": ",
  "=",
  " = ",
  " := ",
  " => ",
  " ",
  '": "',
  "': '",
  '\\": \\"',
  '="',
  "='",
  "%3D",
  '":"',
];
const after = ["", "", " kept", '"', "'", '\\"', ";", "&se=1", '"}', ", b: kept"];
const value = fc.oneof(
  fc.string({
    unit: fc.constantFrom(...Array.from(`abcxyz019AZ+/=._~-%\\"':;,&@$*(){}[]|^# \tüé日`)),
    maxLength: 14,
  }),
  fc.constantFrom(
    ...["REDACTED", "abcdef.0123456789abcdef", "éabcdef.0123456789abcdefü", "eyJhbGciOiJSUzI1NiJ9.e30.c2ln"],
    ...["0f".repeat(32), `${"Ab1/".repeat(21)}Zz==`, "http://user:V@p.example:1/", "curl -u user:V"],
    ...[
      "%26sig%3DV%2B",
      "Basic V",
      "SharedKey a:V==",
      "a\u0130\u017f\u212a",
      '-----BEGIN PRIVATE KEY-----\\nV"',
    ],
  ),
);
const setting = fc
  .tuple(
    ...[before, names, between].map((texts) => fc.constantFrom(...texts)),
    value,
    fc.constantFrom(...after),
  )
  .map((parts) => parts.join(""));
const line = fc
  .array(fc.oneof({ weight: 3, arbitrary: setting }, value), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join(""));
/** A key over lines, with what stands beside its ends. */
const key = fc
  .tuple(
    fc.constantFrom("", "a ", '"'),
    fc.constantFrom("", "RSA "),
    fc.array(fc.constantFrom("Ab1/", "", "Proc-Type: 4,ENCRYPTED", "token: V"), { maxLength: 3 }),
    fc.constantFrom("", " kept", '"'),
  )
  .map(([left, kind, lines, right]) =>
    [`${left}-----BEGIN ${kind}PRIVATE KEY-----`, ...lines, `-----END ${kind}PRIVATE KEY-----${right}`].join(
      "\n",
    ),
  );

/** Lines over which a pattern could go again and again, for ever. */
const longLines = [
  ...[
    "-",
    "/",
    "x-",
    "a?",
    "token",
    "token ",
    'token"',
    "auth ",
    "| ",
    "|echo ",
    "--user ",
    "name=token",
    "= ",
  ],
  ...["-----BEGIN ", "PRIVATE KEY ", "Ab", "aB1", "eyJ", "shp", "sudo ", "key-", "net user ", "secret key "],
].flatMap((part) => [15_990, 40_000].map((length) => part.repeat(length).slice(0, length)));

async function hiddenOnWindows(text: string): Promise<string[]> {
  const { files } = await runOnWindows("collect-windows.ps1", {
    args: { Root: "C:/", Archive: "C:/logs.zip" },
    env: { TMPDIR: "C:/" },
    files: { "cni.log": text },
    answers: { "Compress-Archive": { archive: true } },
  });
  return files["logs.zip.unpacked/files/cni.log"]?.split("\n") ?? [];
}

describeOnWindows("collect-linux.sh and collect-windows.ps1", () => {
  it("hide the same, whatever a log says", async () => {
    const forms = fc.sample(credentialLine, 500).map(({ form, one }) => form(one));
    const lines = [...fc.sample(line, 1500), ...forms, ...longLines];
    const keys = fc.sample(fc.oneof(line, key), 200);
    const text = `${[...lines, ...log, ...keys].join("\n")}\n`;
    const [linux, windows] = await Promise.all([hiddenOnLinux(text), hiddenOnWindows(text)]);
    const different = lines.flatMap((given, at) =>
      linux[at] === windows[at] ? [] : [{ given, linux: linux[at], windows: windows[at] }],
    );
    expect(different.slice(0, 10)).toEqual([]);
    expect(linux.filter((one) => one.includes("REDACTED")).length).toBeGreaterThan(800);
    // What follows a key in its last line begins a line on Linux, and may be hidden with the key on Windows.
    const [here, there] = [linux, windows].map((all) =>
      all
        .slice(lines.length)
        .map((one) => one.replace(/[ \t]*REDACTED(?:-KEY(?: kept|")?)?$/, "REDACTED"))
        .filter((one) => one !== " kept" && one !== '"')
        .join("\n"),
    );
    expect(there).toBe(here);
  });
});
