import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { credentialForms } from "capz-windows-kit/credentialForms";
import { credentialIn, hideCredentials, nameOf } from "capz-windows-kit/credentials";
import { isThorough } from "capz-windows-test-kit/sample";
import { credentialForms as forms, planted } from "capz-windows-test-kit/credentialForms";

/** Each form in which a credential can stand in a text: it is recognised, and hidden with all of its characters. */

const named = Object.entries(forms);

it("a short option in a list, whose value has letters and digits, is a credential", () => {
  expect(hideCredentials(`["-p","${planted}"]`)).toMatch(
    /^\["-p","\(not shown: a password, mark \w{4}\)"\]$/,
  );
});

it.each(named)("%s is a credential, and is hidden with all of its characters", (_name, form) => {
  const text = form(planted);
  const hidden = hideCredentials(text);
  expect(credentialIn(text)).toBeDefined();
  expect(hidden).toMatch(/\(not shown: [^()]*, mark [0-9a-f]{4}\)/);
  // What the text has beside the words around a secret is the secret.
  const secret = text === form("other") ? text.slice(-16) : planted;
  expect(hidden).not.toContain(secret);
  expect(hidden).not.toContain(secret.slice(4, 12));
  expect(credentialIn(hidden)).toBeUndefined();
  expect(hideCredentials(hidden)).toBe(hidden);
});

/** As `base64`, `base64` with lines of 76 characters, PowerShell's -EncodedCommand and a Secret of a Secret write it. */
const encodings: Readonly<Record<string, (text: string) => string>> = {
  base64: (text) => Buffer.from(text).toString("base64"),
  lines: (text) =>
    Buffer.from(text)
      .toString("base64")
      .replace(/.{76}(?=.)/g, "$&\n"),
  utf16: (text) => Buffer.from(text, "utf16le").toString("base64"),
  gzip: (text) => gzipSync(text).toString("base64"),
  twice: (text) => Buffer.from(Buffer.from(text).toString("base64")).toString("base64"),
};

// Outside of CI each form in one encoding.
describe.each(Object.entries(encodings))("in %s", (encoding, encode) => {
  const own = Object.keys(encodings).indexOf(encoding);
  it.each(named.filter((_, index) => isThorough || index % 5 === own))(
    "%s is a credential, and nothing of it is shown",
    (_name, form) => {
      // A line around it, as in a file, so that the shortest ones are long enough.
      const encoded = encode(`# settings\n${form(planted)}\n`);
      const hidden = hideCredentials(`content: ${encoded}`);
      expect(credentialIn(encoded)?.what).toMatch(/^base64 of /);
      expect(hidden).toMatch(/\(not shown: base64 of [^()]*, mark [0-9a-f]{4}\)$/);
      expect(hidden).not.toContain(encoded.slice(8, 16));
      expect(hideCredentials(hidden)).toBe(hidden);
    },
  );
});

it("what is no text, or has no credential, is shown in base64", () => {
  for (const text of ["a file without secrets, with words only", "\0\u0001password=Pl4nted0ne\0\u0002"]) {
    const encoded = Buffer.from(text).toString("base64");
    expect(hideCredentials(encoded)).toBe(encoded);
  }
});

const packed = (text: string, times: number): string =>
  times === 0 ? text : packed(gzipSync(text).toString("base64"), times - 1);

it.each([
  ["what gzip makes very long", packed(`password=${planted}\n${" ".repeat(10_000_000)}`, 1)],
  ["what is packed three times", packed(`password=${planted}\n`, 3)],
  ["what is packed and broken", packed(`password=${planted}\n`, 1).slice(0, 40)],
])("%s may have a credential, and is hidden", (_, text) => {
  const hidden = hideCredentials(`see ${text} there`);
  expect(hidden).toMatch(
    /^see \(not shown: (?:base64 of )+text that is packed too often or too tightly to be searched, mark [0-9a-f]{4}\) there$/,
  );
  expect(hideCredentials(hidden)).toBe(hidden);
});

