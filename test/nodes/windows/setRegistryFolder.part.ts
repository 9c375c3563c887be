import { describeOnWindows, runOnWindows } from "../powershell";

const script = "set-registry-folder.ps1";
const config = "Program Files/containerd/config.toml";
const dropIn = "Program Files/containerd/conf.d/capz-windows.toml";
/** As Join-Path writes it here. */
const value = "'C:/ProgramData/containerd/certs.d'";
const line = `config_path = ${value}`;

const told = async (text: string) => {
  const { output, code, files } = await runOnWindows(script, { files: { [config]: text } });
  const inRoot = (one = "") => one.replaceAll(/'[^']*(?=\/ProgramData)/g, "'C:");
  return { output, code, config: inRoot(files[config]), dropIn: inRoot(files[dropIn]) };
};

const changed = (text: string) => ({
  ...{ output: [`C:/${config} has ${line}`], code: 0 },
  ...{ config: text, dropIn: "" },
});

/** What image-builder v0.1.55 writes, ansible/windows/roles/runtimes/templates/config.toml. */
const image = (version: 2 | 3, imports = "") =>
  [
    'root = "C:\\\\ProgramData\\\\containerd\\\\root"',
    `version = ${version}`,
    imports,
    "[grpc]",
    '  address = "\\\\\\\\.\\\\pipe\\\\containerd-containerd"',
    "",
    "[plugins]",
    version === 2
      ? '  [plugins."io.containerd.grpc.v1.cri"]\n    sandbox_image = "pause"\n    [plugins."io.containerd.grpc.v1.cri".registry.headers]'
      : "  [plugins.'io.containerd.cri.v1.images'.pinned_images]\n    sandbox = \"pause\"\n    [plugins.'io.containerd.cri.v1.images'.registry.headers]",
    '      X-Meta-Source-Client = ["azure/capz"]',
    "",
  ].join("\n");
const imports = 'imports = ["C:\\\\Program Files\\\\containerd\\\\conf.d\\\\*.toml"]\n';

