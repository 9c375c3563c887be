import { savedSnapshot } from "capz-windows-doctor/cluster/saved";
import { type Snapshot, World } from "capz-windows-doctor/cluster/snapshot";
import { run } from "capz-windows-doctor/cli/main";
import { diagnose } from "capz-windows-doctor/diagnose";
import { formatJson } from "capz-windows-doctor/report/json";
import { formatText } from "capz-windows-doctor/report/text";
import { mostOfMessage } from "capz-windows-kit/visible";
import { credentialForms, planted } from "capz-windows-test-kit/credentialForms";
import { said } from "capz-windows-test-kit/said";
import { patient } from "./patient";

/** Messages quote addresses and headers with credentials, and people paste a report into an issue. */

const encodedAddresses = [
  `https://login.example/?next=https%3A%2F%2Fbob%3A${planted}%40example.com%2Fx`,
  `next=https%253A%252F%252Fbob%253A${planted}%2540example.com`,
  `next=https%3A//bob:${planted}@example.com/`,
];

const texts = [...Object.values(credentialForms).map((form) => form(planted)), ...encodedAddresses].filter(
  (text) => text.includes(planted),
);

/** A cluster in which a condition, a Pod, two Events and a problem have a text. */
function saying(text: string): Snapshot {
  const p = patient();
  const pod = p.pod("workload", "team", "web-0", { waiting: ["ErrImagePull", text] });
  p.event(pod, "Failed", text, { side: "workload" }).refused(p.get("AzureCluster"), "Ready", text);
  p.event(p.get("AzureMachinePool", "win1"), "ReconcileError", text);
  return p.problem("management", { what: "other", asked: "Certificate", message: text }).snapshot();
}

const reportsOf = (snapshot: Snapshot): string => {
  const diagnosis = diagnose(snapshot);
  // In one line: the report breaks long ones.
  return formatText(diagnosis, { color: false, width: 1_000_000 }) + formatJson(diagnosis);
};

it("there are texts of many forms", () => {
  expect(texts.length).toBeGreaterThan(100);
  expect(reportsOf(saying("fetch failed: strange reason"))).toContain("strange reason");
});

it("no report has a credential of a condition, a Pod, an Event or of what could not be read", () => {
  expect(texts.filter((text) => reportsOf(saying(`fetch failed: ${text}`)).includes(planted))).toEqual([]);
});

it("--save keeps no password of an address in a parameter", () => {
  const saved = encodedAddresses.map((text) => JSON.stringify(savedSnapshot(saying(text))));
  expect(saved.filter((text) => text.includes(planted))).toEqual([]);
});

it("the rest of the message stays", () => {
  const text = `Get "https://x.blob.core.windows.net/a?se=2026&sig=${planted}%3D&sp=r": dial tcp: i/o timeout`;
  const proofs = diagnose(saying(text)).findings.flatMap((one) => one.proofs.map((proof) => proof.text));
  expect(proofs.map((proof) => proof.replace(/mark \w{4}/, "mark"))).toContain(
    'Get "https://x.blob.core.windows.net/a?se=2026&sig=(not shown: the signature of a SAS URL, mark)&sp=r": dial tcp: i/o timeout',
  );
});

it.each([
  "couldn't find key SA_PASSWORD in Secret default/mssql",
  'failed to get key vault token: Get "http://localhost:2579/host/token/?resource=https://vault.azure.net": dial tcp [::1]:2579: connectex: refused',
  String.raw`chown c:\var\lib\kubelet\pods\e8\volumes\kubernetes.io~projected\x\..2024_05_20_12_00_00.123\token: not supported by windows`,
  String.raw`New-SmbGlobalMapping -RemotePath $Env:smbremotepath -Cred ...\r\n + CategoryInfo : Windows System Error 87`,
])("the names of keys and the words of an error are no credential: %s", (text) => {
  const proofs = diagnose(saying(text)).findings.flatMap((one) => one.proofs.map((proof) => proof.text));
  expect(proofs).toContain(text);
});

it.each([
  `failed to fetch anonymous token: ${planted}`,
  `couldn't find key SA_PASSWORD in Secret default/mssql: SA_PASSWORD ${planted}`,
  String.raw`chown c:\..2024_05_20_12_00_00.123\token: ${planted}`,
  `failed to get token: Get "https://x.example/t?sig=${planted}": EOF`,
  `failed to fetch oauth token: unexpected status from POST request to https://x.example/token: ${planted}`,
  `Post "https://x.example/token": tls: Authorization: Basic ${planted}`,
])("what follows harmless words of a token is searched: %s", (text) => {
  expect(reportsOf(saying(text)).includes(planted)).toBe(false);
});

it.each([
  "glpat-",
  "xoxb-",
  "xapp-",
  "sk-ant-",
  "tskey-",
  "pypi-",
  "dckr_pat_",
  "hvs.",
  "ya29.",
  "image.AIza",
])("a token in short parts is not shown as a name: %s", (prefix) => {
  const text = `${prefix}AbCdEf-${"GhIjKlMnOpQr-".repeat(4)}`.slice(0, prefix === "image.AIza" ? 45 : 80);
  expect(reportsOf(saying(text)).includes(text)).toBe(false);
});

it.each([
  [
    "begins in what is left out",
    `${"a ".repeat(mostOfMessage)}Bearer ${planted.repeat(60)}${" b".repeat(950)}`,
  ],
  ["is a key whose beginning is far away", `-----BEGIN RSA PRIVATE KEY-----\n${planted.repeat(2_000)}`],
])("a credential of a long message that %s is not shown", (_what, text) => {
  expect(reportsOf(saying(text)).includes(planted)).toBe(false);
});

it("of objects without credentials nothing is copied", () => {
  const snapshot = patient().snapshot();
  const { management, workload } = new World(snapshot).snapshot;
  expect(management.objects.every((one, index) => one === snapshot.management.objects[index])).toBe(true);
  expect(workload.objects.every((one, index) => one === snapshot.workload.objects[index])).toBe(true);
});

it("an error quotes no credential of what --explain does not know", async () => {
  const { err } = await said(() => run(["--explain", `strange words https://bob:${planted}@example.com/`]));
  expect(err).toContain(
    "--explain strange words https://bob:(not shown: a user with a password in a URL, mark ",
  );
  expect(err).not.toContain(planted);
});

it("takes no more than milliseconds for each message, whatever it is", () => {
  const started = process.cpuUsage();
  for (const part of ["curl wget ", '"-p", ', "?sig=aaaaaaaaaaaa ", "%3A%2F%2Fa%3A", "password "]) {
    const p = patient();
    for (let index = 0; index < 100; index += 1) {
      const text = `${part.repeat(100_000 / part.length)}${index}`;
      p.event(p.get("AzureCluster"), "Failed", text);
    }
    expect(new World(p.snapshot()).snapshot.management.objects.length).toBeGreaterThan(100);
  }
  expect(process.cpuUsage(started).user / 1e6).toBeLessThan(20);
});