it("what is too long to be searched is hidden as a whole", () => {
  const hidden = hideCredentials(`password=${planted}\n${"words ".repeat(200_000)}`);
  expect(hidden).toMatch(/^\(not shown: text that is too long to be searched, mark [0-9a-f]{4}\)$/);
});

it("what is packed again and again, or over very many lines, is decoded up to a limit", () => {
  let tree = "words without a secret\n".repeat(50);
  for (let level = 0; level < 5; level += 1) {
    tree = packed(Array(20).fill(tree).join("\n"), 1);
  }
  const decode = jest.spyOn(Buffer.prototype, "toString");
  expect(credentialIn(`${tree} `)?.what).toMatch(/ packed too often or too tightly to be searched$/);
  const decoded = decode.mock.results.reduce((sum, { value }) => sum + String(value).length, 0);
  decode.mockRestore();
  expect(decoded).toBeLessThanOrEqual(20 * tree.length);
  expect(credentialIn(`${"A".repeat(76)}\n`.repeat(10_000))).toBeUndefined();
});

/** What begins a form, and a text that its repetitions match. */
const begins = [
  ...["", "-----BEGIN PRIVATE KEY-----", "Bearer ", "eyJaaaaaaaa.", "1Q~", "github_pat_", "xoxb-", "?sig="],
  ...["$6$", "net use", 'password="', "password:|", "docker login", "MIIEpAIBAAK", "BQIAAA", "<password>"],
];

it.each(begins)("no run behind %j ends the stack", (begin) => {
  for (const length of [1_000_000 - begin.length, ...(isThorough ? [20_000_000] : [])]) {
    expect(() => credentialIn(begin + "a".repeat(length))).not.toThrow();
    expect(() => credentialIn(begin + "\n".repeat(length))).not.toThrow();
  }
});

it("no form looks for one distant word after another", () => {
  const distances = (source: string): number[] =>
    [...source.matchAll(/\[\^\\n\]\{0,(\d+)\}\?/g)].map(([, most]) => Number(most));
  for (const { pattern } of credentialForms) {
    expect(distances(pattern.source).reduce((all, one) => all * one, 1)).toBeLessThanOrEqual(1_000);
  }
});

