import { safeFile, validateSpec } from "../../bootstrap/files";
import { jinjaOpening, nodeNameTemplate } from "../../bootstrap/jinja";
import { linuxWorkerKubeadmConfigSpec } from "../../bootstrap/linux";
import { today } from "../support/platforms";

const messageOf = (run: () => void): string => {
  try {
    run();
  } catch (error) {
    return (error as Error).message;
  }
  return "nothing was thrown";
};

describe("text that Jinja would interpret", () => {
  it("is rejected with file and line", () => {
    const content = 'metadata:\n  name: a\n  label: "{{ .Values.label }}"\n';
    expect(
      messageOf(() => {
        validateSpec({
          files: [
            { path: "/etc/a", content: "" },
            { path: "C:/x.yaml", content },
          ],
        });
      }),
    ).toBe(
      [
        "bootstrap data: 1 problem",
        "",
        "  files[1].content",
        "    problem  line 3: {{ opens a Jinja template: cloud-init and cloudbase-init render the whole document",
        "    allowed  texts without {{, {% and {#; contents of files with encoding: base64 may have them",
      ].join("\n"),
    );
  });

  it("is rejected in commands, paths, keys and arguments, all in one report", () => {
    const message = messageOf(() => {
      validateSpec({
        files: [{ path: "/etc/{{name}}", content: "fine" }],
        preKubeadmCommands: ["true", "echo ${#list[@]}"],
        postKubeadmCommands: ["echo {% raw %}"],
        users: [{ name: "a", sshAuthorizedKeys: ["ssh-ed25519 AAAA {{"] }],
        joinConfiguration: { nodeRegistration: { kubeletExtraArgs: [{ name: "v", value: "{{ 2 }}" }] } },
      });
    });
    expect(message.split("\n").filter((line) => /^ {2}\S/.test(line))).toEqual([
      "  files[0].path",
      "  joinConfiguration.nodeRegistration.kubeletExtraArgs[0].value",
      "  postKubeadmCommands[0]",
      "  preKubeadmCommands[1]",
      "  users[0].sshAuthorizedKeys[0]",
    ]);
    expect(message).toContain("{# opens a Jinja template");
    expect(message).toContain("{% opens a Jinja template");
  });

  it("is allowed only as the node name, and there only as the template for the computer name", () => {
    const named = (name: string) => ({ joinConfiguration: { nodeRegistration: { name } } });
    expect(() => {
      validateSpec(named(nodeNameTemplate));
    }).not.toThrow();
    expect(() => {
      validateSpec(named("{{ ds.meta_data.hostname }}"));
    }).toThrow("nodeRegistration.name");
  });

  it.each(["}}", "%}", "{ {", "{", '{"a":{"b":1}}', "${a}", "#{"])("is not %s", (text) => {
    expect(jinjaOpening(text)).toBeUndefined();
  });
});

describe("files of a user", () => {
  const specWith = (content: string) =>
    linuxWorkerKubeadmConfigSpec({
      ...today,
      azureJsonSecret: "s",
      extraFiles: [{ path: "/x", permissions: "0600", content }],
    });

  it.each([
    ["a Go template", "{{ .Name }}\n"],
    ["the length of a bash array", "echo ${#a[@]}\n"],
    ["Windows line ends", "@echo off\r\nver\r\n"],
    ["a first line that is indented", "  a\nb\n"],
    ["empty lines and then an indented one", "\n\n a\n"],
    ["a tab before everything", "\ta\n"],
    ["no newline at the end", "a"],
    ["two newlines at the end", "a\n\n"],
    ["nothing but newlines", "\n"],
    ["a control character", "a\u001bb\n"],
    ["a byte order mark", "\ufeffa\n"],
    ["a line separator that YAML 1.1 takes for a newline", "a\u2028b\n"],
    ["an emoji", "\u{1f600}\n"],
  ])("are encoded in base64 if they contain %s", (_, content) => {
    expect(specWith(content).files?.[1]).toEqual({
      path: "/x",
      permissions: "0600",
      encoding: "base64",
      content: Buffer.from(content, "utf8").toString("base64"),
    });
  });

  it.each(["a\n", "a\n  b\n\n\tc\n", "ünïcödé → ok\n", "\n\na\n", "# }} %} #}\n"])(
    "stay as they are: %j",
    (content) => {
      expect(specWith(content).files?.[1]).toEqual({ path: "/x", permissions: "0600", content });
    },
  );

  it("stay unchanged if they are already encoded or come from a secret", () => {
    const encoded = {
      path: "/x",
      encoding: "gzip+base64" as const,
      content: "H4sIAAAAAAAAA0vkAgAHoc3dAgAAAA==",
    };
    const secret = { path: "/y", contentFrom: { secret: { name: "a", key: "b" } } };
    expect([encoded, secret].map(safeFile)).toEqual([encoded, secret]);
  });
});
