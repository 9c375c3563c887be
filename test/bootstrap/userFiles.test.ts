import { gzipSync } from "node:zlib";
import fc from "fast-check";
import type { BootstrapFile } from "capz-types";
import { linuxWorkerKubeadmConfigSpec } from "../../bootstrap/linux";
import { windowsKubeadmConfigSpec } from "../../bootstrap/windows";
import { render } from "./userData/support";
import { base64 } from "capz-windows-test-kit/secrets";
import { publicKey } from "../support/stacks";
import { cloudInit, cloudbaseInit, decoded, python } from "./readers";
import { today } from "../support/platforms";

/** Files and commands of a user with any content, as the programs on a node read them. */

const hostile = [
  "{{ ds.meta_data.local_hostname }}\n",
  "{% for x in y %}\n{# gone? #}\n",
  "{{ '{{' }} {% raw %}{{ x }}{% endraw %}\n",
  "echo ${#list[@]} $((1 + 1))\n",
  "## template: jinja\n#cloud-config\n",
  "@echo off\r\nver\r\n",
  "  indented\n   more\n",
  "\n\n\ttab first\n",
  "no newline at the end",
  "three newlines at the end\n\n\n",
  "\n",
  "a\u0000b\u001b[0m\u007f\n",
  "\ufeffbyte order mark\n",
  "a\u2028b\u0085c\n",
  "\u{1f600} ünïcödé → ok\n",
  "--- a: b\n- [x\n'\"\\ %COMSPEC% # !\n...\n",
];

/** The seed is fixed, so that every run has the same texts; a failure would not print it. */
const random = fc.sample(
  fc.oneof(
    fc.string({ unit: "binary", minLength: 1, maxLength: 80 }),
    fc
      .array(
        fc.constantFrom("a", " ", "\n", "\t", "\r", "{{", "}}", "{%", "{#", "#", ": ", "- ", "'", '"', "\\"),
        {
          minLength: 1,
          maxLength: 30,
        },
      )
      .map((parts) => parts.join("")),
  ),
  { numRuns: 130, seed: 4 },
);

const contents = [...hostile, ...random];
const commands = ["echo {a} # 'b' \"c\" \\d %%e é", 'powershell -Command "1..3 | %% { $_ }"'];

const encodings: readonly (readonly [string, BootstrapFile, string])[] = [
  [
    "base64",
    { path: "/b", permissions: "0600", encoding: "base64", content: base64("{{ x }}\r\n") },
    "{{ x }}\r\n",
  ],
  [
    "gzip+base64",
    {
      path: "/z",
      permissions: "0600",
      encoding: "gzip+base64",
      content: gzipSync("{{ y }}\n").toString("base64"),
    },
    "{{ y }}\n",
  ],
];

const extraFiles = (folder: string): BootstrapFile[] =>
  contents.map((content, index) => ({ path: `${folder}/${index}`, permissions: "0600", content }));

if (python === undefined) {
  it.skip("skipped: CAPZ_WINDOWS_PYTHON names no Python with test/bootstrap/readers/requirements.txt and cloud-init", () =>
    undefined);
} else {
  const encoded = encodings.map(([, file]) => file);

  it("cloudbase-init writes them byte for byte, and puts the commands into the batch file as they are", () => {
    const spec = windowsKubeadmConfigSpec({
      ...today,
      azureJsonSecret: "s",
      sshPublicKey: publicKey,
      preKubeadmCommands: commands,
      extraFiles: [...extraFiles("C:/user"), ...encoded.map((file) => ({ ...file, path: `C:${file.path}` }))],
    });
    const [result] = cloudbaseInit([{ text: render(spec, { os: "windows" }), computerName: "n" }]).results;
    const written = new Map(result!.files.map((file) => [file.path, decoded(file)]));
    contents.forEach((content, index) => {
      expect([index, written.get(`C:\\user\\${index}`)]).toEqual([index, content]);
    });
    encodings.forEach(([, { path }, content]) => {
      expect(written.get(`C:\\${path.slice(1)}`)).toBe(content);
    });
    expect(result!.batches[0]!.split("\r\n")).toEqual(expect.arrayContaining(commands));
    expect(result!.log).toEqual(["User 'capi' already exists"]);
  });

  it("cloud-init does the same, with their permissions", () => {
    const linuxCommands = ["echo {a} # 'b' \"c\" \\d é", 'for i in 1 2; do echo "$i"; done'];
    const spec = linuxWorkerKubeadmConfigSpec({
      ...today,
      azureJsonSecret: "s",
      postKubeadmCommands: linuxCommands,
      extraFiles: [...extraFiles("/user"), ...encoded],
    });
    const [result] = cloudInit([{ text: render(spec), computerName: "n" }]);
    expect(result!.log).toEqual([]);
    const written = new Map(result!.files.map((file) => [file.path, file]));
    contents.forEach((content, index) => {
      const file = written.get(`/user/${index}`)!;
      expect([index, decoded(file), file.mode]).toEqual([index, content, "0600"]);
    });
    encodings.forEach(([, { path }, content]) => {
      expect(decoded(written.get(path)!)).toBe(content);
    });
    expect(result!.script.split("\n")).toEqual(expect.arrayContaining(linuxCommands));
  });

  it("would be changed without base64", () => {
    const file = (content: string) => ({ files: [{ path: "C:/x", content }] });
    const results = cloudbaseInit(
      [file("{{ v1.local_hostname }}\n"), file("a\r\nb"), file("  a\nb\n")].map((spec) => ({
        text: render(spec, { os: "windows" }),
        computerName: "n",
      })),
    ).results;
    expect(results.map(({ files }) => files.filter(({ path }) => path === "C:\\x").map(decoded))).toEqual([
      ["n\n"],
      ["a\nb\n"],
      [],
    ]);
  });
}
