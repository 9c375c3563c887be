import { join } from "node:path";
import fc from "fast-check";
import { credentialIn } from "capz-windows-kit/credentials";
import { loadSettings } from "../../config/load";
import { projectConfig } from "../../config/stackFile";
import { stacksOf } from "capz-windows-kit/stackNames";
import { rightConfig } from "../support/rightConfigs";
import { isThorough } from "capz-windows-test-kit/sample";
import { minimal, projectDir, readExample, reportOf } from "../support/stacks";

/** Credentials in values that everybody may read draw a warning, without a part of them. Private keys are in fileCases. */

const planted = "Pl4ntedPassw0rdXyzzy";
const token = `${planted}${planted}`.slice(0, 36);
const setSecret = "npx pulumi config set --secret capz-windows:secretFiles < FILE";

const win1 = (pool: object) => ({ windowsPools: { win1: pool } });
const command = (text: string) => win1({ preKubeadmCommands: [text] });
const content = (text: string) => win1({ files: [{ path: "C:/k/own.txt", content: text }] });
const settings = (given: object) =>
  win1({ vmExtensions: [{ name: "Agent", publisher: "Own", version: "1.0", settings: given }] });
const web = (manifest: object) => ({ extraManifests: { web: manifest } });
const sha256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
const configMap = (data: object) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "web", namespace: "default" },
  data,
});

const warned = (raw: object): readonly string[] =>
  loadSettings({ ...minimal(), ...raw }, "test").warnings.flatMap(({ path, message }) =>
    message.startsWith("this looks like ") ? [`${path}: ${message}`] : [],
  );

const nodes = "which every program on the nodes can read";
const inCommand = `${nodes}; let the command read it from a file with contentFrom.secretFile`;
const inContent = `${nodes}; put it into files[].contentFrom.secretFile (${setSecret})`;
const otherwise = "use a managed identity, or what needs no password";

test.each<readonly [what: string, raw: object, path: string, rest: string]>([
  [
    "a password",
    command(`net use Z: \\\\files\\share /user:corp\\bob ${planted} /persistent:yes`),
    "a password of net use",
    inCommand,
  ],
  ["a password", command(`net.exe use \\\\files\\share ${planted}`), "a password of net use", inCommand],
  [
    "a login",
    command(`docker login -u bob -p ${planted} registry.example.com`),
    "a password of a login",
    inCommand,
  ],
  [
    "a login",
    command(`az acr login --name own --username bob --password=${planted}`),
    "a password of a login",
    inCommand,
  ],
  [
    "a header",
    command(`curl -H "Authorization: Bearer ${token}" https://example.com`),
    "a bearer token",
    inCommand,
  ],
  ...[
    `setx DB_PASSWORD ${planted}`,
    `setx /M DB_PASSWORD "${planted}"`,
    `cmd /c set DB_PASSWORD=${planted}`,
    `export DB_PASSWORD=${planted}`,
    `powershell -Command "$env:DB_PASSWORD = '${planted}'"`,
    `[Environment]::SetEnvironmentVariable("DB_PASSWORD", "${planted}", "Machine")`,
  ].map((line) => ["an environment variable", command(line), "a password", inCommand] as const),
  ["curl", command(`curl -u bob:${planted} https://example.com`), "a user with a password", inCommand],
  ["cmdkey", command(`cmdkey /add:files /user:bob /pass:${planted}`), "a password", inCommand],
  [
    "a URL",
    command(`curl https://bob:${planted}@example.com/x`),
    "a user with a password in a URL",
    inCommand,
  ],
])("%s in a command: %j", (_what, raw, what, rest) => {
  expect(warned(raw)).toEqual([`windowsPools.win1.preKubeadmCommands[0]: this looks like ${what}, ${rest}`]);
});

