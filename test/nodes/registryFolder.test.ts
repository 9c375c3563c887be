import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pwsh, runOnWindows } from "./powershell";

/**
 * containerd itself reads what set-registry-folder.ps1 has made of its configuration. The configurations have what image-builder
 * v0.1.55 writes (ansible/windows/roles/runtimes/templates), and what TOML allows besides.
 */
const containerd = process.env.CAPZ_WINDOWS_CONTAINERD;

const script = "set-registry-folder.ps1";
const config = "Program Files/containerd/config.toml";
const cri = "io.containerd.grpc.v1.cri";
const images = "io.containerd.cri.v1.images";

/** What containerd makes of a configuration and of the files that it imports. @throws Error when it refuses it */
function dumped(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), "capz-windows-containerd-"));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      // The drive of the node is a folder here.
      writeFileSync(
        join(root, path),
        text.replace(
          /C:(\\\\|\/)Program Files\1containerd\1conf\.d\1/g,
          `${root}/Program Files/containerd/conf.d/`,
        ),
      );
    }
    const { status, stdout, stderr } = spawnSync(
      containerd ?? "",
      ["-c", join(root, config), "config", "dump"],
      {
        encoding: "utf8",
      },
    );
    if (status !== 0) {
      throw new Error(stderr);
    }
    return stdout;
  } finally {
    rmSync(root, { recursive: true });
  }
}

/** The folder of the registry that containerd reads, whatever plug-in has it in its version. */
const folderIn = (text: string): string | undefined =>
  /\[plugins\.'io\.containerd\.(?:cri\.v1\.images|grpc\.v1\.cri)'\.registry\]\s+config_path = '([^']*)'/.exec(
    text,
  )?.[1];

const suite = containerd === undefined || pwsh === undefined ? describe.skip : describe;

suite("containerd reads the folder of registries", () => {
  const headers = '{ X-Meta-Source-Client = ["azure/capz"] }';
  const imports = 'imports = ["C:\\\\Program Files\\\\containerd\\\\conf.d\\\\*.toml"]\n';

  it.each<[string, string]>([
    [
      "of image-builder, version 2",
      `version = 2\n[plugins]\n  [plugins."${cri}"]\n    sandbox_image = "pause"\n    [plugins."${cri}".registry.headers]\n      X-Meta-Source-Client = ["azure/capz"]\n`,
    ],
    [
      "of image-builder, version 3",
      `version = 3\n[plugins]\n  [plugins.'${images}'.pinned_images]\n    sandbox = "pause"\n    [plugins.'${images}'.registry.headers]\n      X-Meta-Source-Client = ["azure/capz"]\n`,
    ],
    [
      "of image-builder, version 3, which imports files",
      `version = 3\n${imports}[plugins.'${images}'.registry.headers]\n  X-Meta-Source-Client = ["azure/capz"]\n`,
    ],
    ["that has nothing", "version = 2\n"],
    [
      "with the path of another plug-in",
      `version = 3\n[plugins.'io.containerd.transfer.v1.local']\nconfig_path = ''\n[plugins.'${images}'.registry]\nconfig_path = ''\n`,
    ],
    ["with an empty path", `version = 2\n[plugins."${cri}".registry]\nconfig_path = ""\n`],
    [
      "with an inline table of all plug-ins",
      `version = 2\nplugins = { "${cri}" = { sandbox_image = "p" } }\n`,
    ],
    [
      "with an inline table of the plug-in",
      `version = 3\n[plugins]\n'${images}' = { registry = { headers = ${headers} } }\n`,
    ],
    [
      "with an inline table of the registry",
      `version = 3\n[plugins.'${images}']\nregistry = { headers = ${headers}, config_path = '' }\n`,
    ],
    ["with an empty inline table", `version = 3\n[plugins.'${images}']\nregistry = {}\n`],
    ["with a dotted key of the path", `version = 3\n[plugins.'${images}']\nregistry.config_path = ""\n`],
    [
      "with dotted keys of the registry",
      `version = 3\n[plugins.'${images}']\nregistry.headers.X-Meta = ["y"]\nsnapshotter = "windows"\n`,
    ],
    ["with dotted keys from the top", `version = 3\nplugins.'${images}'.registry.headers.X-Meta = ["y"]\n`],
  ])("in a configuration %s", async (_, text) => {
    const { code, files } = await runOnWindows(script, { files: { [config]: text } });
    expect(code).toBe(0);
    expect(folderIn(dumped(files))).toMatch(/\/ProgramData\/containerd\/certs\.d$/);
  });

  it("finds nothing where the script has not run", () => {
    expect(folderIn(dumped({ [config]: "version = 3\n" }))).toBe("");
  });

  it("refuses a path beside mirrors, which the script therefore leaves alone", async () => {
    const mirrors = `version = 3\n[plugins.'${images}'.registry.mirrors."docker.io"]\nendpoint = ["https://mirror.example"]\n`;
    const { code, files } = await runOnWindows(script, { files: { [config]: mirrors } });
    expect([code, files[config]]).toEqual([1, mirrors]);
  });
});

for (const [what, variable, there] of [
  ["containerd", "CAPZ_WINDOWS_CONTAINERD", containerd],
  ["PowerShell", "CAPZ_WINDOWS_PWSH", pwsh],
] as const) {
  if (there === undefined) {
    it.skip(`skipped: the folder of registries is not read, which needs ${what} in ${variable}`, () =>
      undefined);
  }
}
