import { spawnSync } from "node:child_process";
import fs, {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { run, type InitOptions } from "../../commands/init/cli";
import { packageSource, packageVersion } from "../../commands/init/files";
import { said } from "capz-windows-test-kit/said";
import { projectDir, publicKey } from "../support/stacks";

/** What `capz-windows init` asks, writes and refuses. The package test plans what it wrote. */

const dir = mkdtempSync(join(tmpdir(), "capz-windows-init-"));

afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
});

async function init(args: readonly string[], options: Partial<InitOptions> = { ask: undefined }) {
  const given = args.map((arg) => arg.replace("DIR", dir));
  const { code, err } = await said(() => run(given, options));
  return { code, err: err.replaceAll(dir, "DIR") };
}

const stackOf = (folder: string): string => readFileSync(join(dir, folder, "Pulumi.dev.yaml"), "utf8");

it("writes the answers into the stack file, and keeps its comments", async () => {
  writeFileSync(join(dir, "key.pub"), `${publicKey}\n`);
  const answers = ["shop", "11111111-2222-4333-8444-555555555555", "", "northeurope", "DIR/key.pub", "2022"];
  const asked: string[] = [];
  const ask = (question: string): Promise<string> =>
    Promise.resolve((answers[asked.push(question) - 1] ?? "").replace("DIR", dir));
  expect(await init(["DIR/asked"], { ask })).toEqual({ code: 0, err: "" });
  expect(asked).toHaveLength(6);
  expect(asked[1]).toBe("Azure subscription ID (empty: as in the example): ");
  const text = stackOf("asked");
  expect(text).toContain("  capz-windows:clusterName: shop\n");
  expect(text).toContain("    subscriptionId: 11111111-2222-4333-8444-555555555555\n");
  expect(text).toContain("    tenantId: 00000000-0000-0000-0000-000000000000\n");
  expect(text).toContain(`    sshPublicKey: ${publicKey}\n`);
  expect(text).toContain('    win2022:\n      windowsServer: "2022"\n');
  expect(text).toContain("# you" + "r network\n");
});

it.each(["full", "full/inner", "there"])(
  "leaves nothing in %s on a full disk, and says it",
  async (folder) => {
    mkdirSync(join(dir, "there"), { recursive: true });
    const full = Object.assign(new Error("ENOSPC: no space left on device, write"), {
      code: "ENOSPC",
      syscall: "write",
    });
    const { writeFileSync: written } = fs;
    const write = jest.spyOn(fs, "writeFileSync").mockImplementation((file, text, options) => {
      const isHalf = typeof text === "string" && text.includes('"capz-windows plan dev"');
      written(file, isHalf ? text.slice(0, 9) : text, options);
      if (isHalf) {
        throw full;
      }
    });
    const told = await init([`DIR/${folder}`, "--yes"]);
    write.mockRestore();
    expect(told).toEqual({
      code: 1,
      err: "ENOSPC: no space left on device, write. Make this path usable, or name another one.\n",
    });
    expect(existsSync(join(dir, "full"))).toBe(false);
    expect(readdirSync(join(dir, "there"))).toEqual([]);
  },
);

it.each([
  [
    ["DIR/new"],
    1,
    "There is no terminal to ask for --cluster-name, --subscription, --tenant, --location, --ssh-key, --windows. Write them, or --yes to keep what the example has.\n",
  ],
  [
    ["--yes", "DIR/full"],
    1,
    "DIR/full has files already, and none is overwritten. Name a new or an empty folder.\n",
  ],
  [["--yes", "DIR/full/mine"], 1, "DIR/full/mine is a file. Name a new folder.\n"],
  [
    ["--yes", "DIR/new", "--ssh-key", "DIR/no.pub"],
    1,
    "--ssh-key DIR/no.pub: there is no such file. Name the file of a public key, for instance ~/.ssh/id_ed25519.pub, or write its text in quotes.\n",
  ],
  [["--yes"], 64, "error: missing required argument 'folder'\nAll options: npx capz-windows init --help\n"],
  [
    ["--yes", "DIR/new", "--workflows", "jenkins"],
    64,
    "error: option '--workflows <SERVICE>' argument 'jenkins' is invalid. Allowed choices are github.\nAll options: npx capz-windows init --help\n",
  ],
  [
    ["--yes", "DIR/a b"],
    64,
    'The name of the folder becomes that of the Pulumi project, which may have letters, digits, "-", "_" and "." only: a b\nAll options: npx capz-windows init --help\n',
  ],
])("refuses %j and writes nothing", async (args, code, err) => {
  mkdirSync(join(dir, "full"), { recursive: true });
  writeFileSync(join(dir, "full/mine"), "");
  expect(await init(args)).toEqual({ code, err });
  expect(existsSync(join(dir, "new"))).toBe(false);
  expect(readFileSync(join(dir, "full/mine"), "utf8")).toBe("");
});