test.each<readonly [text: string, what: string]>([
  [`server=db;user id=app;password=${planted};`, "a password"],
  [`API_KEY: "${planted}"`, "a password"],
  [`@echo off\nsetx DB_PASSWORD ${planted}\n`, "a password"],
  [`$Token = '${planted}'`, "a password"],
  [`git clone; ghp_${token}`, "a GitHub, GitLab, npm or Slack token"],
  [
    `{"auths":{"registry.example.com":{"auth":"${Buffer.from(`bob:${planted}`).toString("base64")}"}}}`,
    "registry credentials of Docker",
  ],
  [`DefaultEndpointsProtocol=https;AccountName=own;AccountKey=${token}==`, "a password"],
  [`eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJib2IifQ.${planted}`, "a JSON Web Token"],
])("the content %j", (text, what) => {
  expect(warned(content(text))).toEqual([
    `windowsPools.win1.files[0].content: this looks like ${what}, ${inContent}`,
  ]);
});

test.each<readonly [raw: object, path: string, what: string, readers: string]>([
  [
    settings({ commandToExecute: `setup.exe -password ${planted}` }),
    "windowsPools.win1.vmExtensions[0].settings.commandToExecute",
    "a password",
    "anyone who can read the machines in Azure",
  ],
  [
    settings({ storageAccountKey: planted }),
    "windowsPools.win1.vmExtensions[0].settings.storageAccountKey",
    "a password",
    "anyone who can read the machines in Azure",
  ],
  [
    settings({ fileUris: `https://own.blob.core.windows.net/x/setup.exe?sv=2024&sig=${token}%3D` }),
    "windowsPools.win1.vmExtensions[0].settings.fileUris",
    "the signature of a SAS URL",
    "anyone who can read the machines in Azure",
  ],
  [
    web({ url: `https://bob:${planted}@example.com/v1/web.yaml`, sha256 }),
    "extraManifests.web.url",
    "a user with a password in a URL",
    "anyone who can read ConfigMaps of the management cluster",
  ],
  [
    web({ url: `https://own.blob.core.windows.net/x/v1.yaml?sv=2024&sig=${token}`, sha256 }),
    "extraManifests.web.url",
    "the signature of a SAS URL",
    "anyone who can read ConfigMaps of the management cluster",
  ],
  [
    web({ objects: [configMap({ DB_PASSWORD: planted })] }),
    "extraManifests.web.objects[0].data.DB_PASSWORD",
    "a password",
    "anyone who can read ConfigMaps of the management cluster",
  ],
])("the value in %j", (raw, path, what, readers) => {
  expect(warned(raw)).toEqual([`${path}: this looks like ${what}, which ${readers} can read; ${otherwise}`]);
});

// 64 bytes that are no text, and 32, in base64.
const [storageKey = "", cacheKey = ""] = [64, 32].map((length) =>
  Buffer.from(Array.from({ length }, (_, index) => (index * 37 + 200) % 256)).toString("base64"),
);
const inHex = "9dc858229fc7dd38854ae2d88d81803c0ebfcd88";

// What resembles a hash, a public key, an address, a switch or the name of a cache.
test.each([
  `net use Z: \\\\own.file.core.windows.net\\share /u:AZURE\\own ${storageKey}`,
  `mountShare("own", "${storageKey}")`,
  `shared: ${storageKey}`,
  `digest storage ${storageKey}`,
  ...["DD_APP_KEY", "secret", "auth", "credentials", "encryptionKey"].map((name) => `${name}: ${inHex}`),
  "encryptionKey: aaaaA8fK3d92mQ7zX1cV5bN6mL0pO9iU8yT7rE6wQ5a=",
  "encryptionKey: mIgaA8fK3d92mQ7zX1cV5bN6mL0pO9iU8yT7rE6wQ5a=",
  "run -u me -p 100.1.2.3!aB",
  "proxy [x]:8080 admin:on-secret1",
  `redisCacheKey: ${cacheKey}`,
])("a credential is %j", (text) => {
  expect(credentialIn(text)).toBeDefined();
});

