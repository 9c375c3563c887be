import fc from "fast-check";
import type { BootstrapFile, KubeadmConfigSpec } from "capz-types";
import { controlCharacterIn } from "../../../bootstrap/limits";
import { linuxWorkerKubeadmConfigSpec } from "../../../bootstrap/linux";
import { goQuote } from "../../../bootstrap/userData/cloudConfig";
import { goDuration } from "../../../bootstrap/userData/kubeadm";
import { controlPlane, kubeadmConfigs, linux, read, render, windows } from "./support";
import { today } from "../../support/platforms";

describe("the other sections of a cloud-config", () => {
  it("are in the bootstrap provider's order", () => {
    const spec: KubeadmConfigSpec = {
      ...controlPlane,
      ntp: { enabled: true, servers: ["a.example", "b.example"] },
      users: [{ name: "u", sudo: "ALL=(ALL) NOPASSWD:ALL" }],
    };
    const config = read(render(spec));
    expect(Object.keys(config)).toEqual([
      "write_files",
      "runcmd",
      "ntp",
      "users",
      "disk_setup",
      "fs_setup",
      "mounts",
    ]);
    expect(config.ntp).toEqual({ enabled: true, servers: ["a.example", "b.example"] });
    expect(config.users).toEqual([{ name: "u", sudo: "ALL=(ALL) NOPASSWD:ALL" }]);
  });

  it("keep the taints of the spec next to the bootstrap provider's", () => {
    const taint = { key: "os", value: "windows", effect: "NoSchedule" };
    const spec = { joinConfiguration: { nodeRegistration: { taints: [taint] } } };
    expect(kubeadmConfigs(render(spec)).JoinConfiguration?.nodeRegistration).toMatchObject({
      taints: [taint, { key: "node.cluster.x-k8s.io/uninitialized", effect: "NoSchedule" }],
    });
  });

  it("quote values that look like numbers or keywords of YAML", () => {
    const values = [
      "true",
      "12",
      "0644",
      "1e3",
      "yes",
      "",
      "~",
      "2020-01-01",
      "a: b #c",
      "it's",
      '"x"',
      "-",
      "* *",
    ];
    const kubeletExtraArgs = values.map((value, index) => ({ name: `a${index}`, value }));
    const spec = { joinConfiguration: { nodeRegistration: { kubeletExtraArgs } } };
    expect(kubeadmConfigs(render(spec)).JoinConfiguration?.nodeRegistration).toMatchObject({
      kubeletExtraArgs,
    });
  });

  it.each([
    [30, "30s"],
    [60, "1m0s"],
    [1200, "20m0s"],
    [3661, "1h1m1s"],
  ])("format %i seconds as %s", (seconds, text) => {
    expect(goDuration(seconds)).toBe(text);
  });

  it("quote commands as Go does", () => {
    expect(goQuote('a "b" \\c\t\u0007\u007f\u00a0é→\u{1f600}\u{e0001}')).toBe(
      '"a \\"b\\" \\\\c\\t\\a\\x7f\\u00a0é→\u{1f600}\\U000e0001"',
    );
  });
});

describe("any user data", () => {
  const text = fc.string({ unit: "binary", minLength: 1, maxLength: 60 });
  const lines = fc
    .array(
      fc.constantFrom("a", " ", "\n", "\t", "\r", "{{", "{%", "#", ": ", "- ", "é", "'", '"', "\\", "%"),
      {
        minLength: 1,
        maxLength: 30,
      },
    )
    .map((parts) => parts.join(""));

  it("delivers files and commands of a user unchanged", () => {
    fc.assert(
      fc.property(fc.oneof(text, lines), fc.oneof(text, lines), (content, command) => {
        fc.pre(!/\{[{%#]/.test(command));
        fc.pre(controlCharacterIn(content + command) === undefined);
        const spec = linuxWorkerKubeadmConfigSpec({
          ...today,
          azureJsonSecret: "s",
          extraFiles: [{ path: "/x", content }],
          postKubeadmCommands: [command],
        });
        const config = read(render(spec));
        const file = config.write_files[1]!;
        const arrived =
          file.encoding === "base64" ? Buffer.from(file.content, "base64").toString("utf8") : file.content;
        expect(arrived).toBe(content);
        expect(config.runcmd.at(-1)).toBe(command);
      }),
      { numRuns: 150 },
    );
  });

  it("is identical byte for byte, regardless of the order of the spec's fields", () => {
    const shuffled = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(shuffled)
        : typeof value === "object" && value !== null
          ? Object.fromEntries(
              Object.entries(value)
                .reverse()
                .map(([key, inner]) => [key, shuffled(inner)]),
            )
          : value;
    for (const [spec, role] of [
      [controlPlane, "init"],
      [controlPlane, "join-control-plane"],
      [linux, "worker"],
    ] as const) {
      expect(render(shuffled(spec) as KubeadmConfigSpec, { role })).toBe(render(spec, { role }));
    }
  });

  it("contains no secrets, only placeholders with their names", () => {
    const secret: BootstrapFile = { path: "/s", contentFrom: { secret: { name: "mine", key: "token" } } };
    const config = read(render({ ...linux, files: [...(linux.files ?? []), secret] }));
    expect(config.write_files.slice(0, 2).map(({ content }) => content)).toEqual([
      "<from secret linux1-azure-json, key worker-node-azure.json>\n",
      "<from secret mine, key token>\n",
    ]);
    expect(render(windows)).not.toMatch(/\b[a-z0-9]{6}\.[a-z0-9]{16}\b|sha256:|PRIVATE KEY/);
  });
});