it.each(["null", "-", "true", "1e3", "0x1f"])(
  "names the project %s, which YAML takes for no text",
  async (name) => {
    expect(await init(["--yes", `DIR/odd/${name}`])).toEqual({ code: 0, err: "" });
    expect(parse(readFileSync(join(dir, "odd", name, "Pulumi.yaml"), "utf8"))).toMatchObject({ name });
  },
);

it.each(["DIR/link", "DIR/link/inside"])("refuses %s, a link to nothing, in words", async (folder) => {
  rmSync(join(dir, "link"), { force: true });
  symlinkSync(join(dir, "nothing"), join(dir, "link"));
  expect(await init(["--yes", folder])).toEqual({
    code: 1,
    err: `ENOENT: no such file or directory, mkdir '${folder}'. Make this path usable, or name another one.\n`,
  });
});

it.each([
  [
    "github",
    ["check", "comment", "deploy", "drift", "images", "preview"].map((name) => [
      `.github/workflows/${name}.yml`,
      `github/${name}.yml`,
    ]),
  ],
])("writes the pipelines of %s, which say where their document is", async (service, files) => {
  expect(await init(["--yes", `DIR/${service}`, "--workflows", service])).toEqual({ code: 0, err: "" });
  const text = (...path: string[]): string => readFileSync(join(...path), "utf8");
  for (const [file = "", source = ""] of files) {
    expect(text(dir, service, file)).toBe(
      text(projectDir, "examples/pipelines", source).replace(
        "docs/pipelines.md",
        "node_modules/capz-windows/docs/pipelines.md",
      ),
    );
  }
  const found = readdirSync(join(dir, service), { recursive: true, encoding: "utf8" });
  expect(found.filter((path) => path.endsWith(".yml")).sort()).toEqual(files.map(([file]) => file));
});

it("reports a wrong answer as a plan does, before anything is written", async () => {
  const { code, err } = await init(["--yes", "DIR/new", "--windows", "2016"]);
  expect(code).toBe(1);
  expect(err).toContain("Windows Server 2016 cannot run nodes");
  expect(existsSync(join(dir, "new"))).toBe(false);
});

describe("what a project depends on", () => {
  const installation = join(dir, "installation");

  /** As npm writes it beside the packages that it has installed. */
  function installedFrom(resolved: string): void {
    mkdirSync(join(installation, "node_modules"), { recursive: true });
    const packages = { "node_modules/capz-windows": { version: "0.1.0", resolved } };
    writeFileSync(join(installation, "node_modules/.package-lock.json"), JSON.stringify({ packages }));
  }

  it("is the tarball from which init runs, because no registry needs to have it", () => {
    installedFrom("file:../capz-windows-0.1.0.tgz");
    expect(packageSource(join(dir, "clusters/mine"), installation)).toBe("file:../../capz-windows-0.1.0.tgz");
  });

  it("is the version otherwise", async () => {
    installedFrom("https://registry.example/capz-windows/-/capz-windows-0.1.0.tgz");
    expect(packageSource(join(dir, "mine"), installation)).toBe(packageVersion());
    expect(packageSource(join(dir, "mine"), join(dir, "nothing"))).toBe(packageVersion());
    expect(await init(["--yes", "DIR/versioned"])).toEqual({ code: 0, err: "" });
    expect(JSON.parse(readFileSync(join(dir, "versioned/package.json"), "utf8"))).toMatchObject({
      dependencies: { "capz-windows": packageVersion() },
    });
  });
});

it("npm pack in the root stops and says where the package is made", () => {
  const { status, stderr } = spawnSync("npm", ["pack", "--dry-run"], {
    ...{ cwd: projectDir, encoding: "utf8", shell: process.platform === "win32" },
  });
  expect(status).not.toBe(0);
  expect(stderr).toContain(
    "The package is not made of the root. Run: npm run build && cd dist && npm pack (docs/package.md)\n",
  );
});