describeOnWindows("set-registry-folder.ps1", () => {
  it("writes a file of its own where containerd 2 imports such files, also the second time", async () => {
    const before = image(3, imports);
    const expected = {
      output: [`C:/${dropIn} has ${line}`],
      code: 0,
      config: before,
      dropIn: `version = 3\n[plugins.'io.containerd.cri.v1.images'.registry]\n${line}\n`,
    };
    expect(await told(before)).toEqual(expected);
    const second = await runOnWindows(script, { files: { [config]: before, [dropIn]: "something else" } });
    expect(second.files[dropIn]).toContain("config_path");
    // Slashes are as good.
    expect(await told(before.replaceAll("\\\\conf.d\\\\", "/conf.d/"))).toMatchObject({
      dropIn: expected.dropIn,
    });
  });

  it.each<[string, string, string]>([
    [
      "containerd 1, whose imported files replace whole tables",
      image(2, imports),
      "io.containerd.grpc.v1.cri",
    ],
    ["an image that imports nothing", image(3), "io.containerd.cri.v1.images"],
    [
      "an image that imports other files",
      image(3, 'imports = ["D:\\\\more.toml"]\n'),
      "io.containerd.cri.v1.images",
    ],
    ["a configuration that names no version", 'root = "x"\n', "io.containerd.grpc.v1.cri"],
  ])("adds the table to the configuration of %s", async (_what, before, plugin) => {
    const after = `${before}\n[plugins.'${plugin}'.registry]\n${line}\n`;
    expect(await told(before)).toEqual(changed(after));
    expect(await told(after)).toEqual({
      output: [`C:/${config} has a config_path already and stays as it is.`],
      code: 0,
      config: after,
      dropIn: "",
    });
  });

  const images = "io.containerd.cri.v1.images";
  const cri = "io.containerd.grpc.v1.cri";
  it.each<[string, string, string]>([
    [
      "adds a line to the table of the registry",
      `version = 3\n[plugins.'${images}'.registry] # ours\nuse_local = true\n`,
      `version = 3\n[plugins.'${images}'.registry]\n${line} # ours\nuse_local = true\n`,
    ],
    [
      "fills in an empty path, in either kind of quotes",
      `version = 2\n[plugins."${cri}".registry]\n  config_path = ""\n[grpc]\n`,
      `version = 2\n[plugins."${cri}".registry]\n  config_path = ${value}\n[grpc]\n`,
    ],
    [
      "fills in that of the registry only, and not that of another plug-in",
      `version = 3\n[plugins.'io.containerd.transfer.v1.local']\nconfig_path = ''\n[plugins.'${images}'.registry]\nconfig_path = ''\n[plugins.'${cri}'.registry]\nconfig_path = ''\n`,
      `version = 3\n[plugins.'io.containerd.transfer.v1.local']\nconfig_path = ''\n[plugins.'${images}'.registry]\nconfig_path = ${value}\n[plugins.'${cri}'.registry]\nconfig_path = ''\n`,
    ],
    [
      "does not take the path of another plug-in, a comment or a text for the registry's",
      `version = 3\n# config_path = 'a'\n[plugins.'other'.registry]\nconfig_path = 'b'\nnote = """\n[plugins.'${images}'.registry]\nconfig_path = 'c'"""\nwhy = '''\nconfig_path = 'd'\n'''\n`,
      `version = 3\n# config_path = 'a'\n[plugins.'other'.registry]\nconfig_path = 'b'\nnote = """\n[plugins.'${images}'.registry]\nconfig_path = 'c'"""\nwhy = '''\nconfig_path = 'd'\n'''\n\n[plugins.'${images}'.registry]\n${line}\n`,
    ],
    [
      "knows a table of tables, a list over lines and a value with an escaped quote",
      `version = 3\n[[a]]\nb = [\n  { c = "\\"]" },\n  2,\n]\n[plugins.'${images}'.registry]\n`,
      `version = 3\n[[a]]\nb = [\n  { c = "\\"]" },\n  2,\n]\n[plugins.'${images}'.registry]\n${line}\n`,
    ],
    [
      "fills in an empty path that has dots",
      `version = 3\n[plugins]\n'${images}'.registry.config_path = ""\n`,
      `version = 3\n[plugins]\n'${images}'.registry.config_path = ${value}\n`,
    ],
    [
      "stands beside keys with dots, whose table nobody may add",
      `version = 3\n[plugins.'${images}']\nregistry.headers.x = ["y"]\nsnapshotter = "z"\n`,
      `version = 3\n[plugins.'${images}']\nregistry.config_path = ${value}\nregistry.headers.x = ["y"]\nsnapshotter = "z"\n`,
    ],
    [
      "writes the whole key where the keys with dots do",
      `version = 3\nplugins.'${images}'.registry.headers.x = ["y"]\n`,
      `version = 3\nplugins.'${images}'.registry.config_path = ${value}\nplugins.'${images}'.registry.headers.x = ["y"]\n`,
    ],
    [
      "fills in an empty path in braces",
      `version = 3\n[plugins.'${images}']\nregistry = { headers = { x = ["y", "z"] }, config_path = '' }\n`,
      `version = 3\n[plugins.'${images}']\nregistry = { headers = { x = ["y", "z"] }, config_path = ${value} }\n`,
    ],
    [
      "goes into the braces of the registry",
      `version = 3\n[plugins]\n'${images}' = { registry = { headers = { x = ["y"] } }, a = 1 }\n`,
      `version = 3\n[plugins]\n'${images}' = { registry = { ${line}, headers = { x = ["y"] } }, a = 1 }\n`,
    ],
    [
      "goes into braces that have nothing",
      `version = 3\n[plugins.'${images}']\nregistry = {}\n`,
      `version = 3\n[plugins.'${images}']\nregistry = { ${line}}\n`,
    ],
    [
      "goes into the braces of all plug-ins",
      `version = 2\nplugins = { "${cri}" = { sandbox_image = "p" }, b = { c = 1 } }\n`,
      `version = 2\nplugins = { "${cri}" = { registry.config_path = ${value}, sandbox_image = "p" }, b = { c = 1 } }\n`,
    ],
    [
      "names the plug-in in braces without it",
      `version = 2\nplugins = { b = { c = 1 } }\n`,
      `version = 2\nplugins = { '${cri}'.registry.config_path = ${value}, b = { c = 1 } }\n`,
    ],
    [
      "keeps the line ends of Windows",
      `version = 3\r\n[plugins.'${images}'.registry]\r\nconfig_path = ''\r\n`,
      `version = 3\r\n[plugins.'${images}'.registry]\r\nconfig_path = ${value}\r\n`,
    ],
  ])("%s", async (_what, before, after) => {
    expect(await told(before)).toEqual(changed(after));
  });

  it.each([
    ["a table", `version = 3\n${imports}[plugins.'${images}'.registry]\nconfig_path = "D:\\\\certs"\n`],
    [
      "braces",
      `version = 3\n${imports}plugins = { '${images}' = { registry = { config_path = 'D:\\certs' } } }\n`,
    ],
    ["dots", `version = 3\n${imports}[plugins]\n'${images}'.registry.config_path = 'D:\\certs'\n`],
  ])("keeps a path of somebody else, in %s", async (_what, before) => {
    expect(await told(before)).toEqual({
      output: [`C:/${config} has a config_path already and stays as it is.`],
      code: 0,
      config: before,
      dropIn: "",
    });
  });

  it.each([
    [
      "a table",
      `version = 2\n[plugins."${cri}".registry.mirrors."docker.io"]\nendpoint = ["https://mirror.example"]\n`,
    ],
    ["an empty table", `version = 2\n[plugins."${cri}".registry.mirrors]\n`],
    [
      "braces",
      `version = 3\n${imports}[plugins.'${images}'.registry]\nmirrors = { "docker.io" = { endpoint = ["https://mirror.example"] } }\n`,
    ],
  ])("adds nothing beside mirrors in %s, which containerd refuses, and fails", async (_what, before) => {
    expect(await told(before)).toEqual({
      output: [
        `C:/${config} has registry.mirrors, beside which containerd takes no config_path: it stays as it is, and the mirror of the stack is not used.`,
      ],
      code: 1,
      config: before,
      dropIn: "",
    });
  });

  it("fails where there is no configuration", async () => {
    const { code, output } = await runOnWindows(script);
    expect([code, output[0]]).toEqual([1, expect.stringContaining("Could not find a part of the path")]);
  });
});
