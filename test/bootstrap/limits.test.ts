import type { KubeadmConfigSpec } from "capz-types";
import { linuxWorkerKubeadmConfigSpec } from "../../bootstrap/linux";
import { checkBootstrapLimits } from "../../bootstrap/limits";
import { today } from "../support/platforms";

const problemsOf = (spec: KubeadmConfigSpec): string[] =>
  checkBootstrapLimits(spec).map(({ path, problem, allowed }) => `${path}: ${problem}; ${allowed}`);

const file = (content: string) => ({ files: [{ path: "/x", content }] });
const args = (value: string, ...names: string[]) => ({
  joinConfiguration: { nodeRegistration: { kubeletExtraArgs: names.map((name) => ({ name, value })) } },
});
const key = (text: string) => ({ users: [{ name: "u", sshAuthorizedKeys: [text] }] });

describe("the limits of Cluster API", () => {
  const list = (count: number): string[] => Array.from({ length: count }, () => "true");

  it.each<[string, KubeadmConfigSpec]>([
    ["contents of 10,240 characters", file("a".repeat(10_240))],
    ["characters, whatever their bytes", file("→".repeat(10_240))],
    ["characters, whatever their UTF-16 units", file("\u{1f600}".repeat(10_240))],
    ["paths of 512 characters", { files: [{ path: `/${"a".repeat(511)}`, content: "a" }] }],
    ["commands of 10,240 characters", { preKubeadmCommands: ["a".repeat(10_240)] }],
    ["1,000 commands", { postKubeadmCommands: list(1000) }],
    ["argument values of 1,024 characters", args("a".repeat(1024), "a")],
    ["empty argument values", args("", "a", "b")],
    ["keys of 2,048 characters", key("a".repeat(2048))],
    ["files without any content", { files: [{ path: "/x" }] }],
    ["an empty spec", {}],
  ])("allow %s", (_, spec) => {
    expect(problemsOf(spec)).toEqual([]);
  });

  it.each<[string, KubeadmConfigSpec]>([
    ["files[0].content: has 10,241 characters; 1 to 10,240 characters", file("a".repeat(10_241))],
    ["files[0].content: has 0 characters; 1 to 10,240 characters", file("")],
    ["files[0].path: has 513 characters; 1 to 512 characters", { files: [{ path: `/${"a".repeat(512)}` }] }],
    [
      "preKubeadmCommands[1]: has 10,241 characters; 1 to 10,240 characters",
      { preKubeadmCommands: ["true", "a".repeat(10_241)] },
    ],
    ["postKubeadmCommands[0]: has 0 characters; 1 to 10,240 characters", { postKubeadmCommands: [""] }],
    ["preKubeadmCommands: has 0 commands; 1 to 1,000 commands", { preKubeadmCommands: [] }],
    ["postKubeadmCommands: has 1,001 commands; 1 to 1,000 commands", { postKubeadmCommands: list(1001) }],
    [
      "joinConfiguration.nodeRegistration.kubeletExtraArgs[0].value: has 1,025 characters; 0 to 1,024 characters",
      args("a".repeat(1025), "a"),
    ],
    [
      "joinConfiguration.nodeRegistration.kubeletExtraArgs[2]: duplicate argument v; each name once",
      args("1", "v", "x", "v"),
    ],
    ["users[0].sshAuthorizedKeys[0]: has 2,049 characters; 1 to 2,048 characters", key("a".repeat(2049))],
    [
      "files[2].path: files[0] (/x) writes the same file; each path once",
      { files: [{ path: "/x" }, { path: "/y" }, { path: "/x" }] },
    ],
    [
      "files[1].path: files[0] (C:/k/x) writes the same file; each path once",
      { files: [{ path: "C:/k/x" }, { path: "c:\\K\\X" }] },
    ],
    [
      "files[0]: both content and contentFrom are set; content or contentFrom",
      { files: [{ path: "/x", content: "a", contentFrom: { secret: { name: "s", key: "k" } } }] },
    ],
  ])("reject: %s", (text, spec) => {
    expect(problemsOf(spec)).toEqual([text]);
  });

  it("distinguish Linux paths that differ in case", () => {
    expect(problemsOf({ files: [{ path: "/x" }, { path: "/X" }] })).toEqual([]);
  });

  it("apply to contents as encoded: at most 7,680 bytes in base64", () => {
    const spec = (bytes: number) =>
      linuxWorkerKubeadmConfigSpec({
        ...today,
        azureJsonSecret: "s",
        extraFiles: [{ path: "/x", content: "\r".repeat(bytes) }],
      });
    expect(spec(7680).files?.[1]?.content).toHaveLength(10_240);
    expect(() => spec(7681)).toThrow("files[1].content");
  });

  it("are reported together by a builder", () => {
    const build = () =>
      linuxWorkerKubeadmConfigSpec({
        ...today,
        azureJsonSecret: "s",
        extraFiles: [{ path: "/x", content: `${"a".repeat(10_300)}\n` }],
        preKubeadmCommands: [""],
      });
    expect(build).toThrow(
      [
        "bootstrap data: 2 problems",
        "",
        "  files[1].content",
        "    problem  has 10,301 characters",
        "    allowed  1 to 10,240 characters",
        "",
        "  preKubeadmCommands[0]",
        "    problem  has 0 characters",
        "    allowed  1 to 10,240 characters",
      ].join("\n"),
    );
  });
});

describe("fields that Cluster API writes into YAML without quotes", () => {
  it.each(["/a: b", "/a #b", "- a", "[a", "'a'", "*a", "0644", "true", "a\nb"])("may not be %j", (path) => {
    expect(problemsOf({ files: [{ path }] })).toEqual([
      expect.stringContaining(
        "Cluster API writes this text into YAML without quotes, where it would be parsed as something else",
      ),
    ]);
  });

  it.each(["C:/ProgramData/ssh/administrators_authorized_keys", "C:\\a b\\c", "/a#b", "/a:b", "/etc/x+y"])(
    "may be %s",
    (path) => {
      expect(problemsOf({ files: [{ path }] })).toEqual([]);
    },
  );

  it("include the owner, the user and its keys", () => {
    expect(problemsOf(key("ssh-ed25519 AAAA me: at work"))).toHaveLength(1);
    expect(problemsOf({ users: [{ name: "#x" }] })).toHaveLength(1);
    expect(problemsOf({ files: [{ path: "/x", owner: "root: root" }] })).toHaveLength(1);
  });
});