/** A password as people choose them, without what a shell reads as something else than a text. */
const password = fc
  .stringMatching(/^[A-Za-z0-9][A-Za-z0-9!#+._~^-]{5,30}$/)
  .filter(
    (text) =>
      !/^(?:true|false|null|none|nil|yes|no|auto|get-|read-|new-|import-|convert|invoke-|join-)/i.test(text),
  );

it("hides every password in every form between other lines, and nothing else", () => {
  const before = fc.constantFrom("", "@echo off\n", "a: b\n", "  ", "cmd /c ");
  const after = fc.constantFrom("", "\nexit 0\n", "\nb: c\n");
  // A token has letters and digits only, and the forms say where it ends.
  const ofTokens = new Set(["sas", "sasFirst", "urlToken", "bearer", "bearerHashtable"]);
  const token = fc.stringMatching(/^[A-Za-z0-9]{20,40}$/);
  const ofPassword = named.filter(([, form]) => form(planted).includes(planted));
  fc.assert(
    fc.property(
      fc
        .constantFrom(...ofPassword)
        .chain(([name, form]) =>
          fc.record({ form: fc.constant(form), one: ofTokens.has(name) ? token : password }),
        ),
      before,
      after,
      ({ form, one }, head, tail) => {
        // A password that is also a word of the form is not told apart from it.
        fc.pre(!form("").includes(one) && !hideCredentials(form("x")).includes(one));
        const hidden = hideCredentials(head + form(one) + tail);
        expect(hidden).not.toContain(one);
        expect(hideCredentials(hidden)).toBe(hidden);
        expect(hidden.startsWith(head) && hidden.endsWith(tail)).toBe(true);
      },
    ),
    { numRuns: isThorough ? 3_000 : 500 },
  );
});

it.each([
  "echo done | tee /tmp/log",
  "certutil -hashfile a.zip SHA256",
  "certutil -addstore Root C:/k/ca.cer",
  "schtasks /run /tn a",
  "schtasks /create /tn a /tr b.exe /sc onstart /ru SYSTEM",
  "schtasks /create /tn a /ru bob /rp *",
  "net user bob /delete",
  "net user bob * /add",
  "net user",
  "mysql -u root -p",
  "sqlcmd -S db -E -Q x",
  "docker login --password-stdin",
  "Get-Content C:/k/pw.txt | docker login -u bob --password-stdin",
  "cat /run/pw | docker login -u bob --password-stdin",
  "$pw | docker login -u bob --password-stdin",
  "vault login -method=oidc",
  "ConvertTo-SecureString $env:PW -AsPlainText -Force",
  "ConvertTo-SecureString (Get-Content x)",
  "kubectl create secret generic db --from-file=x=C:/k/x",
  "kubectl create configmap x --from-literal=a=b",
  "az keyvault secret set --vault-name v -n n --value $VALUE",
  "openssl rsa -passin file:/run/pw -in a",
  "openssl rsa -passin env:PW -in a",
  "sshpass -e ssh bob@h",
  "7z x a.zip -oC:/k",
  "unzip -o a.zip -d /tmp",
  "the tests pass: all of them",
  "bypass: true",
  "PATH=C:/k;D:/x",
  "compass=north",
  "the password is in Key Vault",
  "the password is read from a file",
  "MIIDazCCAlOgAwIBAgIUXabc",
  "tls-secret: web-tls",
  "imagePullSecrets: [regcred]",
  "TLS_SECRET=web-tls",
  "https://example.com/a@b:c",
  "ssh://git@github.com/x",
  "https://user@example.com",
  "kubeadm token list --token-ttl 0",
  "key: value",
  "publicKey: ssh-ed25519 AAAA",
  "patch: x",
  "spattern=*.log",
  "$1$2",
  "mode: bearer",
  "Authorization: $AUTH",
  "-p 80",
  '["-p","8080:80"]',
  '["mkdir","-p","/data/x1"]',
  '["--password","$(PW)"]',
  '["--password-file","/x"]',
  '["--token","--kept"]',
  "- --token\n- --kept",
  "usage: app [--password PASSWORD] [--token TOKEN]",
  'no password "file" found',
  "the cookie: monster",
  "capi ALL=(ALL) NOPASSWD:ALL",
  "reg add HKLM\\x /v Start /t REG_DWORD /d 4 /f",
  'grep -- "-----BEGIN PRIVATE KEY-----" /etc/kubernetes/pki/apiserver.key',
  "password = <<EOT\n${var.password}\nEOT",
  '{"adminPassword": {"reference": {"secretName": "a1"}}}',
  "live_migration_of_virtual_machines_and_so_on",
  "APP_KEY=base64",
  "a1b2c3d4-0000-4000-8000-000000000000",
])("no credential is %j", (text) => {
  expect(credentialIn(text)).toBeUndefined();
});

it.each([
  [["--db-password", planted], 1],
  [["app", "-x", "--token", planted, "kept"], 3],
  [["redis-cli", "-a", planted], 2],
  [["mysql", "-u", "root", `-p${planted}`, "db"], 3],
  [["docker", "login", "-u", "a", "-p", planted, "r.io"], 5],
])("in the list %j the item %i is a credential", (items, secret) => {
  const hidden = items.map((item, index) => hideCredentials(item, nameOf(items, index)));
  expect(hidden).toEqual(
    items.map((item, index) =>
      index === secret ? (expect.stringMatching(/^\(not shown: a password[^()]*\)$/) as string) : item,
    ),
  );
});

it.each([
  [["dir", "net user bob", "reboot"]],
  [["--token=$(T)", "kept"]],
  [[`--token=${planted}`, "kept"]],
  [["--token", "--kept"]],
  [["password", "token", "kept"]],
])("in the list %j no other item is one", (items) => {
  expect(
    items
      .map((_, index) => nameOf(items, index))
      .flatMap((name, index) => {
        const item = items[index] ?? "";
        return name === undefined || hideCredentials(item, name) === hideCredentials(item) ? [] : [item];
      }),
  ).toEqual([]);
});
