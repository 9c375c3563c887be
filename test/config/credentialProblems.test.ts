import { reportWith } from "../support/stacks";

/** Credentials in a stack file with other mistakes, of whose report they are a part. */

const planted = "Pl4ntedPassw0rdXyzzy";
const setSecret = "npx pulumi config set --secret capz-windows:secretFiles < FILE";
const win1 = (pool: object) => ({ windowsPools: { win1: pool } });
const command = (text: string) => win1({ preKubeadmCommands: [text] });
const content = (text: string) => win1({ files: [{ path: "C:/k/own.txt", content: text }] });
const extension = (given: object) => ({
  vmExtensions: [{ name: "Agent", publisher: "Own", version: "1.0", settings: given }],
});

const net = `net use Z: \\\\files\\share ${planted}`;
const ofNet = (path: string) => [
  `  ${path}`,
  "    problem  this looks like a password of net use, which every program on the nodes can read",
  "    allowed  secrets in files[].contentFrom and in the keys that Pulumi encrypts",
  "    write    let the command read it from a file with contentFrom.secretFile",
];
const replicas = [
  "  controlPlane.replicas",
  "    value    2",
  "    problem  an even number of etcd members tolerates no more failures than one member fewer",
  "    allowed  1, 3, 5 or 7",
];
const even = { controlPlane: { replicas: 2 } };
const report = (...problems: readonly string[][]) =>
  [
    `Pulumi.test.yaml: ${problems.length === 1 ? "1 problem" : `${problems.length} problems`}`,
    ...problems.map((lines) => lines.join("\n")),
  ].join("\n\n");

it("are problems like those of the schema and between keys, each with a place for it", () => {
  const pool = {
    osDiskGB: "8",
    files: [{ path: "C:/k/own.txt", content: `password=${planted}` }],
    preKubeadmCommands: ["echo", net],
    ...extension({ storageAccountKey: planted }),
  };
  expect(reportWith({ ...even, ...win1(pool) })).toBe(
    report(
      replicas,
      [
        "  windowsPools.win1.files[0].content",
        "    problem  this looks like a password, which every program on the nodes can read",
        "    allowed  secrets in files[].contentFrom and in the keys that Pulumi encrypts",
        `    write    put it into files[].contentFrom.secretFile (${setSecret})`,
      ],
      [
        "  windowsPools.win1.osDiskGB",
        "    value    8",
        "    problem  expected a whole number, found text",
        "    allowed  a whole number from 30 to 2048",
        "    write    osDiskGB: <an allowed value>",
      ],
      ofNet("windowsPools.win1.preKubeadmCommands[1]"),
      [
        "  windowsPools.win1.vmExtensions[0].settings.storageAccountKey",
        "    problem  this looks like a password, which anyone who can read the machines in Azure can read",
        "    allowed  secrets in files[].contentFrom and in the keys that Pulumi encrypts",
        "    write    use a managed identity, or what needs no password",
      ],
    ),
  );
});

it("have the advice for the place to which they belong", () => {
  expect(reportWith(win1({ preKubeadmComands: [net] }))).toContain(
    report(ofNet("windowsPools.win1.preKubeadmComands[0]")).split("\n\n")[1],
  );
  const file = { path: "C:/k/own.txt", content: `password=${planted}`, contentFrom: { secretFile: "own" } };
  expect(reportWith(win1({ files: [file] }))).toContain(
    "\n  windowsPools.win1.files[0].content\n    problem  this looks like a password, ",
  );
  const secretFiles = JSON.stringify({ "own.txt": "text" });
  expect(reportWith({ ...even, ...content(`password=${planted}`), secretFiles })).toMatch(
    /write {4}put it into files\[\]\.contentFrom\.secretFile \(/,
  );
});

it("are said once, with what several pools have from poolDefaults", () => {
  const poolDefaults = extension({ commandToExecute: `setup.exe -password ${planted}` });
  expect(
    reportWith({ ...even, poolDefaults, windowsPools: { win1: {}, win2: {} } }).match(/this looks like .*/g),
  ).toEqual(["this looks like a password, which anyone who can read the machines in Azure can read"]);
});

it.each<readonly [what: string, raw: object]>([
  ["a key that has to go", win1({ dbPassword: planted })],
  ["a command that has to go", command(`net user bob password=${planted}`)],
  ["a mapping that has to be a list", win1({ preKubeadmCommands: { run: net } })],
  ["a value that has to be another", { proxy: { url: `http://bob:${planted}@proxy.example.com:3128` } }],
  ["a part that the stack cannot have", { management: { kind: "aks", only: true }, ...command(net) }],
])("are not said again in %s", (_what, raw) => {
  const text = reportWith({ ...even, ...raw });
  expect(text).not.toContain("looks like");
  expect(text).not.toContain(planted);
});

it("are left out where an exception is about them, whose end only findings know", () => {
  const path = "windowsPools.win1.preKubeadmCommands";
  const exception = { rule: "plain-credential", path, reason: "a test", until: "2026-12-10" };
  const reportOn = (other: object) =>
    reportWith({ ...even, ...command(net), policyExceptions: [{ ...exception, ...other }] });
  const open = report(replicas, ofNet(`${path}[0]`));
  expect(reportOn({})).toBe(report(replicas));
  expect(reportOn({ until: "2020-01-01" })).toBe(report(replicas));
  expect(reportOn({ rule: "unprotected" })).toBe(open);
  expect(reportOn({ path: "windowsPools.win10" })).toBe(open);
  // What is wrong has examples in its place, which accept nothing.
  expect(reportOn({ until: "soon" })).toContain(ofNet(`${path}[0]`).join("\n"));
});

it("are not the names of community galleries, which end with a GUID", () => {
  const guid = "f72ceb4f-5159-4c26-a0fe-2ea738f0d019";
  const reportOn = (gallery: string): string =>
    reportWith(
      win1({ image: { computeGallery: { gallery: `${gallery}/x`, name: "own", version: "1.0.0" } } }),
    );
  expect(reportOn(`ClusterAPI-${guid}`)).toContain(`value    ClusterAPI-${guid}/x`);
  // A GUID does not show what is random beside it.
  expect(reportOn(`q7RkZ0vT2mXc9LpWb4Yd8Hs1Nf6Ja3Ge5Ku-${guid}`)).not.toContain("q7RkZ0vT2m");
});