test.each([
  "docker login -u bob --password-stdin registry.example.com < C:/k/password.txt",
  "az acr login --name own -p $env:PASSWORD",
  'docker login -p "$(cat /run/secrets/token)"',
  "net use Z: \\\\files\\share /persistent:yes",
  "net use Z: \\\\files\\share %PASSWORD% /user:bob",
  "net use Z: /delete",
  "net use * /delete /y",
  "automountServiceAccountToken: false\ntoken: null",
  "password:\n  secretKeyRef: {name: db, key: password}",
  "passwordFile: /etc/db/password",
  "setx DB_PASSWORD %PASSWORD_OF_SECRET%",
  "setx PATH C:/k/token",
  '[Environment]::SetEnvironmentVariable("DB_PASSWORD", $password, "Machine")',
  "token=/var/run/secrets/token",
  "$password = Get-Content C:/k/password.txt",
  'curl -H "Authorization: Bearer $TOKEN" https://example.com',
  'curl -u "$USER:$PASSWORD" https://example.com',
  "curl https://${USER}:${PASSWORD}@example.com",
  "curl -LO https://example.com:8443/a@b",
  "kubectl create token default",
  "secretName: web-tls",
  'grep -q "BEGIN PRIVATE KEY" /etc/tls.key',
  "image: registry.example.com/app@sha256:0123456789abcdef",
  '{"auths":{}}',
  "-p 8080:80 docker login",
  // Fingerprints, public keys, hashes, ports, switches and commands.
  "GPG_KEY: 9DC858229FC7DD38854AE2D88D81803C0EBFCD88",
  "cosign-key: MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE1234567890abcdefGHIJ",
  "trustedKey: MCowBQYDK2VwAyEAAb12Cd34Ef56Gh78Ij90Kl12Mn34Op56Qr78St90Uv",
  "cache-key: 5d41402abc4b2a76b9719d911017c592",
  `$hash = "${storageKey}"`,
  `"integrity": "sha512-${storageKey}"`,
  "docker run -u app -p 127.0.0.1:8080:80 web",
  "winrm quickconfig -p 5985",
  "redis-cli -c get key1",
  "listen [::]:443 ssl:on",
  "here\n  pwd 2>/dev/null\n",
  "here\npasswd ubuntu01\n",
  '<token name="foo">',
  "encryptionKey: /subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/RgOne2/keys",
])("no credential is %j", (text) => {
  expect(credentialIn(text)).toBeUndefined();
});

it("nothing in the examples and in random right configs is taken for a credential", () => {
  // The one without a workload cluster has no key of those that `warned` completes.
  const stacks = stacksOf(join(projectDir, "test/stacks")).filter((stack) => !stack.endsWith("management"));
  const examples = stacks.map((stack) => {
    const { config } = readExample(stack);
    return projectConfig(config);
  });
  const random = fc.sample(rightConfig, { numRuns: isThorough ? 200 : 30, seed: 20261123 });
  expect([...examples, ...random].flatMap(warned)).toEqual([]);
});

it("does not take long for a long text that resembles many credentials", () => {
  // Processor time, because other processes make the test wait.
  const started = process.cpuUsage();
  for (const part of [
    "a-",
    "a.",
    "curl ",
    '"auths" ',
    "eyJ-",
    "net use ",
    "-----BEGIN ",
    "https://a",
    "password ",
  ]) {
    expect(credentialIn(part.repeat(120_000 / part.length))).toBeUndefined();
  }
  expect(process.cpuUsage(started).user / 1e6).toBeLessThan(10);
});

it("the password of a proxy is not shown when its URL is refused", () => {
  const report = reportOf({ ...minimal(), proxy: { url: `http://bob:${planted}@proxy.example.com:3128` } });
  expect(report).toContain("  proxy.url\n    value    (not shown: may be a secret)\n");
  expect(report).not.toContain(planted);
});
